"""Costs by loss: rounded down, rising along every hierarchy; missing values keep nothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.describe.attributes import kept_shares
from lookalike.model.cell_costs import cost_levels, count_lost_leaves
from lookalike.model.requirement import Requirement
from lookalike.search.methods import mingen_cells
from lookalike.search.options import SearchOptions

from ..effort import examples
from ..invented import tables
from ..small_tables import frequency_of, table_of


@examples(60)
@given(tables(), st.integers(1, 1 << 60))
def test_costs_rise_with_the_level_and_are_never_above_the_loss(invented, full):
    for bound in invented.frequency.hierarchies:
        costs = cost_levels(bound, full, "loss")
        lost, most = count_lost_leaves(bound)
        for level in range(bound.height + 1):
            exact = [Fraction(full * leaves, most) for leaves in lost[level].tolist()]
            assert all(e - 1 < c <= e for c, e in zip(costs[level].tolist(), exact, strict=True))
            if level:
                above = costs[level][bound.lift(level - 1, level)]
                assert np.all(costs[level - 1] <= above)


def test_a_release_whose_losses_must_be_rounded_is_within_its_bound():
    # 991 and 997 are primes: in common units, a cell would cost 990 · 996 of them.
    rows = [(f"{n % 991:04}", f"{n % 997:04}") for n in range(1500)]
    codes = {"one": la.Mask(length=4), "other": la.Mask(length=4)}
    frequency = frequency_of(table_of(("one", "other"), rows), codes)
    found = mingen_cells(frequency, Requirement(5), SearchOptions(objective="loss"))
    known = found.optimality
    assert known.bound < known.reached < 0.6


def test_missing_values_keep_nothing_and_lose_nothing():
    letters = [("a",), ("a",), ("b",), ("b",), (None,), (None,), (None,), (None,)]
    tree = la.Taxonomy({"ab": ["a", "b"], "cd": ["c", "d"]})
    frequency = frequency_of(table_of(("letter",), letters), {"letter": tree})
    found = mingen_cells(frequency, Requirement(2), SearchOptions(objective="loss"))
    assert kept_shares(frequency, found) == (1.0,)
    united = mingen_cells(frequency, Requirement(4), SearchOptions(objective="loss"))
    # Of five leaves, which include missing, ab covers two.
    assert kept_shares(frequency, united) == (pytest.approx(1 - 1 / 4),)
