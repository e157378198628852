"""No division of a class keeps more rows than a protection says."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from ..protected import protections

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
        Likeness(0.5, enhanced=False),
        Disclosure(1.0),
    ],
)
def test_a_bound_is_sharp_where_a_value_is_too_frequent(protection):
    frequent, table = [30, 2, 1], np.array([50, 30, 20])
    kept = most_rows_kept(protection, frequent, table)
    assert kept <= protection.keeps_at_most(gather([frequent], table))[0] <= kept + 1
