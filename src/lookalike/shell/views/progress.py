"""Progress: which step is running, for somebody at a terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status


class Progress:
    """Shows which step is running, if there is a terminal to show it on."""

    def __init__(self, status: Status | None) -> None:
        self._status = status

    def __call__(self, step: str) -> None:
        """Show the name of a step."""
        if self._status is not None:
            self._status.update(step)

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Show nothing for a while, so that a question can be read and answered."""
        if self._status is None:
            yield
            return
        self._status.stop()
        yield
        self._status.start()


@contextmanager
def show_progress(console: Console, first: str) -> Iterator[Progress]:
    """Show which step is running while something is done."""
    if not console.is_terminal:
        yield Progress(None)
        return
    with console.status(first) as status:
        yield Progress(status)
