"""Name the files of compiled code independently of where the package is installed.

numba imports this module by its name, which :func:`lookalike.kernels.cache.caching_in` sets.
"""

from typing import Any

from numba.core.caching import UserProvidedCacheLocator


class SharedLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """Keeps compiled code in the folder itself, and not in one for each place of the source.

    The folder's name already depends on the source, so every installation of a user that has the
    same kernels shares what was compiled once.
    """

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: Any) -> str:
        """Return no folder below the one that was chosen."""
        del py_file
        return ""
