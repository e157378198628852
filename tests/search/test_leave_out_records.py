"""Leaving out records instead of persons, against everything that may be known in tiny worlds."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.linked_worlds import HEIGHT, World, find_least_support, has, list_known, worlds

from lookalike.model.linked import LinkedTables
from lookalike.search.leave_out_records import leave_out_records

LEVELS = st.integers(0, HEIGHT)
VECTORS = st.tuples(LEVELS, LEVELS, LEVELS)


def leave_out(
    world: World, vector: tuple[int, ...], k: int, *, alone: bool = False
) -> tuple[list[int], World]:
    """Return the released persons, and the world with the records that are left, at a vector."""
    linked = world.linked()
    released, rows = leave_out_records(linked, vector, k, alone=alone)
    shown = world.at(vector)
    tables = [
        tuple(
            tuple(one for one, stays in zip(own, some, strict=True) if stays)
            for own, some in zip(records, np.split(marks, table.starts[1:-1]), strict=True)
        )
        for records, marks, table in zip(shown.records, rows, linked.records, strict=True)
    ]
    persons: list[int] = np.flatnonzero(released).tolist()
    return persons, replace(shown, records=tuple(tables))


def show_part(known: tuple[object, ...], left: World, person: int) -> tuple[object, ...]:
    """Return the part of what is known of a person that is released."""
    parts: list[object] = [known[0]]
    for some, table in zip(known[1:], left.records, strict=True):
        assert isinstance(some, tuple)
        own = Counter(table[person])
        every = some[:1] == ("all",)
        parts.append(
            ("all", *sorted(own.elements()))
            if every
            else tuple(sorted((Counter(some) & own).elements()))
        )
    return tuple(parts)


@given(worlds(most_persons=5, tables=2), VECTORS, st.integers(2, 3))
def test_what_is_left_keeps_the_promise_also_of_left_out_records(
    world: World, vector: tuple[int, ...], k: int
) -> None:
    """All that is known fits nobody or k persons, and its released part k, with the person."""
    persons, left = leave_out(world, vector, k)
    assert not persons or find_least_support(left, persons) >= k
    for person in range(len(world.persons)):
        for known in list_known(world.at(vector), person):
            assert sum(has(left, one, known) for one in persons) not in range(1, k)
            part = show_part(known, left, person)
            if person in persons:
                fitting = [one for one in persons if has(left, one, part)]
                assert person in fitting
                assert len(fitting) >= k


@given(worlds(most_persons=12, tables=2), VECTORS, st.integers(2, 3))
def test_whom_the_search_releases_stay_with_all_their_records(
    world: World, vector: tuple[int, ...], k: int
) -> None:
    """Never worse than leaving out whole persons; whoever is left out shows no record."""
    persons, left = leave_out(world, vector, k)
    whole = np.flatnonzero(world.linked().mark_released(vector, k)).tolist()
    assert {*whole} <= {*persons}
    for before, after in zip(world.at(vector).records, left.records, strict=True):
        assert [after[one] for one in whole] == [before[one] for one in whole]
        assert {after[one] for one in range(len(before)) if one not in persons} <= {()}


@given(worlds(most_persons=6, tables=2), VECTORS)
def test_no_left_out_record_of_a_released_person_can_return_by_itself(
    world: World, vector: tuple[int, ...]
) -> None:
    persons, left = leave_out(world, vector, 2)
    for table, (before, knows) in enumerate(
        zip(world.at(vector).records, world.knows, strict=True)
    ):
        for person in persons if knows != "all" else ():
            own = left.records[table][person]
            for record in Counter(before[person]) - Counter(own):
                more = [*left.records[table]]
                more[person] = (*own, record)
                tables = [*left.records]
                tables[table] = tuple(more)
                assert find_least_support(replace(left, records=tuple(tables)), persons) < 2


@given(worlds(most_persons=8), st.tuples(LEVELS, LEVELS))
def test_persons_leave_only_where_they_are_rare_without_records(
    world: World, vector: tuple[int, ...]
) -> None:
    persons, _ = leave_out(world, vector, 2)
    alike = Counter(world.at(vector).persons)
    often = {n for n, one in enumerate(world.at(vector).persons) if alike[one] >= 2}
    assert {*persons} <= often
    if world.knows != ("all",):
        assert {*persons} == often


@given(worlds(most_persons=7), LEVELS)
def test_without_a_person_table_nobody_is_left_without_records(world: World, level: int) -> None:
    world = World((0,) * len(world.persons), world.records, world.knows)
    persons, left = leave_out(world, (0, level), 2, alone=True)
    assert all(left.records[0][one] for one in persons)
    assert not persons or find_least_support(left, persons) >= 2


def visits(*own: tuple[int, ...], knows: object = 2) -> World:
    """Return persons who differ by their visits alone."""
    return World((0,) * len(own), (own,), (knows,))  # type: ignore[arg-type]


def test_either_of_two_records_can_stay_but_not_both() -> None:
    """What keeps the promise is not closed under union, so there is no greatest release."""
    world = visits((0,), (0, 2), (2,))
    for some in (visits((0,), (0,), ()), visits((), (2,), (2,))):
        assert find_least_support(some, range(3)) == 2
    assert find_least_support(world, range(3)) == 1
    persons, left = leave_out(world, (3, 0), 2)
    assert persons == [0, 1, 2]
    assert sum(map(len, left.records[0])) == 2


def test_a_higher_level_may_keep_fewer_records() -> None:
    """The heuristic is not monotone, so that the search counts whole persons."""
    world = visits((0,), (2,), (0, 1, 3), (2,))
    kept = [sum(map(len, leave_out(world, (3, level), 2)[1].records[0])) for level in (0, 1)]
    assert kept == [4, 3]


@pytest.mark.parametrize(("knows", "stays"), [(0, 3), (1, 3), (2, 3), (3, 2), ("all", 2)])
def test_of_equal_records_as_many_stay_as_others_have(knows: object, stays: int) -> None:
    """Whoever knows two of them cannot tell two from three."""
    persons, left = leave_out(visits((1, 1), (1, 1), (1, 1, 1), knows=knows), (3, 0), 2)
    assert persons == [0, 1, 2]
    assert len(left.records[0][2]) == stays


def test_persons_whose_records_are_all_known_meet_on_the_way() -> None:
    world = visits((0, 1), (0, 1), (0, 1, 3), knows="all")
    persons, left = leave_out(world, (3, 0), 3)
    assert persons == [0, 1, 2]
    assert {tuple(sorted(one)) for one in left.records[0]} == {(0, 1)}


def test_which_of_equal_records_leaves_is_drawn() -> None:
    linked: LinkedTables = visits((1,), (1,), (1, 1, 1, 1)).linked()
    drawn = {leave_out_records(linked, (3, 0), 3, alone=False)[1][0].tobytes() for _ in range(60)}
    assert len(drawn) == 4
