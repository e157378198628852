"""What may be known is counted in cells where they are few, with the same result as in lists."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.known_records import PERSONS_AT_ONCE
from lookalike.model import combinations
from lookalike.model.combinations import CountedPart, KnownPart, divide_counted
from lookalike.model.requirement import KnownRecords

from ..linked_worlds import HEIGHT, World, worlds

LEVELS = st.integers(0, HEIGHT)


def mark(world: World, k: int) -> list[int]:
    """Return the persons that are released at level 0."""
    released = world.linked().mark_released((0,) * (1 + len(world.records)), k)
    return np.flatnonzero(released).tolist()


def visits(*own: tuple[int, ...], knows: KnownRecords = 1) -> World:
    """Return persons who are alike but for their records."""
    return World((0,) * len(own), (own,), (knows,))


@given(
    worlds(most_persons=30, tables=2),
    st.tuples(LEVELS, LEVELS, LEVELS),
    st.integers(2, 4),
    st.integers(0, 40),
)
def test_as_many_cells_as_there_may_be_release_the_same_persons(
    world: World, vector: tuple[int, ...], k: int, cells: int
) -> None:
    """Some numbers of records are counted, others listed: persons left out by one miss in both."""
    linked = world.linked()
    whole = linked.mark_released(vector, k)
    for most in (0, cells):
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(combinations, "COUNTED_CELLS", most)
            assert (linked.mark_released(vector, k) == whole).all()


@pytest.mark.parametrize(
    ("knows", "values", "cells"), [(1, 4, 1 + 4), (2, 4, 1 + 4 + 10), (3, 3, 1 + 3 + 6 + 10)]
)
def test_each_combination_has_one_cell(knows: int, values: int, cells: int) -> None:
    """Some know fewer records than `knows`, because a person has no more."""
    own = [tuple(range(values)) * 3, *((0,) * size for size in range(knows))]
    linked = visits(*own, knows=knows).linked()
    [rows] = linked._list_known((0, 0), 3)
    everybody = np.ones(len(own), dtype=np.bool_)
    [part] = divide_counted(rows, everybody)
    assert isinstance(part, CountedPart)
    assert part.cells == cells
    assert part.list_kept(everybody, cells, ()) is part
    assert part.list_kept(everybody, cells - 1, ()) is None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(combinations, "COUNTED_CELLS", cells - 1)
        kinds = [*map(type, divide_counted(rows, everybody))]
    assert kinds == [CountedPart, KnownPart]


@pytest.mark.parametrize("knows", [1, 2, 3])
def test_no_two_combinations_share_a_cell(knows: int) -> None:
    """Two persons have every combination but one, which only one person has."""
    every = [*itertools.combinations_with_replacement(range(4), knows)]
    for place in range(len(every)):
        own = [*every, *every[:place], *every[place + 1 :]]
        released = mark(visits(*own, knows=knows), 2)
        assert released == [one for one in range(len(own)) if one != place]


def test_cells_without_room_in_memory_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    world = visits((0, 1), (0, 1), (0, 2), (1, 2), (0, 1), (3, 4), (5, 6), (7, 8), knows=2)
    linked, cells = world.linked(), 9 * 10 // 2
    whole = linked.mark_released((0, 0), 2)
    assert np.flatnonzero(whole).tolist() == [0, 1, 4]
    counted, drop = list[int](), CountedPart.drop
    monkeypatch.setattr(
        CountedPart, "drop", lambda part, *rest: counted.append(part.cells) or drop(part, *rest)
    )
    for most, parts in ((cells, [9, cells]), (cells - 1, [9])):
        counted.clear()
        small = replace(linked, memory=2 * 64 * most)
        assert (small.mark_released((0, 0), 2) == whole).all()
        assert [*dict.fromkeys(counted)] == parts


@pytest.mark.parametrize(
    "persons", [PERSONS_AT_ONCE - 1, PERSONS_AT_ONCE, PERSONS_AT_ONCE + 1, 3 * PERSONS_AT_ONCE]
)
def test_counting_goes_on_until_enough_persons_have_every_combination(persons: int) -> None:
    """The last ones have a rare record, so that nobody before them shows that nobody is rare."""
    usual, rare = [(0, 1)] * persons, [(1, 2)] * 4
    assert mark(visits(*usual, *rare), 4) == [*range(persons + 4)]
    assert mark(visits(*usual, *rare), 5) == [*range(persons)]
    assert mark(visits(*usual, *rare, knows=2), 4) == [*range(persons + 4)]
    assert mark(visits(*usual, *rare, knows=2), 5) == [*range(persons)]


def test_persons_who_follow_when_every_combination_has_enough_are_released() -> None:
    own = [(0, 1), (0, 0), (1, 1)] * PERSONS_AT_ONCE
    assert mark(visits(*own, knows=2), 5) == [*range(3 * PERSONS_AT_ONCE)]


def test_what_a_group_has_does_not_count_for_the_next_one() -> None:
    """The groups use the same cells; the smaller group comes first, also if it is left out."""
    own = ((0,), (0,), (0,), (1,), (0,), (0,), (1,), (1,))
    assert mark(World((0, 0, 0, 0, 1, 1, 1, 1), (own,), (1,)), 2) == [0, 1, 2, 4, 5, 6, 7]
    assert mark(World((0, 0, 0, 0, 1, 1, 1, 1), (own,), (1,)), 3) == [0, 1, 2]
    assert mark(World((0, 0, 1, 1, 1), (own[:5],), (1,)), 3) == []


def test_a_group_of_fewer_than_k_persons_is_left_out_with_or_without_records() -> None:
    assert mark(visits((), (), ()), 3) == [0, 1, 2]
    assert mark(visits((), (), ()), 4) == []
    assert mark(visits((), (0,), (0,), ()), 3) == []
    assert mark(visits((), (0,), (0,), (0,)), 3) == [0, 1, 2, 3]


def test_who_is_left_out_makes_others_rare_one_after_the_other() -> None:
    """Each shares a record with the next person: only one end of the chain is rare at first."""
    own = [(0,), *((one, one + 1) for one in range(6)), (6,), (6,), (6,)]
    chain = [tuple(one) for one in own]
    assert mark(visits(*chain), 2) == [*range(10)]
    assert mark(visits(*chain[1:]), 2) == [6, 7, 8]
    assert mark(visits(*chain[:0:-1]), 2) == [0, 1, 2]


def test_two_numbers_of_records_are_counted_together() -> None:
    """Whoever has one visit is known by it; whoever has two, by both."""
    own = ((0,), (0, 1), (0, 1), (1, 1), (1, 1), (2, 0))
    assert mark(visits(*own, knows=2), 2) == [0, 1, 2, 3, 4]
    assert mark(visits(*own, knows=2), 3) == []


def test_counting_leaves_out_one_person_more_than_allowed() -> None:
    linked = visits(*((one,) for one in range(9))).linked()
    for allowed in range(9):
        assert linked.mark_released((0, 0), 2, allowed).sum() == 8 - allowed
    linked = visits((0,), (0,), (0,)).linked()
    for allowed in range(3):
        assert linked.mark_released((0, 0), 4, allowed).sum() == 2 - allowed


@given(worlds(most_persons=30), st.integers(2, 4), LEVELS)
def test_the_order_of_persons_does_not_matter(world: World, k: int, level: int) -> None:
    turned = replace(
        world,
        persons=world.persons[::-1],
        records=tuple(own[::-1] for own in world.records),
    )
    vector = (level, level)
    found = world.linked().mark_released(vector, k)
    assert (turned.linked().mark_released(vector, k)[::-1] == found).all()
