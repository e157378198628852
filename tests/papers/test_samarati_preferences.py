"""Samarati, section 6: which of several k-minimal generalizations is preferred."""

from decimal import Decimal

import pytest

from lookalike.errors import Infeasible, InvalidInput
from lookalike.model.measures import accuracy, completeness
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.preferences import PREFERENCES, Candidate, preferred
from lookalike.search.methods import samarati
from lookalike.search.methods.samarati import list_minimal
from lookalike.search.options import SearchOptions

EXAMPLES = [
    ("minimum-absolute-distance", {"vector": (1, 0)}, {"vector": (0, 2)}),
    ("minimum-relative-distance", {"vector": (0, 1)}, {"vector": (1, 0)}),
    ("minimum-weighted-distance", {"vector": (1, 0)}, {"vector": (0, 1)}),
    ("maximum-distribution", {"distinct": 3}, {"distinct": 2}),
    ("minimum-suppression", {"suppressed": 1}, {"suppressed": 2}),
    ("smallest-absolute-peak", {"vector": (1, 1)}, {"vector": (0, 2)}),
    ("largest-absolute-peak", {"vector": (0, 2)}, {"vector": (1, 1)}),
    ("smallest-relative-peak", {"vector": (0, 2)}, {"vector": (1, 1)}),
    ("largest-relative-peak", {"vector": (1, 1)}, {"vector": (0, 2)}),
    ("fewest-generalized-attributes", {"vector": (0, 4)}, {"vector": (1, 1)}),
    ("most-generalized-attributes", {"vector": (1, 1)}, {"vector": (0, 4)}),
]
"""For each policy, a candidate that it prefers to another; `candidate` sets their other fields."""


class TestExample61:
    """The preferred generalizations of Example 4.2 under each policy of section 6."""

    @pytest.mark.parametrize(
        ("max_suppressed", "policy", "printed"),
        [
            (1, "minimum-absolute-distance", [(1, 0)]),
            (1, "minimum-relative-distance", [(0, 2), (1, 0)]),
            (1, "maximum-distribution", [(0, 2), (1, 0)]),
            (1, "minimum-suppression", [(0, 2), (1, 0)]),
            (2, "minimum-absolute-distance", [(0, 1), (1, 0)]),
            (2, "minimum-suppression", [(1, 0)]),
            (2, "minimum-relative-distance", [(0, 1)]),
            (2, "maximum-distribution", [(0, 1)]),
        ],
    )
    def test_what_a_policy_prefers(self, freq_of_8, max_suppressed, policy, printed):
        requirement = Requirement(2, max_suppressed)
        options = SearchOptions(prefer=(policy,))
        chosen = list_minimal(freq_of_8, requirement, options).preferred
        assert [candidate.vector for candidate in chosen] == printed
        assert samarati(freq_of_8, requirement, options).vector == printed[0]

    @pytest.mark.parametrize(
        ("max_suppressed", "known"),
        [
            (0, {(1, 1): (0, 2)}),
            (1, {(1, 0): (1, 2), (0, 2): (1, 2)}),
            (2, {(1, 0): (1, 2), (0, 1): (2, 3)}),
            (4, {(0, 0): (4, 2)}),
        ],
    )
    def test_what_each_suppresses_and_the_distinct_tuples_that_figure_9_leaves(
        self, freq_of_8, max_suppressed, known
    ):
        minimal = list_minimal(freq_of_8, Requirement(2, max_suppressed)).minimal
        assert {c.vector: (c.suppressed, c.distinct) for c in minimal} == known

    @pytest.mark.parametrize(
        ("constraint", "vector"),
        [
            ("Race = 0", (0, 1)),
            ("ZIP < 1", (1, 0)),
            ("suppressed <= 1", (1, 0)),
            ("distinct >= 3", (0, 1)),
        ],
    )
    def test_a_constraint_on_vectors_or_tables_chooses_too(self, freq_of_8, constraint, vector):
        options = SearchOptions(constraints=(Constraint.parse(constraint),))
        recoding = samarati(freq_of_8, Requirement(2, 2), options)
        assert recoding.vector == vector
        assert recoding.k_minimal

    def test_constraints_that_no_minimal_generalization_satisfies_are_infeasible(self, freq_of_8):
        options = SearchOptions(constraints=(Constraint.parse("suppressed = 0"),))
        with pytest.raises(Infeasible, match="none of the 2 k-minimal"):
            samarati(freq_of_8, Requirement(2, 2), options)

    @pytest.mark.parametrize(
        ("max_suppressed", "exact", "complete"),
        [(0, 1 / 3, 1), (1, 2 / 3, 7 / 8), (2, 2 / 3, 6 / 8), (4, 1, 4 / 8)],
    )
    def test_the_greater_the_accuracy_the_lower_the_completeness(
        self, freq_of_8, max_suppressed, exact, complete
    ):
        recoding = samarati(freq_of_8, Requirement(2, max_suppressed))
        assert accuracy(recoding.vector, freq_of_8.heights) == pytest.approx(exact)
        assert completeness(8, recoding.rows_suppressed) == complete


class TestPolicies:
    """Every policy of section 6, between two candidates that differ in its quantity."""

    @pytest.mark.parametrize(("policy", "chosen", "other"), EXAMPLES)
    def test_a_policy_takes_the_better_and_keeps_equals(self, policy, chosen, other):
        better, worse = candidate(**chosen), candidate(**other)
        assert preferred([worse, better], [policy]) == [better]
        assert preferred([better, better], [policy]) == [better, better]

    def test_every_policy_has_an_example(self):
        assert [policy for policy, *_ in EXAMPLES] == list(PREFERENCES)

    def test_a_further_policy_chooses_among_those_that_the_first_leaves(self):
        a = candidate((0, 1), suppressed=2, distinct=3)
        b = candidate((1, 0), suppressed=2, distinct=4)
        c = candidate((1, 1), suppressed=3, distinct=9)
        assert preferred([a, b, c], ["minimum-suppression", "maximum-distribution"]) == [b]
        assert preferred([a, b, c], ["maximum-distribution", "minimum-suppression"]) == [c]

    def test_without_a_policy_all_are_left_in_order(self):
        a, b = candidate((0, 1)), candidate((1, 0))
        assert preferred([b, a], []) == [a, b]

    def test_a_policy_that_does_not_exist_is_refused(self):
        with pytest.raises(InvalidInput, match="prefer is one of minimum-abs"):
            preferred([candidate()], ["cheapest"])


def candidate(vector=(0, 0), suppressed=0, distinct=1):
    """Return a candidate over attributes of heights 1 and 4 and weights 0.5 and 3."""
    weights = (Decimal("0.5"), Decimal(3))
    return Candidate(vector, (1, 4), suppressed, distinct, 1.0, weights)
