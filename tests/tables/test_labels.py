"""The distinct labels of a column, and the place of every value among them."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.tables.labels import encode_column, label

TYPES = {
    pa.string(): st.text(max_size=3),
    pa.large_string(): st.text(max_size=3),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.uint8(): st.integers(0, 20),
    pa.float64(): st.floats(allow_infinity=False),
    pa.bool_(): st.booleans(),
}


@pytest.mark.parametrize("kind", TYPES, ids=str)
@given(st.data())
def test_every_value_is_at_the_place_of_its_label(kind, data):
    values = data.draw(st.lists(st.one_of(st.none(), TYPES[kind]), max_size=12))
    column = pa.array(values, kind)
    labels = [label(value) for value in column.to_pylist()]

    distinct, places = encode_column("column", column)
    assert [distinct[place] for place in places.tolist()] == labels
    known = sorted({text for text in labels if text is not None})
    assert distinct == (*known, *([None] if None in labels else []))


@pytest.mark.parametrize("rows", [0, 2])
def test_a_column_without_a_type_has_missing_values_alone(rows):
    column = pa.chunked_array([pa.nulls(rows)] * bool(rows), pa.null())
    distinct, places = encode_column("column", column)
    assert distinct == (None,) * bool(rows)
    assert places.tolist() == [0] * rows
