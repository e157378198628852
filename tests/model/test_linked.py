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

from lookalike.kernels import linked_records
from lookalike.kernels.linked_records import MOST_INSERTED, sort_records
from lookalike.model import coded_rows, combinations
from lookalike.model.linked import LinkedTables
from lookalike.model.requirement import KnownRecords

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
    vector = (level,) * 3
    marks = [
        mark(replace(world, knows=tuple(limit(one, most) for one in world.knows)), vector, 2)
        for most in (1, 2, 3)
    ]
    assert all(few >= many for few, many in itertools.pairwise(marks))


def limit(knows: KnownRecords, most: int) -> KnownRecords:
    """Return how many records are known if no more than so many are."""
    return knows if knows == "all" else min(knows, most)


@given(worlds(most_persons=30, tables=2), st.integers(2, 4), st.sampled_from([1, 3]))
def test_parts_that_fit_in_memory_release_the_same_persons(
    world: World, k: int, entries: int
) -> None:
    """Listed; with a hash table; with parts that find no room and are divided; and planned ones."""
    linked, vector = world.linked(), (1, 1, 2)
    whole = linked.mark_released(vector, k)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(combinations, "COUNTED_CELLS", 0)
        assert (linked.mark_released(vector, k) == whole).all()
        patched.setattr(coded_rows, "DIRECT_CELLS", 0)
        assert (linked.mark_released(vector, k) == whole).all()
        small = replace(linked, memory=2 * 64 * 80)
        assert (small.mark_released(vector, k) == whole).all()
        patched.setattr(combinations, "ENTRIES_OF_PART", entries)
        assert (linked.mark_released(vector, k) == whole).all()


def test_many_combinations_are_counted_in_divided_parts_with_a_hash_table() -> None:
    random = np.random.default_rng(7)
    own = [tuple(random.choice(4, 4, p=[0.5, 0.3, 0.15, 0.05]).tolist()) for _ in range(200)]
    persons = tuple(random.choice(4, 200).tolist())
    linked = World(persons, (tuple(own),), (3,)).linked()
    whole = linked.mark_released((0, 0), 5)
    assert 0 < whole.sum() < 200
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(combinations, "COUNTED_CELLS", 0)
        patched.setattr(coded_rows, "DIRECT_CELLS", 0)
        small = replace(linked, memory=2 * 64 * 250)
        assert (small.mark_released((0, 0), 5) == whole).all()


@given(worlds(most_persons=20), st.integers(2, 4), st.integers(0, 20), LEVELS)
def test_counting_stops_when_more_persons_are_left_out_than_allowed(
    world: World, k: int, allowed: int, level: int
) -> None:
    linked, vector = world.linked(), (level, level)
    whole, found = linked.mark_released(vector, k), linked.mark_released(vector, k, allowed)
    gone = len(world.persons) - int(whole.sum())
    assert (found >= whole).all()
    assert gone <= allowed or len(world.persons) - int(found.sum()) == allowed + 1
    assert gone > allowed or (found == whole).all()


def test_different_records_have_different_numbers_in_a_nearly_full_hash_table() -> None:
    codes, one = np.arange(90, dtype=np.int32), np.zeros(1, dtype=np.int32)
    none, no_flag, flag = np.empty(0, dtype=np.int64), np.zeros(1, np.bool_), np.ones(1, np.bool_)
    starts, part = np.array([[0, 90]]), np.zeros(4, dtype=np.int64)
    records = (one, starts, codes, none, no_flag, one, flag, part)
    lines = np.empty((0, 94), dtype=np.int32)
    _, known, support = linked_records.list_known(*records, 94, 0, lines)
    assert len({*known.tolist()}) == 90
    assert support[known].tolist() == [1] * 90


@pytest.mark.parametrize("most", [1, 2, 3, 5, 6, 95, 96, combinations.MOST_NUMBERED])
def test_a_hash_table_has_room_and_its_cells_have_numbers_of_31_bits(most: int) -> None:
    cells = linked_records.count_cells(most)
    assert most < 3 * cells / 4 <= 2 * max(most, 1) + 1
    assert cells <= 2**31


def test_records_are_sorted_within_each_person_few_or_many() -> None:
    sizes = [0, 1, 5, MOST_INSERTED, MOST_INSERTED + 1, 90]
    codes = np.random.default_rng(5).integers(0, 20, sum(sizes)).astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    by_hand = [np.sort(own) for own in np.split(codes, starts[1:-1])]
    assert sort_records(starts, codes, 90)[1].tolist() == np.concatenate(by_hand).tolist()
    begins, kept = sort_records(starts, codes, 2)
    for place, own in enumerate(by_hand):
        few = [one for at, one in enumerate(own) if at < 2 or own[at - 2] != one]
        assert kept[begins[place] : begins[place + 1]].tolist() == few


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


@pytest.mark.parametrize(("knows", "combinations"), [(1, 40), (2, 28), (3, 220)])
def test_the_number_of_combinations_is_known_before_they_are_listed(
    knows: int, combinations: int
) -> None:
    """Of more than `knows` equal records, only so many can be known."""
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
