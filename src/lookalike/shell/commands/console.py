"""Where commands print: standard output for results, standard error for everything else.

Names of columns, labels and paths come from others and may hold control characters, which a
terminal would obey. Whatever is printed goes through :func:`escape_controls`.
"""

import json
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

WIDE = 1000
"""The width of lines that go to a file or another program, so that none is broken."""


def escape_controls(text: str) -> str:
    r"""Write characters that cannot be seen as escapes; a line may end.

    Examples
    --------
    >>> print(escape_controls("zip\x1b[2J\x9b1m \u202e code"))
    zip\x1b[2J\x9b1m \u202e code
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode()
        for one in text
    )


class SafeConsole(Console):
    """A console whose own styles are the only control characters that reach the terminal."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Escape what is shown, piece by piece."""
        for segment in super().render(renderable, options):
            shown = segment.text if segment.control else escape_controls(segment.text)
            yield Segment(shown, segment.style, segment.control)


out = SafeConsole(width=None if sys.stdout.isatty() else WIDE)
err = SafeConsole(stderr=True)


def print_json(content: dict[str, Any]) -> None:
    """Print one JSON object on standard output; control characters are escaped as JSON does."""
    text = json.dumps(content, ensure_ascii=False)
    sys.stdout.write("".join(map(_escape_in_json, text)) + "\n")


def _escape_in_json(one: str) -> str:
    """Write a character of JSON; what cannot be seen becomes an escape, which only text has."""
    return one if one.isprintable() else json.dumps(one)[1:-1]
