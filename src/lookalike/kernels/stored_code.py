"""Store the machine code of compiled functions in one folder, and load it without the compiler.

This module imports numba, so it is imported when the first kernel is called.
"""

import inspect
import sys
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.runtime import rtsys

from lookalike.kernels.cache import cache_folder


class Locator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps the code of all functions in the folder that is safe, whatever numba's settings are.

    The folder's name already depends on the source, so every installation of a user that has the
    same kernels shares what was compiled once.
    """

    def __init__(self, function: Any, source: str) -> None:
        self._py_file = source
        self._lineno = function.__code__.co_firstlineno
        self._cache_path = str(cache_folder())


class StoredFiles(CompileResultCacheImpl):  # type: ignore[misc]
    """Names the files of a function independently of where the package is installed."""

    def __init__(self, function: Any) -> None:
        source = inspect.getfile(function)
        self._lineno = function.__code__.co_firstlineno
        self._locator = Locator(function, source)
        self._locator.ensure_cache_path()
        name = f"{Path(source).stem}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, sys.abiflags)


class StoredCode(FunctionCache):  # type: ignore[misc]
    """Loads stored code without the registries of all that numba can compile.

    They take longer to import than everything else that a small release does, and scipy comes
    with them. What was compiled needs the runtime alone; the compiler loads its registries itself
    if nothing is stored.
    """

    _impl_class = StoredFiles

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code of a function for some types, or ``None``."""
        rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)
