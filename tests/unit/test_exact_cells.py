"""The proven optimum at the cell level."""

import _thread
import threading
import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import lookalike
from lookalike import Suppress
from lookalike.cells.classes import Classes
from lookalike.cells.closed import close_groups
from lookalike.cells.columns import columns_of_rows
from lookalike.cells.costs import cost_cells
from lookalike.cells.exact import solve_exactly
from lookalike.cells.linear import Program
from lookalike.errors import Infeasible, InternalError
from lookalike.frequency import FrequencyList
from lookalike.hierarchy import Listed
from lookalike.intake import take_in
from lookalike.lattice import Lattice
from lookalike.spec import Specification
from lookalike.stopwatch import Stopwatch

from ..flow import frequency_of, table_of
from ..papers.tables import ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES

ADULT = Path(lookalike.__file__).parent / "data" / "adult" / "adult.toml"
BY_YEAR = ACHIEVING_FIGURE_7.set_column(
    1,
    "BirthDate",
    [[date.split("/")[-1] for date in ACHIEVING_FIGURE_7["BirthDate"].to_pylist()]],
)


def solve(frequency, k, allowance=0, lattice=None, **options):
    costs = cost_cells(frequency, [Decimal(1)] * len(frequency.heights))
    within = lattice or Lattice.of_heights(frequency.heights)
    return costs, solve_exactly(frequency.counts, costs, within, k, allowance, **options)


def letters(text):
    """Lay letters out as one column that can only be suppressed."""
    return frequency_of(table_of(["letter"], list(text)), {"letter": Suppress()})


@pytest.fixture(scope="module")
def adult():
    return take_in(Specification.load(ADULT), Stopwatch()).frequency


def sample(frequency, rows, seed):
    """Draw rows of a table."""
    each = np.repeat(np.arange(len(frequency)), frequency.counts)
    drawn = np.random.default_rng(seed).choice(each, rows, replace=False)
    sequences, counts = np.unique(drawn, return_counts=True)
    return FrequencyList(
        frequency.hierarchies, frequency.vector, frequency.codes[:, sequences], counts
    )


@pytest.mark.parametrize(("k", "loss"), [(2, 7.2667), (3, 13.4)])
def test_the_table_of_figure_7_loses_less_than_the_paper_releases(k, loss):
    costs, solution = solve(frequency_of(ACHIEVING_FIGURE_7, ACHIEVING_FIGURE_7_HIERARCHIES), k)
    assert solution.proved
    assert solution.cost / costs.scale == pytest.approx(loss, abs=5e-5)
    assert costs.precision(solution.cost, 12) == pytest.approx(1 - loss / 48, abs=5e-5)


def test_the_table_of_figure_7_that_starts_at_the_year():
    paths = {
        "1964": ["1964", "1960-1964", "1960-1969", "all"],
        "1965": ["1965", "1965-1969", "1960-1969", "all"],
        "1967": ["1967", "1965-1969", "1960-1969", "all"],
    }
    years = ACHIEVING_FIGURE_7_HIERARCHIES | {"BirthDate": Listed(paths)}
    costs, solution = solve(frequency_of(BY_YEAR, years), 2)
    assert solution.proved
    assert costs.precision(solution.cost, 12) == 0.9375


@pytest.mark.parametrize(
    ("text", "k", "allowance", "cost"),
    [
        ("aabb", 2, 0, 0),
        ("aaab", 2, 0, 2),
        ("aab", 2, 0, 3),
        ("aab", 2, 1, 1),
        ("aaaaabb", 3, 0, 3),
        ("aabbcc", 3, 0, 6),
    ],
)
def test_what_few_letters_lose(text, k, allowance, cost):
    _, solution = solve(letters(text), k, allowance)
    assert (solution.cost, solution.bound, solution.proved) == (cost, cost, True)


def test_identical_rows_may_be_in_different_classes():
    frequency = letters("aaab")
    _, solution = solve(frequency, 2)
    assert sorted(solution.classes.sizes().tolist()) == [2, 2]
    assert not solution.suppressed.any()


def test_the_search_proves_more_than_the_duals_where_fractions_cost_less():
    _, solution = solve(letters("aab"), 2)
    assert solution.dual_bound == 2
    assert solution.bound == 3


def test_rows_are_not_all_suppressed_if_a_class_costs_no_more():
    _, solution = solve(letters("ab"), 2, allowance=2)
    assert solution.cost == 2
    assert solution.suppressed.sum() == 0


@pytest.mark.parametrize("k", [2, 3])
def test_too_many_rows_that_can_be_in_no_class_are_infeasible(k):
    frequency = letters("aab" if k == 2 else "aabb")
    only_ground = Lattice((0,), (0,))
    with pytest.raises(Infeasible, match="loosen the constraints on levels, lower k, or allow"):
        solve(frequency, k, allowance=0 if k == 2 else 4, lattice=only_ground)


def test_a_lattice_that_does_not_reach_the_top_keeps_rows_apart():
    _, solution = solve(letters("aabbc"), 2, allowance=1, lattice=Lattice((0,), (0,)))
    assert (solution.cost, len(solution.classes)) == (1, 2)


def test_no_cell_is_released_below_the_lowest_level():
    _, solution = solve(letters("aabb"), 2, lattice=Lattice((1,), (1,)))
    assert (solution.cost, solution.bound) == (4, 4)


@pytest.mark.parametrize(
    ("rows", "k", "allowance"), [(80, 2, 0), (60, 3, 0), (30, 5, 0), (40, 3, 4)]
)
def test_samples_of_adult_are_proved(adult, rows, k, allowance):
    frequency = sample(adult, rows, 0)
    _, solution = solve(frequency, k, allowance)
    assert solution.proved
    assert solution.dual_bound <= solution.bound == solution.cost


def test_without_time_the_start_is_kept_and_the_bound_holds(adult):
    frequency = sample(adult, 60, 0)
    start = solve(frequency, 3)[1]
    began = time.monotonic()
    stopped = solve(frequency, 3, start=start.classes, time_limit=0)[1]
    assert time.monotonic() - began < 2
    assert stopped.classes.sizes().tolist() == start.classes.sizes().tolist()
    assert stopped.bound < stopped.cost == start.cost
    assert not stopped.proved


def test_a_time_limit_ends_the_search_with_what_was_found(adult):
    began = time.monotonic()
    costs, solution = solve(sample(adult, 150, 0), 5, time_limit=3)
    assert time.monotonic() - began < 10
    assert 0 < solution.dual_bound <= solution.bound < solution.cost
    assert costs.precision(solution.cost, 150) > 0.5


def test_classes_that_are_no_release_are_refused_as_a_start():
    alone = Classes(*(np.array([number], dtype=np.int32) for number in (0, 0, 1)))
    with pytest.raises(InternalError, match="do not satisfy"):
        solve(letters("aab"), 2, allowance=2, start=alone)


def test_an_interrupt_while_telling_passes_through():
    def interrupt(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(letters("aab"), 2, tell=interrupt)


def test_an_interrupt_stops_the_solver(adult):
    frequency = sample(adult, 60, 0)
    costs = cost_cells(frequency, [Decimal(1)] * 9)
    groups = close_groups(frequency.counts, costs, Lattice.of_heights(frequency.heights), 5)
    drawn = np.random.default_rng(1).permuted(np.tile(np.arange(60), (3_000, 1)), axis=1)[:, :5]
    program = Program(frequency.counts, 12, 0, 1)
    program.add(columns_of_rows(np.resize(groups.costs, 3_000), drawn.astype(np.int32)))
    threading.Timer(0.5, _thread.interrupt_main).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program.solve(np.ones(3_000, dtype=np.bool_), began + 60)
    assert time.monotonic() - began < 20


def test_closed_groups_are_joins_of_at_least_k_rows():
    frequency = letters("aabbbc")
    costs = cost_cells(frequency, [Decimal(1)])
    groups = close_groups(frequency.counts, costs, Lattice((0,), (1,)), 2)
    assert groups.levels.tolist() == [[0], [0], [1]]
    assert groups.costs.tolist() == [0, 0, 1]
    assert np.split(groups.members, groups.start[1:-1])[2].tolist() == [0, 1, 2]
