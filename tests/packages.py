"""Packages that ``make test`` does not install: tests that need one are skipped without it.

With ``LOOKALIKE_REQUIRE_PACKAGES=1``, which ``make test-all`` sets, they fail instead.
"""

import os
from importlib import import_module
from types import ModuleType

import pytest


def need(name: str) -> ModuleType:
    """Return a package, or skip the module or test that asks for it."""
    if os.environ.get("LOOKALIKE_REQUIRE_PACKAGES") == "1":
        return import_module(name)
    reason = f"{name} is not installed; make test-all installs it"
    return pytest.importorskip(name, reason=reason)
