"""lookalike makes k-anonymous releases of tables: every record has at least k − 1 lookalikes.

``__init__.pyi`` lists the public names; start with :func:`release` and :func:`check`. A name
is imported from its module at its first use, so that ``import lookalike`` and ``lookalike --help``
load no table engine, solver or compiler.

>>> import lookalike as la
>>> {"check", "release", "verify"} <= set(la.__all__)
True
"""

import ast
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

_EXTRA = "sklearn"
"""A module that needs an extra to be installed, so that it is no part of ``__all__``."""

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_MODULE_OF = {
    one.name: node.module
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom) and node.module != "lookalike"
    for one in node.names
}
"""Where each public name is defined, from the file that type checkers read."""

__all__ = sorted(_MODULE_OF, key=lambda name: (not name.isupper(), name))


class _Package(ModuleType):
    """A package whose public names are never replaced by a sub-package of the same name.

    ``lookalike.draft``, ``lookalike.report``, ``lookalike.risk`` and ``lookalike.verify`` are
    functions and also sub-packages. Importing a sub-package sets it as an attribute of its parent,
    which would hide the function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _MODULE_OF or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


def __getattr__(name: str) -> Any:
    """Import a public name from its module and keep it."""
    if name == _EXTRA:
        return import_module(f"lookalike.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, and the attributes that every module has."""
    return sorted([*__all__, _EXTRA, *(name for name in globals() if name.startswith("__"))])


sys.modules[__name__].__class__ = _Package
