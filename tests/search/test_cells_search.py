"""The cell level: the greedy, rows that are left, values that prove a bound, and exchanges."""

from decimal import Decimal
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible, Suppress, Taxonomy
from lookalike.kernels.subgradient import climb, largest, measure_slack, push_down
from lookalike.model.duals import Duals
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.cells.bound.row_values import prove_values, raise_values
from lookalike.search.cells.bound.walk_vectors import walk_vectors
from lookalike.search.cells.construction import greedy
from lookalike.search.cells.construction.assign_leftovers import (
    assign_leftovers,
    divide_large,
)
from lookalike.search.cells.construction.greedy import run_greedy
from lookalike.search.cells.construction.round_solution import round_solution
from lookalike.search.cells.improvement import anneal_classes as annealing
from lookalike.search.cells.improvement.anneal_classes import anneal_classes
from lookalike.search.cells.solve import pose, solve
from lookalike.search.methods import mingen_cells
from lookalike.search.options import DEFAULTS, SearchOptions

from ..effort import examples
from ..invented import Invented, tables, weights
from ..partitions import Partitions
from ..small_tables import frequency_of, table_of
from .test_cells import classes_of, entries_of, group_plainly, rows_of_sequences

some = examples(40)
QUICK = SearchOptions(effort="quick")
LETTERS = Taxonomy({"A": ["a", "b"], "C": ["c", "d"]})


@st.composite
def posed(draw, max_rows=16, allowances=(0,), bounded=True):
    """Invent a table of k rows at least, and pose its problem; return its partitions too."""
    k = draw(st.integers(2, 4))
    invented = draw(tables(min_rows=k, max_rows=max_rows))
    heights = invented.frequency.heights
    lattice = Lattice.of_heights(heights)
    if bounded and draw(st.booleans()):
        bounds = [sorted(draw(st.tuples(*[st.integers(0, top)] * 2))) for top in heights]
        lattice = Lattice(*zip(*bounds, strict=True))
    weighed = draw(weights(len(heights)))
    allowance = draw(st.sampled_from(allowances))
    return (
        pose_letters(invented, k, allowance, lattice, weighed),
        Partitions(invented, k, weighed, allowance, lattice),
    )


def pose_letters(invented, k, allowance=0, lattice=None, weighed=()):
    """Pose the problem of an invented table."""
    frequency = invented.frequency
    every = lattice or Lattice.of_heights(frequency.heights)
    weights_of_all = SearchOptions(weights=weighed).weights_of(frequency)
    return pose(frequency, every, weights_of_all, k, allowance)


def letters(text, hierarchy=LETTERS):
    """Return a table of one attribute whose values are letters."""
    return Invented(table_of(("letter",), [(letter,) for letter in text]), {"letter": hierarchy})


class TestGreedy:
    @some
    @given(posed())
    def test_the_cheapest_tuple_of_each_row_is_found(self, case):
        problem, _ = case
        expected = np.full(len(problem.counts), np.iinfo(np.int64).max)
        for _, vector in problem.vectors:
            for members in group_plainly(problem, vector):
                if problem.counts[members].sum() >= problem.k:
                    levels = np.tile(np.array(vector)[:, None], len(members))
                    cost = problem.costs.of_tuples(levels, np.array(members))
                    expected[members] = np.minimum(expected[members], cost)
        assert run_greedy(problem).cheapest.tolist() == expected.tolist()

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
        invented = Invented(
            table_of("ab", ["ax", "by", "cz", "dx"]), {"a": LETTERS, "b": Suppress()}
        )
        problem = pose_letters(invented, 2, weighed=(Decimal(weight), Decimal(120)))
        assert problem.unit == 1
        looks = iter(range(200))
        monkeypatch.setattr(
            greedy,
            "walk_vectors",
            lambda *given, **how: [next(looks)] and walk_vectors(*given, **how),
        )
        costs, whole = run_greedy(problem).cheapest, problem.costs.suppressed
        assert costs.max() <= whole


class TestPlaceLeft:
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

    def test_rows_that_cannot_be_covered_are_suppressed_before_those_that_are_dear(self):
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


class TestProve:
    start = st.floats(-1e12, 1e300) | st.integers(-10, 10**6).map(float)

    @examples(100)
    @given(st.data(), posed())
    def test_any_values_become_feasible_for_every_generalized_tuple(self, data, case):
        problem, partitions = case
        values = np.array([data.draw(self.start) for _ in problem.counts])
        duals = prove_values(problem, values.copy())
        assert partitions.overcharged(duals) == []
        assert (duals.values <= problem.costs.suppressed).all()
        assert (duals.values <= values).all()
        assert duals.price == 0

    @some
    @given(posed())
    def test_whole_values_that_are_feasible_stay(self, case):
        problem, partitions = case
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        assert partitions.overcharged(Duals(problem.costs.scale, simple)) == []
        assert prove_values(problem, simple.astype(np.float64)).values.tolist() == simple.tolist()

    @some
    @given(posed(max_rows=8))
    def test_raised_values_prove_no_more_than_is_true(self, case):
        problem, partitions = case
        best = partitions.best()
        assume(best is not None)
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        raised = raise_values(problem, simple.astype(np.float64)).values
        assert partitions.bound(prove_values(problem, raised)) >= best

    def test_raised_values_prove_more_than_the_cheapest_tuples(self):
        """Either pair of neighbours leaves a row that must lose both attributes."""
        table = table_of(("first", "second"), ["ax", "bx", "ay"])
        problem = pose_letters(Invented(table, {"first": Suppress(), "second": Suppress()}), 2)
        simple = run_greedy(problem).cheapest
        duals = prove_values(problem, raise_values(problem, simple.astype(np.float64)).values)
        assert simple.sum() == 3 * duals.scale
        assert 3.9 * duals.scale < duals.values.sum() <= 4 * duals.scale


class TestValues:
    """Groups by hand: what a group's largest values are, and how they are raised and lowered."""

    offsets = np.array([0, 2, 4])
    members = np.array([0, 1, 1, 2], dtype=np.int32)
    costs = np.array([10.0, 4.0])
    counts = np.array([1, 1, 1])

    @some
    @given(
        st.lists(st.tuples(st.integers(-9, 9), st.integers(0, 4)), min_size=1), st.integers(2, 5)
    )
    def test_the_largest_values_of_k_rows_are_added_up(self, rows, k):
        values, counts = (np.array(column) for column in zip(*rows, strict=True))
        chosen, taken = np.empty(k + 2, dtype=np.int32), np.empty(k + 2, dtype=np.int64)
        members = np.arange(len(rows), dtype=np.int32)
        number, found, total = largest(
            values.astype(np.float64), counts, members, 0, len(rows), k, chosen, taken
        )
        expected = sorted(np.repeat(values, counts).tolist(), reverse=True)[:k]
        assert (found, total) == (len(expected), sum(expected))
        assert taken[:number].sum() == found
        assert (taken[:number] <= counts[chosen[:number]]).all()
        assert len(set(chosen[:number].tolist())) == number

    def test_slack_is_the_cost_less_the_average_and_infinite_below_k_rows(self):
        values = np.array([9.0, 5.0, 1.0])
        found = measure_slack(values, self.counts, self.offsets, self.members, self.costs, 2)
        assert found.tolist() == [3.0, 1.0]
        few = measure_slack(values, np.array([0, 1, 1]), self.offsets, self.members, self.costs, 2)
        assert few.tolist() == [np.inf, 1.0]

    def test_push_down_lowers_each_group_to_its_cost(self):
        values = np.array([15.0, 15.0, 15.0])
        push_down(values, self.counts, self.offsets, self.members, self.costs, 2)
        assert values[:2].sum() <= 20
        assert values[1:].sum() <= 8
        assert (values == np.floor(values)).all()

    def test_push_down_leaves_what_is_within_the_costs(self):
        values = np.array([18.0, 2.0, 6.0])
        push_down(values, self.counts, self.offsets, self.members, self.costs, 2)
        assert values.tolist() == [18.0, 2.0, 6.0]

    def climb(self, values, ceilings, step=1.0, passes=10):
        active = np.arange(len(self.costs), dtype=np.int32)
        return climb(
            values,
            ceilings,
            self.counts,
            self.offsets,
            self.members,
            self.costs,
            active,
            2,
            step,
            passes,
        )

    def test_climbing_raises_until_a_group_is_full_and_not_beyond(self):
        values = np.zeros(3)
        shares = self.climb(values, np.full(3, np.inf), 0.1, 1000)
        assert values[1:].sum() <= 8 + 1e-9
        assert values.sum() == pytest.approx(20 + 8 - values[1], abs=1)
        assert (shares >= 0).all()

    def test_climbing_stays_below_the_ceilings(self):
        values = np.zeros(3)
        self.climb(values, np.array([3.0, 2.0, 1.0]))
        assert values.tolist() == [3.0, 2.0, 1.0]

    def test_the_share_of_the_only_group_of_two_rows_is_one_class(self):
        values = np.array([4.0, 4.0])
        shares = climb(
            values,
            np.full(2, np.inf),
            np.array([1, 1]),
            np.array([0, 2]),
            np.array([0, 1], dtype=np.int32),
            np.array([4.0]),
            np.array([0], dtype=np.int32),
            2,
            0.5,
            20,
        )
        assert shares.tolist() == pytest.approx([1.0])
        assert values.tolist() == pytest.approx([4.0, 4.0])


class TestRefine:
    """What the dive and the exchanges make of the rows."""

    @staticmethod
    def price(problem):
        simple = np.minimum(run_greedy(problem).cheapest, problem.costs.suppressed)
        return raise_values(problem, simple.astype(np.float64))

    @some
    @given(posed(max_rows=24, bounded=False))
    def test_a_dive_makes_classes_of_k_rows_and_says_what_is_left(self, case):
        problem, _ = case
        classes, left = round_solution(problem, self.price(problem))
        assert (classes.sizes() >= problem.k).all()
        rows = rows_of_sequences(classes)
        assert [rows[s] for s in range(len(left))] == (problem.counts - left).tolist()

    @some
    @given(posed(max_rows=24, allowances=(0, 2, 5)), st.sampled_from([1, 1000]))
    def test_each_turn_keeps_the_rows_and_the_sizes(self, case, fewest):
        problem, _ = case
        assume(problem.costs.hidden is None)
        try:
            found = solve(problem, QUICK)
        except Infeasible:
            assume(False)
        with patch.object(annealing, "FEWEST", fewest):
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
    def test_it_tells_how_far_it_is(self):
        told = []
        solve(pose_letters(letters("aabbc"), 2), SearchOptions(announce=told.append))
        assert told[0] == "best 0.4000, bound 0.8000, gap 0.4000"
        assert len(told) > 2

    def test_what_the_greedy_proves_best_needs_no_more(self):
        told = []
        solve(pose_letters(letters("aabbcd"), 2), SearchOptions(announce=told.append))
        assert told == ["best 0.8333, bound 0.8333, gap 0.0000"]

    def interrupt(self, keep):
        def tell(text):
            told.append(text)
            if len(told) == 2:
                raise KeyboardInterrupt

        told = []
        problem = pose_letters(letters("aabbc"), 2)
        return solve(problem, SearchOptions(announce=tell, keep_best=lambda: keep))

    def test_an_interrupted_search_can_keep_what_it_has(self):
        assert sorted(self.interrupt(keep=True).classes.sizes().tolist()) == [2, 3]
        with pytest.raises(KeyboardInterrupt):
            self.interrupt(keep=False)

    def test_a_time_limit_of_nothing_still_answers(self):
        frequency = frequency_of(letters("abcdabc").table, {"letter": LETTERS})
        found = mingen_cells(frequency, Requirement(3), SearchOptions(time_limit=0.0))
        assert found.tuples.counts.sum() == 7

    def test_nothing_that_can_be_alike_is_infeasible(self):
        problem = pose_letters(letters("abcd"), 2, lattice=Lattice((0,), (0,)))
        with pytest.raises(Infeasible, match="no 2 rows can be made alike"):
            solve(problem, DEFAULTS)
