"""What a terminal shows: the running step, questions, and at last the result of a command."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, count
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from lookalike.json_result import to_json
from lookalike.kernels.compilation import noticing_compilation
from lookalike.search.argus.options import UNDO, Unsafe
from lookalike.shell.console import err, out, print_json
from lookalike.shell.display import display
from lookalike.shell.views.printing import show_rows

COMPILING = " (compiling once, about 20 s)"
"""What is added to the steps that are shown, from the time when numba compiles."""


LINE_SECONDS = (10, 30, 60)
"""When a line with the running step is printed if there is no terminal; then every minute."""


class Progress:
    """Callback that shows the running step at a terminal, and keeps it for lines elsewhere."""

    def __init__(self, shown: Display | None = None, first: str = "") -> None:
        self._shown = shown
        self._task = TaskID(0) if shown is None else shown.add_task(first, total=None)
        self._step = first
        self._compiles = False

    def __call__(self, step: str) -> None:
        """Show the name of a step."""
        self._step = step
        if self._shown is not None:
            self._shown.update(self._task, description=self.described)

    @property
    def described(self) -> str:
        """The running step, and whether code is compiled."""
        return f"{self._step}{COMPILING if self._compiles else ''}"

    def notice_compilation(self) -> None:
        """Show that code is compiled, which takes a while and happens once."""
        if not self._compiles:
            self._compiles = True
            self(self._step)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Hide the display while a question is asked."""
        if self._shown is None:
            yield
            return
        self._shown.stop()
        yield
        self._shown.start()


@contextmanager
def show_progress(first: str, console: Console = err) -> Iterator[Progress]:
    """Show the running step while the body of the ``with`` statement runs.

    Without a terminal, a line now and then tells that the command still works. With ``--quiet``
    nothing is shown.
    """
    if display.quiet:
        yield Progress()
    elif not console.is_terminal:
        progress = Progress(first=first)
        with noticing_compilation(progress.notice_compilation), _printing(console, progress):
            yield progress
    else:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
        )
        with Display(*columns, console=console, transient=True) as shown:
            progress = Progress(shown, first)
            with noticing_compilation(progress.notice_compilation):
                yield progress


@contextmanager
def _printing(console: Console, progress: Progress) -> Iterator[None]:
    """Print lines with the running step from another thread, the first ones after seconds."""
    began, ended = time.monotonic(), threading.Event()

    def print_lines() -> None:
        for due in chain(LINE_SECONDS, count(2 * LINE_SECONDS[-1], LINE_SECONDS[-1])):
            if ended.wait(began + due - time.monotonic()):
                return
            line = f"lookalike: {progress.described} ({due} s in all)"
            console.print(line, markup=False, highlight=False, soft_wrap=True)

    printer = threading.Thread(target=print_lines, daemon=True)
    printer.start()
    try:
        yield
    finally:
        ended.set()
        printer.join()


def print_result(
    as_json: bool,
    result: Any,
    view: Callable[[], RenderableType],
    *,
    highlight: bool = True,
    **requested: Any,
) -> None:
    """Print the result of a command: as one JSON object with what is requested, or as text."""
    if as_json:
        print_json(result.as_json(**requested) if requested else to_json(result))
    else:
        out.print(view(), highlight=highlight)


MOST_COMBINATIONS_SHOWN = 12
STOP, BACK = "", "u"
WHICH = "Generalize which attribute? (name or number; u: undo; Enter: suppress the rest) "


def keep_at(console: Console, progress: Progress) -> bool:
    """Ask whether to keep the result of an interrupted search (Ctrl-C)."""
    with progress.quiet():
        return read_line(console, "Keep the best found so far? (y: yes; Enter: stop) ") == "y"


def show_unsafe(unsafe: Unsafe) -> RenderableType:
    """Show the number of rare values of each attribute and each combination of attributes."""
    if not unsafe.combinations:
        return f"Every tested combination of values occurs at least {unsafe.k} times."
    ranked = sorted(unsafe.combinations.items(), key=lambda item: -item[1][1])
    hidden = len(ranked) - MOST_COMBINATIONS_SHOWN
    combined = [
        [" × ".join(names), f"{rare:,}", f"{rows:,}"]
        for names, (rare, rows) in ranked[:MOST_COMBINATIONS_SHOWN]
    ]
    attributes = [
        [str(number), name, f"{unsafe.levels[name]} of {unsafe.heights[name]}", f"{rare:,}"]
        for number, (name, rare) in enumerate(unsafe.attributes.items(), start=1)
    ]
    numbered = show_rows(
        ["", "attribute", "level", "rare values it is part of"], attributes, text=2
    )
    numbered.columns[0].justify = "right"
    return Group(
        f"{unsafe.rows:,} rows have values that occur fewer than {unsafe.k} times in combination.",
        numbered,
        show_rows(["combination", "rare values", "rows"], combined, text=1),
        *([f"{hidden:,} more combinations have rare values."] if hidden > 0 else []),
    )


def decide_at(console: Console, progress: Progress, unsafe: Unsafe) -> str | None:
    """Ask what to generalize until the answer is valid (Achieving, Figure 11, steps 4 and 5)."""
    names = list(unsafe.levels)
    numbered = {str(number): name for number, name in enumerate(names, start=1)}
    with progress.quiet():
        console.print(show_unsafe(unsafe))
        while True:
            answer = read_line(console, WHICH)
            if answer in (STOP, BACK):
                return UNDO if answer == BACK else None
            chosen = numbered.get(answer, answer)
            if chosen not in names:
                console.print(f"There is no attribute {answer!r}.", markup=False)
            elif unsafe.levels[chosen] == unsafe.heights[chosen]:
                console.print(f"{chosen} is at the top of its hierarchy already.", markup=False)
            else:
                return chosen


def read_line(console: Console, question: str) -> str:
    """Read a line; the end of input stops the command, like Ctrl-C."""
    try:
        return console.input(question).strip()
    except EOFError:
        raise KeyboardInterrupt from None
