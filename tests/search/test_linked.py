"""The search over the levels of several tables, against every vector of the lattice."""

import itertools
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.linked_worlds import HEIGHT, World, find_greatest_release, worlds

from lookalike.errors import Infeasible
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.linked import list_linked_minimal, search_linked
from lookalike.search.linked_counts import LinkedCost, LinkedCounts
from lookalike.search.options import SearchOptions

WEIGHTS = (Decimal(2), Decimal(1), Decimal("0.5"))


def list_vectors(world: World) -> list[tuple[int, ...]]:
    """List all vectors of a world; a table without records has one level."""
    return [*itertools.product(*(range(height + 1) for height in world.linked().heights))]


def lose(world: World, vector: tuple[int, ...], released: list[bool]) -> Fraction:
    """Return what a release loses of precision, cell by cell."""
    tables = [[(one,) for one in world.persons], *world.records]
    lost = total = Fraction(0)
    for weight, own, level, height in zip(
        WEIGHTS, tables, vector, world.linked().heights, strict=False
    ):
        for rows, stays in zip(own, released, strict=True):
            share = Fraction(level, max(height, 1)) if stays else Fraction(int(height > 0))
            lost += Fraction(weight) * len(rows) * share
            total += Fraction(weight) * len(rows)
    return lost / total


@given(worlds(most_persons=8), st.integers(0, 8))
def test_mingen_loses_the_least_of_all_vectors(world: World, allowed: int) -> None:
    requirement = Requirement(2, allowed)
    counts = LinkedCounts(world.linked(), requirement)
    fitting = {
        vector: lose(world, vector, counts.released(vector).tolist())
        for vector in list_vectors(world)
        if counts.suppressed(vector) <= allowed and counts.released(vector).any()
    }
    options = SearchOptions(weights=WEIGHTS[: len(world.linked().hierarchies)])
    try:
        found = search_linked(world.linked(), requirement, "mingen", options)
    except Infeasible:
        assert not fitting
        return
    assert found.optimality is not None
    assert found.optimality.proved
    assert found.released.any() == bool(fitting)
    if fitting:
        assert fitting[found.vector] == min(fitting.values())
        assert found.optimality.reached == pytest.approx(float(1 - min(fitting.values())))


@given(worlds(most_persons=8, tables=2), st.integers(0, 8))
def test_samarati_generalizes_least(world: World, allowed: int) -> None:
    requirement = Requirement(2, allowed)
    counts = LinkedCounts(world.linked(), requirement)
    fitting = [one for one in list_vectors(world) if counts.suppressed(one) <= allowed]
    try:
        found = search_linked(world.linked(), requirement, "samarati", SearchOptions())
    except Infeasible:  # of the least height, all leave out everybody
        least = min(map(sum, fitting), default=0)
        assert not any(counts.released(one).any() for one in fitting if sum(one) == least)
        return
    assert sum(found.vector) == min(map(sum, fitting))
    below = [v for v in fitting if v != found.vector and all(map(int.__le__, v, found.vector))]
    assert found.k_minimal == (not below)


@given(worlds(most_persons=6, tables=2), st.integers(0, 6))
def test_all_minimal_vectors_are_listed_with_their_figures(world: World, allowed: int) -> None:
    requirement, tables = Requirement(2, allowed), world.linked()
    counts = LinkedCounts(tables, requirement)
    fitting = [one for one in list_vectors(world) if counts.suppressed(one) <= allowed]
    weights = (Decimal(1),) * len(tables.hierarchies)
    options = SearchOptions(weights=weights, prefer=("minimum-suppression",))
    try:
        found = list_linked_minimal(tables, requirement, options)
    except Infeasible:
        assert not any(counts.released(one).any() for one in fitting)
        return
    by_hand = [
        vector
        for vector in fitting
        if not any(one != vector and all(map(int.__le__, one, vector)) for one in fitting)
    ]
    assert found.complete
    assert sorted(one.vector for one in found.minimal) == sorted(by_hand)
    for one in found.minimal:
        assert one.suppressed == len(world.persons) - len(
            find_greatest_release(world.at(one.vector), 2)
        )
    least = min(one.suppressed for one in found.minimal)
    assert [*found.preferred] == sorted(
        (one for one in found.minimal if one.suppressed == least), key=lambda one: one.vector
    )


@given(worlds(most_persons=6, tables=2), st.sampled_from([None, 0, 1, 3]))
def test_datafly_raises_what_has_most_values_until_few_are_left_out(
    world: World, allowed: int | None
) -> None:
    vector, most = [0] * len(world.linked().heights), 2 if allowed is None else allowed
    left = find_greatest_release(world.at(vector), 2)
    while len(world.persons) - len(left) > most:
        shown = world.at(vector)
        rows = [shown.persons, *([one for own in table for one in own] for table in shown.records)]
        distinct = [len({*own}) for own in rows]
        if max(distinct) < 2:  # nothing is left to generalize
            break
        vector[distinct.index(max(distinct))] += 1
        left = find_greatest_release(world.at(vector), 2)
    try:
        found = search_linked(world.linked(), Requirement(2, allowed), "datafly", SearchOptions())
    except Infeasible:
        assert not left or len(world.persons) - len(left) > most
        return
    assert found.vector == tuple(vector)
    assert found.allowance == most
    assert found.optimality is None
    assert {*found.released.nonzero()[0]} == left


@pytest.mark.parametrize("name", ["precision", "loss"])
@given(world=worlds(most_persons=8), low=st.integers(0, HEIGHT), high=st.integers(0, HEIGHT))
def test_no_vector_above_a_bottom_costs_less_than_its_bound(
    name: str, world: World, low: int, high: int
) -> None:
    counts = LinkedCounts(world.linked(), Requirement(2))
    objective = LinkedCost(counts, name, WEIGHTS[: len(world.linked().hierarchies)])
    heights = world.linked().heights
    bottom = tuple(min(low, height) for height in heights)
    above = tuple(min(max(low, high), height) for height in heights)
    certain = counts.suppressed(heights)
    assert objective.bound(bottom, certain) <= objective.judge(above).cost + 1e-9


def test_levels_can_be_bounded_by_the_name_of_the_table_and_the_attribute() -> None:
    world = World((0, 0, 2, 2), (((0,), (0,), (2,), (2,)),), (1,))
    free = search_linked(world.linked(), Requirement(2), "mingen", SearchOptions())
    bound = SearchOptions(constraints=(Constraint.parse("r0.value >= 1"),))
    kept = search_linked(world.linked(), Requirement(2), "mingen", bound)
    assert (free.vector, kept.vector) == ((0, 0), (0, 1))


def test_persons_are_counted_in_what_may_be_left_out() -> None:
    world = World((0, 0, 2), (((0,) * 4, (0,) * 4, (0,)),), ("all",))
    with pytest.raises(Infeasible, match="leave out 1 of 3 persons, more than the 0"):
        search_linked(world.linked(), Requirement(2, 0), "mingen", SearchOptions())
    found = search_linked(world.linked(), Requirement(2, 1), "mingen", SearchOptions())
    assert found.released.tolist() == [True, True, False]


def test_fewer_persons_than_k_cannot_be_released() -> None:
    world = World((0, 0), (((0,), (0,)),), (1,))
    with pytest.raises(Infeasible, match=r"fewer persons \(2\) than k = 3"):
        search_linked(world.linked(), Requirement(3), "mingen", SearchOptions())
