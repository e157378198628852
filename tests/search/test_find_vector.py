"""Samarati's searches find the minimal vectors of any requirement that is monotone."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from lookalike.model.lattice import Lattice, dominates, keep_minimal
from lookalike.search.lattice.find_vector import (
    find_all_by_halving,
    find_all_by_strategies,
    find_vector,
)

LATTICE = Lattice((0, 0, 0), (1, 2, 3))
VECTORS = st.sampled_from(list(itertools.product(range(2), range(3), range(4))))


@given(st.sets(VECTORS, min_size=1, max_size=6))
def test_all_searches_agree_with_the_definition(chosen):
    def satisfies(vector):
        return any(dominates(vector, one) for one in chosen)

    minimal = keep_minimal(chosen)
    assert find_all_by_halving(LATTICE, satisfies) == minimal
    assert find_all_by_strategies(LATTICE, satisfies) == minimal
    assert find_vector(LATTICE, satisfies) == min(minimal, key=lambda one: (sum(one), one))
