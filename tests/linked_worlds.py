"""Invented persons with records, and all that an attacker may know of them, by brute force."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from lookalike.hierarchy import Intervals
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.linked import CodedTable, LinkedTables
from lookalike.model.requirement import KnownRecords

AGES = Intervals(widths=(2, 4), origin=0)
"""0, 1, 2, 3 become 0-1 and 2-3, then one."""
HEIGHT = 3
Known = tuple[Any, ...]
"""What an attacker knows of a person: their row, and some records of each table, sorted."""


@dataclass(frozen=True)
class World:
    """Persons with one number each, and their records in tables: numbers, too."""

    persons: tuple[int, ...]
    records: tuple[tuple[tuple[int, ...], ...], ...]
    knows: tuple[KnownRecords, ...]
    apart: bool = False

    def linked(self) -> LinkedTables:
        """Return the tables as the search has them."""
        tables = [
            code_table(f"r{number}", own, knows)
            for number, (own, knows) in enumerate(zip(self.records, self.knows, strict=True))
        ]
        persons = code_table("", [(one,) for one in self.persons], 1)
        return LinkedTables(persons, tuple(tables), self.apart)

    def at(self, vector: Sequence[int]) -> "World":
        """Return the world as a release at a vector shows it."""
        records = tuple(
            tuple(tuple(_show(one, level) for one in own) for own in table)
            for table, level in zip(self.records, vector[1:], strict=True)
        )
        persons = tuple(_show(one, vector[0]) for one in self.persons)
        return World(persons, records, self.knows, self.apart)


def _show(value: int, level: int) -> int:
    return value // (1, 2, 4, 4)[level]


def code_table(
    name: str, rows: Sequence[Sequence[int]], knows: KnownRecords, **references: Any
) -> CodedTable:
    """Return a table of numbers as the search has it."""
    values = [one for own in rows for one in own]
    texts = sorted({str(one) for one in values})
    bound = AGES.bind("value", texts, "*")
    positions = np.array([[texts.index(str(one)) for one in values]], dtype=np.int32)
    starts = np.concatenate([[0], np.cumsum([len(own) for own in rows])]).astype(np.int64)
    sequence_of, frequency = list_frequencies(
        [bound], positions.reshape(1, len(values)), np.ones(len(values), dtype=np.int64)
    )
    return CodedTable(name, frequency, sequence_of, starts, knows, **references)


def without_attributes(persons: int) -> CodedTable:
    """Return a person table that shows nothing of the persons."""
    nothing = FrequencyList((), (), np.empty((0, 1), dtype=np.int32), np.array([persons]))
    own = np.zeros(persons, dtype=np.int32)
    return CodedTable("", nothing, own, np.arange(persons + 1, dtype=np.int64))


def list_known(world: World, person: int) -> set[Known]:
    """List everything that an attacker may know of a person, also less than the most.

    Without a link, that is the row of the person, or a single record, each by itself.
    """
    if world.apart:
        nothing = [()] * len(world.records)
        alone = [
            (None, *nothing[:place], (one,), *nothing[place + 1 :])
            for place, (table, knows) in enumerate(zip(world.records, world.knows, strict=True))
            for one in (table[person] if knows else ())
        ]
        return {(world.persons[person], *nothing), *alone}
    parts = []
    for table, knows in zip(world.records, world.knows, strict=True):
        own = sorted(table[person])
        if knows == "all":
            parts.append({("all", *own)})
            continue
        sizes = range(min(knows, len(own)) + 1)
        parts.append({some for size in sizes for some in itertools.combinations(own, size)})
    return {(world.persons[person], *some) for some in itertools.product(*parts)}


def has(world: World, person: int, known: Known) -> bool:
    """Return whether what is known fits a person."""
    if known[0] not in (None, world.persons[person]):
        return False
    for table, some in zip(world.records, known[1:], strict=True):
        own = Counter(table[person])
        if some[:1] == ("all",):
            if own != Counter(some[1:]):
                return False
        elif Counter(some) - own:
            return False
    return True


def find_least_support(world: World, persons: Sequence[int]) -> int:
    """Return how many of some persons fit what is known at worst of one of them."""
    return min(
        (
            sum(has(world, other, known) for other in persons)
            for person in persons
            for known in list_known(world, person)
        ),
        default=0,
    )


def find_greatest_release(world: World, k: int, values: Sequence[int] = ()) -> set[int]:
    """Return the greatest set of persons that keeps the promise, of all sets.

    ``values``: a value of each person, of which those who share something must have two.
    """
    persons = range(len(world.persons))
    for size in range(len(persons), 0, -1):
        for some in itertools.combinations(persons, size):
            kept = find_least_support(world, some) >= k
            if kept and (not values or find_fewest_values(world, some, values) >= 2):
                return {*some}
    return set()


def find_fewest_values(world: World, persons: Sequence[int], values: Sequence[int]) -> int:
    """Return how many values those of some persons have who fit what is known, at worst."""
    return min(
        len({values[other] for other in persons if has(world, other, known)})
        for person in persons
        for known in list_known(world, person)
    )


def worlds(
    most_persons: int = 7, tables: int = 1, *, apart: bool = False
) -> st.SearchStrategy[World]:
    """Invent worlds."""
    number = st.integers(0, 3)
    knows: st.SearchStrategy[KnownRecords] = st.sampled_from(
        [0, 1] if apart else [0, 1, 2, 3, "all"]
    )
    own = st.lists(number, max_size=4).map(tuple)

    def of(size: int) -> st.SearchStrategy[World]:
        table = st.tuples(*[own] * size)
        return st.builds(
            World,
            st.tuples(*[st.integers(0, 1)] * size),
            st.tuples(*[table] * tables),
            st.tuples(*[knows] * tables),
            st.just(apart),
        )

    return st.integers(2, most_persons).flatmap(of)
