"""The progress display of a terminal: which step is running."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status

from lookalike.shell.display import display


class Progress:
    """Callback that shows the running step, if there is a terminal."""

    def __init__(self, status: Status | None) -> None:
        self._status = status

    def __call__(self, step: str) -> None:
        """Show the name of a step."""
        if self._status is not None:
            self._status.update(step)

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
        yield Progress(status)
