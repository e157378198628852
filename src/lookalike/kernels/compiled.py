"""Compile a function with numba on its first call."""

import functools
import types
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile on the first call and keep the machine code in numba's own cache.

    numba is imported no sooner, so that commands which count nothing start quickly. Where
    neither the package nor the home folder can be written, the code is compiled anew in each
    process: a cache that others may write to could be made to run anything.

    A compiled function may call others; numba notices that a file changed only for the
    functions of that file, so after a change to one that is called elsewhere the cache must go.
    """

    @functools.cache
    def machine_code() -> Callable[..., Any]:
        import numba

        linked = _link(function)
        try:
            return numba.njit(cache=True, nogil=True)(linked)  # type: ignore[no-any-return]
        except RuntimeError:
            _say_uncached()
            return numba.njit(nogil=True)(linked)  # type: ignore[no-any-return]

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        return machine_code()(*arguments)

    call.machine_code = machine_code  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]


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
    """Tell once why each start takes some seconds."""
    warnings.warn(
        "lookalike has no folder to keep its compiled code in and compiles it at each start; "
        "make the home folder writable, or set NUMBA_CACHE_DIR to a folder of your own",
        stacklevel=2,
    )
