"""Packages that ``make test`` does not install: tests that need one are skipped without it.

With ``LOOKALIKE_REQUIRE_PACKAGES=1``, which ``make test-all`` sets, they fail instead.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

REQUIRED = os.environ.get("LOOKALIKE_REQUIRE_PACKAGES") == "1"


def is_left_out(name: str) -> bool:
    """Return whether a package is not installed and need not be."""
    return not REQUIRED and find_spec(name) is None


def need(name: str) -> Any:
    """Return a package, or skip the module or test that asks for it."""
    if is_left_out(name):
        reason = f"{name} is not installed; make test-all installs it"
        pytest.skip(reason, allow_module_level=True)
    return import_module(name)
