"""Who can be released with their records: against every set of persons, and along the lattice."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.linked_worlds import (
    HEIGHT,
    World,
    find_greatest_release,
    find_least_support,
    has,
    list_known,
    without_attributes,
    worlds,
)

from lookalike.kernels.linked_records import MOST_INSERTED, sort_records
from lookalike.model.linked import LinkedTables

LEVELS = st.integers(0, HEIGHT)


def mark(world: World, vector: tuple[int, ...], k: int) -> set[int]:
    """Return the persons that are released at a vector."""
    return {*np.flatnonzero(world.linked().mark_released(vector, k)).tolist()}


@given(worlds(), LEVELS, LEVELS, st.integers(2, 3))
def test_persons_of_one_table_are_the_greatest_set_that_keeps_the_promise(
    world: World, own: int, level: int, k: int
) -> None:
    shown = world.at((own, level))
    assert mark(world, (own, level), k) == find_greatest_release(shown, k)


@given(worlds(most_persons=5, tables=2), LEVELS, LEVELS, LEVELS)
def test_persons_of_two_tables_are_the_greatest_set_that_keeps_the_promise(
    world: World, own: int, first: int, second: int
) -> None:
    shown = world.at((own, first, second))
    assert mark(world, (own, first, second), 2) == find_greatest_release(shown, 2)


@given(worlds(most_persons=5, tables=2, apart=True), LEVELS, LEVELS, st.integers(2, 3))
def test_without_a_link_single_rows_are_what_is_known(
    world: World, own: int, level: int, k: int
) -> None:
    vector = (own, level, level)
    assert mark(world, vector, k) == find_greatest_release(world.at(vector), k)


@given(worlds(most_persons=30, tables=2), st.integers(2, 4))
def test_everything_that_is_known_of_the_released_fits_k_of_them(world: World, k: int) -> None:
    """Theorem 2: what is left satisfies the promise by itself."""
    vector = (1, 2, 1)
    released = sorted(mark(world, vector, k))
    assert not released or find_least_support(world.at(vector), released) >= k


@given(worlds(most_persons=20), st.tuples(LEVELS, LEVELS), st.tuples(LEVELS, LEVELS))
def test_whoever_is_released_is_released_at_every_higher_vector(
    world: World, one: tuple[int, int], other: tuple[int, int]
) -> None:
    """Theorem 1 and 2: G(v) is a part of G(w) if v is below w."""
    above = (max(one[0], other[0]), max(one[1], other[1]))
    assert mark(world, one, 2) <= mark(world, above, 2)


@given(worlds(most_persons=20, tables=2), LEVELS)
def test_fewer_known_records_release_no_fewer_persons(world: World, level: int) -> None:
    tables, vector = world.linked(), (level,) * 3
    every = np.ones(len(world.persons), dtype=np.bool_)
    marks = [tables.mark_among(vector, 2, every, most) for most in (1, 2, 3)]
    assert (marks[2] == tables.mark_released(vector, 2)).all()
    assert all((few >= many).all() for few, many in itertools.pairwise(marks))


def test_records_are_sorted_within_each_person_few_or_many() -> None:
    sizes = [0, 1, 5, MOST_INSERTED, MOST_INSERTED + 1, 90]
    codes = np.random.default_rng(5).integers(0, 20, sum(sizes)).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    by_hand = [np.sort(own) for own in np.split(codes, starts[1:-1])]
    assert sort_records(starts, codes).tolist() == np.concatenate(by_hand).tolist()


def test_two_visits_give_a_person_away_whom_one_does_not() -> None:
    """Each visit is shared by three persons, but only one person has both."""
    visits = (((1,), (1,), (1, 3), (3,), (3,)),)
    assert mark(World((0,) * 5, visits, (1,)), (0, 0), 3) == {0, 1, 2, 3, 4}
    assert mark(World((0,) * 5, visits, (2,)), (0, 0), 3) == set()
    assert mark(World((0,) * 5, visits, (2,)), (0, 0), 2) == {0, 1, 3, 4}


def test_two_records_that_look_alike_count_twice() -> None:
    world = World((0, 0, 0), (((1, 1), (1,), (1,)),), (2,))
    assert mark(world, (0, 0), 2) == {1, 2}


def test_all_records_are_known_with_their_number() -> None:
    visits = (((1,), (1,), (1, 1), (1, 1, 1), (1, 1, 1)),)
    assert mark(World((0,) * 5, visits, ("all",)), (0, 0), 2) == {0, 1, 3, 4}


def test_records_that_nobody_knows_do_not_matter() -> None:
    assert mark(World((0, 0), (((1, 2), (3,)),), (0,)), (0, 0), 2) == {0, 1}


def test_persons_without_a_table_of_their_own_are_told_apart_by_their_records_alone() -> None:
    tables = World((0, 1, 2), (((1,), (1,), (2,)),), (1,)).linked()
    alone = LinkedTables(without_attributes(3), tables.records)
    assert alone.mark_released((0,), 2).tolist() == [True, True, False]
    assert alone.mark_released((1,), 3).tolist() == [False, False, False]
    assert alone.mark_released((2,), 3).tolist() == [True, True, True]


@pytest.mark.parametrize(("knows", "combinations"), [(1, 40), (2, 780), (3, 9880)])
def test_the_number_of_combinations_is_known_before_they_are_listed(
    knows: int, combinations: int
) -> None:
    world = World((0,), ((tuple(range(4)) * 10,),), (knows,))
    assert world.linked().estimate_combinations() == combinations


def test_records_of_two_persons_protect_each_other_without_a_link_and_not_with_one() -> None:
    persons, records = (0, 0, 1, 1), (((1,), (2,), (1,), (2,)),)
    assert mark(World(persons, records, (1,), apart=True), (0, 0), 2) == {0, 1, 2, 3}
    assert mark(World(persons, records, (1,)), (0, 0), 2) == set()


VALUES = st.lists(st.integers(0, 2), min_size=7, max_size=7)


@given(worlds(most_persons=6), VALUES, LEVELS, LEVELS)
def test_persons_who_share_what_is_known_have_several_values(
    world: World, values: list[int], own: int, level: int
) -> None:
    """Also here the greatest set is found: more persons have no fewer values."""
    shown, kept = world.at((own, level)), values[: len(world.persons)]
    linked = replace(world.linked(), distinct=((np.array(kept, dtype=np.int32), 2),))
    found = np.flatnonzero(linked.mark_released((own, level), 2)).tolist()
    assert {*found} == find_greatest_release(shown, 2, kept)


@given(worlds(), VALUES)
def test_persons_whose_value_follows_are_those_of_whom_something_leaves_one_value(
    world: World, values: list[int]
) -> None:
    persons = range(len(world.persons))
    alike = {
        person
        for person in persons
        for known in list_known(world, person)
        if len({values[other] for other in persons if has(world, other, known)}) == 1
    }
    everybody, codes = np.ones(len(persons), dtype=np.bool_), np.array(values, dtype=np.int32)
    marked = world.linked().mark_alike((0, 0), everybody, codes[: len(persons)])
    assert {*np.flatnonzero(marked).tolist()} == alike
