"""Classes are chosen by the quasi-identifier alone, not by other columns or the order of rows."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.search.methods import ALGORITHMS

from ..effort import examples
from ..invented import tables
from ..small_tables import released_rows

FIELDS = {"mu-argus": {"repair": True}}


def classes_of(name, invented, other):
    """Return the released tuples of a table with another column, and how often each occurs."""
    made = la.release(
        invented.table.append_column("ill", [other]),
        attributes=invented.attributes | {"ill": {"role": "sensitive"}},
        k=2,
        method=name,
        max_suppressed=invented.table.num_rows - 1,
        **FIELDS.get(name, {}),
    )
    shown = made.table.select(list(invented.hierarchies)).to_pylist()
    return Counter(tuple(row.values()) for row in shown), released_rows(
        made.plan.frequency, made.recoding
    )


@pytest.mark.parametrize("name", ALGORITHMS)
@examples(4)
@given(tables(min_rows=6, max_rows=16), st.randoms(use_true_random=False))
def test_other_columns_and_row_order_change_no_class(name, invented, random):
    rows = invented.table.num_rows
    order = random.sample(range(rows), rows)
    ill = [random.choice(["flu", "cold", None]) for _ in range(rows)]
    try:
        plain = classes_of(name, invented, ["flu"] * rows)
    except la.Infeasible:
        return
    assert classes_of(name, invented, ill) == plain
    assert classes_of(name, invented.reorder(order), ill) == plain
