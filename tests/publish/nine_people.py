"""Nine people and a release of them, for tests of publishing."""

import gc

import pyarrow as pa

import lookalike as la

from ..roles import IDENTIFIER, MASKED, SENSITIVE

ATTRIBUTES = {"name": IDENTIFIER, "zip": MASKED, "ill": SENSITIVE}
COLUMNS = {
    "name": [f"person {number}" for number in range(9)],
    "zip": ["02138", "02139"] * 2 + ["02141", "02142"] * 2 + ["99999"],
    "ill": ["flu", "ache", "flu", "flu", "ache", "ache", "rash", "flu", "rash"],
}


def make(announce=lambda step: None, **fields):
    """Make a release: 0213* and 0214* four times each, and 99999 suppressed."""
    asked = {"k": 3, "method": "datafly", "attributes": ATTRIBUTES} | fields
    return la.release(pa.table(COLUMNS), announce=announce, **asked)


def names(folder):
    """List the names in a folder, after unused private folders were removed."""
    if any(path.name.startswith(".lookalike-scratch-") for path in folder.iterdir()):
        gc.collect()
    return sorted(path.name for path in folder.iterdir())
