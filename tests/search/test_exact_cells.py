"""The proven optimum at the cell level."""

import _thread
import math
import signal
import threading
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

import lookalike
from lookalike.errors import Infeasible, InternalError
from lookalike.flow.source import read_and_count
from lookalike.hierarchy.suppress import Suppress
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.search.cells.exact import columns
from lookalike.search.cells.exact import prove_best as proving
from lookalike.search.cells.exact.column_program import Program
from lookalike.search.cells.exact.columns import columns_of_rows, enumerate_groups
from lookalike.search.cells.exact.prove_best import prove_best
from lookalike.search.cells.solve import pose, solve
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import mingen_cells
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification

from ..small_tables import frequencies

ADULT = Path(lookalike.__file__).parent / "shell" / "data" / "adult" / "adult.toml"


def release(frequency, k, allowance=0, constraints=(), **options):
    """Return the best release of a table."""
    bounds = tuple(map(Constraint.parse, constraints))
    asked = SearchOptions(effort="exact", constraints=bounds, **options)
    return mingen_cells(frequency, Requirement(k, allowance), asked)


def letters(text):
    """Return a table of letters, in one column that can only be suppressed."""
    return frequencies(*text, letter=Suppress())


@pytest.fixture(scope="module")
def adult():
    return read_and_count(Specification.load(ADULT), Stopwatch()).frequency


def sample(frequency, rows, seed=0):
    """Draw rows of a table."""
    each = np.repeat(np.arange(len(frequency)), frequency.counts)
    drawn = np.random.default_rng(seed).choice(each, rows, replace=False)
    sequences, counts = np.unique(drawn, return_counts=True)
    return FrequencyList(
        frequency.hierarchies, frequency.vector, frequency.codes[:, sequences], counts
    )


def posed(frequency, k):
    """Pose the problem of a table, without constraints or suppression."""
    weights = [Decimal(1)] * len(frequency.heights)
    return pose(frequency, Lattice.of_heights(frequency.heights), weights, k, 0)


@pytest.mark.parametrize(
    ("text", "k", "allowance", "lost"),
    [
        ("aabb", 2, 0, 0),
        ("aaab", 2, 0, 2),
        ("aab", 2, 0, 3),
        ("aab", 2, 1, 1),
        ("aaaaabb", 3, 0, 3),
        ("aabbcc", 3, 0, 6),
    ],
)
def test_what_few_letters_lose(text, k, allowance, lost):
    found = release(letters(text), k, allowance).optimality
    assert found.reached == found.bound == (len(text) - lost) / len(text)
    assert found.proved


def test_the_search_proves_more_than_the_duals_where_fractions_cost_less():
    """Half of each of three pairs is a fractional solution, but two pairs exclude each other."""
    found = release(letters("aab"), 2).optimality
    assert int(found.duals.values @ [2, 1]) == 2 * found.duals.scale
    assert found.beyond == 3


def test_nothing_is_beyond_duals_that_prove_all():
    assert release(letters("aaab"), 2).optimality.beyond is None


def test_rows_are_not_all_suppressed_if_a_class_costs_no_more():
    recoding = release(letters("ab"), 2, allowance=2)
    assert recoding.optimality.reached == 0
    assert recoding.rows_suppressed == 0


@pytest.mark.parametrize("k", [2, 3])
def test_too_many_rows_that_can_be_in_no_class_are_infeasible(k):
    frequency = letters("aab" if k == 2 else "aabb")
    with pytest.raises(Infeasible, match="loosen them, or"):
        release(frequency, k, allowance=0 if k == 2 else 4, constraints=["letter <= 0"])


def test_constraints_that_do_not_reach_the_top_keep_rows_apart():
    recoding = release(letters("aabbc"), 2, allowance=1, constraints=["letter <= 0"])
    assert recoding.optimality.reached == 0.8
    assert recoding.rows_suppressed == 1


def test_no_cell_is_released_below_the_lowest_level():
    assert release(letters("aabb"), 2, constraints=["letter >= 1"]).optimality.bound == 0


@pytest.mark.parametrize(
    ("rows", "k", "allowance"), [(120, 2, 0), (60, 3, 0), (24, 5, 0), (40, 3, 4)]
)
def test_samples_of_adult_are_proved(adult, rows, k, allowance):
    frequency = sample(adult, rows)
    recoding = release(frequency, k, allowance)
    found = recoding.optimality
    assert found.proved
    assert found.reached == found.bound
    worth = int(found.duals.values @ frequency.counts) - allowance * found.duals.price
    assert worth <= found.beyond * found.duals.scale


def test_a_table_of_many_sequences_keeps_the_bound_of_its_duals(adult, monkeypatch):
    monkeypatch.setattr(proving, "MOST_SEQUENCES", 50)
    reported = []
    found = release(sample(adult, 60), 3, announce=reported.append).optimality
    assert (found.proved, found.beyond) == (False, None)
    assert reported[-1] == "the table has too many distinct sequences for a proof"


@pytest.mark.parametrize(
    ("module", "limit", "reason"),
    [
        (columns, "MOST_LISTED_MEMBERS", "the table is too large to list all of its groups"),
        (columns, "MOST_LISTING_STEPS", "there are too many candidate classes to list"),
    ],
)
def test_what_takes_too_much_memory_is_given_up(module, limit, reason, adult, monkeypatch):
    monkeypatch.setattr(module, limit, 10)
    reported = []
    found = release(sample(adult, 30), 3, announce=reported.append).optimality
    assert not found.proved
    assert found.reached < found.bound
    assert reported[-1] == reason


class TestTime:
    def test_a_time_limit_is_that_of_all_the_search(self, adult):
        began = time.process_time()
        found = release(sample(adult, 150), 5, time_limit=2).optimality
        assert time.process_time() - began < 20
        assert 0.5 < found.reached < found.bound < 1
        assert not found.proved

    def test_without_time_what_was_found_is_kept(self, adult):
        problem = posed(sample(adult, 60), 3)
        found = solve(problem, SearchOptions(effort="standard"))
        stopped = prove_best(problem, found, SearchOptions(), time.monotonic())
        assert stopped.classes is found.classes
        assert (stopped.cost, stopped.bound) == (found.cost, problem.round_up(found.bound))


class TestInterrupt:
    @staticmethod
    def interrupt(text):
        raise KeyboardInterrupt

    def test_it_passes_through(self, adult):
        problem = posed(sample(adult, 60), 3)
        found = solve(problem, SearchOptions(effort="standard"))
        with pytest.raises(KeyboardInterrupt):
            prove_best(problem, found, SearchOptions(announce=self.interrupt))

    def test_the_best_is_kept_if_the_holder_says_so(self, adult):
        problem = posed(sample(adult, 60), 3)
        found = solve(problem, SearchOptions(effort="standard"))
        asked = SearchOptions(announce=self.interrupt, keep_best=lambda: True)
        kept = prove_best(problem, found, asked)
        assert kept.cost == found.cost
        assert found.bound <= kept.bound <= kept.cost

    @pytest.fixture
    def heard(self):
        """Receive keyboard interrupts, which parallel test processes ignore."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        yield
        signal.signal(signal.SIGINT, before)

    @pytest.mark.usefixtures("heard")
    def test_it_stops_the_solver(self, adult, monkeypatch):
        groups = enumerate_groups(posed(sample(adult, 60), 5))
        drawn = np.random.default_rng(1).permuted(np.tile(np.arange(60), (3_000, 1)), axis=1)
        program = Program(np.ones(60, dtype=np.int64), 12, 0, 1)
        rows = drawn[:, :5].astype(np.int32)
        program.add(columns_of_rows(np.resize(groups.pool.costs, 3_000), rows))
        run = program._run_and_clean_up

        def press_while_running():
            threading.Timer(0.1, _thread.interrupt_main).start()
            run()

        monkeypatch.setattr(program, "_run_and_clean_up", press_while_running)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            program.solve(np.ones(3_000, dtype=np.bool_), began + 600)
        assert time.monotonic() - began < 300


def test_what_is_no_release_is_a_fault(monkeypatch):
    problem = posed(letters("aaab"), 2)
    found = solve(problem, SearchOptions(effort="standard"))
    worse = replace(found, cost=found.cost + 2 * problem.step, bound=0, duals=None)
    broken = replace(found.classes, counts=2 * found.classes.counts)
    monkeypatch.setattr(proving, "classes_of", lambda *_: broken)
    with pytest.raises(InternalError, match="violate the requirement"):
        prove_best(problem, replace(worse, cost=10 * worse.cost), SearchOptions(), math.inf)


def test_a_release_of_just_the_target_cost_is_found_and_none_below():
    problem = posed(letters("aaab"), 2)
    lost = 2 * problem.costs.suppressed
    pairs = columns_of_rows(np.array([0, lost]), np.array([[0, 0], [0, 1]], dtype=np.int32))
    times, bound = proving.partition(problem, pairs, 0, lost, math.inf)
    assert (times.tolist(), bound) == ([1, 1], lost)
    below = lost - problem.step
    assert proving.partition(problem, pairs, 0, below, math.inf) == (None, lost)


def test_closed_groups_are_joins_of_at_least_k_rows():
    problem = posed(letters("aabbbc"), 2)
    groups = enumerate_groups(problem)
    assert groups.levels.tolist() == [[0], [0], [1]]
    assert groups.pool.costs.tolist() == [0, 0, problem.costs.suppressed]
    assert np.split(groups.pool.members, groups.pool.offsets[1:-1])[2].tolist() == [0, 1, 2]
