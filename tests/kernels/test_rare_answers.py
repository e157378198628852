"""Values of answers are left out until any so many columns, as shown, have k rows in each class."""

from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lookalike.kernels.rare_answers import WITHHELD, leave_out_rare

TABLES = st.integers(1, 4).flatmap(
    lambda columns: st.lists(
        st.lists(
            st.tuples(*[st.integers(1, 3)] * columns),
            min_size=3,
            max_size=12,
        ),
        min_size=1,
        max_size=3,
    )
)
"""The rows of some classes, each with the value of some columns."""


def leave_out(classes, k, known):
    """Leave out what is rare, and return what the rows of each class show."""
    codes = np.array([row for rows in classes for row in rows], dtype=np.int32).T.copy()
    starts = np.cumsum([0, *map(len, classes)]).astype(np.int32)
    leave_out_rare(codes, starts, k, known)
    shown = [tuple(row) for row in codes.T.tolist()]
    return [shown[begin:end] for begin, end in pairwise(starts)]


def count_sets(rows, known):
    """Count the rows of every set: what rows show in any so many columns."""
    columns = range(len(rows[0]))
    chosen = combinations(columns, min(known, len(columns)))
    return Counter((one, tuple(row[place] for place in one)) for one in chosen for row in rows)


@given(TABLES, st.sampled_from([1, 2, 3]))
@example([[*product((1, 2), repeat=3)] * 2], 3)
def test_every_set_has_k_rows(classes, known):
    for rows in leave_out(classes, 3, known):
        assert min(count_sets(rows, known).values()) >= 3


@given(TABLES, st.sampled_from([1, 2, 3]))
def test_a_value_is_left_out_of_a_whole_class_or_not_at_all(classes, known):
    for before, after in zip(classes, leave_out(classes, 3, known), strict=True):
        for values, shown in zip(zip(*before, strict=True), zip(*after, strict=True), strict=True):
            images = {value: set() for value in values}
            for value, one in zip(values, shown, strict=True):
                images[value].add(one)
            assert all(one in ({value}, {WITHHELD}) for value, one in images.items())


@given(TABLES, st.sampled_from([1, 2, 3]))
def test_a_class_that_needs_nothing_stays_as_it_is(classes, known):
    for before, after in zip(classes, leave_out(classes, 3, known), strict=True):
        if min(count_sets(before, known).values()) >= 3:
            assert after == before


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("aaabbbbc", "***bbbb_"),  # one row without a value would be alone: the next least goes
        ("aaabbbc", "***bbb_"),  # of two with as many rows, the first
        ("aaaabbb", "aaaabbb"),
        ("aaaabbbccc", "aaaabbbccc"),
        ("aaaabbccc", "aaaa__***"),
        ("aaaaaabccddd", "aaaaaa___ddd"),  # the rare ones are enough for each other
    ],
)
def test_values_with_the_fewest_rows_go_first(values, shown):
    [rows] = leave_out([[(ord(one) - 96,) for one in values]], 3, 1)
    left_out = [one == WITHHELD for (one,) in rows]
    assert left_out == [one in "*_" for one in shown]


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ([(1, 1)] * 4 + [(1, 2)] + [(2, 2)] * 4, 0),  # of two alike, the first
        ([(1, 1)] * 2 + [(1, 2)] + [(2, 1)] * 3 + [(2, 2)] * 4, 1),  # 3 rows, or 5
        ([(2, 1), (3, 1), (1, 1), (4, 2)] + [(1, 2)] * 5, 1),  # 3 rows are 3 rows; 6 cells, or 9
    ],
)
def test_a_column_that_keeps_much_in_large_sets_is_settled_first(rows, first):
    """A pair has too few rows, so the other column gives way."""
    shown = [*zip(*leave_out([rows], 3, 2)[0], strict=True)]
    alone = [*zip(*leave_out([rows], 3, 1)[0], strict=True)]
    assert shown[first] == alone[first]
    assert shown[1 - first] != alone[1 - first]
