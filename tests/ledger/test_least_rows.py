"""How many rows of a part must stay together: any of them keep the protections."""

from collections import Counter
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.ledger.policies.based_on import NextFate, ProtectedParts, finish_plan, plan_next
from lookalike.ledger.policies.history import build_history
from lookalike.ledger.policies.least_rows import (
    ProtectedValues,
    count_least_rows,
    find_least_rows,
    see_planned,
)
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.model.protections import (
    PROTECTIONS,
    Distinct,
    Entropy,
    Recursive,
    Share,
    count_values,
)

from .test_history import shown

HIV, FLU, GOUT = 1, 2, 3
ASKED = st.one_of(
    st.integers(1, 4).map(Distinct),
    st.floats(1, 4).map(Entropy),
    st.builds(Recursive, st.floats(0.2, 4), st.integers(2, 3)),
    st.floats(0.2, 1).map(Share),
)
VALUES = st.lists(st.integers(0, 3), min_size=1, max_size=7)


def keeps(protection, values):
    codes = np.array(values, dtype=np.int32)
    one = np.zeros(len(codes), dtype=np.int32), codes, np.ones(len(codes), dtype=np.int64)
    return not protection.failing(count_values(*one, 1, np.bincount(codes)))[0]


def test_these_protections_judge_a_class_by_its_own_counts():
    assert {one for one in PROTECTIONS.values() if one.by_counts} == {
        Distinct,
        Entropy,
        Recursive,
        Share,
    }


@given(ASKED, st.lists(VALUES, min_size=1, max_size=3))
def test_from_it_on_any_rows_keep_a_protection_and_with_one_less_some_do_not(protection, parts):
    part = np.repeat(np.arange(len(parts)), [len(values) for values in parts]).astype(np.int32)
    least = find_least_rows(part, np.concatenate(parts).astype(np.int32), len(parts), protection)
    for values, needed in zip(parts, least.tolist(), strict=True):
        for size in range(1, len(values) + 1):
            every = all(keeps(protection, some) for some in combinations(values, size))
            assert every == (size >= needed), (values, size)


def plan(values, left, protection, k=2):
    """Plan after some of a class with these values left; return how many have each fate."""
    rows = len(values)
    release = shown("a", range(rows), [0] * rows)
    history = build_history([release])
    every = np.arange(rows, dtype=np.int32)
    protected = ProtectedValues(protection, every, np.array(values, dtype=np.int32))
    keys = np.array([row for row in range(rows) if row not in left], dtype=np.int64)
    none = np.zeros((1, len(keys)), dtype=np.bool_)
    least = count_least_rows(history, k, [protected])
    protected_parts = ProtectedParts(least, none[:, 0])
    given = {"moved": none[0], "changed": none, "k": k, "protected": protected_parts}
    made = finish_plan(plan_next(history, keys, **given), np.full(len(keys), ABSENT))
    return Counter(NextFate(fate).name for fate in made.fate.tolist())


@given(ASKED, st.lists(st.integers(0, 3), min_size=2, max_size=6), st.data())
def test_what_a_plan_does_is_the_same_whoever_has_which_value(protection, values, data):
    """So it shows nothing about whose values they are."""
    left = data.draw(st.sets(st.integers(0, len(values) - 1), max_size=len(values) - 1))
    done = [plan(some, left, protection) for some in set(permutations(values))]
    assert all(one == done[0] for one in done)


class TestTwoLeaveAClass:
    @pytest.mark.parametrize("left", [{0, 1}, {0, 2}, {2, 3}])
    def test_of_four_of_whom_two_have_hiv(self, left):
        """Whether both had HIV does not matter: else a withdrawn class would show it."""
        assert plan([HIV, HIV, FLU, GOUT], left, Distinct(2)) == {"WAITS": 2}

    def test_and_so_many_go_with_them_that_not_all_can_have_one_value(self):
        done = plan([HIV, HIV, FLU, GOUT, FLU, GOUT, GOUT], {0, 1}, Distinct(2), k=2)
        assert done == {"WAITS": 5}, "three of seven may have gout: four must go, and four stay"
        done = plan([HIV, HIV, FLU, GOUT, FLU, GOUT], {0, 1}, Distinct(2), k=2)
        assert done == {"KEEPS": 3, "WAITS": 1}

    def test_and_k_is_enough_where_all_values_differ(self):
        assert plan([1, 2, 3, 4, 5, 6], {0, 1}, Distinct(2), k=2) == {"KEEPS": 4}

    def test_of_a_class_that_fails_by_itself(self):
        assert plan([HIV, HIV, HIV], set(), Distinct(2)) == {"WAITS": 3}


class TestWhatWouldBeShown:
    def values(self, **now):
        release = shown("a", range(4), [0] * 4, other=[HIV, HIV, FLU, GOUT])
        history = build_history([release])
        position = history.find(np.array([1, 2, 3, 9]))
        present = {name: np.array(values) for name, values in now.items()}
        [one] = see_planned(history, [(name, Distinct(2)) for name in now], position, present)
        return dict(zip(one.place.tolist(), one.value.tolist(), strict=True))

    def test_is_the_last_value_of_everybody_who_was_shown_also_if_it_changed(self):
        seen = self.values(ill=[GOUT, GOUT, GOUT, GOUT])
        assert seen[0] == seen[1]
        assert len(set(seen.values())) == 3

    def test_is_the_present_value_in_a_column_that_was_not_shown(self):
        assert self.values(job=[7, 7, 8, 9]) == {1: 0, 2: 0, 3: 1}
