"""The progress display of a terminal: which step is running."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from lookalike.kernels.compilation import noticing_compilation
from lookalike.shell.display import display

COMPILING = " (compiling once, about 20 s)"
"""What is added to the steps that are shown, from the time when numba compiles."""


class Progress:
    """Callback that shows the running step, if there is a terminal."""

    def __init__(self, status: Status | None, first: str = "") -> None:
        self._status = status
        self._step = first
        self._compiles = False

    def __call__(self, step: str) -> None:
        """Show the name of a step."""
        self._step = step
        if self._status is not None:
            self._status.update(f"{step}{COMPILING if self._compiles else ''}")

    def notice_compilation(self) -> None:
        """Show that code is compiled, which takes a while and happens once."""
        if not self._compiles:
            self._compiles = True
            self(self._step)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Hide the display while a question is asked."""
        if self._status is None:
            yield
            return
        self._status.stop()
        yield
        self._status.start()


@contextmanager
def show_progress(console: Console, first: str) -> Iterator[Progress]:
    """Show the running step while the body of the ``with`` statement runs."""
    if display.quiet or not console.is_terminal:
        yield Progress(None)
        return
    with console.status(first) as status:
        progress = Progress(status, first)
        with noticing_compilation(progress.notice_compilation):
            yield progress
