"""The cell level: costs of cells, vectors by cost, classes and their joins, the pool of groups."""

import math
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike import InvalidInput, Mask, Suppress
from lookalike.hierarchy import Listed
from lookalike.model.cell_costs import add_up_cost
from lookalike.model.clock import OutOfTime
from lookalike.model.lattice import Lattice
from lookalike.model.measures import loss, precision
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import Tuples
from lookalike.search.cells.bound import find_pool
from lookalike.search.cells.budget import Budget
from lookalike.search.cells.classes import Classes, join_levels, release_classes
from lookalike.search.cells.construction import divide_large
from lookalike.search.cells.costs import cost_cells, cost_finely, count_units
from lookalike.search.cells.problem import Problem
from lookalike.search.cells.solve import pose
from lookalike.search.options import DEFAULTS, SearchOptions

from ..effort import examples
from ..invented import tables, weights
from ..small_tables import frequency_of, table_of

some = examples(40)


@st.composite
def problems(draw, max_rows=24, **asked):
    """Invent a table, weights and bounds on levels, and state the problem."""
    frequency = draw(tables(min_rows=4, max_rows=max_rows)).frequency
    bounds = [draw(st.tuples(*[st.integers(0, height)] * 2)) for height in frequency.heights]
    lattice = Lattice.of_heights(frequency.heights)
    if draw(st.booleans()):
        lattice = Lattice(*zip(*map(sorted, bounds), strict=True))
    weighed = SearchOptions(weights=draw(weights(len(bounds)))).weights_of(frequency)
    k = asked.get("k") or draw(st.integers(2, 4))
    objective = draw(st.sampled_from(["precision", "loss"]))
    costs = cost_cells(
        frequency, weighed, 7 * count_units(frequency, weighed, objective), objective
    )
    return Problem(frequency.counts, costs, lattice, k, 0, 7)


@st.composite
def divided(draw, **asked):
    """Invent a problem, and put its rows into classes at random, each of k rows at least."""
    problem = draw(problems(**asked))
    rows = draw(st.permutations(np.repeat(np.arange(len(problem.counts)), problem.counts)))
    classes = draw(st.integers(1, len(rows) // problem.k))
    number_of = [place if place < classes * problem.k else 0 for place in range(len(rows))]
    entries = Counter((n % classes, row) for n, row in zip(number_of, rows, strict=True))
    listed = draw(st.permutations(list(entries.items())))
    return problem, classes_of([(*entry, number) for entry, number in listed])


def classes_of(entries):
    """Make classes of entries: a class, a sequence and a number of rows."""
    class_of, sequence, counts = np.array(entries, dtype=np.int64).T
    return Classes(class_of.astype(np.int32), sequence.astype(np.int32), counts)


def entries_of(classes):
    """List the entries of each class."""
    found = [Counter() for _ in range(len(classes))]
    for one, sequence, rows in zip(
        classes.class_of.tolist(), classes.sequence.tolist(), classes.counts.tolist(), strict=True
    ):
        found[one][sequence] += rows
    return found


def rows_of_sequences(classes):
    """Count the rows of each sequence."""
    return sum(entries_of(classes), start=Counter())


def group_plainly(problem, vector):
    """Group the sequences that are equal at a vector."""
    groups = {}
    for sequence in range(len(problem.counts)):
        shown = problem.cells.ancestors[sequence, np.arange(len(vector)), vector]
        groups.setdefault(tuple(shown.tolist()), []).append(sequence)
    return list(groups.values())


class TestCosts:
    @some
    @given(st.data())
    @pytest.mark.parametrize("objective", ["precision", "loss"])
    def test_the_sum_of_costs_is_the_measure_of_any_recoding(self, objective, data):
        frequency = data.draw(tables()).frequency
        weighed = data.draw(weights(len(frequency.heights)))
        kept = [data.draw(st.integers(0, count)) for count in frequency.counts]
        rows = [sequence for sequence, number in enumerate(kept) for _ in range(number)]
        levels = [[data.draw(st.integers(0, top)) for _ in rows] for top in frequency.heights]
        tuples = Tuples(
            np.array(rows, dtype=np.int32),
            np.array(levels, dtype=np.int32),
            np.ones(len(rows), dtype=np.int64),
        )
        gone = frequency.counts - kept
        recoding = Recoding(None, gone, int(gone.sum()), tuples=tuples)
        weights_of_all = SearchOptions(weights=weighed).weights_of(frequency)
        costs = cost_cells(
            frequency,
            weights_of_all,
            count_units(frequency, weights_of_all, objective),
            objective,
        )

        total = int(costs.of_tuples(tuples.levels, tuples.sequence).sum())
        total += int(gone.sum()) * costs.suppressed
        measured = precision if objective == "precision" else loss
        assert costs.measure(total, frequency.rows) == measured(
            frequency, recoding, weighed or None
        )
        assert total == add_up_cost(frequency, recoding, weights_of_all, costs.scale, objective)

    def test_a_cell_that_is_written_as_suppressed_costs_as_much_as_at_the_top(self):
        table = table_of(("code",), [("ab",), ("stranger",)])
        frequency = frequency_of(table, {"code": Mask(length=2, unknown="suppress")})
        costs = cost_finely(frequency, DEFAULTS.weights_of(frequency), "precision")
        paid = costs.of_tuples(np.array([[0, 1, 0]]), np.array([0, 0, 1]))
        known = frequency.sequences().index(("ab",))
        assert paid.tolist() == ([0, 1, 2] if known == 0 else [2, 2, 0])

    def test_an_attribute_of_height_0_costs_nothing_but_weighs(self):
        table = table_of(("fixed", "free"), [("a", "x"), ("a", "y")])
        frequency = frequency_of(table, {"fixed": Listed({"a": ["a"]}), "free": Suppress()})
        costs = cost_finely(frequency, DEFAULTS.weights_of(frequency), "precision")
        assert frequency.heights == (0, 1)
        assert (costs.whole, costs.suppressed) == (2, 1)


class TestRise:
    @some
    @given(problems())
    def test_every_vector_comes_once_by_rising_cost(self, problem):
        risen = list(problem.vectors)
        costs, vectors = zip(*risen, strict=True)
        assert sorted(vectors) == list(problem.lattice)
        assert list(costs) == sorted(costs)
        assert list(costs) == [problem.costs.of_vector(vector) for vector in vectors]


class TestClasses:
    @some
    @given(divided())
    def test_a_join_is_the_lowest_level_at_which_all_are_alike(self, case):
        problem, classes = case
        ancestors = problem.costs.ancestors
        expected = [
            [
                next(
                    level
                    for level in range(ancestors.shape[1])
                    if len({ancestors[attribute, level, member] for member in members}) == 1
                )
                for members in entries_of(classes)
            ]
            for attribute in range(len(ancestors))
        ]
        assert join_levels(ancestors, classes).tolist() == expected

    @some
    @given(divided())
    def test_a_release_shows_each_row_at_the_levels_of_its_class(self, case):
        problem, classes = case
        joins = problem.join(classes)
        expected = Counter()
        for number, members in enumerate(entries_of(classes)):
            for sequence, rows in members.items():
                expected[(sequence, *joins[:, number].tolist())] += rows
        tuples = release_classes(problem.costs.ancestors, classes, problem.lattice.bottom)
        lines = np.vstack([tuples.sequence, tuples.levels]).T.tolist()
        assert dict(zip(map(tuple, lines), tuples.counts.tolist(), strict=True)) == expected
        assert tuples.sequence.tolist() == sorted(tuples.sequence.tolist())

    @some
    @given(divided())
    def test_no_level_is_below_the_lowest(self, case):
        problem, classes = case
        tuples = release_classes(problem.costs.ancestors, classes, problem.lattice.bottom)
        assert (tuples.levels >= problem.bottom[:, None]).all()


class TestDivide:
    @some
    @given(divided())
    def test_parts_have_k_to_2k_less_1_rows_and_hold_the_same_rows(self, case):
        problem, classes = case
        parts = divide_large(classes, problem.k)
        assert all(problem.k <= size < 2 * problem.k for size in parts.sizes())
        assert rows_of_sequences(parts) == rows_of_sequences(classes)

    @some
    @given(divided())
    def test_the_parts_cost_no_more(self, case):
        problem, classes = case
        parts = divide_large(classes, problem.k)
        assert problem.total_cost(parts) <= problem.total_cost(classes)

    def test_rows_of_one_sequence_stay_together(self):
        parts = divide_large(classes_of([(0, 1, 2), (0, 0, 2), (1, 0, 1), (1, 2, 1)]), 2)
        assert entries_of(parts) == [{0: 2}, {1: 2}, {0: 1, 2: 1}]


class TestPool:
    @some
    @given(st.data(), problems(), st.integers(-3, 20))
    def test_it_holds_exactly_the_joins_of_k_rows_within_the_margin(self, data, problem, margin):
        most = problem.costs.suppressed + 5
        value = st.integers(-5, most) | st.just(problem.costs.suppressed)
        values = [data.draw(value) for _ in problem.counts]
        pool = self.find(problem, values, margin)
        expected = Counter()
        for cost, members in self.list_joins(problem):
            rows = sorted(v for m in members for v in [values[m]] * problem.counts[m])
            slack = cost - Fraction(int(sum(rows[-problem.k :])), problem.k)
            if len(rows) >= problem.k and slack <= margin:
                expected[cost, frozenset(members)] += 1
        assert self.groups_in(pool) == expected

    @some
    @given(problems())
    def test_the_groups_of_a_sequence_come_by_rising_rank(self, problem):
        pool = self.find(problem, [problem.costs.suppressed] * len(problem.counts), 0)
        rank = pool.costs % 7
        begin, groups = pool.groups_of(len(problem.counts), rank)
        for sequence in range(len(problem.counts)):
            mine = groups[begin[sequence] : begin[sequence + 1]].tolist()
            holding = [g for g in range(len(pool.costs)) if sequence in self.members(pool, g)]
            assert sorted(mine) == holding
            assert rank[mine].tolist() == sorted(rank[mine])

    @some
    @given(problems())
    def test_it_stops_when_time_is_up(self, problem):
        with pytest.raises(OutOfTime):
            self.find(problem, [problem.costs.suppressed] * len(problem.counts), 0, deadline=0.0)

    @staticmethod
    def find(problem, values, margin, deadline=math.inf):
        values = np.array(values, dtype=np.float64)
        return find_pool(problem, values, float(margin), Budget(deadline=deadline))

    @staticmethod
    def list_joins(problem):
        """Yield the generalized tuples that are the join of the sequences they cover."""
        for _, vector in problem.vectors:
            for members in group_plainly(problem, vector):
                alone = classes_of([(0, member, 1) for member in members])
                if tuple(problem.join(alone)[:, 0].tolist()) == vector:
                    levels = np.array(vector)[:, None]
                    cost = problem.costs.of_tuples(levels, np.array(members[:1]))
                    yield int(cost[0]), members

    @staticmethod
    def members(pool, group):
        return pool.members[pool.offsets[group] : pool.offsets[group + 1]].tolist()

    @classmethod
    def groups_in(cls, pool):
        return Counter(
            (int(cost), frozenset(cls.members(pool, group)))
            for group, cost in enumerate(pool.costs)
        )


@pytest.mark.parametrize("weight", ["0.333333333333", "0.3333333333333333333333"])
def test_weights_that_whole_units_cannot_hold_are_refused(weight):
    frequency = frequency_of(table_of("ab", ["xx", "yy"]), {"a": Suppress(), "b": Suppress()})
    lattice = Lattice.of_heights(frequency.heights)
    with pytest.raises(InvalidInput, match="round the weights to fewer digits"):
        pose(frequency, lattice, (Decimal(weight), Decimal(1)), 2, 0)
