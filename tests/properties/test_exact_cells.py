"""The optimum at the cell level is that of a search over every partition of the rows."""

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lookalike.cells.classes import Classes
from lookalike.cells.costs import cost_cells
from lookalike.cells.exact import solve_exactly
from lookalike.errors import Infeasible
from lookalike.lattice import Lattice

from ..brute import cell_loss, find_least_loss, generalize_rows
from ..invented import Invented, tables, weights


@dataclass(frozen=True)
class Case:
    """A table, and what its release must satisfy."""

    invented: Invented
    weights: tuple[Decimal, ...]
    lattice: Lattice
    k: int
    allowance: int
    fineness: int

    @property
    def costs(self):
        return cost_cells(self.invented.frequency, self.weights, self.fineness)

    def solve(self, **options):
        counts = self.invented.frequency.counts
        return solve_exactly(counts, self.costs, self.lattice, self.k, self.allowance, **options)

    def search_all(self):
        rows, rules = self.invented.rows, self.invented.rules
        return find_least_loss(rows, rules, self.weights, self.k, self.allowance, self.lattice)


@st.composite
def cases(draw, max_rows=8):
    invented = draw(tables(min_rows=2, max_rows=max_rows))
    heights = invented.frequency.heights
    drawn = draw(weights(len(heights))) or (Decimal(1),) * len(heights)
    levels = [
        draw(st.sampled_from([(0, height), (height // 2, height), (0, min(1, height))]))
        for height in heights
    ]
    whole = draw(st.booleans())
    lattice = Lattice.of_heights(heights) if whole else Lattice(*zip(*levels, strict=True))
    k = draw(st.integers(2, min(4, len(invented.rows))))
    allowance = draw(st.sampled_from([0, 0, 1, 2, len(invented.rows)]))
    return Case(invented, drawn, lattice, k, allowance, draw(st.sampled_from([1, 1, 7, 100_000])))


@settings(max_examples=300)
@given(cases())
def test_no_partition_of_the_rows_loses_less(case):
    least = case.search_all()
    if least is None:
        with pytest.raises(Infeasible):
            case.solve()
        return
    solution = case.solve()
    assert solution.proved
    assert Fraction(solution.cost, case.costs.scale) == least


@settings(max_examples=60)
@given(cases(max_rows=20))
def test_a_solution_is_a_release_of_that_cost(case):
    try:
        solution = case.solve()
    except Infeasible:
        return
    frequency, classes = case.invented.frequency, solution.classes
    released = np.bincount(classes.sequence, classes.counts, minlength=len(frequency))
    assert np.array_equal(released + solution.suppressed, frequency.counts)
    assert released.sum() > 0
    assert solution.suppressed.sum() <= case.allowance
    assert classes.sizes().min() >= case.k
    assert solution.dual_bound <= solution.bound <= solution.cost == measure(case, solution)


def measure(case, solution):
    """Add up what the classes of a solution lose, from what their rows show."""
    sequences = case.invented.frequency.sequences()
    members = defaultdict(list)
    for one, sequence, number in zip(
        solution.classes.class_of, solution.classes.sequence, solution.classes.counts, strict=True
    ):
        members[one] += [sequences[sequence]] * int(number)
    rules, scale = case.invented.rules, case.costs.scale
    lost = sum(
        find_least_loss(rows, rules, case.weights, len(rows), 0, case.lattice)
        for rows in members.values()
    )
    return lost * scale + int(solution.suppressed.sum()) * case.costs.suppressed


@settings(max_examples=150)
@given(cases(max_rows=16), st.sampled_from([None, 0]))
def test_the_duals_prove_their_bound(case, time_limit):
    try:
        solution = case.solve(time_limit=time_limit)
    except Infeasible:
        return
    duals, costs = solution.duals, case.costs
    times = duals.scale // costs.scale
    assert duals.scale == times * costs.scale
    assert duals.price >= 0
    assert duals.values.max() <= costs.suppressed * times + duals.price
    proved = int(duals.values @ case.invented.frequency.counts) - case.allowance * duals.price
    assert proved <= solution.dual_bound * times
    unit = max(1, np.gcd.reduce(costs.steps, axis=None))
    assert solution.dual_bound * times - proved < times * unit
    assert list(find_violated(case, duals)) == []


def find_violated(case, duals):
    """Go through the generalized tuples whose k largest values exceed k times their cost."""
    rows, rules = case.invented.rows, case.invented.rules
    ground = generalize_rows(rows, rules, [0] * len(rules))
    value_of = dict(zip(case.invented.frequency.sequences(), duals.values.tolist(), strict=True))
    for vector in case.lattice:
        groups = defaultdict(list)
        for place, shown in enumerate(generalize_rows(rows, rules, vector)):
            groups[shown].append(place)
        for members in groups.values():
            largest = sorted((value_of[ground[place]] for place in members), reverse=True)
            cost = duals.scale * sum(
                Fraction(weight) * cell_loss(rule, value, level)
                for weight, rule, value, level in zip(
                    case.weights, rules, rows[members[0]], vector, strict=True
                )
            )
            if len(members) >= case.k and sum(largest[: case.k]) > case.k * cost:
                yield vector


@settings(max_examples=60)
@given(cases(max_rows=14))
def test_a_start_changes_nothing_but_the_way(case):
    try:
        solution = case.solve()
    except Infeasible:
        return
    again = case.solve(start=solution.classes)
    assert (again.cost, again.bound) == (solution.cost, solution.bound)
    stopped = case.solve(start=solution.classes, time_limit=0)
    assert stopped.cost == solution.cost
    assert isinstance(stopped.classes, Classes)
    assert stopped.bound <= solution.cost
