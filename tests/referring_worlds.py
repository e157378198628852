"""Tiny worlds of persons whose records refer to others, and what is known of them, by force."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st
from tests.linked_worlds import code_table

from lookalike.model.linked import LinkedTables
from lookalike.model.requirement import KnownRecords
from lookalike.tables.connection import Connection
from lookalike.verify.linked_rows import LinkedRows
from lookalike.verify.records import LinkedPromise

Referring = tuple[int | None, int]
"""The admission to which a record belongs, if to any, and the value of the record."""
Known = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""The admissions that are known, and the records of each table that refers to them."""


@dataclass(frozen=True)
class Person:
    """A person with a value, the values of admissions, and tables of records that refer to them."""

    value: int
    admissions: tuple[int, ...]
    tables: tuple[tuple[Referring, ...], ...]


@dataclass(frozen=True)
class World:
    """Persons, and what may be known of their admissions and of the records of each table."""

    persons: tuple[Person, ...]
    admissions: KnownRecords
    knows: tuple[int, ...]

    def linked(self) -> LinkedTables:
        """Return the tables as the search has them."""
        numbers, at = [], 0
        for one in self.persons:
            numbers.append([at + place for place in range(len(one.admissions))])
            at += len(one.admissions)
        tables = [
            code_table(
                "admissions",
                [one.admissions for one in self.persons],
                self.admissions,
                keys=np.arange(at),
            )
        ]
        for place, knows in enumerate(self.knows):
            own = [one.tables[place] for one in self.persons]
            keys = [
                -1 if of is None else known[of]
                for records, known in zip(own, numbers, strict=True)
                for of, _ in records
            ]
            values = [[value for _, value in records] for records in own]
            refers = {"keys": np.array(keys, dtype=np.int64), "refers": "admissions"}
            tables.append(code_table(f"t{place}", values, knows, **refers))
        persons = code_table("", [(one.value,) for one in self.persons], 1)
        return LinkedTables(persons, tuple(tables))

    def promise(self, connection: Connection, k: int) -> LinkedPromise:
        """Return the promise about this world as tables of DuckDB."""

        def relation(rows: Sequence[tuple[int, str | None, int]]) -> pa.Table:
            who, key, values = zip(*rows, strict=True) if rows else ((), (), ())
            columns = {
                "who": pa.array(who, pa.int64()),
                "key": pa.array(key, pa.string()),
                "value": pa.array(values, pa.int64()),
            }
            return connection.duckdb.from_arrow(pa.table(columns))

        everybody = list(enumerate(self.persons))
        persons = relation([(who, None, one.value) for who, one in everybody])
        stays = [(who, f"{n}", v) for who, one in everybody for n, v in enumerate(one.admissions)]
        columns = ("value",)
        tables = [
            LinkedRows("admissions", relation(stays), "who", columns, self.admissions, key="key")
        ]
        for place, knows in enumerate(self.knows):
            rows = [
                (who, None if of is None else f"{of}", value)
                for who, one in everybody
                for of, value in one.tables[place]
            ]
            refers = ("key", "admissions")
            tables.append(
                LinkedRows(f"t{place}", relation(rows), "who", columns, knows, refers=refers)
            )
        own = LinkedRows("persons", persons.project("who, value"), "who", columns)
        return LinkedPromise(k, own, tuple(tables))

    def list_supporters(self) -> list[list[set[int]]]:
        """List, for each person, who fits each thing that may be known of them."""
        persons = [*map(_separate, self.persons)] if self.admissions == 0 else self.persons
        return [
            [
                {place for place, other in enumerate(persons) if self._fits(other, one, known)}
                for known in self._list_known(one)
            ]
            for one in persons
        ]

    def _list_known(self, one: Person) -> Iterator[Known]:
        own = range(len(one.admissions))
        every = self.admissions == "all"
        admissions = [tuple(own)] if every else _choose(own, int(self.admissions))
        records = [
            _choose(range(len(table)), most)
            for table, most in zip(one.tables, self.knows, strict=True)
        ]
        yield from itertools.product(admissions, itertools.product(*records))

    def _fits(self, other: Person, one: Person, known: Known) -> bool:
        """Return whether another person has admissions and records as those that are known."""
        admissions, records = known
        if other.value != one.value:
            return False
        if self.admissions == "all" and sorted(other.admissions) != sorted(one.admissions):
            return False
        of = [[one.tables[place][record][0] for record in own] for place, own in enumerate(records)]
        touched = sorted({*admissions, *(n for own in of for n in own if n is not None)})
        for images in itertools.permutations(range(len(other.admissions)), len(touched)):
            image = dict(zip(touched, images, strict=True))
            if self.admissions and any(
                one.admissions[n] != other.admissions[image[n]] for n in touched
            ):
                continue
            if all(
                self._find_records(one.tables[place], own, other.tables[place], image)
                for place, own in enumerate(records)
            ):
                return True
        return False

    def _find_records(
        self,
        table: Sequence[Referring],
        known: Sequence[int],
        others: Sequence[Referring],
        image: dict[int, int],
    ) -> bool:
        wanted = [(None if table[n][0] is None else image[table[n][0]], table[n][1]) for n in known]
        return any(
            [others[n] for n in some] == wanted
            for some in itertools.permutations(range(len(others)), len(wanted))
        )


def _separate(person: Person) -> Person:
    """Return a person each of whose records belongs to an admission, if need be to one of its own.

    If nothing of admissions is known, it is not known either whether a record belongs to one.
    """
    stays, tables = list(person.admissions), []
    for table in person.tables:
        tables.append(())
        for of, value in table:
            stays += [0] if of is None else []
            tables[-1] += ((len(stays) - 1 if of is None else of, value),)
    return Person(person.value, tuple(stays), tuple(tables))


def _choose(own: Sequence[int], most: int) -> list[tuple[int, ...]]:
    return [some for size in range(most + 1) for some in itertools.combinations(own, size)]


def find_greatest(supporters: list[list[set[int]]], k: int) -> set[int]:
    """Return the greatest set of persons of whom whatever is known fits k of them, of all sets."""
    persons = range(len(supporters))
    for size in range(len(persons), 0, -1):
        for some in map(set, itertools.combinations(persons, size)):
            if all(len(fits & some) >= k for one in some for fits in supporters[one]):
                return some
    return set()


@st.composite
def worlds(draw: st.DrawFn, tables: int = 1) -> World:
    """Invent two to five persons with few admissions, and few records that belong to them."""
    value, persons = st.integers(0, 1), []
    for _ in range(draw(st.integers(2, 5))):
        stays = draw(st.lists(value, max_size=3))
        of = st.sampled_from([*range(len(stays)), None])
        records = st.lists(st.tuples(of, value), max_size=3).map(tuple)
        own = draw(st.tuples(*[records] * tables))
        persons.append(Person(draw(st.sampled_from([0, 0, 1])), tuple(stays), own))
    knows = draw(st.tuples(*[st.integers(0, 4 - tables)] * tables))
    admissions: KnownRecords = draw(st.sampled_from([0, 1, 2, 3, "all"]))
    # the most persons have a twin, so that something remains of most worlds
    persons += [draw(st.sampled_from(persons)) for _ in range(draw(st.integers(0, 2)))]
    return World(tuple(persons), admissions, knows)
