"""What answers leave of each class is counted again, and what they show is proved true."""

from collections import Counter
from itertools import combinations, product
from math import comb
from unittest.mock import patch

import duckdb
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import lookalike as la
from lookalike.hierarchy import Mask
from lookalike.tables.connection import Connection
from lookalike.verify import answers as recounting
from lookalike.verify.answers import (
    AnswersPromise,
    recount_answers,
    require_answers,
    require_single_rows,
)
from lookalike.verify.answers_truth import count_false_answers
from lookalike.verify.both_tables import TruthClaim

ANSWERS = ("q1", "q2", "q3")
CELLS = st.sampled_from(["a", "b", "*", None])
ROWS = st.lists(st.tuples(st.sampled_from(["1", "2"]), CELLS, CELLS, CELLS), min_size=1, max_size=9)
PRIVATE = st.tuples(
    st.sampled_from(["11", "12", "21"]),
    st.sampled_from(["x", "y"]),
    st.sampled_from(["a", "b", None]),
    st.sampled_from(["a", "b"]),
)
CLAIM = TruthClaim({"zip": Mask(length=2)}, {"zip": None}, ["ill"], False, "*", cells=True)
TWO = AnswersPromise(("zip",), ("q1", "q2"), 2, 2, "*")


def relate(names, rows):
    columns = zip(*rows, strict=True)
    table = pa.table({n: pa.array(one, pa.string()) for n, one in zip(names, columns, strict=True)})
    return duckdb.from_arrow(table)


@given(ROWS, st.sampled_from([1, 2, 3]), st.sampled_from([2, 3]))
@example([("1", None, "a", "a"), *[("1", "a", "a", "a")] * 2], 1, 2)
@example([*product("1", "ab", "ab", "a")], 2, 2)
@example([*product("12", "ab", "a", "a"), ("1", "a", "a", "a"), ("1", "b", "a", "a")], 1, 2)
def test_sets_are_counted_as_one_by_one(rows, known, k):
    verdict = recount_answers(
        relate(("zip", *ANSWERS), rows), AnswersPromise(("zip",), ANSWERS, known, k, "*")
    )
    sets = Counter(
        (row[0], one, tuple(row[place] for place in one))
        for size in range(known + 1)
        for one in combinations((1, 2, 3), size)
        for row in rows
    )
    assert verdict.fewest == min(sets.values())
    assert bool(verdict.sets_below_k) == (min(sets.values()) < k)
    cells = {name: sum(row[place] == "*" for row in rows) for place, name in enumerate(ANSWERS, 1)}
    assert verdict.left_out == cells


@given(ROWS, st.sampled_from([1, 2, 3]))
def test_more_rows_than_can_be_counted_are_refused_before_they_are(rows, known):
    """The rows of a class are in one set of each one, two or three columns that differ in it."""
    table = relate(("zip", *ANSWERS), rows)
    promise, work = AnswersPromise(("zip",), ANSWERS, known, 2, "*"), 0
    for own in {row[0] for row in rows}:
        columns = [*zip(*(row[1:] for row in rows if row[0] == own), strict=True)]
        varied = sum(len({*column}) > 1 for column in columns)
        work += len(columns[0]) * sum(comb(varied, number) for number in range(1, known + 1))
    with patch.object(recounting, "MOST_COUNTED", work):
        recount_answers(table, promise)
    with (
        patch.object(recounting, "MOST_COUNTED", work - 1),
        pytest.raises(la.InvalidInput, match=f"knows_answers = {known}: .* have {work:,} rows"),
    ):
        recount_answers(table, promise)


def test_a_set_of_fewer_rows_is_refused():
    rows = relate(("zip", "q1", "q2"), [("1", "a", "a")] * 2 + [("1", "a", "b")])
    with pytest.raises(la.RequirementNotMet, match="leave fewer than 2 rows of a class, down to 1"):
        require_answers(rows, TWO)


def test_persons_with_several_rows_are_refused():
    require_single_rows(relate(["who"], [("a",), ("b",)]), "who")
    for other in ("b", None):  # a row of nobody may be of anybody
        with pytest.raises(la.RequirementNotMet, match="persons have 1 further rows"):
            require_single_rows(relate(["who"], [("a",), ("b",), (other,)]), "who")


def generalizes(label, value):
    return label in (value, f"{value[0]}*", "*")


def find_matching(edges):
    """Return how many rows find a partner of their own, by augmenting paths."""
    partner = {}

    def place(row, seen):
        for other in edges[row]:
            if other not in seen:
                seen.add(other)
                if other not in partner or place(partner[other], seen):
                    partner[other] = row
                    return True
        return False

    return sum(place(row, set()) for row in range(len(edges)))


def count_by_hand(private, released):
    """Count the released rows that no private row of their own shows in its class."""
    edges = []
    for zipped, ill, *answers in released:
        shown = [
            {row[place] for row in released if row[0] == zipped} - {"*"} for place in range(2, 4)
        ]
        edges.append(
            [
                number
                for number, (value, other, *own) in enumerate(private)
                if generalizes(zipped, value)
                and other == ill
                and answers
                == [v if v in known else "*" for v, known in zip(own, shown, strict=True)]
            ]
        )
    return len(released) - find_matching(edges)


@settings(max_examples=60)
@given(
    st.lists(PRIVATE, min_size=1, max_size=6),
    st.lists(
        st.tuples(
            st.sampled_from(["1*", "2*", "11", "*"]), st.sampled_from(["x", "y"]), CELLS, CELLS
        ),
        min_size=1,
        max_size=6,
    ),
)
@example([("11", "x", "a", "a"), ("12", "x", "b", "a")], [("1*", "x", "a", "*")] * 2)
@example([("11", "x", "a", "a")] * 2, [("1*", "x", "a", "*"), ("11", "x", "a", "*")])
@example([("21", "x", "a", "a")], [("1*", "x", "a", "a")])  # a label of no private value
def test_false_rows_are_counted_as_by_hand(private, released):
    names = ("zip", "ill", "q1", "q2")
    tables = relate(names, private), relate(names, released)
    found = count_false_answers(*tables, CLAIM, TWO, Connection())
    assert found == count_by_hand(private, released)


def test_a_released_value_is_read_as_the_type_of_the_private_one():
    private = duckdb.sql(
        "SELECT '11' AS zip, 'x' AS ill, 1.5::DOUBLE AS q1, DATE '2020-01-02' AS q2"
    )
    released = relate(("zip", "ill", "q1", "q2"), [("11", "x", "1.5", "2020-01-02")])
    assert count_false_answers(private, released, CLAIM, TWO, Connection()) == 0


def test_a_private_value_that_equals_the_label_is_refused():
    rows = relate(("zip", "ill", "q1", "q2"), [("11", "x", "*", "a")])
    with pytest.raises(la.InvalidInput, match="is also a value of the private column"):
        count_false_answers(rows, rows, CLAIM, TWO, Connection())
