"""The consoles of the command line: standard output for results, standard error for the rest.

Column names, labels and paths come from other people and may contain control characters that a
terminal would execute. Everything that is printed goes through :func:`escape_controls`.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from lookalike.shell.display import display
from lookalike.shown_text import escape_controls

UNWRAPPED = 1000
"""Line width for output to a file or another program, so that no line is wrapped."""


class SafeConsole(Console):
    """A console that sends no control characters to the terminal except its own styles."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Render a value and escape the control characters of its text."""
        for segment in super().render(renderable, options):
            shown = segment.text if segment.control else escape_controls(segment.text)
            yield Segment(shown, segment.style, segment.control)


class ResultConsole(SafeConsole):
    """The console of results, which ``--quiet`` silences."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print, unless only errors are to be printed."""
        if not display.quiet:
            super().print(*objects, **options)


out = ResultConsole(width=None if sys.stdout.isatty() else UNWRAPPED)
err = SafeConsole(stderr=True)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on standard output, with control characters as JSON escapes."""
    text = json.dumps(content, ensure_ascii=False)
    sys.stdout.write("".join(map(_escape_in_json, text)) + "\n")


def _escape_in_json(one: str) -> str:
    """Return a character of JSON text; an unprintable one, which only strings hold, is escaped."""
    return one if one.isprintable() else json.dumps(one)[1:-1]
