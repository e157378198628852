"""Preferences: each policy by itself, and several one after the other."""

from decimal import Decimal
from fractions import Fraction

import pytest

from lookalike import InvalidInput
from lookalike.search.lattice.preferences import Candidate, preferred

HEIGHTS = (1, 4)


def candidate(vector, suppressed=0, distinct=1, weights=(1, 1)):
    return Candidate(
        vector, HEIGHTS, suppressed, distinct, 0.5, tuple(Decimal(weight) for weight in weights)
    )


def choose(*policies, among):
    return [one.vector for one in preferred(among, policies)]


class TestPolicies:
    @pytest.mark.parametrize(
        ("policy", "vectors"),
        [
            ("minimum-absolute-distance", [(1, 0)]),
            ("minimum-relative-distance", [(0, 3)]),
            ("smallest-absolute-peak", [(1, 0)]),
            ("largest-absolute-peak", [(0, 3)]),
            ("smallest-relative-peak", [(0, 3)]),
            ("largest-relative-peak", [(1, 0), (1, 2)]),
            ("fewest-generalized-attributes", [(0, 3), (1, 0)]),
            ("most-generalized-attributes", [(1, 2)]),
        ],
    )
    def test_a_policy_judges_levels(self, policy, vectors):
        among = [candidate((1, 2)), candidate((1, 0)), candidate((0, 3))]
        assert choose(policy, among=among) == vectors

    def test_minimum_suppression_looks_at_suppressed_rows(self):
        among = [candidate((0, 1), suppressed=3), candidate((1, 0), suppressed=2)]
        assert choose("minimum-suppression", among=among) == [(1, 0)]

    def test_maximum_distribution_looks_at_distinct_tuples(self):
        among = [candidate((0, 1), distinct=3), candidate((1, 0), distinct=5)]
        assert choose("maximum-distribution", among=among) == [(1, 0)]

    def test_minimum_weighted_distance_looks_at_weights(self):
        weights = ("0.2", 1)
        among = [candidate((0, 1), weights=weights), candidate((1, 0), weights=weights)]
        assert choose("minimum-weighted-distance", among=among) == [(1, 0)]
        assert among[1].weighted_distance == Fraction(1, 5)

    def test_an_attribute_of_weight_0_adds_nothing_to_the_weighted_distance(self):
        assert candidate((1, 2), weights=(0, 1)).weighted_distance == Fraction(1, 2)

    def test_distances_that_differ_only_in_rounding_tie(self):
        thirds = [Candidate(v, (3, 3, 3), 0, 1, 0, ()) for v in [(1, 1, 1), (3, 0, 0)]]
        assert choose("minimum-relative-distance", among=thirds) == [(1, 1, 1), (3, 0, 0)]

    def test_an_attribute_of_height_0_has_no_relative_distance(self):
        assert Candidate((0, 1), (0, 2), 0, 1, 0, ()).relative == [0, Fraction(1, 2)]


class TestSequences:
    among = (
        candidate((1, 2), suppressed=0, distinct=3),
        candidate((0, 3), suppressed=0, distinct=4),
        candidate((1, 0), suppressed=1, distinct=9),
    )

    def test_the_first_policy_goes_before_the_second(self):
        found = choose("minimum-suppression", "maximum-distribution", among=self.among)
        assert found == [(0, 3)]
        found = choose("maximum-distribution", "minimum-suppression", among=self.among)
        assert found == [(1, 0)]

    def test_without_policies_all_are_left_in_order(self):
        assert choose(among=self.among) == [(0, 3), (1, 0), (1, 2)]

    def test_an_unknown_policy_is_refused_with_those_that_exist(self):
        with pytest.raises(InvalidInput, match="prefer is one of minimum-absolute"):
            choose("minimum-suppression", "luck", among=self.among)
