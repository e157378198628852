"""The search at the cell level: rounding, annealing, and the whole way."""

import math
import signal
import threading
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.cells import improvement
from lookalike.search.cells import solve as solving
from lookalike.search.cells.bound import raise_values
from lookalike.search.cells.construction import (
    divide_large,
    round_solution,
    run_greedy,
)
from lookalike.search.cells.improvement import anneal_classes
from lookalike.search.cells.solve import solve
from lookalike.search.methods import mingen_cells
from lookalike.search.options import DEFAULTS, SearchOptions, SharedWork

from ..effort import examples
from ..small_tables import TREE, frequency_of
from .posed_problems import QUICK, letters, pose_letters, posed
from .test_cells import classes_of, rows_of_sequences

some = examples(40)


class TestRefine:
    """Rounding and annealing."""

    @staticmethod
    def price(problem):
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        return raise_values(problem, simple.astype(np.float64))

    @some
    @given(posed(max_rows=24, bounded=False))
    def test_rounding_makes_classes_of_k_rows_and_says_what_is_left(self, case):
        problem, _ = case
        classes, left = round_solution(problem, self.price(problem))
        assert (classes.sizes() >= problem.k).all()
        rows = rows_of_sequences(classes)
        assert [rows[s] for s in range(len(left))] == (problem.counts - left).tolist()

    @some
    @given(posed(max_rows=24, allowances=(0, 2, 5)), st.sampled_from([1, 1000]))
    def test_each_turn_keeps_the_rows_and_the_sizes(self, case, fewest):
        problem, _ = case
        try:
            found = solve(problem, QUICK)
        except Infeasible:
            assume(False)
        with patch.object(improvement, "FEWEST", fewest):
            turns = list(anneal_classes(problem, found.classes, self.price(problem), 40, 2))
        for classes in turns:
            assert rows_of_sequences(classes) == rows_of_sequences(found.classes)
            assert all(problem.k <= size < 2 * problem.k for size in classes.sizes())

    def test_exchanges_mend_what_the_greedy_spoils(self):
        problem = pose_letters(letters("aabbccdd"), 2)
        spoiled = divide_large(classes_of([(0, 0, 1), (0, 2, 1), (1, 0, 1), (1, 2, 1)]), 2)
        rest = [(2, 1, 1), (2, 3, 1), (3, 1, 1), (3, 3, 1)]
        spoiled = classes_of(
            [*zip(spoiled.class_of, spoiled.sequence, spoiled.counts, strict=True), *rest]
        )
        *_, last = anneal_classes(problem, spoiled, self.price(problem), 400, 4)
        assert problem.total_cost(last) == 0


class TestSolve:
    @pytest.fixture(autouse=True)
    def only_results(self, monkeypatch):
        """However slow the machine is, only what is found is reported."""
        monkeypatch.setattr("lookalike.search.cells.budget.PHASE_SECONDS", 3600)

    def test_it_reports_its_progress(self):
        reported = []
        options = SearchOptions(announce=reported.append, effort="standard")
        solve(pose_letters(letters("aabbc"), 2), options)
        assert reported[0] == "best 0.4000, bound 0.8000, gap 0.4000"
        assert len(reported) > 2

    def test_what_the_greedy_proves_best_needs_no_more(self):
        reported = []
        options = SearchOptions(announce=reported.append, effort="standard")
        solve(pose_letters(letters("aabbcd"), 2), options)
        assert reported == ["best 0.8333, bound 0.8333, gap 0.0000"]

    def interrupt(self, keep):
        def report(text):
            reported.append(text)
            if len(reported) == 2:
                raise KeyboardInterrupt

        reported = []
        problem = pose_letters(letters("aabbc"), 2)
        options = SearchOptions(announce=report, keep_best=lambda: keep, effort="standard")
        return solve(problem, options)

    def test_an_interrupted_search_can_keep_what_it_has(self):
        assert sorted(self.interrupt(keep=True).classes.sizes().tolist()) == [2, 3]
        with pytest.raises(KeyboardInterrupt):
            self.interrupt(keep=False)

    @pytest.mark.parametrize("keep", [True, False])
    @pytest.mark.parametrize("phase", ["raise_values", "prove_values", "_round", "anneal_classes"])
    def test_in_every_phase_an_interruption_keeps_what_was_found_before(self, phase, keep):
        problem = pose_letters(letters("aabbc"), 2)
        options = SearchOptions(keep_best=lambda: keep, effort="standard")
        with patch.object(solving, phase, side_effect=KeyboardInterrupt):
            if not keep:
                with pytest.raises(KeyboardInterrupt):
                    solve(problem, options)
                return
            found = solve(problem, options)
        assert sorted(found.classes.sizes().tolist()) == [2, 3]
        assert found.bound <= found.cost == problem.total_cost(found.classes)

    def test_nothing_follows_an_interrupted_search(self):
        frequency = frequency_of(letters("aabbc").table, {"letter": TREE})
        options = SearchOptions(keep_best=lambda: True, effort="exact")
        with patch.object(solving, "raise_values", side_effect=KeyboardInterrupt):
            found = mingen_cells(frequency, Requirement(2), options)
        assert not found.optimality.proved
        assert mingen_cells(frequency, Requirement(2), options).optimality.proved

    def test_ctrl_c_ends_the_threads_that_improve_classes(self, monkeypatch):
        def press_when_improving(text):
            if "improving the classes" in text and press.ident is None:
                press.start()

        monkeypatch.setattr(solving, "TRIES", 10**9)  # it would take days
        monkeypatch.setattr("lookalike.search.cells.budget.PHASE_SECONDS", 0)
        main = threading.main_thread().ident
        press = threading.Timer(0.2, signal.pthread_kill, [main, signal.SIGINT])
        options = SearchOptions(
            announce=press_when_improving, keep_best=lambda: True, effort="standard"
        )
        problem = pose_letters(letters("aabbc"), 2)
        monkeypatch.setattr(solving, "TURNS", 1)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job may ignore it
        try:
            found = solve(problem, options)
        finally:
            signal.signal(signal.SIGINT, before)
        assert sorted(found.classes.sizes().tolist()) == [2, 3]

    def test_long_phases_report_what_is_found_and_the_time(self, monkeypatch):
        monkeypatch.setattr("lookalike.search.cells.budget.PHASE_SECONDS", 0)
        reported = []
        options = SearchOptions(announce=reported.append, effort="standard")
        solve(pose_letters(letters("aabbc"), 2), options)
        phases = [text.partition("; ")[2] or text for text in reported]
        assert [phase for phase in dict.fromkeys(phases) if phase.endswith(", 0 s")] == [
            "looking for groups of k rows, 0 s",
            "putting rows into classes, 0 s",
            "raising the bound, 0 s",
            "rounding the fractional solution, 0 s",
            "improving the classes, 0 s",
        ]
        assert "best 0.4000, bound 0.8000, gap 0.4000; raising the bound, 0 s" in reported

    def test_a_time_limit_of_nothing_still_answers(self):
        frequency = frequency_of(letters("abcdabc").table, {"letter": TREE})
        found = mingen_cells(
            frequency, Requirement(3), SearchOptions(time_limit=0.0, effort="standard")
        )
        assert found.tuples.counts.sum() == 7

    def test_what_the_deadline_cut_short_is_computed_again_by_the_next_search(self):
        shared, frequency = SharedWork(), frequency_of(letters("aabb").table, {"letter": TREE})
        for deadline, found in [(-math.inf, "cut short"), (math.inf, "whole"), (math.inf, "kept")]:
            given = shared.once(frequency, "greedy", lambda found=found: found, deadline)
            assert given == ("whole" if found == "kept" else found)

    def test_nothing_that_can_be_alike_is_infeasible(self):
        problem = pose_letters(letters("abcd"), 2, lattice=Lattice((0,), (0,)))
        with pytest.raises(Infeasible, match="no 2 rows can be made alike"):
            solve(problem, DEFAULTS)
