"""The recorded steps of Samarati's searches: errors and limits."""

import pytest

import lookalike.search.lattice.trace
from lookalike import Infeasible, InvalidInput
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.find_vector import find_all_by_halving
from lookalike.search.lattice.trace import SEARCHES, trace
from lookalike.search.options import SearchOptions

from ..small_tables import TREE, frequencies


@pytest.fixture
def freq():
    return frequencies(("a", "a"), ("b", "a"), ("c", "d"), ("d", "d"), x=TREE, y=TREE)


@pytest.mark.parametrize("search", SEARCHES)
def test_a_search_that_is_out_of_time_says_so_and_finds_nothing(freq, search):
    found = trace(freq, Requirement(2), search, SearchOptions(time_limit=-1))
    assert (found.complete, found.found, found.steps, found.evaluated) == (False, (), (), 0)


def test_a_search_of_too_many_steps_is_stopped(freq, monkeypatch):
    whole = trace(freq, Requirement(2), "halving")
    monkeypatch.setattr(lookalike.search.lattice.trace, "MOST_TRACED_STEPS", len(whole.steps) - 1)
    stopped = trace(freq, Requirement(2), "halving")
    assert (stopped.complete, stopped.steps) == (False, whole.steps[:-1])


def test_as_many_strategies_as_there_may_be_are_followed_and_one_more_is_refused(freq, monkeypatch):
    assert len(trace(freq, Requirement(2), "strategies").steps) == 6
    monkeypatch.setattr(lookalike.search.lattice.trace, "MOST_TRACED_STEPS", 6)
    assert trace(freq, Requirement(2), "strategies").complete
    monkeypatch.setattr(lookalike.search.lattice.trace, "MOST_TRACED_STEPS", 5)
    with pytest.raises(InvalidInput, match=r"there are 6 strategies .* more than 5; .* halving"):
        trace(freq, Requirement(2), "strategies")


@pytest.mark.parametrize(("most", "works"), [(9, True), (8, False)])
def test_a_lattice_that_is_too_large_is_refused(freq, monkeypatch, most, works):
    monkeypatch.setattr(lookalike.search.lattice.trace, "MOST_TRACED_VECTORS", most)
    if works:
        assert trace(freq, Requirement(2), "find-vector").complete
        return
    with pytest.raises(InvalidInput, match="the lattice has 9 vectors, more than 8"):
        trace(freq, Requirement(2), "find-vector")


@pytest.mark.parametrize(("most", "works"), [(16, True), (15, False)])
def test_a_matrix_that_is_too_large_is_refused(freq, monkeypatch, most, works):
    monkeypatch.setattr(lookalike.search.lattice.trace, "MOST_TRACED_DISTANCES", most)
    if works:
        assert trace(freq, Requirement(2), "matrix").complete
        return
    with pytest.raises(InvalidInput, match="16 distance vectors, more than 15"):
        trace(freq, Requirement(2), "matrix")


def test_the_matrix_is_of_one_quasi_identifier_only(freq):
    both = (QuasiIdentifier("one", ("x",), 2), QuasiIdentifier("two", ("y",), 2))
    several = Requirement(2, quasi_identifiers=both)
    assert trace(freq, several, "find-vector").found == ((1, 0),)
    with pytest.raises(InvalidInput, match="one quasi-identifier without linking weights"):
        trace(freq, several, "matrix")
    with pytest.raises(InvalidInput, match="one quasi-identifier without linking weights"):
        trace(freq, Requirement(2, quasi_identifiers=both[:1]), "matrix")


def test_constraints_that_no_vector_satisfies_are_infeasible(freq):
    low = SearchOptions(constraints=(Constraint.parse("x <= 0"),))
    with pytest.raises(Infeasible, match="loosen the constraints on levels"):
        trace(freq, Requirement(2), "find-vector", low)


def test_conditions_on_solutions_are_not_ignored(freq):
    condition = SearchOptions(constraints=(Constraint.parse("suppressed <= 1"),))
    with pytest.raises(InvalidInput, match="'suppressed' is not an attribute"):
        trace(freq, Requirement(2), "halving", condition)


def test_an_unknown_search_is_refused(freq):
    with pytest.raises(InvalidInput, match="search is one of find-vector, "):
        trace(freq, Requirement(2), "guess")


def test_halving_goes_on_between_vectors_two_steps_apart():
    lattice = Lattice((0, 0), (1, 1))
    assert find_all_by_halving(lattice, lambda vector: sum(vector) >= 1) == {(0, 1), (1, 0)}
