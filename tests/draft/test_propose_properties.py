"""Properties of every proposed hierarchy, for any column and any kind."""

import tomllib
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from lookalike.draft.column import ColumnProfile
from lookalike.draft.propose_hierarchy import VALUE_KINDS, propose_hierarchy
from lookalike.errors import InvalidInput
from lookalike.hierarchy import AnyHierarchy
from lookalike.search.cells.ambiguous_labels import list_ambiguous

from ..effort import examples

SUPPRESSED_LABEL = "(none)"
READ = TypeAdapter(AnyHierarchy)
dates = st.dates().flatmap(
    lambda day: st.sampled_from(
        [
            f"{day:%d}/{day:%m}/{day.year}",
            f"{day:%d.%m.%y}",
            f"{day}",
            f"{day} 10:30",
            f"{day:%B} 1",
        ]
    )
)
numbers = st.integers().map(str) | st.decimals(allow_nan=False, allow_infinity=False).map(
    "{:f}".format
)
codes = st.from_regex(r"[A-Z0-9]{2,9}([- ][0-9]{3,4})?", fullmatch=True)
known = st.sampled_from(
    ["CA", "NY", "TX", "us", "DE", "Germany", "married", "M", "single", "white", "10th", "PhD"]
)
values = st.text(max_size=20) | dates | numbers | codes | known


@st.composite
def columns(draw):
    kind = draw(
        st.sampled_from([values, dates, numbers, codes, known, st.integers(0, 99).map(str)])
    )
    texts = draw(
        st.lists(kind.filter(lambda text: text != SUPPRESSED_LABEL), unique=True, max_size=30)
    )
    counts = sorted(draw(st.lists(st.integers(1, 50), min_size=len(texts), max_size=len(texts))))
    return ColumnProfile("x", sum(counts), tuple(texts), tuple(reversed(counts)), len(texts))


def propose_unless_ambiguous(column, kind):
    """Propose a hierarchy, or reject the example if its dates are ambiguous."""
    try:
        return propose_hierarchy(column, kind)
    except InvalidInput as refused:
        assume("can be read in several ways" not in str(refused))
        raise


@examples(60)
@given(columns(), st.sampled_from([None, *VALUE_KINDS]))
def test_it_binds_every_value_and_its_table_is_the_same_hierarchy(column, kind):
    """No label has two meanings, so that methods at the cell level take it."""
    proposed = propose_unless_ambiguous(column, kind)
    bound = proposed.hierarchy.bind("x", [*column.values, None], SUPPRESSED_LABEL)
    assert bound.size(bound.height) == 1
    assert list_ambiguous(bound, range(bound.height + 1)) == []
    assert not any(text in proposed.reason for text in column.values if len(text) > 9)
    table = tomllib.loads(f"hierarchy = {proposed.table}", parse_float=Decimal)["hierarchy"]
    if proposed.lines:
        assert table == {"kind": "file", "path": proposed.path}
        assert proposed.hierarchy.paths == {line[0]: line for line in proposed.lines}
    else:
        assert READ.validate_python(table) == proposed.hierarchy


@pytest.mark.parametrize("kind", [None, *VALUE_KINDS])
def test_a_column_of_which_only_frequent_values_are_known_gets_no_list(kind):
    column = ColumnProfile("x", 1000, ("NY", "NJ", "TX", "CA"), (400, 300, 200, 50), 54)
    proposed = propose_hierarchy(column, kind)
    assert proposed.lines == ()
    assert propose_hierarchy(replace(column, distinct=4), "us state").lines
