"""Every search gives the same answer as evaluating all vectors, on generated tables."""

import operator
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike import Infeasible
from lookalike.model.lattice import Lattice
from lookalike.model.measures import measure
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.minimal import find_minimal
from lookalike.search.lattice.objectives import OBJECTIVES
from lookalike.search.lattice.preferences import PREFERENCES
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import mingen, samarati
from lookalike.search.methods.samarati import list_minimal
from lookalike.search.options import SearchOptions

from .. import brute
from ..effort import examples
from ..exhaustive import Exhaustive
from ..invented import requirements, tables, weights

many = examples(60)
some = examples(30)
COMPARE = {
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "==": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
FIELDS = {"average-class-size": "average_class"}
"""The names of measures that differ from the name of their objective."""


@st.composite
def questions(draw, *, several=False):
    """Generate a table that has a solution, a requirement, and weights."""
    invented = draw(tables(max_rows=20))
    requirement = draw(requirements(invented, several=several))
    assume(invented.table.num_rows >= requirement.largest_k)
    return invented, requirement, draw(weights(len(invented.hierarchies)))


@st.composite
def bounds_on_levels(draw, invented):
    """Generate some bounds on levels, as text."""
    names = list(invented.hierarchies)
    bounds = st.tuples(
        st.sampled_from(names), st.sampled_from(list(COMPARE)), st.integers(-1, 4).map(str)
    )
    return draw(st.lists(bounds, min_size=1, max_size=3))


def satisfies_bounds(vector, names, bounds):
    return all(
        COMPARE[comparison](vector[names.index(name)], int(level))
        for name, comparison, level in bounds
    )


def parse(constraints):
    return tuple(Constraint.parse(" ".join(parts)) for parts in constraints)


def by_height(vectors):
    """Order vectors by height, as results list them."""
    return sorted(vectors, key=lambda vector: (sum(vector), vector))


def relative(vector, heights):
    """Return the relative distances of the attributes."""
    return [Fraction(d, h) if h else Fraction(0) for d, h in zip(vector, heights, strict=True)]


def rank(policy, exhaustive, vector, scales):
    """Apply a policy of Samarati's section 6 to a vector; the least is preferred."""
    distances = relative(vector, exhaustive.heights)
    weighted = [
        Fraction(s) * d for s, d in zip(scales or [1] * len(vector), distances, strict=True)
    ]
    raised = [level for level in vector if level]
    return {
        "minimum-absolute-distance": sum(vector),
        "minimum-relative-distance": sum(distances),
        "minimum-weighted-distance": sum(weighted),
        "maximum-distribution": -len(exhaustive.sizes(vector)),
        "minimum-suppression": exhaustive.suppressed(vector),
        "smallest-absolute-peak": max(vector),
        "largest-absolute-peak": -max(vector),
        "smallest-relative-peak": max(distances),
        "largest-relative-peak": -max(distances),
        "fewest-generalized-attributes": len(raised),
        "most-generalized-attributes": -len(raised),
    }[policy]


def choose(policies, exhaustive, vectors, scales):
    """Return the vectors that the policies prefer, applied one after the other."""
    for policy in policies:
        ranks = {vector: rank(policy, exhaustive, vector, scales) for vector in vectors}
        vectors = [vector for vector in vectors if ranks[vector] == min(ranks.values())]
    return sorted(vectors)


def best_of(exhaustive, objective, vectors, scales):
    """Return the best value and the vectors that reach it."""
    values = {vector: exhaustive.measure(objective, vector, scales) for vector in vectors}
    best = (max if objective == "precision" else min)(values.values())
    return best, [vector for vector in vectors if values[vector] == pytest.approx(best, abs=1e-9)]


def release(method, invented, requirement, options):
    """Run a method, or return None if its result would release no row."""
    try:
        return method(invented.frequency, requirement, options)
    except Infeasible as error:
        assert "every one of the" in str(error)  # noqa: PT017
        return None


class TestMinimalVectors:
    @many
    @given(questions())
    def test_they_are_those_of_the_definition(self, question):
        invented, requirement, _ = question
        exhaustive = Exhaustive.of(invented, requirement)
        allowance = requirement.allowance(invented.table.num_rows)
        rollups = RollUps(invented.frequency, requirement)
        found = find_minimal(rollups, Lattice.of_heights(exhaustive.heights), allowance)
        assert list(found.vectors) == by_height(brute.find_minimal(exhaustive.within(allowance)))
        assert found.complete

    @many
    @given(questions(), st.data())
    def test_under_bounds_on_levels_they_are_minimal_among_what_is_left(self, question, data):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        bounds = data.draw(bounds_on_levels(invented))
        names = list(invented.hierarchies)
        left = [v for v in exhaustive.vectors if satisfies_bounds(v, names, bounds)]
        solutions = exhaustive.within(requirement.allowance(invented.table.num_rows), left)
        options = SearchOptions(scales, constraints=parse(bounds))
        if not solutions:
            with pytest.raises(Infeasible, match="constraints"):
                list_minimal(invented.frequency, requirement, options)
            return
        found = list_minimal(invented.frequency, requirement, options)
        expected = by_height(brute.find_minimal(solutions))
        assert [candidate.vector for candidate in found.minimal] == expected
        assert found.lattice.size == len(left)

    @many
    @given(questions(), st.lists(st.sampled_from(list(PREFERENCES)), min_size=1, max_size=3))
    def test_policies_choose_as_they_say(self, question, policies):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        minimal = brute.find_minimal(
            exhaustive.within(requirement.allowance(invented.table.num_rows))
        )
        options = SearchOptions(scales, prefer=tuple(policies))
        found = list_minimal(invented.frequency, requirement, options)
        expected = choose(policies, exhaustive, by_height(minimal), scales)
        assert [candidate.vector for candidate in found.preferred] == expected
        recoding = release(samarati, invented, requirement, options)
        if recoding:
            assert recoding.vector == expected[0]
            assert recoding.k_minimal
        else:
            assert exhaustive.suppressed(expected[0]) == invented.table.num_rows

    @many
    @given(questions())
    def test_candidates_are_described_as_they_are(self, question):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        for one in list_minimal(invented.frequency, requirement, SearchOptions(scales)).minimal:
            assert one.suppressed == exhaustive.suppressed(one.vector)
            assert one.distinct == len(exhaustive.sizes(one.vector))
            assert one.precision == exhaustive.measure("precision", one.vector, scales)


class TestConditions:
    @many
    @given(
        questions(),
        st.sampled_from(["suppressed <=", "distinct >=", "precision >=", "height <="]),
        st.integers(0, 20),
    )
    def test_only_minimal_vectors_that_satisfy_them_are_left(self, question, condition, number):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        minimal = brute.find_minimal(
            exhaustive.within(requirement.allowance(invented.table.num_rows))
        )
        quantity, comparison = condition.split()
        limit = number / 20 if quantity == "precision" else number
        of_vector = {
            "suppressed": exhaustive.suppressed,
            "distinct": lambda vector: len(exhaustive.sizes(vector)),
            "precision": lambda vector: exhaustive.measure("precision", vector, scales),
            "height": sum,
        }[quantity]
        left = [v for v in by_height(minimal) if COMPARE[comparison](of_vector(v), limit)]
        options = SearchOptions(
            scales, constraints=(Constraint(quantity, comparison, Decimal(str(limit))),)
        )
        if not left:
            with pytest.raises(Infeasible, match=r"none of the .* satisfies the constraints"):
                samarati(invented.frequency, requirement, options)
            return
        found = list_minimal(invented.frequency, requirement, options)
        assert [candidate.vector for candidate in found.minimal] == left
        recoding = release(samarati, invented, requirement, options)
        assert recoding is None or recoding.vector == left[0]


class TestSamarati:
    @many
    @given(questions())
    def test_without_policies_it_is_the_first_vector_of_least_height(self, question):
        invented, requirement, _ = question
        exhaustive = Exhaustive.of(invented, requirement)
        allowance = requirement.allowance(invented.table.num_rows)
        lowest = by_height(exhaustive.within(allowance))[0]
        recoding = release(samarati, invented, requirement, SearchOptions())
        if recoding:
            assert recoding.vector == lowest
            assert recoding.rows_suppressed == exhaustive.suppressed(lowest)
            assert recoding.k_minimal
        else:
            assert exhaustive.suppressed(lowest) == invented.table.num_rows

    @many
    @given(questions(), st.data())
    def test_under_bounds_on_levels_it_is_the_first_of_what_is_left(self, question, data):
        invented, requirement, _ = question
        exhaustive = Exhaustive.of(invented, requirement)
        bounds = data.draw(bounds_on_levels(invented))
        names = list(invented.hierarchies)
        left = [v for v in exhaustive.vectors if satisfies_bounds(v, names, bounds)]
        solutions = exhaustive.within(requirement.allowance(invented.table.num_rows), left)
        options = SearchOptions(constraints=parse(bounds))
        if not solutions or not exhaustive.sizes(by_height(solutions)[0]):
            with pytest.raises(Infeasible):
                samarati(invented.frequency, requirement, options)
            return
        recoding = samarati(invented.frequency, requirement, options)
        assert recoding.vector == by_height(solutions)[0]
        assert recoding.k_minimal


@pytest.mark.parametrize("objective", OBJECTIVES)
class TestOptimum:
    @some
    @given(question=questions(), data=st.data())
    def test_it_is_the_best_of_all_vectors(self, objective, question, data):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        policies = data.draw(st.lists(st.sampled_from(list(PREFERENCES)), max_size=2))
        vectors = exhaustive.within(requirement.allowance(invented.table.num_rows))
        best, ties = best_of(exhaustive, objective, vectors, scales)
        ties = [vector for vector in ties if exhaustive.sizes(vector)] or ties
        chosen = choose(policies or ["minimum-absolute-distance"], exhaustive, ties, scales)
        options = SearchOptions(scales, objective, tuple(policies))
        recoding = release(mingen, invented, requirement, options)
        if recoding is None:
            assert exhaustive.suppressed(chosen[0]) == invented.table.num_rows
            return
        assert recoding.vector == chosen[0]
        assert recoding.k_minimal == (recoding.vector in brute.find_minimal(vectors))
        self.check_proof(recoding, best)
        measured = measure(invented.frequency, recoding, requirement, scales)
        reached = getattr(measured, FIELDS.get(objective, objective))
        assert recoding.optimality.reached == pytest.approx(reached, abs=1e-9)

    @some
    @given(question=questions(), data=st.data())
    def test_under_bounds_on_levels_it_is_the_best_of_what_is_left(self, objective, question, data):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        bounds = data.draw(bounds_on_levels(invented))
        names = list(invented.hierarchies)
        left = [v for v in exhaustive.vectors if satisfies_bounds(v, names, bounds)]
        vectors = exhaustive.within(requirement.allowance(invented.table.num_rows), left)
        options = SearchOptions(scales, objective, constraints=parse(bounds))
        if not any(exhaustive.sizes(vector) for vector in vectors):
            with pytest.raises(Infeasible):
                mingen(invented.frequency, requirement, options)
            return
        best, ties = best_of(exhaustive, objective, vectors, scales)
        ties = [vector for vector in ties if exhaustive.sizes(vector)] or ties
        recoding = release(mingen, invented, requirement, options)
        if recoding:
            assert recoding.vector == by_height(ties)[0]
            assert recoding.k_minimal == (recoding.vector in brute.find_minimal(vectors))
            self.check_proof(recoding, best)

    @some
    @given(question=questions())
    def test_without_time_the_answer_is_feasible_and_the_bound_holds(self, objective, question):
        invented, requirement, scales = question
        exhaustive = Exhaustive.of(invented, requirement)
        allowance = requirement.allowance(invented.table.num_rows)
        best, _ = best_of(exhaustive, objective, exhaustive.within(allowance), scales)
        options = SearchOptions(scales, objective, time_limit=0)
        recoding = release(mingen, invented, requirement, options)
        assume(recoding is not None)
        reached, bound = recoding.optimality.reached, recoding.optimality.bound
        assert recoding.rows_suppressed == exhaustive.suppressed(recoding.vector) <= allowance
        better = operator.le if objective == "precision" else operator.ge
        slack = 1e-9 if objective == "precision" else -1e-9
        assert better(reached, best + slack)
        assert better(best, bound + slack)
        assert not recoding.optimality.proved or reached == pytest.approx(best, abs=1e-9)

    def check_proof(self, recoding, best):
        optimality = recoding.optimality
        assert optimality.reached == pytest.approx(best, abs=1e-9)
        assert optimality.bound == optimality.reached
        assert optimality.proved
