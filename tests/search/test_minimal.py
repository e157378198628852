"""All minimal vectors: order, progress reports, and the result at the time limit."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from lookalike import Infeasible
from lookalike.model import clock as clock_module
from lookalike.model.lattice import Lattice, keep_minimal
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import samarati
from lookalike.search.options import SearchOptions

WHOLE = Lattice((0, 0, 0, 0), (3, 3, 3, 3))
WIDE = Lattice((0, 0, 0, 0), (4, 4, 4, 4))
ALLOWANCE = 10


@pytest.fixture
def clock(monkeypatch):
    """A clock that advances by a second at each reading."""
    ticks = itertools.count()
    monkeypatch.setattr(clock_module.time, "monotonic", lambda: float(next(ticks)))


def test_they_are_told_by_height_and_in_order(rollups):
    vectors = find_minimal(rollups, WHOLE, ALLOWANCE).vectors
    assert len(vectors) > 1
    assert list(vectors) == sorted(vectors, key=lambda vector: (sum(vector), vector))


def test_they_are_those_of_the_definition_where_vectors_suppress_exactly_what_is_allowed(rollups):
    every = list(itertools.product(range(4), repeat=4))
    rows = {vector: rollups.suppressed(vector) for vector in every}
    for allowance in sorted(set(rows.values()))[::4]:
        within = [vector for vector in every if rows[vector] <= allowance]
        assert set(find_minimal(rollups, WHOLE, allowance).vectors) == keep_minimal(within)


def test_many_minimal_vectors_are_all_found():
    """More than the 64 that there is room for at first: every vector of one height."""
    rollups = SimpleNamespace(
        code_rows=lambda *_: np.ones(2),
        requirement=SimpleNamespace(is_monotone=True, registers=()),
        evaluated=0,
        certain=lambda vector, _: int(sum(vector) < WIDE.height // 2),
    )
    expected = list(WIDE.at_height(WIDE.height // 2))
    assert len(expected) > 64
    assert sorted(find_minimal(rollups, WIDE, 0).vectors) == sorted(expected)


def test_where_the_bottom_satisfies_it_is_the_only_one(rollups):
    found = find_minimal(rollups, WHOLE, 300)
    assert (found.vectors, found.complete) == ((WHOLE.bottom,), True)
    assert found.evaluated <= 2


def test_a_top_that_suppresses_too_much_is_infeasible_with_the_way_out(rollups):
    with pytest.raises(Infeasible, match="loosen the constraints on levels"):
        find_minimal(rollups, Lattice(WHOLE.bottom, WHOLE.bottom), ALLOWANCE)


@pytest.mark.parametrize("seconds", [0, 5, 10, 20, 40, 80])
def test_what_is_told_when_time_is_up_is_truly_minimal(frequency, clock, seconds):
    requirement = Requirement(3)
    every = set(find_minimal(RollUps(frequency, requirement), WHOLE, ALLOWANCE).vectors)
    stopped = find_minimal(RollUps(frequency, requirement), WHOLE, ALLOWANCE, seconds)
    assert requirement.outliers(frequency, stopped.lowest) <= ALLOWANCE
    assert set(stopped.vectors) <= every
    assert not stopped.complete


def test_time_enough_is_enough(rollups, clock):
    assert find_minimal(rollups, WHOLE, ALLOWANCE, 10_000).complete


def test_it_reports_on_its_way(rollups):
    reports = []
    found = find_minimal(
        rollups,
        WHOLE,
        ALLOWANCE,
        report=lambda count, evaluated: reports.append((count, evaluated)),
    )
    assert reports == sorted(reports)
    assert reports[-1] == (len(found.vectors), found.evaluated)


def test_samarati_without_time_still_answers(frequency):
    options = SearchOptions(prefer=("minimum-suppression",), time_limit=0)
    recoding = samarati(frequency, Requirement(3, ALLOWANCE), options)
    assert recoding.rows_suppressed <= ALLOWANCE
    assert not recoding.in_time
