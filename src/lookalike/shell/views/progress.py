"""The progress display of a terminal: which step is running, and for how long."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from lookalike.kernels.compilation import noticing_compilation
from lookalike.shell.display import display

COMPILING = " (compiling once, about 20 s)"
"""What is added to the steps that are shown, from the time when numba compiles."""


class Progress:
    """Callback that shows the running step, if there is a terminal."""

    def __init__(self, shown: Display | None = None, first: str = "") -> None:
        self._shown = shown
        self._task = TaskID(0) if shown is None else shown.add_task(first, total=None)
        self._step = first
        self._compiles = False

    def __call__(self, step: str) -> None:
        """Show the name of a step."""
        self._step = step
        if self._shown is not None:
            described = f"{step}{COMPILING if self._compiles else ''}"
            self._shown.update(self._task, description=described)

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
def show_progress(console: Console, first: str) -> Iterator[Progress]:
    """Show the running step while the body of the ``with`` statement runs."""
    if display.quiet or not console.is_terminal:
        yield Progress()
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Display(*columns, console=console, transient=True) as shown:
        progress = Progress(shown, first)
        with noticing_compilation(progress.notice_compilation):
            yield progress
