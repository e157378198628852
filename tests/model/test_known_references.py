"""Records that refer to others, both known: against every choice that an attacker may know."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.referring_worlds import Person, World, find_greatest, worlds

from lookalike.tables.connection import Connection
from lookalike.verify.records import recount_linked

CONNECTION = Connection()


def mark(world: World, k: int) -> set[int]:
    """Return the persons that are released as they are."""
    linked = world.linked()
    return {*np.flatnonzero(linked.mark_released((0,) * len(linked.heights), k)).tolist()}


@given(worlds(), st.integers(2, 3))
def test_persons_with_references_are_the_greatest_set_that_keeps_the_promise(
    world: World, k: int
) -> None:
    assert mark(world, k) == find_greatest(world.list_supporters(), k)


@given(worlds(tables=2))
def test_persons_with_references_of_two_tables_are_the_greatest_set(world: World) -> None:
    assert mark(world, 2) == find_greatest(world.list_supporters(), 2)


@pytest.mark.parametrize("tables", [1, pytest.param(2, marks=pytest.mark.slow)])
@given(data=st.data())
def test_the_recount_finds_the_least_support_of_what_is_known(
    tables: int, data: st.DataObject
) -> None:
    world = data.draw(worlds(tables))
    found = recount_linked(CONNECTION, world.promise(CONNECTION, 2))
    assert found.smallest == min(len(fits) for one in world.list_supporters() for fits in one)
    assert found.persons == len(world.persons)


@pytest.mark.parametrize(
    ("stays", "one", "other", "knows", "least"),
    [
        # whether two diagnoses belong to the same admission
        (2, [(0, 0), (1, 0)], [(0, 0), (0, 0)], 2, 1),
        # of three that look alike, the third belongs to the first or to the second
        (2, [(0, 0), (1, 0), (0, 1)], [(0, 0), (1, 0), (1, 1)], 3, 2),
        # an admission besides that of the diagnosis, which the other person has not
        (1, [(0, 0)], [(0, 0)], 1, 1),
    ],
)
def test_two_persons_are_told_apart_by_what_belongs_together(stays, one, other, knows, least):
    persons = (Person(0, (0, 0), (tuple(one),)), Person(0, (0,) * stays, (tuple(other),)))
    # if admissions are known, two that have no diagnosis tell the first persons apart, too
    world = World(persons, int(knows != 2), (knows,))
    assert recount_linked(CONNECTION, world.promise(CONNECTION, 2)).smallest == least
    assert mark(world, 2) == ({0, 1} if least == 2 else set())
