"""LinkedTables: persons, their records in other tables, and who can be released at a vector.

The promise *(k, m)*: for everything that an attacker may know of a released person, the values in
the person table and up to *m* records of each other table, at least k released persons have it.
Their greatest number is counted here (docs/records.md).
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import (
    LARGEST_COMBINATION,
    combine_for_each,
    drop_unsupported,
    number_multisets,
    sort_records,
)
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

KnownRecords = int | Literal["all"]
"""How many records of a person an attacker may know; ``"all"``: all, and how many there are."""
BYTES_OF_COMBINATION = 72
"""The memory of one combination of records while it is counted, besides its codes."""
BYTES_OF_CODE = 12
"""The memory of one code of a combination."""
BYTES_OF_PAIR = 48
"""The memory of a combination's pair with the value of one protected column."""


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
    """

    name: str
    frequency: FrequencyList
    sequence_of: Codes
    starts: Counts
    knows: KnownRecords = 1
    within: bool = False

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
        if not self.frequency.hierarchies:
            return np.zeros(len(self.sequence_of), dtype=np.int32)
        every = range(len(self.frequency.hierarchies))
        return self.frequency.class_of(vector, every)[self.sequence_of]

    def count_rows(self, persons: Flags) -> Counts:
        """Count the rows of some persons by their sequence."""
        own = self.sequence_of[np.repeat(persons, self.sizes)]
        return np.bincount(own, minlength=len(self.frequency))


_NumberedTable = tuple[CodedTable, Codes, int]
"""A table, the numbers of its rows, and how many different ones there are."""


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

    def mark_released(self, vector: Vector, k: int) -> Flags:
        """Mark the greatest set of persons that satisfies the promise by itself at a vector."""
        kept = self.mark_among(vector, k, np.ones(self.rows, dtype=np.bool_), 1)
        return self.mark_among(vector, k, kept) if self.knows_several else kept

    def mark_among(
        self, vector: Vector, k: int, among: Flags, most: int = LARGEST_COMBINATION
    ) -> Flags:
        """Mark the greatest set of some persons that satisfies the promise by itself at a vector.

        ``most``: a lower number of records that an attacker may know of each table; more persons
        satisfy a lower one, so those who satisfy a higher one are among them.
        """
        kept = among.copy()
        if not kept.any():
            return kept
        person_of, chosen, support, own = self._list_known(vector, kept, most)
        pairs = [_pair_values(values, person_of, chosen, own) for values, _ in self.distinct]
        least = np.array([needed for _, needed in self.distinct], dtype=np.int64)
        persons = (person_of, chosen, support)
        drop_unsupported(
            *persons, *_stack_pairs(pairs, least, chosen, len(support)), least, kept, k
        )
        return kept

    def mark_alike(self, vector: Vector, released: Flags, values: Codes) -> Flags:
        """Mark the persons whose value follows from something that may be known of them.

        That is, all who share it have the same value of a column of the person table.
        """
        person_of, chosen, _, own = self._list_known(vector, released, LARGEST_COMBINATION)
        distinct = _pair_values(values, person_of, chosen, own)[2]
        alike = np.zeros(self.rows, dtype=np.bool_)
        first = np.flatnonzero(chosen < own)
        alike[person_of[first[distinct[chosen[first]] == 1]]] = True
        return alike

    def _list_known(
        self, vector: Vector, kept: Flags, most: int
    ) -> tuple[Codes, Codes, Counts, int]:
        """List everything that may be known of each person who is kept.

        Returns: the person and the number of each thing; how many persons share each number; and
        how many numbers are of what is known together with the row of the person table.
        """
        known, tables = self._number_known(vector, most)
        persons, numbers, taken, together_taken = [], [], 0, 0
        for place, together in enumerate(self._divide_linked(tables)):
            limits = [min(int(table.knows), most) for table, _, _ in together]
            own = np.zeros_like(known) if place else known
            for person_of, number in _choose(kept, own, together, limits):
                persons.append(person_of)
                numbers.append(number + np.int32(taken))
                taken += int(number.max(initial=-1)) + 1
            together_taken = together_taken if place else taken
        chosen = np.concatenate(numbers)
        support = np.bincount(chosen, minlength=taken).astype(np.int64)
        return np.concatenate(persons), chosen, support, together_taken

    def estimate_combinations(self) -> int:
        """Bound the number of combinations of records that counting one vector lists."""
        counted = [(one, one.sequence_of, 0) for one in self.records if one.knows != "all"]
        found = 0
        for together in self._divide_linked(counted):
            owned = [table.sizes for table, _, _ in together]
            for sizes in _list_sizes(owned, [int(table.knows) for table, _, _ in together]):
                ways = math.prod(map(_choose_from, owned, sizes), start=np.ones(self.rows))
                found += int(ways.sum())
        return found

    @property
    def bytes_of_combination(self) -> int:
        """The memory of one combination while a vector is counted."""
        most = sum(int(table.knows) for table in self.records if table.knows != "all")
        return (
            BYTES_OF_COMBINATION + BYTES_OF_CODE * (1 + most) + BYTES_OF_PAIR * len(self.distinct)
        )

    def _divide_linked(self, tables: Sequence[_NumberedTable]) -> Iterator[list[_NumberedTable]]:
        """Yield the tables whose rows of a person are linked: first with the person's own row."""
        yield [one for one in tables if one[0].within or not self.apart]
        if self.apart:
            yield from ([one] for one in tables if not one[0].within)

    def _number_known(self, vector: Vector, most: int) -> tuple[Codes, list[_NumberedTable]]:
        """Number what is known of each person for certain, and the records of the other tables.

        That is the row of the person table, and all records of tables with ``knows = "all"``.
        Returns: these numbers; the tables whose records may be known, with the numbers of their
        records, sorted if several may be known, and how many different ones there are.
        """
        own, *levels = self.divide(vector)
        whole, tables = [self.persons.number_rows(own)], []
        for table, here in zip(self.records, levels, strict=True):
            rows = table.number_rows(here)
            size = int(rows.max(initial=0)) + 1
            if table.knows == "all":
                ordered = sort_records(table.starts, rows)
                whole.append(number_multisets(table.starts, ordered, size))
            elif table.knows:
                several = min(table.knows, most) > 1
                ordered = sort_records(table.starts, rows) if several else rows
                tables.append((table, ordered, size))
        sizes = [int(one.max(initial=0)) + 1 for one in whole]
        ones = np.ones(self.rows, dtype=np.int64)
        return group_equal(np.stack(whole), sizes, ones)[0], tables


def _choose(
    kept: Flags,
    known: Codes,
    tables: Sequence[_NumberedTable],
    limits: Sequence[int],
) -> Iterator[tuple[Codes, Codes]]:
    """List everything that may be known of each person who is kept, numbered, equal things alike.

    An attacker who knows less than another has more candidates. So only combinations of as many
    records as somebody has, up to the limits, are listed: for each such number of records, the
    person of each combination, and the number of the combination from 0 on.
    """
    owned = [table.sizes[kept] for table, _, _ in tables]
    for sizes in _list_sizes(owned, limits):
        person_of, lines, widths = None, [], [int(known.max(initial=0)) + 1]
        for (table, codes, size), chosen in zip(tables, sizes, strict=True):
            if chosen:
                own, combined = combine_for_each(table.starts, codes, size, chosen, kept)
                if person_of is None:
                    person_of, lines = own, [*combined]
                else:
                    left, right = _pair(person_of, own, len(kept))
                    person_of = person_of[left]
                    lines = [line[left] for line in lines] + [line[right] for line in combined]
                widths += [size] * chosen
        person_of = np.flatnonzero(kept).astype(np.int32) if person_of is None else person_of
        ones = np.ones(len(person_of), dtype=np.int64)
        yield person_of, group_equal(np.stack([known[person_of], *lines]), widths, ones)[0]


def _pair_values(
    values: Codes, person_of: Codes, chosen: Codes, own: int
) -> tuple[Codes, Counts, Counts]:
    """Number the pairs of something known and a value of those of whom it is known.

    Returns: the pair of each entry, of those numbered below `own`; how many persons have each
    pair; and how many different values go with each number.
    """
    first = np.flatnonzero(chosen < own)
    lines = np.stack([chosen[first], values[person_of[first]]])
    sizes = [own, int(values.max(initial=0)) + 1]
    pair_of, at, totals = group_equal(lines, sizes, np.ones(len(first), dtype=np.int64))
    distinct = np.bincount(lines[0][at], minlength=own).astype(np.int64)
    return pair_of, totals, distinct


def _stack_pairs(
    pairs: Sequence[tuple[Codes, Counts, Counts]], least: Counts, chosen: Codes, numbers: int
) -> tuple[Codes, Counts, Counts]:
    """Stack the pairs of several columns; what is not known with the person's row has none."""
    longest = max((len(totals) for _, totals, _ in pairs), default=0)
    pair_of = np.full((len(pairs), len(chosen)), -1, dtype=np.int32)
    totals = np.zeros((len(pairs), longest), dtype=np.int64)
    distinct = np.repeat(least[:, None], numbers, axis=1)
    for place, (own, several, different) in enumerate(pairs):
        pair_of[place, : len(own)] = own
        totals[place, : len(several)] = several
        distinct[place, : len(different)] = different
    return pair_of, totals, distinct


def _list_sizes(owned: Sequence[Counts], limits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield how many records of each table somebody shows to an attacker who knows the most."""
    if not owned:
        yield ()
        return
    lines = [np.minimum(own, limit) for own, limit in zip(owned, limits, strict=True)]
    shown, ones = np.stack(lines).astype(np.int32), np.ones(len(lines[0]), dtype=np.int64)
    first = group_equal(shown, [limit + 1 for limit in limits], ones)[1]
    for sizes in shown[:, first].T.tolist():
        yield tuple(sizes)


def _pair(left: Codes, right: Codes, persons: int) -> tuple[Counts, Counts]:
    """Pair the entries of each person in two lists that are in the order of persons."""
    owned = np.bincount(right, minlength=persons)
    many, first = owned[left], (np.cumsum(owned) - owned)[left]
    paired = np.repeat(np.arange(len(left)), many)
    within = np.arange(len(paired)) - np.repeat(np.cumsum(many) - many, many)
    return paired, first[paired] + within


def _choose_from(owned: Counts, size: int) -> Reals:
    """Return in how many ways so many records of each person can be chosen."""
    ways = np.ones(len(owned))
    for step in range(size):
        ways *= np.maximum(owned - step, 0) / (step + 1)
    return ways
