"""Notice when numba compiles, which happens once for each installation and takes seconds."""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_noticed: list[Callable[[], None]] = []


@contextmanager
def noticing_compilation(notice: Callable[[], None]) -> Iterator[None]:
    """Call back whenever code is compiled while the body of the ``with`` statement runs.

    Code that was compiled by an earlier process is loaded, and not noticed.
    """
    _noticed.append(notice)
    try:
        yield
    finally:
        _noticed.remove(notice)


@functools.cache
def listen_to_compiler() -> None:
    """Let numba report what it compiles; called when numba is imported anyway."""
    from numba.core import event

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _event: Any) -> None:
            for notice in tuple(_noticed):
                notice()

        def on_end(self, _event: Any) -> None:
            pass

    event.register("numba:compile", Listener())
