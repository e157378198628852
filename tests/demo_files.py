"""The files of the demo, which tests copy before they work with them."""

import shutil
from pathlib import Path

import lookalike

DATA = Path(lookalike.__file__).parent / "shell" / "data"
_PRIVATE = shutil.ignore_patterns(".lookalike-*")
"""What other tests leave for a moment, which read the files where they are."""


def copy_demo(place, name=""):
    """Copy the files, or those of one folder, to a place that may be there."""
    return shutil.copytree(DATA / name, place, dirs_exist_ok=True, ignore=_PRIVATE)
