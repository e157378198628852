"""The verifier lists exactly the classes within a gap, and finds a cover exactly if one exists."""

from itertools import combinations_with_replacement

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.exact_cover import (
    FOUND,
    NO_COVER,
    TOO_LARGE,
    CoverColumns,
    find_cover,
    list_classes,
)

from ..effort import examples

BUDGET = 1_000_000
PAIRS = np.array([[0, 0, 0], [1, 0, 0], [2, 1, 0], [3, 1, 0]], dtype=np.int32)
"""The codes of four values at three levels: pairs, and all together."""


def list_plainly(shown, costs, counts, values, k, gap):
    """List the multisets of k to 2k - 1 rows within a gap, each with its excess."""
    found = {}
    for size in range(k, 2 * k):
        for rows in combinations_with_replacement(range(len(counts)), size):
            if any(rows.count(one) > counts[one] for one in rows):
                continue
            alike = np.array([(shown[list(rows)] == shown[rows[0]]).all(axis=0)])[0]
            cost = sum(
                costs[rows[0], place, int(line.argmax())] for place, line in enumerate(alike)
            )
            excess = size * int(cost) - sum(values[one] for one in rows)
            if excess <= gap:
                found[rows] = excess
    return found


@examples(60)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=5, unique=True),
    st.lists(st.integers(0, 8), min_size=5, max_size=5),
    st.lists(st.integers(1, 3), min_size=5, max_size=5),
    st.integers(1, 3),
    st.integers(0, 6),
)
def test_classes_of_k_to_2k_minus_1_rows_are_listed_up_to_the_gap(cells, values, counts, k, gap):
    shown = np.array([[PAIRS[one], PAIRS[other]] for one, other in cells])
    costs = np.tile(np.array([[0, 2, 5], [0, 1, 3]]), (len(cells), 1, 1))
    values = sorted(values[: len(cells)], reverse=True)
    counts = counts[: len(cells)]
    expected = list_plainly(shown, costs, counts, values, k, gap)
    rows, excess, steps = list_classes(
        shown, costs, np.array(counts), np.array(values), k, gap, BUDGET
    )
    listed = [tuple(one for one in row if one >= 0) for row in rows.tolist()]
    assert steps <= BUDGET
    assert dict(zip(listed, excess.tolist(), strict=True)) == expected
    assert len(listed) == len(expected)


def can_cover(columns, left, gap, allowance, price):
    """Tell whether columns, each taken as often as needed, cover the rows within a gap."""
    if not any(left):
        return price * allowance <= gap
    if not columns:
        return False
    (taken, excess), *others = columns
    spare = sum(taken) == 1
    rest = [have - take for have, take in zip(left, taken, strict=True)]
    fits = min(rest) >= 0 and excess <= gap and spare <= allowance
    again = fits and can_cover(columns, rest, gap - excess, allowance - spare, price)
    return again or can_cover(others, left, gap, allowance, price)


@examples(100)
@given(
    st.lists(st.integers(1, 3), min_size=3, max_size=3),
    st.lists(
        st.tuples(
            st.lists(st.integers(0, 3), min_size=3, max_size=3).filter(any), st.integers(0, 5)
        ),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 9),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_a_cover_is_found_exactly_if_there_is_one(counts, columns, gap, allowance, price):
    columns.sort(key=lambda column: column[1])
    taken = np.array([take for take, _ in columns])
    column, members = np.nonzero(taken)
    sizes = taken.sum(axis=1)
    listed = CoverColumns(
        np.searchsorted(column, np.arange(len(columns) + 1)),
        members.astype(np.int32),
        taken[column, members],
        np.array([excess for _, excess in columns]),
        sizes,
        (sizes == 1).astype(np.int32),
    )
    found = find_cover(listed, np.array(counts), gap, allowance, price, BUDGET)
    possible = can_cover(
        [(tuple(take), excess) for take, excess in columns], counts, gap, allowance, price
    )
    assert found == (FOUND if possible else NO_COVER)


def test_a_small_budget_gives_no_answer():
    one = np.array([1])
    start, row = np.array([0, 1]), np.zeros(1, dtype=np.int32)
    assert find_cover(CoverColumns(start, row, one, one, one, row), one, 9, 0, 0, 0) == TOO_LARGE
