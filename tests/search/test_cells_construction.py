"""Construction at the cell level: the greedy, and the assignment of leftover rows."""

import itertools
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible, Suppress, Taxonomy
from lookalike.model.clock import OutOfTime
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.cells import construction
from lookalike.search.cells.bound import walk_vectors
from lookalike.search.cells.construction import assign_leftovers, run_greedy
from lookalike.search.methods import mingen_cells

from ..effort import examples
from ..invented import Invented
from ..small_tables import TREE, table_of
from .posed_problems import QUICK, letters, pose_letters, posed
from .test_cells import classes_of, entries_of, group_plainly, rows_of_sequences

some = examples(40)


def find_cheapest_plainly(problem):
    """Return the cost of the cheapest tuple with k rows of each sequence."""
    expected = np.full(len(problem.counts), np.iinfo(np.int64).max)
    for _, vector in problem.vectors:
        for members in group_plainly(problem, vector):
            if problem.counts[members].sum() >= problem.k:
                levels = np.tile(np.array(vector)[:, None], len(members))
                cost = problem.costs.of_tuples(levels, np.array(members))
                expected[members] = np.minimum(expected[members], cost)
    return expected


class TestGreedy:
    @some
    @given(posed())
    def test_the_cheapest_tuple_of_each_row_is_found(self, case):
        problem, _ = case
        expected = find_cheapest_plainly(problem)
        assert run_greedy(problem).cheapest.tolist() == expected.tolist()

    @some
    @given(posed(), st.sampled_from([0.3, 0.6]))
    def test_no_row_costs_less_where_the_search_stops_for_the_last_few(self, case, few):
        """Of a thousand sequences, one may be left; here, a third of them."""
        problem, _ = case
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(construction, "FEW", few)
            found = construction.find_cheapest(problem)
        assert np.all(found <= find_cheapest_plainly(problem))

    @some
    @given(posed(), st.integers(0, 3))
    def test_no_row_costs_less_when_time_is_up(self, case, rounds):
        problem, _ = case
        left = iter(range(rounds))

        def walk(*given, **how):
            parts = walk_vectors(*given, **how)
            if next(left, None) is not None:
                yield from parts
                return
            yield from itertools.islice(parts, 1)
            raise OutOfTime

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(construction, "walk_vectors", walk)
            found = construction.find_cheapest(problem)
        assert np.all(found <= find_cheapest_plainly(problem))

    @some
    @given(posed())
    def test_every_class_has_k_rows_that_are_alike_at_an_allowed_vector(self, case):
        problem, _ = case
        class_of = run_greedy(problem).class_of
        for number in range(class_of.max() + 1):
            members = np.flatnonzero(class_of == number)
            assert problem.counts[members].sum() >= problem.k
            levels = problem.join(classes_of([(0, member, 1) for member in members]))
            assert tuple(levels[:, 0].tolist()) in problem.lattice

    @some
    @given(posed(bounded=False))
    def test_fewer_than_k_rows_are_left_where_all_may_be_alike(self, case):
        problem, _ = case
        left = run_greedy(problem).class_of < 0
        assert problem.counts[left].sum() < problem.k

    def test_it_stops_when_all_rows_are_in_their_cheapest_class(self):
        assert run_greedy(pose_letters(letters("aabbcc"), 2)).vectors == 1

    @pytest.mark.parametrize("weight", ["0.3333", "0.333333"])
    def test_units_that_cannot_be_divided_still_let_the_limit_rise(self, weight, monkeypatch):
        invented = Invented(table_of("ab", ["ax", "by", "cz", "dx"]), {"a": TREE, "b": Suppress()})
        problem = pose_letters(invented, 2, weighed=(Decimal(weight), Decimal(120)))
        assert problem.unit == 1
        looks = iter(range(200))
        monkeypatch.setattr(
            construction,
            "walk_vectors",
            lambda *given, **how: [next(looks)] and walk_vectors(*given, **how),
        )
        costs, whole = run_greedy(problem).cheapest, problem.costs.suppressed
        assert costs.max() <= whole


class TestAssignLeftovers:
    def place(self, invented, entries, k, allowance=0, lattice=None, values=None):
        problem = pose_letters(invented, k, allowance, lattice)
        classes = classes_of(entries)
        placed = rows_of_sequences(classes)
        left = problem.counts - [placed[s] for s in range(len(problem.counts))]
        priced = np.zeros(len(left)) if values is None else np.array(values, dtype=np.float64)
        return assign_leftovers(problem, classes, left, priced)

    def test_a_row_joins_the_class_that_it_costs_least(self):
        classes, suppressed = self.place(letters("aabccd"), [(0, 0, 2), (1, 2, 2)], 2)
        assert entries_of(classes) == [{0: 2, 1: 1}, {2: 2, 3: 1}]
        assert not suppressed.any()

    def test_a_row_that_costs_less_suppressed_is_suppressed_within_the_allowance(self):
        rows = letters("aacd", Suppress())
        for allowance, gone in ((0, 0), (1, 1), (2, 2), (9, 2)):
            classes, suppressed = self.place(rows, [(0, 0, 2)], 2, allowance)
            assert suppressed.sum() == gone
            assert classes.sizes().tolist() == [4 - gone]

    def test_a_row_that_joins_more_cheaply_is_not_suppressed(self):
        _, suppressed = self.place(letters("aab"), [(0, 0, 2)], 2, allowance=1)
        assert suppressed.sum() == 1, "three rows at half of the height cost more than one row"
        split = Taxonomy({"A": {"B": {"D": ["a", "b"]}}, "C": ["c"]})
        _, suppressed = self.place(letters("aab", split), [(0, 0, 2)], 2, allowance=1)
        assert suppressed.sum() == 0, "and at a quarter they cost less"

    def test_rows_that_no_allowed_class_covers_are_infeasible(self):
        below_top = Lattice((0,), (1,))
        with pytest.raises(Infeasible, match=r"^1 rows cannot be put into a class of k = 2 "):
            self.place(letters("aabc"), [(0, 0, 2)], 2, lattice=below_top)
        _, suppressed = self.place(letters("aabc"), [(0, 0, 2)], 2, 1, below_top)
        assert suppressed.tolist() == [0, 0, 1]

    def test_rows_that_cannot_be_covered_are_suppressed_before_those_that_are_costly(self):
        below_top = Lattice((0,), (1,))
        entries, values = [(0, 0, 3)], [0, 9, 9]
        assert self.place(letters("aaabc"), entries, 3, 1, below_top, values)[1].tolist() == [
            0,
            0,
            1,
        ]

    @some
    @given(posed(max_rows=10, allowances=(0, 1, 3)))
    def test_every_row_is_placed_or_suppressed(self, case):
        problem, _ = case
        first = run_greedy(problem)
        placed = np.flatnonzero(first.class_of >= 0)
        assume(len(placed))
        made = classes_of([(first.class_of[s], s, problem.counts[s]) for s in placed])
        left = np.where(first.class_of < 0, problem.counts, 0)
        try:
            classes, suppressed = assign_leftovers(
                problem, made, left, first.cheapest.astype(float)
            )
        except Infeasible:
            top = group_plainly(problem, problem.lattice.top)
            small = sum(n for m in top if (n := problem.counts[m].sum()) < problem.k)
            assert small > problem.allowance
            return
        assert suppressed.sum() <= problem.allowance
        rows = rows_of_sequences(classes)
        assert [rows[s] for s in range(len(left))] == (problem.counts - suppressed).tolist()

    def test_a_class_of_millions_takes_one_more_row(self):
        """Joining all of them would cost more than a cell that is not allowed."""
        rule = Suppress().bind("letter", ["a", "b"])
        codes = np.array([[0, 1]], dtype=np.int32)
        frequency = FrequencyList((rule,), (0,), codes, np.array([2_000_000, 1]))
        found = mingen_cells(frequency, Requirement(2), QUICK)
        assert found.tuples.counts[found.tuples.levels[0] == 1].sum() <= 4
