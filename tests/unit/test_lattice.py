"""Distance vectors and their order."""

import pytest

from lookalike.lattice import count_generalizations, dominates, predecessors, raise_level


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
        assert predecessors((1, 0, 2)) == [(0, 0, 2), (1, 0, 1)]

    def test_the_bottom_has_no_predecessor(self):
        assert predecessors((0, 0)) == []


class TestCountGeneralizations:
    @pytest.mark.parametrize(
        ("heights", "expected"), [([2, 3], 12), ([0], 1), ([0, 4], 5), ([], 1), ([1] * 64, 2**64)]
    )
    def test_is_the_product_of_the_heights_each_plus_one(self, heights, expected):
        assert count_generalizations(heights) == expected
