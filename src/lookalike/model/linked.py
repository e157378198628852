"""LinkedTables: persons, their records in other tables, and who can be released at a vector.

The promise *(k, m)*: for everything that an attacker may know of a released person, the values in
the person table and up to *m* records of each other table, at least k released persons have it.
Their greatest number is counted here (docs/records.md).
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import LARGEST_COMBINATION, number_multisets, sort_records
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.coded_rows import CodedRows, ShownRows
from lookalike.model.combinations import (
    NO_LIMIT,
    divide_counted,
    divide_listed,
    drop_rare,
    list_parts,
    list_with_records,
)
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.requirement import KnownRecords


@dataclass(frozen=True, eq=False)
class CodedTable(Discreet):
    """One table of several whose rows belong to the same persons.

    Parameters
    ----------
    name
        Its name; empty for the person table.
    frequency
        The frequency list of its rows.
    sequence_of
        The sequence of each row; rows are in the order of their persons.
    starts
        Where the rows of each person begin, and where those of the last one end.
    knows
        How many rows of a person an attacker may know.
    within
        Whether its rows are the items of a set in a column of the person table.
    refers
        The table of records to which its rows refer.
    keys
        The key of each row, or the one to which it refers, -1 for none; None without references.
    """

    name: str
    frequency: FrequencyList
    sequence_of: Codes
    starts: Counts
    knows: KnownRecords = 1
    within: bool = False
    refers: str | None = None
    keys: Counts | None = None

    @property
    def own_keys(self) -> Counts:
        """The key of each row; -1 without references."""
        return np.full(len(self.sequence_of), -1) if self.keys is None else self.keys

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of its attributes, with the name of the table before those of records."""
        prefix = f"{self.name}." if self.name and not self.within else ""
        return tuple(prefix + name for name in self.frequency.attributes)

    @cached_property
    def sizes(self) -> Counts:
        """The number of rows of each person."""
        return np.diff(self.starts)

    def number_rows(self, vector: Vector) -> Codes:
        """Number the rows 0, 1, … by what they show at a vector, equal rows alike."""
        return self.show_rows(vector).codes

    def show_rows(self, vector: Vector) -> ShownRows:
        """Return what the rows show at a vector."""
        every = range(len(self.frequency.hierarchies))
        code_of = self.frequency.class_of(vector, every) if every else np.zeros(1, dtype=np.int32)
        return ShownRows(self.starts, self.sequence_of, code_of)

    def show(self, rows: Flags) -> "CodedTable":
        """Return the table with some of its rows."""
        starts = np.concatenate([[0], np.cumsum(rows)])[self.starts]
        keys = None if self.keys is None else self.keys[rows]
        return replace(self, sequence_of=self.sequence_of[rows], starts=starts, keys=keys)

    def count_rows(self, persons: Flags) -> Counts:
        """Count the rows of some persons by their sequence."""
        if persons.all() and len(self.sequence_of) == self.frequency.rows:
            return self.frequency.counts
        own = self.sequence_of[np.repeat(persons, self.sizes)]
        return np.bincount(own, minlength=len(self.frequency))


_ShownTable = tuple[CodedTable, ShownRows]
"""A table, and what its rows show at a vector."""


@dataclass(frozen=True, eq=False)
class LinkedTables(Discreet):
    """The person table, and the tables with records of these persons.

    ``persons``: one row a person, without attributes if there is no such table.
    ``apart``: whether nothing in the release links the rows of a person in different tables, and in
    a table of records. What an attacker knows are then single rows, each by itself.
    ``distinct``: for each protected column of the person table, the value of each person, and how
    many different values the persons who share what may be known of a person must have.
    """

    persons: CodedTable
    records: tuple[CodedTable, ...]
    apart: bool = False
    distinct: tuple[tuple[Codes, int], ...] = ()
    memory: int = NO_LIMIT

    @property
    def tables(self) -> tuple[CodedTable, ...]:
        """All tables, the person table first."""
        return (self.persons, *self.records)

    @property
    def rows(self) -> int:
        """The number of persons."""
        return len(self.persons.starts) - 1

    @cached_property
    def hierarchies(self) -> tuple[BoundHierarchy, ...]:
        """The hierarchies of the attributes of all tables."""
        return tuple(one for table in self.tables for one in table.frequency.hierarchies)

    @property
    def heights(self) -> Vector:
        """The height of each of them."""
        return tuple(one.height for one in self.hierarchies)

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes of all tables."""
        return tuple(name for table in self.tables for name in table.attributes)

    def divide(self, vector: Sequence[int]) -> list[Vector]:
        """Divide a vector into those of the tables."""
        levels = iter(vector)
        widths = [len(table.frequency.hierarchies) for table in self.tables]
        return [tuple(itertools.islice(levels, width)) for width in widths]

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows with each code of an attribute at a level."""
        for table in self.tables:
            if attribute < len(table.frequency.hierarchies):
                return table.frequency.code_rows(attribute, level)
            attribute -= len(table.frequency.hierarchies)
        raise IndexError(attribute)

    @property
    def knows_several(self) -> bool:
        """Whether more than one record of a table may be known, but not all."""
        return any(one.knows not in (0, 1, "all") for one in self.records)

    def mark_released(self, vector: Vector, k: int, enough: int = NO_LIMIT) -> Flags:
        """Mark the greatest set of persons that satisfies the promise by itself at a vector.

        More persons are marked if more than `enough` must be left out: no more are looked for then.
        """
        kept = np.ones(self.rows, dtype=np.bool_)
        # more persons satisfy a lower number of records, or k alone, which takes less to count
        numbers = (1, LARGEST_COMBINATION) if self.knows_several else (1,)
        conditions = ((), self.distinct) if self.distinct else ((),)
        for most, distinct in itertools.product(numbers, conditions):
            left = enough - (self.rows - int(kept.sum()))
            if left < 0 or not kept.any():
                break
            known = self._list_known(vector, most)
            parts = [(divide_listed if distinct else divide_counted)(one, kept) for one in known]
            every = itertools.chain.from_iterable(parts)
            drop_rare(every, kept, k, distinct, self.memory, left)
        return kept

    def mark_alike(self, vector: Vector, released: Flags, values: Codes) -> Flags:
        """Mark the persons whose value follows from something that may be known of them.

        That is, all who share it have the same value of a column of the person table.
        """
        alike = np.zeros(self.rows, dtype=np.bool_)
        if not released.any():
            return alike
        known = self._list_known(vector, LARGEST_COMBINATION)
        parts = [
            part for rows in known if rows.with_person for part in divide_listed(rows, released)
        ]
        for listed in list_parts(parts, released, self.memory, [values]):
            alike[listed.person_of[listed.distinct[0][listed.known] == 1]] = True
        return alike

    def count_alike(self, vector: Vector, kept: Flags) -> Counts:
        """Count for each person who is kept the others who share the rarest that may be known.

        The person counts, too; a person who is not kept has 0.
        """
        fewest = np.where(kept, self.rows, 0).astype(np.int64)
        if kept.any():
            known = self._list_known(vector, LARGEST_COMBINATION)
            parts = [part for rows in known for part in divide_listed(rows, kept)]
            for listed in list_parts(parts, kept, self.memory):
                np.minimum.at(fewest, listed.person_of, listed.support[listed.known])
        return fewest

    def show(self, rows: Sequence[Flags]) -> "LinkedTables":
        """Return the tables with some of the rows of each table of records."""
        shown = [one.show(own) for one, own in zip(self.records, rows, strict=True)]
        return replace(self, records=tuple(shown))

    def mark_rare(self, vector: Vector, k: int, kept: Flags) -> Flags:
        """Mark whose row, with all records of tables of which all are known, is rare."""
        known, _ = self._number_known(vector)
        return kept & (np.bincount(known[kept], minlength=int(known.max()) + 1)[known] < k)

    def list_rare(
        self, vector: Vector, k: int, kept: Flags, most: int
    ) -> Iterator[tuple[Codes, Codes]]:
        """List what fewer than k of some linked persons share, of few records first.

        Yields: the person of each rare combination, and its records, one line a record: the number
        that a record has at the vector times the number of tables of records, plus that of its own.
        """
        if not kept.any():
            return
        [together, *_] = self._divide_linked(self._number_known(vector)[1])
        place_of = np.array([self.records.index(one) for one, _ in together], dtype=np.int32)
        known = self._list_known(vector, most)
        parts = [one for rows in known for one in divide_listed(rows, kept) if len(one.table_of)]
        parts.sort(key=lambda one: len(one.table_of))
        for listed, table_of in list_with_records(parts, kept, self.memory):
            rare = listed.support[listed.known] < k
            if rare.any():
                several, places = len(self.records), place_of[table_of][:, np.newaxis]
                yield listed.person_of[rare], listed.records[:, rare] * several + places

    def estimate_combinations(self) -> int:
        """Bound the number of combinations of records that counting one vector lists.

        There are no more than at the bottom, where the fewest records look alike.
        """
        every, bottom = np.ones(self.rows, dtype=np.bool_), (0,) * len(self.heights)
        known = self._list_known(bottom, LARGEST_COMBINATION)
        return sum(part.bound for rows in known for part in divide_listed(rows, every))

    def _list_known(self, vector: Vector, most: int) -> Iterator[CodedRows]:
        """List what may be known of persons at a vector, and the records that are combined.

        ``most``: a lower number of records that an attacker may know of each table.
        """
        known, tables = self._number_known(vector)
        for place, together in enumerate(self._divide_linked(tables)):
            limits = [min(int(table.knows), most) for table, _ in together]
            own = np.zeros_like(known) if place else known
            yield _join_tables(own, together, limits, with_person=not place)

    def _divide_linked(self, tables: Sequence[_ShownTable]) -> Iterator[list[_ShownTable]]:
        """Yield the tables whose rows of a person are linked: first with the person's own row.

        Tables to which others refer come last.
        """
        ordered = sorted(tables, key=lambda one: one[0].keys is not None and not one[0].refers)
        yield [one for one in ordered if one[0].within or not self.apart]
        if self.apart:
            yield from ([one] for one in ordered if not one[0].within)

    def _number_known(self, vector: Vector) -> tuple[Codes, list[_ShownTable]]:
        """Number what is known of each person for certain, and the records of the other tables.

        That is the row of the person table, and all records of tables with ``knows = "all"``.
        Whoever knows a record knows the one to which it refers, if anything of that may be known.
        """
        own, *levels = self.divide(vector)
        whole, tables = [self.persons.number_rows(own)], []
        plain = [one.show_rows(here) for one, here in zip(self.records, levels, strict=True)]
        targets = {
            table.name: _by_key(table, rows.codes)
            for table, rows in zip(self.records, plain, strict=True)
            if table.keys is not None and not table.refers and table.knows
        }
        for table, rows in zip(self.records, plain, strict=True):
            if table.knows == "all":
                _, ordered = sort_records(rows.starts, rows.codes, len(rows.sequence_of) + 1)
                whole.append(number_multisets(rows.starts, ordered, rows.kinds))
            elif table.knows:
                shown = targets.get(table.refers or "")
                joined = rows if shown is None else _join(rows, shown[table.own_keys])
                tables.append((table, joined))
        return _group(whole), tables


def _group(lines: Sequence[Codes]) -> Codes:
    """Number what several lines show together, equal things alike."""
    if len(lines) == 1:
        return lines[0]
    sizes = [int(one.max(initial=0)) + 1 for one in lines]
    return group_equal(np.stack(lines), sizes, np.ones(len(lines[0]), dtype=np.int64))[0]


def _join(rows: ShownRows, others: Codes) -> ShownRows:
    """Return rows that also show what other rows show."""
    return ShownRows.of(rows.starts, _group([rows.codes, others]))


def _by_key(table: CodedTable, rows: Codes) -> Codes:
    """Return what the row of each key shows, and at the end 0 for no key."""
    shown = np.zeros(int(table.own_keys.max(initial=-1)) + 2, dtype=np.int32)
    shown[table.own_keys] = rows + 1
    return shown


def _join_tables(
    own: Codes, tables: Sequence[_ShownTable], limits: Sequence[int], *, with_person: bool
) -> CodedRows:
    """Join the records of several tables; with their keys if that is known of several records."""
    refers = sum(limits) > 1 and any(table.refers for table, _ in tables)
    targets = [one.refers or one.name for one, _ in tables]
    shown, keys = [rows for _, rows in tables], [np.empty(0, dtype=np.int64)]
    for place, (table, rows) in enumerate(tables if refers else ()):
        order = np.lexsort((rows.codes, np.repeat(np.arange(len(own)), table.sizes)))
        shown[place] = replace(rows, sequence_of=rows.sequence_of[order])
        # keys of different tables differ
        other = table.own_keys[order] * np.int64(len(targets)) + targets.index(targets[place])
        keys.append(np.where(table.own_keys[order] < 0, -1, other))
    is_key = [refers and not one.refers and one.keys is not None for one, _ in tables]
    return CodedRows(
        own=own,
        tables=shown,
        limits=limits,
        keys=np.concatenate(keys),
        is_key=np.array(is_key, dtype=np.bool_),
        with_person=with_person,
    )
