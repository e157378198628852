"""Combinations of records that may be known of persons, counted in parts that fit in memory.

What is rare in one part is rare at all, because each part holds all persons who have a combination.
So a part alone can show that too many persons must be left out, and no table of combinations needs
more memory than there is.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.known_records import drop_counted
from lookalike.kernels.linked_records import PART_BITS, drop_unsupported, list_known
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.coded_rows import CodedRows

MOST_NUMBERED = 3 * 2**29 - 1
"""So many combinations of one part can be numbered: their cells have numbers of 31 bits."""
ENTRIES_OF_PART = 2**18
"""So many combinations are counted fastest together: their table stays near the processor."""
FIRST_PARTS = 256
"""Up to so many parts, each holds what begins with some records, and passes over the others."""
COUNTED_CELLS = 2**19
"""Up to so many combinations of persons who share the rest are counted, each in its own cell."""
LEAST_ROOM = 2**12
"""Combinations for which each part has room, however few it should have."""
NO_LIMIT = 2**62
BYTES_OF_COMBINATION = 64
"""The memory of one combination while its part is listed."""
BYTES_OF_PAIR = 112
"""The memory of a combination's pair with the value of one protected column."""


@dataclass(frozen=True, eq=False)
class KnownPart(Discreet):
    """Some of the combinations of so many records of each table, by their hashes."""

    rows: CodedRows
    table_of: Codes
    bound: int
    masks: tuple[int, int, int, int] = (0, 0, 0, 0)

    def list_kept(
        self, kept: Flags, most: int, values: Sequence[Codes], *, with_records: bool = False
    ) -> "Listing | None":
        """List the combinations of the persons who are kept; None if there is no room for them."""
        rows = self.rows
        own = values if rows.with_person else ()
        if not len(self.table_of) or not len(rows.own):
            begins = np.concatenate([[0], np.cumsum(kept)])
            support = np.bincount(rows.own[kept]).astype(np.int32)
            return Listing.of(begins, rows.own[kept], support, kept.copy(), own)
        room, direct = min(most, self.room), rows.count_direct(len(self.table_of))
        lines = np.empty((len(self.table_of) * with_records, room), dtype=np.int32)
        begins, known, support = list_known(
            *(rows.own, *rows.listed, rows.keys, rows.is_key, self.table_of),
            *(kept, np.array(self.masks), room, direct if direct <= most else 0, lines),
        )
        if not len(begins):
            return None
        listed = Listing.of(begins, known, support, kept.copy(), own)
        listed.records = lines[:, : len(known)]
        return listed

    @property
    def room(self) -> int:
        """So many combinations have room; hashes do not divide them evenly."""
        return min(2 * self.bound + LEAST_ROOM, MOST_NUMBERED)

    def retry(self, most: int) -> "list[KnownPart]":
        """Return what is to be listed instead: the part with more room, or both halves of it.

        Parts are halved by the first record, or if they are many, by all records.
        """
        first, here, last, there = self.masks
        if self.room < min(most, MOST_NUMBERED):
            return [replace(self, bound=max(2 * self.bound, LEAST_ROOM))]
        if first + 1 < FIRST_PARTS:
            halves = [(2 * first + 1, here + more, last, there) for more in (0, first + 1)]
        elif last + 1 < 1 << (64 - PART_BITS):
            halves = [(first, here, 2 * last + 1, there + more) for more in (0, last + 1)]
        else:
            raise InvalidInput(
                "what may be known of these persons does not fit in memory; give more (memory), "
                "lower knows, or keep fewer records of each (at_most)"
            )
        return [replace(self, masks=masks) for masks in halves]


@dataclass(frozen=True, eq=False)
class CountedPart(Discreet):
    """The combinations of some numbers of records of each table, if each can have its own cell.

    They are counted anew when persons have been left out: there is no list that could be held.
    """

    rows: CodedRows
    sizes: tuple[tuple[int, ...], ...]
    cells: int
    bytes = 0

    def list_kept(
        self,
        kept: Flags,  # noqa: ARG002  (the persons are counted by drop)
        most: int,
        values: Sequence[Codes],  # noqa: ARG002  (no values are protected)
    ) -> "CountedPart | None":
        """Return the part, which needs no list; None if there is no room for its cells."""
        return self if self.cells <= most else None

    def retry(self, most: int) -> "list[KnownPart]":  # noqa: ARG002  (as much as for a list)
        """Return what is to be listed instead."""
        every = np.ones(len(self.rows.own), dtype=np.bool_)
        return [part for sizes in self.sizes for part in combine(self.rows, sizes, every)]

    def drop(self, kept: Flags, k: int, needed: Sequence[int], enough: int) -> int:  # noqa: ARG002
        """Leave out who is rare among those who are kept; return how many were left out."""
        limits = np.max(self.sizes, axis=0).astype(np.int64)
        persons, records = self.rows.groups, self.rows.joined
        cells = self._divide_cells()
        return drop_counted(*persons, self.rows.starts, *records, limits, *cells, kept, k, enough)

    def _divide_cells(self) -> tuple[Counts, Counts]:
        """Return where the cells of each combination are; see :func:`drop_counted`."""
        lines, steps, cells = list[tuple[int, int]](), list[tuple[int, ...]](), 0
        for sizes in self.sizes:
            own, room = list[tuple[int, ...]](), 1
            for table, size in reversed([*enumerate(sizes)]):
                own = [(table, size - one, room, one > 0) for one in range(size)] + own
                room *= self.rows.tables[table].count_multisets(size)
            if own:  # whether enough persons have the rest in common is seen without a cell
                lines.append((len(steps), cells))
                steps, cells = steps + own, cells + room
        ends = np.array([*lines, (len(steps), cells)], dtype=np.int64)
        return ends, np.array(steps, dtype=np.int64).reshape(len(steps), 4)


@dataclass(eq=False)
class Listing(Discreet):
    """The combinations of the persons who were kept when they were listed.

    ``begins``, ``known``: where those of each person begin, and their numbers.
    ``support``: how many of the persons ``counted`` have each of them.
    ``pair_of``, ``with_value``, ``distinct``: for each protected column the pair of each entry, how
    many persons have each pair, and how many different values go with each combination.
    ``records``: the records of each entry, one line a record; no lines if nobody asks for them.
    """

    begins: Counts
    known: Codes
    support: Codes
    counted: Flags
    pair_of: Codes
    with_value: Counts
    distinct: Counts
    records: Codes = field(default_factory=lambda: np.empty((0, 0), dtype=np.int32))

    @classmethod
    def of(
        cls, begins: Counts, known: Codes, support: Codes, counted: Flags, values: Sequence[Codes]
    ) -> "Listing":
        """Return a listing with the pairs of its combinations and the values of persons."""
        several = np.diff(begins)
        pairs = [_pair(known, np.repeat(one, several), len(support)) for one in values]
        longest = max((len(totals) for _, totals, _ in pairs), default=0)
        with_value = np.zeros((len(pairs), longest), dtype=np.int64)
        for place, (_, totals, _) in enumerate(pairs):
            with_value[place, : len(totals)] = totals
        pair_of = np.array([one for one, _, _ in pairs], dtype=np.int32)
        distinct = np.array([one for _, _, one in pairs], dtype=np.int64)
        shapes = (len(pairs), len(known)), (len(pairs), len(support))
        return cls(
            *(begins, known, support, counted),
            *(pair_of.reshape(shapes[0]), with_value, distinct.reshape(shapes[1])),
        )

    @property
    def bytes(self) -> int:
        """The memory that it takes."""
        counts = (self.begins, self.known, self.support, self.counted)
        values = (self.pair_of, self.with_value, self.distinct)
        return sum(one.nbytes for one in (*counts, *values))

    def drop(self, kept: Flags, k: int, needed: Sequence[int], enough: int) -> int:
        """Leave out who is rare among those who are kept; return how many were left out."""
        least = np.array(needed[: len(self.pair_of)], dtype=np.int64)
        counts = (self.begins, self.known, self.support, self.counted)
        values = (self.pair_of, self.with_value, self.distinct)
        return drop_unsupported(*counts, *values, least, kept, k, enough)

    @property
    def person_of(self) -> Codes:
        """The person of each entry."""
        return np.repeat(np.arange(len(self.counted), dtype=np.int32), np.diff(self.begins))


def _pair(known: Codes, values: Codes, numbers: int) -> tuple[Codes, Counts, Counts]:
    """Number the pairs of something known and a value of those of whom it is known.

    Returns: the pair of each entry; how many persons have each pair; and how many different values
    go with each number.
    """
    lines, sizes = np.stack([known, values]), [numbers, int(values.max(initial=0)) + 1]
    pair_of, at, totals = group_equal(lines, sizes, np.ones(len(known), dtype=np.int64))
    return pair_of, totals, np.bincount(known[at], minlength=numbers)


def divide_listed(rows: CodedRows, kept: Flags) -> Iterator[KnownPart]:
    """Yield the combinations of as many records as somebody has, up to the limits, in parts.

    An attacker who knows less than another has more candidates, so smaller ones do not matter.
    """
    for sizes in rows.list_sizes(kept):
        yield from combine(rows, sizes, kept)


def divide_counted(rows: CodedRows, kept: Flags) -> Iterator[KnownPart | CountedPart]:
    """Yield the same combinations: first those that are counted, then parts of those to list."""
    few, cells, many = list[tuple[int, ...]](), 0, list[tuple[int, ...]]()
    for sizes in rows.list_sizes(kept):
        more = COUNTED_CELLS + 1 if len(rows.keys) else rows.count_cells(sizes)
        if cells + more <= COUNTED_CELLS:
            few.append(sizes)
            cells += more
        else:
            many.append(sizes)
    if few:
        yield CountedPart(rows, tuple(few), cells)
    for sizes in many:
        yield from combine(rows, sizes, kept)


def combine(rows: CodedRows, sizes: Sequence[int], kept: Flags) -> Iterator[KnownPart]:
    """Yield the combinations of so many records of each table, in parts."""
    tables = np.arange(len(sizes), dtype=np.int32).repeat(sizes)
    bound = rows.bound(sizes, kept)
    parts = 1 << max(0, math.ceil(math.log2(max(1.0, bound / ENTRIES_OF_PART))))
    parts = 1 if rows.count_direct(len(tables)) else min(parts, FIRST_PARTS)
    for place in range(parts):
        yield KnownPart(rows, tables, bound // parts, (parts - 1, place, 0, 0))


_Waiting = tuple[KnownPart | CountedPart, Listing | CountedPart | None]
"""A part, and what is held of it."""


def list_parts(
    parts: Iterable[KnownPart], kept: Flags, memory: int, values: Sequence[Codes] = ()
) -> Iterator[Listing]:
    """List what may be known of the persons who are kept, one part after the other."""
    waiting, most = [*parts], find_room(memory, len(values))
    while waiting:
        part = waiting.pop()
        listed = part.list_kept(kept, most, values)
        if listed is None:
            waiting += part.retry(most)
        else:
            yield listed


def list_with_records(
    parts: Sequence[KnownPart], kept: Flags, memory: int
) -> Iterator[tuple[Listing, Codes]]:
    """List combinations with their records; of each record, its table is yielded as well."""
    waiting, most = deque(parts), find_room(memory, 1)
    while waiting:
        part = waiting.popleft()
        listed = part.list_kept(kept, most, (), with_records=True)
        if listed is None:
            waiting.extendleft(part.retry(most))
        else:
            yield listed, part.table_of


def drop_rare(
    parts: Iterable[KnownPart | CountedPart],
    kept: Flags,
    k: int,
    distinct: Sequence[tuple[Codes, int]],
    memory: int,
    enough: int = NO_LIMIT,
) -> None:
    """Leave out persons until at least k have whatever may be known of each who is kept.

    What is left is the greatest set of persons among whom that holds. Each part is counted until
    none leaves out anybody; those that memory can hold are not listed again.

    Parameters
    ----------
    parts
        What may be known.
    kept
        The persons who are left; it is changed.
    k
        How many persons must share it.
    distinct
        For each protected column, its values, and how many of them these persons must have.
    memory
        So many bytes may be used.
    enough
        Nobody more is left out when more than so many were.
    """
    values, needed = [one for one, _ in distinct], [one for _, one in distinct]
    waiting = deque[_Waiting]((part, None) for part in parts)
    most, free, settled, gone = find_room(memory, len(values)), memory // 2, 0, 0
    while settled < len(waiting) and gone <= enough:
        part, listed = waiting.popleft()
        if listed is None:
            listed = part.list_kept(kept, most, values)
        else:
            free += listed.bytes
        if listed is None:
            waiting.extendleft((one, None) for one in part.retry(most))
            continue
        dropped = listed.drop(kept, k, needed, enough - gone)
        settled, gone = 1 if dropped else settled + 1, gone + dropped
        stays = listed.bytes <= free
        free -= listed.bytes if stays else 0
        waiting.append((part, listed if stays else None))


def find_room(memory: int, columns: int) -> int:
    """Return how many combinations one part may have; listings that are held take the other half.

    Examples
    --------
    >>> find_room(1_280_000, 0)
    10000
    """
    return memory // 2 // bytes_of_combination(columns)


def bytes_of_combination(columns: int) -> int:
    """Return the memory of a combination while it is listed, with the values of some columns."""
    return BYTES_OF_COMBINATION + BYTES_OF_PAIR * columns
