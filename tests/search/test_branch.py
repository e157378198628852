"""Branch and bound: progress reports, and the result when it is stopped."""

import itertools

import numpy as np
import pytest

from lookalike import Infeasible
from lookalike.model import clock as clock_module
from lookalike.model.beside import Sensitive
from lookalike.model.lattice import Lattice
from lookalike.model.protections import Share
from lookalike.model.requirement import ColumnProtection, Requirement
from lookalike.search.lattice.branch import minimize
from lookalike.search.lattice.objectives import Height, make_objective
from lookalike.search.lattice.rollup import RollUps

from ..small_tables import TREE, frequency_beside, table_of

WHOLE = Lattice((0, 0, 0, 0), (3, 3, 3, 3))
EVEN = (1, 1, 1, 1)


@pytest.fixture
def precision(rollups):
    return make_objective("precision", rollups, EVEN, 10)


@pytest.fixture
def clock(monkeypatch):
    """A clock that advances by a second at each reading."""
    ticks = itertools.count()
    monkeypatch.setattr(clock_module.time, "monotonic", lambda: float(next(ticks)))


def test_the_best_are_listed_in_order_with_all_that_tie(rollups):
    found = minimize(Height(rollups), WHOLE, 60)
    vectors = [one.vector for one in found.best]
    assert len(vectors) > 1
    assert vectors == [
        vector for vector in WHOLE.at_height(found.bound) if rollups.suppressed(vector) <= 60
    ]


def test_vectors_that_suppress_exactly_what_is_allowed_are_considered(rollups):
    every = list(itertools.product(range(4), repeat=4))
    rows = {vector: rollups.suppressed(vector) for vector in every}
    for allowance in sorted(set(rows.values()))[::4]:
        within = [vector for vector in every if rows[vector] <= allowance]
        least = min(map(sum, within))
        found = minimize(Height(rollups), WHOLE, allowance)
        assert [one.vector for one in found.best] == [one for one in within if sum(one) == least]


def test_the_bottom_is_best_where_it_will_do(rollups):
    assert [one.vector for one in minimize(Height(rollups), WHOLE, 300).best] == [WHOLE.bottom]


def test_a_search_that_ends_is_proved_and_meets_its_bound(precision):
    found = minimize(precision, WHOLE, 10)
    assert found.proved
    assert found.bound == found.best[0].cost
    assert found.evaluated < WHOLE.size


@pytest.mark.parametrize("name", ["precision", "loss", "discernibility"])
def test_a_vector_is_found_although_those_above_it_suppress_more(name):
    """Half of the rows of a and c have each value, but above them most rows have the same one."""
    rows = [("a",)] * 2 + [("b",)] * 3 + [("c",)] * 2 + [("d",)] * 3
    values = np.array([0, 1, 0, 0, 0, 0, 1, 0, 0, 0], np.int32)
    levels = np.empty((0, 2), np.int32)
    column = Sensitive("ill", values, reference=np.bincount(values), levels=levels)
    frequency = frequency_beside(table_of(["letter"], rows), {"letter": TREE}, [column])
    asked = (ColumnProtection("ill", Share(0.5)),)
    rollups = RollUps(frequency, Requirement(2, 6, protections=asked))
    assert [rollups.suppressed((level,)) for level in (0, 1, 2)] == [6, 10, 10]
    assert [rollups.certain((level,), 6) for level in (0, 1, 2)] == [6, 6, 6]
    found = minimize(make_objective(name, rollups, (1,), 6), Lattice((0,), (2,)), 6)
    assert [(one.vector, one.suppressed) for one in found.best] == [((0,), 6)]


def test_a_lattice_of_one_vector_has_one_answer(precision):
    top = Lattice(WHOLE.top, WHOLE.top)
    assert [one.vector for one in minimize(precision, top, 0).best] == [WHOLE.top]


def test_a_top_that_suppresses_too_much_is_infeasible_with_the_way_out(precision):
    with pytest.raises(Infeasible, match="more than the 10 that may be suppressed; loosen"):
        minimize(precision, Lattice((0, 0, 0, 0), (0, 0, 0, 0)), 10)


def test_a_search_that_is_stopped_says_so_and_its_bound_holds(precision, clock):
    optimum = minimize(precision, WHOLE, 10).best[0].cost
    stopped = minimize(precision, WHOLE, 10, deadline=3)
    assert not stopped.proved
    assert stopped.bound < optimum <= stopped.best[0].cost
    assert all(one.suppressed <= 10 for one in stopped.best)


def test_more_time_never_loosens_the_bound(precision, clock):
    bounds = [minimize(precision, WHOLE, 10, deadline=seconds).bound for seconds in range(12)]
    assert bounds == sorted(bounds)


def test_it_reports_on_its_way(precision, clock):
    reports = []
    minimize(precision, WHOLE, 10, report=reports.append)
    assert len(reports) > 1
    assert all(not standing.proved for standing in reports)
    assert [standing.bound for standing in reports] == sorted(
        standing.bound for standing in reports
    )
    costs = [standing.best[0].cost for standing in reports]
    assert costs == sorted(costs, reverse=True)


def test_it_does_not_report_more_often_than_it_should(precision, monkeypatch):
    monkeypatch.setattr(clock_module.time, "monotonic", lambda: 0.0)
    minimize(precision, WHOLE, 10, report=lambda _: pytest.fail("reported too soon"))
