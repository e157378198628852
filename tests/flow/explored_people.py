"""The table and the specification that the tests of exploration use."""

from random import Random

import pyarrow as pa

import lookalike as la
from lookalike.flow.explore.explore import explore_specification
from lookalike.tables.read import read_frame

_DRAW = Random(15)
PEOPLE = pa.table(
    {
        "zip": [f"021{_DRAW.choice('34')}{_DRAW.choice('0123456')}" for _ in range(60)],
        "age": [str(_DRAW.randrange(20, 60)) for _ in range(60)],
        "sex": [_DRAW.choice("fm") for _ in range(60)],
        "ill": [_DRAW.choice(["flu", "flu", "ache"]) for _ in range(60)],
    }
)
AGE = {"kind": "intervals", "widths": [5, 20]}
ATTRIBUTES = {
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    "age": {"role": "quasi-identifier", "hierarchy": AGE},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
    "ill": {"role": "sensitive"},
}


def specify(attributes=ATTRIBUTES, **release):
    return la.Specification.build({"release": {"k": 3, **release}, "attributes": attributes})


def explore(specification, *, ks=(3, 5), limits=(0,), methods=("mingen", "datafly"), **options):
    """Explore the people; return the exploration."""
    grid = la.Grid(tuple(ks), tuple(limits), tuple(methods))
    return explore_specification(specification, grid, frame=read_frame(PEOPLE), **options)
