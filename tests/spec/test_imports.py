"""Reading a specification imports no database library and compiles nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

import lookalike

IMPORT_THE_ROOM_ALONE = """
import sys, types
package = types.ModuleType("lookalike")
package.__path__ = [sys.argv[1]]
sys.modules["lookalike"] = package
import lookalike.spec.specification
print(*sys.modules)
"""


@pytest.fixture(scope="module")
def imported():
    """The modules that the room imports if the public names of the package are not imported."""
    folder = str(Path(lookalike.__file__).parent)
    command = [sys.executable, "-c", IMPORT_THE_ROOM_ALONE, folder]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("library", ["sqlalchemy", "numba"])
def test_the_specification_does_not_import_a_heavy_library(imported, library):
    assert "lookalike.spec.specification" in imported
    assert library not in imported
