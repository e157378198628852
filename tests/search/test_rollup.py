"""RollUps: which lists are kept, how many at most, and how often vectors are evaluated."""

import numpy as np
import pytest

from lookalike import Taxonomy
from lookalike.model.requirement import Requirement
from lookalike.search.lattice import rollup
from lookalike.search.lattice.rollup import ClassSuppression, RollUps

from ..small_tables import frequencies

TOP = (3, 3, 3, 3)


@pytest.fixture(autouse=True)
def half_is_much_smaller(monkeypatch):
    """Keep lists of half the length too, so that a small table has several."""
    monkeypatch.setattr(rollup, "MUCH_SMALLER", 2)


def test_at_first_the_whole_list_is_the_smallest_known(rollups, frequency):
    assert rollups.below(TOP) is frequency


def test_a_list_that_is_kept_serves_what_lies_above_it(rollups, frequency):
    rollups.keep((2, 2, 2, 2))
    assert rollups.below(TOP).vector == rollups.below((2, 3, 2, 2)).vector == (2, 2, 2, 2)
    assert rollups.below((3, 3, 3, 1)) is frequency


def test_of_several_the_one_with_fewest_sequences_serves(rollups):
    rollups.keep((2, 2, 2, 2))
    rollups.keep((3, 3, 2, 2))
    assert rollups.below(TOP).vector == (3, 3, 2, 2)
    assert rollups.below((2, 2, 3, 3)).vector == (2, 2, 2, 2)


def test_a_list_that_may_be_nearly_as_long_is_not_kept(rollups, frequency):
    rollups.keep((0, 0, 0, 1))
    assert rollups.below(TOP) is frequency


def test_a_list_is_kept_once(rollups):
    for _ in range(3):
        rollups.keep((2, 2, 2, 2))
    assert len(rollups._kept) == 1


def test_no_more_lists_are_kept_than_allowed_and_the_oldest_goes(rollups, monkeypatch):
    monkeypatch.setattr(rollup, "MOST_LISTS", 2)
    for vector in [(2, 2, 2, 2), (3, 3, 2, 2), (3, 3, 3, 3)]:
        rollups.keep(vector)
    assert [kept.vector for kept in rollups._kept] == [(3, 3, 2, 2), (3, 3, 3, 3)]


def test_no_more_memory_is_kept_than_allowed(rollups, monkeypatch):
    monkeypatch.setattr(rollup, "MOST_BYTES", 100)
    rollups.keep((2, 2, 2, 2))
    assert rollups._kept == []
    rollups.keep(TOP)
    assert [kept.vector for kept in rollups._kept] == [TOP]


def test_a_vector_is_looked_at_once(rollups):
    assert rollups.suppressed(TOP) == rollups.suppressed(TOP) == 0
    assert rollups.evaluated == 1


@pytest.mark.parametrize("vector", [(2, 2, 2, 2), (3, 2, 2, 1), (1, 2, 3, 3)])
def test_answers_from_kept_lists_are_those_of_the_whole_list(frequency, vector):
    requirement = Requirement(8)
    rollups = RollUps(frequency, requirement)
    rollups.keep((1, 2, 2, 1))
    rollups.keep((2, 2, 2, 2))
    assert rollups.suppressed(vector) == requirement.outliers(frequency, vector)


@pytest.mark.parametrize(("is_blank", "sizes"), [(False, [3, 5]), (True, [4, 5])])
def test_blank_rows_are_in_the_class_that_is_suppressed_throughout(is_blank, sizes):
    rows = [*["a"] * 5, *["stranger"] * 3, "b"]
    tree = Taxonomy({"A": ["a", "b"]}, unknown="suppress")
    classes = frequencies(*[(value,) for value in rows], letter=tree)
    given = np.where(classes.counts == 1, 1, 0)
    found = ClassSuppression(classes, 1, given, is_blank).sizes
    assert sorted(found.tolist()) == sizes
