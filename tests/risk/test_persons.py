"""The risk of a table in persons, where a person may have several rows."""

from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la

from ..effort import examples

VISITS = pa.table(
    {
        "person": ["ann", "ann", "ann", "bob", "bob", None, None],
        "zip": ["1", "1", "2", "2", "3", "3", "3"],
        "ill": ["flu", "flu", "gout", "flu", "flu", "flu", "flu"],
    }
)


def test_every_figure_counts_persons():
    found = la.risk(VISITS, ["zip"], k=2, person="person", sensitive=["ill"])

    assert found.classes.counts.tolist() == [1, 2, 2]
    assert (found.whole.rows, found.whole.classes, found.whole.unique_rows) == (5, 3, 1)
    assert found.prosecutor.highest == 1.0
    assert found.prosecutor.average == pytest.approx(3 / 5)
    assert found.marketer == pytest.approx(3 / 5)
    assert found.sensitive[0].sizes.tolist() == [2, 2, 3]
    assert found.warnings[0].startswith("1 of 5 persons (20.0 %) is unique over zip")
    assert found.show(1) == [
        {"values": {"zip": "1"}, "persons": 1, "sensitive": {"ill": found.sensitive[0].of_class(0)}}
    ]


def test_a_population_is_compared_with_persons():
    people = pa.table({"zip": ["1", "1", "2", "2", "3", "3", "3", "3"]})
    found = la.risk(VISITS, ["zip"], k=2, person="person", population=people)
    assert found.journalist.highest == 1 / 2
    assert found.population.rows_beyond == 0


@examples(80)
@given(
    st.lists(
        st.tuples(*(st.integers(0, 2) for _ in range(3)), st.one_of(st.none(), st.integers(0, 4))),
        min_size=1,
        max_size=14,
    )
)
def test_persons_of_every_subset_are_those_counted_by_hand(rows):
    names = ["a", "b", "c"]
    columns = dict(zip([*names, "person"], map(list, zip(*rows, strict=True)), strict=True))
    columns["person"] = pa.array(columns["person"], pa.int64())
    found = la.risk(pa.table(columns), names, k=3, person="person")
    for one in (*found.subsets, found.whole):
        places = [names.index(name) for name in one.attributes]
        classes = {}
        for row in rows:
            classes.setdefault(tuple(row[place] for place in places), set()).add(row[-1])
        sizes = [len(persons) for persons in classes.values()]
        assert (one.classes, one.rows, one.smallest) == (len(sizes), sum(sizes), min(sizes))
        assert one.unique_rows == sizes.count(1)
        assert one.rows_below_k == sum(size for size in sizes if size < 3)
    assert len(found.subsets) == sum(len([*combinations(names, n)]) for n in (1, 2, 3))
