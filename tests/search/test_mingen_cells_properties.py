"""MinGen at the cell level, against every division of a few rows into classes."""

from collections import Counter
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, event, example, given
from hypothesis import strategies as st

from lookalike import Infeasible, Suppress, Taxonomy
from lookalike.model.lattice import Lattice
from lookalike.model.measures import loss, precision
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import mingen_cells
from lookalike.search.options import SearchOptions

from ..brute import count_unmatched_rows
from ..effort import examples
from ..invented import Invented, tables, weights
from ..partitions import Partitions
from ..small_tables import released_rows, table_of

many = examples(60)
some = examples(40)
efforts = pytest.mark.parametrize("effort", ["quick", "standard", "exact"])


@dataclass(frozen=True)
class Case:
    """A table, and the requirement of its release."""

    invented: Invented
    k: int
    weights: tuple = ()
    allowance: int = 0
    bounds: tuple = ()
    objective: str = "precision"

    def release(self, effort, suppressed_rows="drop"):
        return mingen_cells(
            self.invented.frequency,
            Requirement(self.k, self.allowance, suppressed_rows),
            SearchOptions(
                weights=self.weights,
                objective=self.objective,
                constraints=self.constraints,
                effort=effort,
            ),
        )

    def are_in_order(self, *values):
        """Return whether values of the objective never become worse."""
        return list(values) == sorted(values, reverse=self.objective == "loss")

    @property
    def constraints(self):
        names = list(self.invented.hierarchies)
        return tuple(
            Constraint.parse(f"{names[attribute]} {comparison} {level}")
            for attribute, comparison, level in self.bounds
        )

    @property
    def partitions(self):
        heights = [rule.height for rule in self.invented.rules]
        bottom, top = [0] * len(heights), list(heights)
        for attribute, comparison, level in self.bounds:
            (bottom if comparison == ">=" else top)[attribute] = level
        lattice = Lattice(tuple(bottom), tuple(top))
        asked = self.weights, self.allowance, lattice, self.objective
        return Partitions(self.invented, self.k, *asked)


@st.composite
def cases(draw, max_rows=8):
    """Invent a table of a few rows, some of them alike, with weights, MaxSup and bounds."""
    invented = draw(tables(min_rows=2, max_rows=max_rows))
    k = draw(st.integers(2, 4))
    attributes = len(invented.rules)
    bounds = {}
    for attribute in draw(st.lists(st.integers(0, attributes - 1), max_size=2, unique=True)):
        level = draw(st.integers(0, invented.rules[attribute].height))
        bounds[attribute] = draw(st.sampled_from(["<=", ">="])), level
    return Case(
        invented,
        k,
        draw(weights(attributes)) if draw(st.booleans()) else (),
        draw(st.sampled_from([0, 0, 1, 2, max_rows])),
        tuple((attribute, *bound) for attribute, bound in bounds.items()),
        draw(st.sampled_from(["precision", "loss"])),
    )


def letters(text, hierarchy=None, **asked):
    """Return a case of one attribute whose values are letters."""
    table = table_of(("attribute 0",), [(letter,) for letter in text])
    return Case(Invented(table, {"attribute 0": hierarchy or Suppress()}), **asked)


SUPPRESSES = letters("aaz", k=2, allowance=1)
SUPPRESSES_SOME = letters("aaaaabbbcz", k=3, allowance=2)


@many
@example(SUPPRESSES)
@example(SUPPRESSES_SOME)
@given(cases(max_rows=12))
def test_exact_is_the_best_of_all_divisions_and_no_effort_claims_more(case):
    best = case.partitions.best()
    for effort in ("quick", "standard", "exact"):
        if best is None:
            with pytest.raises(Infeasible):
                case.release(effort)
            continue
        found = case.release(effort).optimality
        assert case.are_in_order(found.reached, float(best), found.bound)
        assert not found.proved or found.reached == float(best)
        event(f"{effort}: {'best' if found.reached == float(best) else 'not best'}, {found.proved}")
        assert effort != "exact" or (found.proved and found.bound == float(best))


@efforts
@some
@example(SUPPRESSES_SOME)
@given(cases(max_rows=30))
def test_the_release_is_k_anonymous_true_and_complete(effort, case):
    recoding = release_if_feasible(case, effort)
    frequency, rows = case.invented.frequency, case.invented.rows
    shown = released_rows(frequency, recoding)
    assert min(shown.values()) >= case.k
    assert recoding.rows_suppressed == recoding.suppressed.sum() <= case.allowance
    kept = recoding.tuples.rows_by_sequence(frequency) + recoding.suppressed
    assert kept.tolist() == frequency.counts.tolist()
    anywhere = [None] * len(case.invented.rules)
    listed = list(shown.elements())
    assert count_unmatched_rows(rows, listed, case.invented.rules, anywhere) == 0


@efforts
@some
@given(cases(max_rows=30))
def test_no_cell_leaves_the_bounds_on_its_level(effort, case):
    tuples = release_if_feasible(case, effort).tuples
    lattice = case.partitions.lattice
    assert all(vector in lattice for vector in map(tuple, tuples.levels.T.tolist()))


@efforts
@some
@example(SUPPRESSES)
@given(cases(max_rows=30))
def test_what_it_says_it_reached_is_its_measure(effort, case):
    recoding = release_if_feasible(case, effort)
    weights = case.weights or None
    measure = precision if case.objective == "precision" else loss
    measured = measure(case.invented.frequency, recoding, weights)
    assert recoding.optimality.reached == measured
    assert recoding.optimality.objective == case.objective


@efforts
@some
@example(letters("abcde", Taxonomy({"A": ["a", "b"], "C": ["c", "d", "e"]}), k=3))
@given(cases(max_rows=16))
def test_the_duals_hold_for_every_generalized_tuple_and_give_the_bound(effort, case):
    optimality = release_if_feasible(case, effort).optimality
    duals, partitions = optimality.duals, case.partitions
    assert partitions.overcharged(duals) == []
    most = partitions.suppressed * duals.scale + duals.price
    assert max(duals.values) <= most
    assert case.are_in_order(optimality.bound, float(partitions.bound(duals)))
    if optimality.beyond is not None:
        assert optimality.bound == float(partitions.measure(optimality.beyond))
    elif not optimality.proved:
        assert optimality.bound == float(partitions.bound(duals))


@efforts
@some
@given(cases(max_rows=30))
def test_the_same_input_gets_the_same_classes(effort, case):
    first, second = (release_if_feasible(case, effort) for _ in range(2))
    assert first.suppressed.tolist() == second.suppressed.tolist()
    for part in ("sequence", "levels", "counts"):
        one, other = getattr(first.tuples, part), getattr(second.tuples, part)
        assert one.tolist() == other.tolist()


@some
@given(cases(max_rows=30))
def test_more_effort_is_never_worse(case):
    quick = release_if_feasible(case, "quick").optimality
    standard, exact = (case.release(effort).optimality for effort in ("standard", "exact"))
    assert case.are_in_order(quick.reached, standard.reached, exact.reached)
    assert case.are_in_order(exact.bound, standard.bound, quick.bound)


@some
@given(cases())
def test_where_suppressed_rows_stay_blank_none_is_suppressed(case):
    try:
        recoding = case.release("exact", "blank")
    except Infeasible:
        assume(False)
    assert not recoding.suppressed.any()
    best = float(replace(case, allowance=0).partitions.best())
    assert case.are_in_order(recoding.optimality.reached, best, recoding.optimality.bound)
    assert case.bounds or recoding.optimality.reached == best


@some
@given(tables(min_rows=4, max_rows=12), st.integers(2, 4))
def test_rows_that_are_alike_already_stay_as_they_are(invented, k):
    repeated = invented.reorder([*range(invented.table.num_rows)] * k)
    recoding = Case(repeated, k).release("standard")
    assert not recoding.tuples.levels.any()
    assert recoding.optimality.proved
    counts = Counter(released_rows(repeated.frequency, recoding))
    assert sum(counts.values()) == repeated.table.num_rows


def release_if_feasible(case, effort):
    """Release a table, if a release of it exists."""
    try:
        return case.release(effort)
    except Infeasible:
        assume(False)
