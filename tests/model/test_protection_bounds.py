"""No division of a class keeps more rows than a protection says."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.class_bounds import keep_below_shares
from lookalike.model.protections import (
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Recursive,
    Share,
)

from ..class_counts import gather
from ..effort import examples
from ..protected import pair_up, protections

many = examples(200)


def most_rows_kept(protection, counts, reference):
    """Try all choices of rows of a class, and return the most that satisfy the protection."""
    most = 0
    for chosen in itertools.product(*(range(number + 1) for number in counts)):
        if sum(chosen) > most and not protection.failing(gather([list(chosen)], reference))[0]:
            most = sum(chosen)
    return most


@many
@given(
    protections(),
    st.lists(st.integers(0, 5), min_size=2, max_size=4).filter(any),
    st.lists(st.integers(0, 9), min_size=4, max_size=4),
)
def test_a_bound_is_never_below_what_can_be_kept(protection, counts, others):
    reference = np.array([one + more for one, more in zip(counts, others, strict=False)])
    protection = protection.bound(pair_up(len(counts)))
    bound = protection.keeps_at_most(gather([counts], reference))[0]
    assert most_rows_kept(protection, counts, reference) <= bound <= sum(counts)


@pytest.mark.parametrize(
    "protection",
    [
        Distinct(3),
        Distinct(4),
        Entropy(2),
        Recursive(3, 2),
        Share(0.5),
        Closeness(0.2),
        Closeness(0.1, "ordered"),
        Closeness(0.1, "hierarchy", levels=[[0, 1, 2], [0, 0, 1], [0, 0, 0]]),
        Likeness(0.5, enhanced=False),
        Disclosure(1.0),
    ],
)
def test_a_bound_is_sharp_where_a_value_is_too_frequent(protection):
    frequent, table = [30, 2, 1], np.array([50, 30, 20])
    kept = most_rows_kept(protection, frequent, table)
    assert kept <= protection.keeps_at_most(gather([frequent], table))[0] <= kept + 1


@many
@given(
    st.sampled_from(["equal", "ordered", "hierarchy"]),
    st.sampled_from([0.05, 0.1, 0.2, 0.4]),
    st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any),
    st.lists(st.integers(0, 60), min_size=3, max_size=3),
)
def test_what_a_class_lacks_of_a_large_table_bounds_it(distance, t, counts, others):
    reference = np.array(counts) + np.array(others)
    protection = Closeness(t, distance).bound(pair_up(3))
    bound = protection.keeps_at_most(gather([counts], reference))[0]
    assert most_rows_kept(protection, counts, reference) <= bound <= sum(counts)


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchy"])
def test_a_class_as_near_as_t_keeps_all_rows_however_many_it_has(distance):
    """A distance of exactly t is allowed, and a rounding error of many rows takes none away."""
    counts, table = np.array([7, 3]) * 10**9, np.array([10, 10]) * 10**9
    asked = Closeness(0.2, distance, levels=[[0, 1], [0, 0]])
    assert asked.keeps_at_most(gather([counts], table)).tolist() == [10**10]


def test_a_value_keeps_whole_rows_of_its_greatest_share():
    """Of 9 rows, a value with a share of at most 1/4 has 2; then 4 + 2 + 2 = 8, and 4 + 2 + 2."""
    values = gather([[4, 3, 2]], np.array([80, 12, 8]))
    caps = np.array([0.5, 0.25, 0.25])
    kept = keep_below_shares(values.starts, values.values, values.counts, caps)
    assert kept.tolist() == [8]
