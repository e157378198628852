"""Invented people with missing values, and releases of them."""

import random

import pyarrow as pa

import lookalike as la

from ..roles import LINKABLE, MASKED, SENSITIVE

ROLES = {
    "patient": {"role": "identifier"},
    "age": {
        "role": "quasi-identifier",
        "hierarchy": {"kind": "intervals", "widths": [10, 20]},
    },
    "zip": MASKED,
    "sex": LINKABLE,
    "ill": SENSITIVE,
}


def people(rows=120, seed=3):
    """Return a table; a tenth of its values is missing."""
    draw = random.Random(seed)

    def some(values):
        return [None if draw.random() < 0.1 else str(draw.choice(values)) for _ in range(rows)]

    return pa.table(
        {
            "patient": [f"P{number // 2}" for number in range(rows)],
            "age": some(range(20, 90)),
            "zip": some(["021", "022", "031", "032"]),
            "sex": some("fm"),
            "ill": some(["flu", "gout", "pox"]),
        }
    )


def release(**fields):
    """Make a release of the people."""
    table = fields.pop("table", None)
    asked = {"k": 3, "method": "mingen", "max_suppressed": 8, "attributes": ROLES, **fields}
    return la.release(people() if table is None else table, **asked)
