"""The work of a search at the cell level is counted: with little of it, answers stay valid."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.clock import TooLarge
from lookalike.model.proved_bound import Duals
from lookalike.search.cells import budget
from lookalike.search.cells.bound import find_pool, prove_values, raise_values
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.construction import close_cheapest_first, run_greedy
from lookalike.search.cells.solve import solve
from lookalike.search.options import SearchOptions

from ..effort import examples
from .posed_problems import letters, pose_letters, posed
from .test_cells import rows_of_sequences

some = examples(40)
little = st.sampled_from([0, 1, 20, 2_000, 40_000])


def solve_with(problem, work, effort="standard"):
    """Solve a problem with so much work in each second of the budget."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "SECOND", work)
        return solve(problem, SearchOptions(effort=effort))


@some
@given(posed(max_rows=24, allowances=(0, 2)), little, st.sampled_from(["quick", "standard"]))
def test_however_little_work_is_allowed_the_answer_is_valid_and_the_same(case, work, effort):
    problem, partitions = case
    try:
        solve(problem, SearchOptions(effort="quick"))
    except Infeasible:
        assume(False)
    found, again = (solve_with(problem, work, effort) for _ in range(2))
    assert (found.classes.sizes() >= problem.k).all()
    rows = rows_of_sequences(found.classes)
    placed = [rows[sequence] for sequence in range(len(problem.counts))]
    assert placed == (problem.counts - found.suppressed).tolist()
    assert found.cost == problem.total_cost(found.classes, int(found.suppressed.sum()))
    assert found.bound <= found.cost
    assert partitions.overcharged(found.duals) == []
    assert (found.cost, found.bound) == (again.cost, again.bound)
    assert found.classes.class_of.tolist() == again.classes.class_of.tolist()


@some
@given(posed(), little)
def test_no_row_costs_less_than_the_bound_that_was_cut_short(case, work):
    problem, partitions = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "SECOND", work)
        cheapest = run_greedy(problem).cheapest
    simple = np.minimum(cheapest, problem.costs.suppressed)
    assert partitions.overcharged(Duals(problem.costs.scale, simple)) == []


def test_with_little_work_vectors_are_left_out_but_the_last():
    problem = pose_letters(letters("aabbccdd" + "abcd" * 3), 20)
    every, all_vectors = close_cheapest_first(problem, np.zeros_like(problem.counts))
    some_work = Budget().part(1e-9)
    found, tried = close_cheapest_first(problem, np.zeros_like(problem.counts), some_work)
    assert 1 <= tried < all_vectors
    assert (found >= 0).all()
    assert (every >= 0).all()


def test_work_is_counted_and_ends():
    problem = pose_letters(letters("aabbc"), 2)
    values = np.full(len(problem.counts), float(problem.costs.suppressed))
    meter = Budget().part(1)
    find_pool(problem, values, 0.0, meter)
    used = budget.SECOND - meter.left
    assert used > 0
    with pytest.raises(TooLarge, match="the work that is allowed is done"):
        find_pool(problem, values, 0.0, Budget().part((used - 1) / budget.SECOND))
    find_pool(problem, values, 0.0, Budget().part(used / budget.SECOND))


def test_values_that_were_raised_for_some_rounds_can_be_proved():
    problem = pose_letters(letters("aabbc"), 2)
    simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed).astype(np.float64)
    meter = Budget().part(1)
    raise_values(problem, simple, meter)
    half = Budget().part((budget.SECOND - meter.left) / 2 / budget.SECOND)
    some_rounds = raise_values(problem, simple, half).values
    assert half.left < 0
    assert prove_values(problem, some_rounds).values @ problem.counts >= 0
    with pytest.raises(TooLarge):
        raise_values(problem, simple, Budget().part(0))


def test_a_part_reports_what_was_found_since_it_began(monkeypatch):
    monkeypatch.setattr(budget, "PHASE_SECONDS", 0)
    reported = []
    whole = Budget(announce=reported.append)
    part = whole.part(1)
    part.count(1, "improving the classes")
    whole.report("best 0.9")
    part.count(1, "improving the classes")
    improving = "improving the classes, 0 s"
    assert reported == [improving, "best 0.9", f"best 0.9; {improving}"]
