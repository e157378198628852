"""Every release with protections satisfies them when SQL recounts its rows."""

from decimal import Decimal

import duckdb
import pytest

import lookalike as la
from lookalike.verify.protections import ProtectionPromise, recount_protection

from ..effort import draw_cases
from ..small_tables import table_of

COLUMNS = ("town", "zip", "cost")
COSTS = ["1", "2", "3", "4", "10", "20", None]
NODES = la.Taxonomy({"any": {"low": ["1", "2", "3"], "high": ["4", "10", "20"]}})
LINKABLE = {
    "town": {
        "role": "quasi-identifier",
        "hierarchy": la.Taxonomy({"any": {"north": ["a", "b"], "south": ["c", "d"]}}),
    },
    "zip": {"role": "quasi-identifier", "hierarchy": la.Mask()},
}
ASKED = [
    ({"distinct": 2}, {"l": 2}),
    ({"entropy": 1.8}, {"l": 1.8}),
    ({"recursive": {"c": 2, "l": 2}}, {"c": 2, "l": 2}),
    ({"share": 0.6}, {"alpha": 0.6}),
    ({"closeness": {"t": 0.35}}, {"t": 0.35}),
    *[
        ({"closeness": {"t": t, "distance": distance}}, {"t": t, "distance": distance})
        for t, distance in ((0.25, "ordered"), (0.3, "hierarchy"))
    ],
    ({"likeness": {"beta": 1.5}}, {"beta": 1.5}),
    ({"likeness": {"beta": 1, "enhanced": False}}, {"beta": 1, "enhanced": False}),
    ({"disclosure": {"delta": 1.5}}, {"delta": 1.5}),
]


def invent(random, distance):
    """Invent a table; missing costs have no order."""
    costs = COSTS[: random.choice([2, 3, 6])] + ([] if distance == "ordered" else [None])
    rows = [
        (random.choice("abcd"), random.choice("12345678"), random.choice(costs))
        for _ in range(random.randint(20, 100))
    ]
    return table_of(COLUMNS, rows)


@pytest.mark.parametrize(("protect", "parameters"), ASKED, ids=lambda one: str(one))
def test_recount_finds_no_failing_class(protect, parameters):
    engine, distance = duckdb.connect(), parameters.get("distance")
    hierarchy = {"hierarchy": NODES} if distance == "hierarchy" else {}
    cost = {"role": "sensitive", "protect": protect, **hierarchy}
    for seed, random in draw_cases(few=3, many=200):
        private, method = invent(random, distance), ("mingen", "samarati", "datafly")[seed % 3]
        released = la.release(
            private,
            k=2,
            method=method,
            max_suppressed=Decimal("0.3"),
            secrecy="search",
            attributes={**LINKABLE, "cost": cost},
        ).table
        promise = ProtectionPromise(("town", "zip"), "cost", next(iter(protect)), parameters, NODES)
        rows = engine.from_arrow(released)
        found = recount_protection(rows, promise, engine.from_arrow(private))
        assert found.judged
        assert (found.classes > 0, found.classes_failing) == (True, 0), (seed, method)
