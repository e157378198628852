"""Protections of sensitive values: examples of the papers, boundaries, wrong parameters."""

import math

import numpy as np
import pytest

from lookalike.errors import InvalidInput
from lookalike.model.protections import (
    Closeness,
    Disclosure,
    Distinct,
    Entropy,
    Likeness,
    Recursive,
    Share,
)

from ..class_counts import gather, refer

NONE = np.array([1, 1])


def judge(protection, classes, reference=None):
    return protection.failing(gather(classes, reference)).tolist()


class TestClassValues:
    def test_entries_are_merged_and_sorted(self):
        found = gather([[0, 3, 1], [2, 0, 0]])
        assert found.starts.tolist() == [0, 2, 3]
        assert found.values.tolist() == [1, 2, 0]
        assert found.counts.tolist() == [3, 1, 2]
        assert found.sizes.tolist() == [4, 2]
        assert found.classes == 2

    def test_a_class_without_rows_has_no_figure_and_does_not_fail(self):
        asked = [Distinct(2), Entropy(2), Recursive(1, 2), Share(0.5), Disclosure(1)]
        asked += [Likeness(1), Closeness(0), Closeness(0, "ordered")]
        found = gather([[0, 0], [1, 1]])
        for one in asked:
            assert np.isnan(one.measure(found)).tolist() == [True, False]
            assert not one.failing(found)[0]

    def test_no_class_at_all(self):
        none = gather(np.empty((0, 2)), NONE)
        for one in (Distinct(2), Entropy(2), Closeness(0, "ordered"), Likeness(1)):
            assert one.measure(none).tolist() == []

    def test_its_repr_hides_counts(self):
        assert repr(gather([[17]])) == "ClassValues(…)"


class TestBoundaries:
    """A comparison includes its boundary where the paper's does, whatever rounding makes of it."""

    def test_distinct_and_entropy_include_l(self):
        assert judge(Distinct(2), [[1, 9], [3, 0]]) == [False, True]
        assert judge(Entropy(3), [[7, 7, 7], [7, 7, 6]]) == [False, True]

    @pytest.mark.parametrize("c", [1.1, 2.3, 0.7, 3])
    def test_recursive_excludes_c(self, c):
        counts = [[round(10 * c), *[1] * 10], [round(10 * c), 2, *[1] * 9]]
        assert judge(Recursive(c, 2), counts)[0] == (max(counts[0]) == round(10 * c))
        assert not judge(Recursive(c + 0.2, 2), counts)[0]

    def test_share_includes_alpha(self):
        assert judge(Share(0.1), [[1] * 10, [2, *[1] * 8, 0]]) == [False, True]
        assert judge(Share(1 / 3), [[1, 1, 1]]) == [False]

    def test_closeness_includes_t(self):
        reference = np.array([7, 3])
        assert judge(Closeness(0.3), [[1, 0]], reference) == [False]
        assert judge(Closeness(0.2999), [[1, 0]], reference) == [True]

    def test_likeness_includes_beta_and_the_logarithm(self):
        reference = np.array([1, 9])
        assert judge(Likeness(2, enhanced=False), [[3, 7]], reference) == [False]
        assert judge(Likeness(1.999, enhanced=False), [[3, 7]], reference) == [True]
        limited = [math.floor((1 - math.log(0.1)) * 100), 1000]
        limited[1] -= limited[0]
        assert judge(Likeness(9), [limited, [limited[0] + 1, limited[1] - 1]], reference) == [
            False,
            True,
        ]

    def test_disclosure_excludes_delta(self):
        reference = np.array([1, 3])
        assert judge(Disclosure(math.log(2)), [[1, 1]], reference) == [True]
        assert judge(Disclosure(math.log(2) + 0.001), [[1, 1]], reference) == [False]


class TestPublishedExamples:
    def test_l_diversity_of_machanavajjhala(self):
        """Figure 4 of the paper: a 3-diverse table, classes of four rows with 2, 1, 1."""
        classes = [[2, 1, 1], [1, 1, 2], [1, 1, 2]]
        assert Distinct(3).measure(gather(classes)).tolist() == [3, 3, 3]
        assert Entropy(2.8).measure(gather(classes)) == pytest.approx([2 * math.sqrt(2)] * 3)
        assert judge(Recursive(3, 3), classes) == [False] * 3
        assert judge(Recursive(2, 3), classes) == [True] * 3

    def test_ordered_closeness_of_li(self):
        """Section 4.2: salaries 3k … 11k; {3, 4, 5} is 0.375 away, {6, 8, 11} 0.167."""
        reference = np.ones(9, dtype=np.int64)
        classes = [[1, 1, 1, 0, 0, 0, 0, 0, 0], [0, 0, 0, 1, 0, 1, 0, 0, 1]]
        found = Closeness(0.2, "ordered").measure(gather(classes, reference))
        assert found == pytest.approx([0.375, 1 / 6], abs=1e-4)
        assert judge(Closeness(0.2, "ordered"), classes, reference) == [True, False]

    def test_likeness_of_cao_and_karras(self):
        """A value of 1 % of the table may have 2 % of a class at β = 1, and not 3 %."""
        reference = np.array([1, 99])
        assert judge(Likeness(1), [[2, 98], [3, 97]], reference) == [False, True]

    def test_hierarchical_distance_is_the_level_of_the_common_ancestor(self):
        levels = [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]
        near = Closeness(0.5, "hierarchy", levels=levels)
        reference = np.array([1, 1, 0, 0])
        assert near.measure(gather([[2, 0, 0, 0]], reference)).tolist() == [0.25]
        reference = np.array([1, 0, 1, 0])
        assert near.measure(gather([[2, 0, 0, 0]], reference)).tolist() == [0.5]


class TestOrder:
    def test_values_without_rows_are_no_steps(self):
        gap = gather([[3, 0, 1]], refer([[3, 0, 1]], [1, 0, 2]))
        none = gather([[3, 1]], refer([[3, 1]], [1, 2]))
        protection = Closeness(1, "ordered")
        assert protection.measure(gap) == pytest.approx(protection.measure(none))

    @pytest.mark.parametrize("distance", ["equal", "ordered"])
    def test_one_value_has_no_distance(self, distance):
        assert Closeness(0, distance).measure(gather([[4]])).tolist() == [0]

    def test_a_hierarchy_of_height_0_has_no_distance(self):
        assert Closeness(0, "hierarchy", levels=[[0]]).measure(gather([[4]])).tolist() == [0]
        assert Closeness(0, "hierarchy", levels=[[0]]).least_distinct(np.array([4])) == 1


class TestLeastDistinct:
    def test_of_diversity_and_share(self):
        assert Distinct(3).least_distinct(NONE) == 3
        assert Entropy(2.5).least_distinct(NONE) == 3
        assert Entropy(3).least_distinct(NONE) == 3
        assert [Recursive(c, 2).least_distinct(NONE) for c in (3, 1, 0.5)] == [2, 3, 4]
        assert [Share(alpha).least_distinct(NONE) for alpha in (0.5, 0.4, 1 / 3, 1)] == [2, 3, 3, 1]

    def test_of_closeness(self):
        reference = np.array([50, 30, 15, 5])
        assert [Closeness(t).least_distinct(reference) for t in (0, 0.05, 0.1, 0.3, 0.5)] == [
            4,
            3,
            3,
            2,
            1,
        ]
        levels = [[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]
        tree = Closeness(0.2, "hierarchy", levels=levels)
        assert tree.least_distinct(np.array([25, 25, 25, 25])) == 3
        assert Closeness(0.1, "ordered").least_distinct(np.ones(9, dtype=np.int64)) == 3

    def test_of_likeness(self):
        reference = np.array([50, 30, 15, 5])
        assert Likeness(0.2, enhanced=False).least_distinct(reference) == 3
        assert Likeness(1, enhanced=False).least_distinct(reference) == 1
        assert Likeness(1).least_distinct(reference) == 2

    def test_of_disclosure(self):
        assert Disclosure(1).least_distinct(np.array([5, 0, 1])) == 2

    def test_rare_values_need_large_classes(self):
        assert Disclosure(math.log(2)).least_rows(np.array([99, 1])) == 51
        assert Likeness(1, enhanced=False).least_rows(np.array([40, 40, 20])) == 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Distinct(0), "distinct: l must be an integer of at least 1, not 0"),
        (lambda: Distinct(2.5), "distinct: l must be an integer of at least 1, not 2.5"),
        (lambda: Entropy(0.5), "entropy: l must be a number of at least 1, not 0.5"),
        (lambda: Entropy(math.nan), "entropy: l must be a number of at least 1, not nan"),
        (lambda: Recursive(0, 2), "recursive: c must be a number above 0, not 0"),
        (lambda: Recursive(3, 1), "recursive: l must be an integer of at least 2, not 1"),
        (lambda: Closeness(1.5), "closeness: t must lie between 0 and 1, not 1.5"),
        (lambda: Closeness(0.5, "near"), "distance must be one of equal, ordered, hierarchy"),
        (lambda: Likeness(0), "likeness: beta must be a number above 0, not 0"),
        (lambda: Disclosure(math.inf), "disclosure: delta must be a number above 0, not inf"),
        (lambda: Share(0), "share: alpha must lie above 0 and at most 1, not 0"),
    ],
)
def test_wrong_parameters_are_refused(make, message):
    with pytest.raises(InvalidInput, match=message):
        make()


def test_closeness_by_hierarchy_needs_the_ancestors_of_the_values():
    values, asked = gather([[1, 1]]), Closeness(0.5, "hierarchy")
    with pytest.raises(InvalidInput, match="needs a hierarchy"):
        asked.failing(values)
    levels = np.array([[0, 1], [0, 0]], dtype=np.int32)
    assert asked.bound(levels).failing(values).tolist() == [False]
