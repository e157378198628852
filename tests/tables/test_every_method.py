"""Every method gives the same classes on every kind of table, whatever the types of its values."""

from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.search.methods import ALGORITHMS, TAKES

from ..roles import LINKABLE, MASKED, SENSITIVE

NOON = datetime(2024, 3, 10, 12, 0, tzinfo=UTC)
LONG = "ä" * 70_000
COLUMNS = {
    "zip": ["02138", "02139", "02138", "00001", "00001", None, None, "02141", "02142", "東京都千代"]
    * 2,
    "born": [date(1965, 9, 20), date(1965, 9, 21), None, date(1965, 9, 20), date(1970, 1, 1)] * 4,
    "seen": [NOON, NOON, NOON.replace(hour=4), None, NOON] * 4,
    "weight": [1.5, float("nan"), -0.0, 0.0, None] * 4,
    "price": [Decimal("10.50"), Decimal("10.50"), None, Decimal("0.10"), Decimal("10.50")] * 4,
    "smoker": [True, False, None, True, True] * 4,
    "notes": [LONG, LONG, "", None, LONG + "b"] * 4,
    "ill": ["flu", "cold"] * 10,
}
LINKED = ("zip", "born", "seen", "weight", "price", "smoker", "notes")
ATTRIBUTES = dict.fromkeys(LINKED, LINKABLE) | {"zip": MASKED, "ill": SENSITIVE}
SEVERAL = [
    {"name": "neighbour", "attributes": ["zip", "smoker"], "k": 3},
    {"name": "doctor", "attributes": ["born", "seen", "weight"], "k": 2},
]
FIELDS = {"mu-argus": {"repair": True, "generalize": ["born"]}}


def count_classes(engine, table, method, **fields):
    """Return the released sequences with their counts, and what the release costs."""
    attributes = {name: role for name, role in ATTRIBUTES.items() if name in fields["columns"]}
    made = la.release(
        table,
        k=3,
        method=method,
        attributes=attributes,
        max_suppressed=4,
        **FIELDS.get(method, {}),
        **fields["more"],
    )
    rows = engine.to_rows(made.table)
    return Counter(row[:-1] for row in rows), made.measures.precision, made.certificate.rows_out


def both(engine, method, columns, **more):
    """Release a table of one kind, and the same in memory."""
    chosen = {name: COLUMNS[name] for name in (*columns, "ill")}
    fields = {"columns": chosen, "more": more}
    here = count_classes(engine, engine(chosen), method, **fields)
    return here, count_classes(engine, pa.table(chosen), method, **fields)


@pytest.mark.parametrize("method", ALGORITHMS)
def test_every_method_gives_the_same_classes(engine, method):
    here, in_memory = both(engine, method, LINKED)
    assert here == in_memory


@pytest.mark.parametrize("method", [one for one, takes in TAKES.items() if takes.several])
def test_every_method_protects_several_quasi_identifiers_alike(engine, method):
    columns = ("zip", "smoker", "born", "seen", "weight")
    here, in_memory = both(engine, method, columns, quasi_identifiers=SEVERAL)
    assert here == in_memory
