"""Compile a function with numba on its first call."""

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from lookalike.kernels.cache import cache_folder
from lookalike.kernels.compilation import listen_to_compiler

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile on the first call and keep the machine code for the next process.

    numba is imported on the first call too, so that commands which count nothing start quickly.
    If no folder is safe to keep the code in (:mod:`lookalike.kernels.cache`), each process
    compiles again. A compiled function may call compiled functions of other files, but only of
    this package, because the name of the folder depends on the files of this package alone.
    """

    @functools.cache
    def machine_code() -> Callable[..., Any]:
        import numba

        listen_to_compiler()
        linked = _link(function)
        dispatcher = numba.njit(nogil=True)(linked)
        if cache_folder() is None or not _store(dispatcher, linked):
            _say_uncached()
        return dispatcher  # type: ignore[no-any-return]

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return machine_code()(*arguments)

    call.machine_code = machine_code  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


def _store(dispatcher: Any, function: Function) -> bool:
    """Keep the code of a function for the next process, and return whether that is possible."""
    from lookalike.kernels.stored_code import StoredCode

    try:
        dispatcher._cache = StoredCode(function)
    except OSError:
        return False
    return True


def _link(function: Function) -> Function:
    """Return a function whose calls of compiled functions go to their machine code."""
    names = {
        name: value.machine_code()
        for name, value in function.__globals__.items()
        if name in function.__code__.co_names and hasattr(value, "machine_code")
    }
    if not names:
        return function
    linked = types.FunctionType(
        function.__code__, {**function.__globals__, **names}, function.__name__
    )
    return functools.update_wrapper(linked, function)  # type: ignore[return-value]


@functools.cache
def _say_uncached() -> None:
    """Warn once that every process has to compile again, and how to avoid that."""
    warnings.warn(
        "lookalike has no folder to keep its compiled code in and compiles it at each start; "
        "make the home folder writable, or set NUMBA_CACHE_DIR to a folder that only you can "
        "write to",
        stacklevel=2,
    )
