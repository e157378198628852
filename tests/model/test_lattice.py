"""Lattice: vectors of levels and their order."""

from itertools import pairwise

import pytest

from lookalike.errors import Infeasible
from lookalike.model.lattice import Lattice, dominates, raise_level


class TestDominates:
    def test_a_vector_dominates_itself(self):
        assert dominates((1, 2), (1, 2))

    def test_every_attribute_must_be_as_high(self):
        assert dominates((1, 2), (0, 2))
        assert not dominates((2, 1), (0, 2))

    def test_vectors_may_be_incomparable(self):
        assert not dominates((1, 0), (0, 1))
        assert not dominates((0, 1), (1, 0))

    def test_vectors_of_different_lengths_are_not_compared(self):
        with pytest.raises(ValueError, match="argument 2 is shorter"):
            dominates((1, 2), (1, 2, 3))


class TestNeighbours:
    def test_raising_one_attribute_leaves_the_others(self):
        assert raise_level((0, 1, 2), 0) == (1, 1, 2)
        assert raise_level((0, 1, 2), 2) == (0, 1, 3)

    def test_predecessors_are_one_level_lower_in_one_attribute(self):
        assert Lattice.of_heights((2, 2, 2)).predecessors((1, 0, 2)) == [(0, 0, 2), (1, 0, 1)]

    def test_the_bottom_has_no_predecessor(self):
        assert Lattice.of_heights((2, 2)).predecessors((0, 0)) == []


class TestLattice:
    @pytest.mark.parametrize(
        ("heights", "expected"), [([2, 3], 12), ([0], 1), ([0, 4], 5), ([], 1), ([1] * 64, 2**64)]
    )
    def test_has_the_product_of_the_heights_each_plus_one(self, heights, expected):
        assert Lattice.of_heights(heights).size == expected

    def test_goes_through_every_vector_once(self):
        vectors = list(Lattice.of_heights((2, 1, 3)))
        assert len(vectors) == len(set(vectors)) == 24

    def test_its_vectors_are_those_of_all_heights(self):
        lattice = Lattice((1, 0, 0), (2, 1, 3))
        by_height = [v for height in range(lattice.height + 1) for v in lattice.at_height(height)]
        assert sorted(by_height) == sorted(lattice)

    def test_a_part_of_it_knows_its_members_and_neighbours(self):
        part = Lattice((1, 0), (2, 1))
        assert (1, 1) in part
        assert (0, 1) not in part
        assert part.predecessors((1, 1)) == [(1, 0)]
        assert part.successors((1, 1)) == [(2, 1)]

    def test_the_top_has_no_successor(self):
        assert Lattice.of_heights((1, 1)).successors((1, 1)) == []

    def test_bounds_that_contradict_each_other_are_infeasible(self):
        with pytest.raises(Infeasible, match="contradict"):
            Lattice((1, 0), (0, 1))

    def test_every_strategy_is_a_path_of_single_steps(self):
        lattice = Lattice.of_heights((2, 1, 2))
        strategies = list(lattice.strategies())
        assert len(strategies) == len(set(strategies)) == lattice.count_strategies() == 30
        for path in strategies:
            assert path[0] == lattice.bottom
            assert path[-1] == lattice.top
            assert all(above in lattice.successors(below) for below, above in pairwise(path))
