"""Combinations of records that may be known of persons, counted in parts that fit in memory.

What is rare in one part is rare at all, because each part holds all persons who have a combination.
So a part alone can show that too many persons must be left out, and no table of combinations needs
more memory than there is.
"""

import itertools
import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import PART_BITS, drop_unsupported, list_known
from lookalike.kernels.types import Codes, Counts, Flags, Reals

MOST_NUMBERED = 3 * 2**29 - 1
"""So many combinations of one part can be numbered: their cells have numbers of 31 bits."""
ENTRIES_OF_PART = 2**18
"""So many combinations are counted fastest together: their table stays near the processor."""
FIRST_PARTS = 256
"""Up to so many parts, each holds what begins with some records, and passes over the others."""
DIRECT_CELLS = 2**19
"""Up to so many combinations, each has a cell of its own, without a hash table."""
LEAST_ROOM = 2**12
"""Combinations for which each part has room, however few it should have."""
NO_LIMIT = 2**62
BYTES_OF_COMBINATION = 64
"""The memory of one combination while its part is listed."""
BYTES_OF_PAIR = 112
"""The memory of a combination's pair with the value of one protected column."""


@dataclass(frozen=True, eq=False)
class CodedRows(Discreet):
    """What is known of persons, and the records of some tables of which more may be known.

    See :func:`~lookalike.kernels.linked_records.list_known`. ``with_person``: whether it is known
    together with the row of the person table.
    """

    own: Codes
    starts: Counts
    codes: Codes
    keys: Counts
    is_key: Flags
    with_person: bool = True

    @cached_property
    def sizes(self) -> Counts:
        """The number of records of each person in each table."""
        return np.diff(self.starts)

    def divide(self, limits: Sequence[int], kept: Flags) -> "Iterator[KnownPart]":
        """Yield the combinations of as many records as somebody has, up to the limits, in parts.

        An attacker who knows less than another has more candidates, so smaller ones do not matter.
        """
        for sizes in self._list_sizes(limits, kept):
            yield from self.combine(sizes, kept)

    def combine(self, sizes: Sequence[int], kept: Flags) -> "Iterator[KnownPart]":
        """Yield the combinations of so many records of each table, in parts."""
        tables, bound = (
            np.arange(len(sizes), dtype=np.int32).repeat(sizes),
            self._bound(sizes, kept),
        )
        parts = 1 << max(0, math.ceil(math.log2(max(1.0, bound / ENTRIES_OF_PART))))
        parts = 1 if self.count_cells(len(tables)) else min(parts, FIRST_PARTS)
        for place in range(parts):
            yield KnownPart(self, tables, bound // parts, (parts - 1, place, 0, 0))

    def count_cells(self, width: int) -> int:
        """Count the combinations of so many records that can be told apart; 0 if they are many."""
        cells = (int(self.own.max(initial=0)) + 1) * (int(self.codes.max(initial=0)) + 1) ** width
        return 0 if len(self.keys) or cells > DIRECT_CELLS else cells

    def _list_sizes(self, limits: Sequence[int], kept: Flags) -> Iterator[tuple[int, ...]]:
        """Yield how many records of each table somebody shows to an attacker who knows the most.

        What somebody shows of a table to which others refer depends on what is known of these.
        """
        if not len(limits):
            yield ()
            return
        shown = np.minimum(self.sizes[:, kept], np.array(limits)[:, None]).astype(np.int32)
        ones = np.ones(shown.shape[1], dtype=np.int64)
        first = group_equal(shown, [limit + 1 for limit in limits], ones)[1]
        ranges = (
            [range(size + 1) if key and len(self.keys) else [size] for size, key in line]
            for line in (zip(own, self.is_key, strict=True) for own in shown[:, first].T.tolist())
        )
        yield from sorted({one for line in ranges for one in itertools.product(*line)})

    def _bound(self, sizes: Sequence[int], kept: Flags) -> int:
        """Bound the number of combinations of so many records."""
        ways = np.ones(int(kept.sum()))
        for owned, size, key in zip(self.sizes[:, kept], sizes, self.is_key, strict=True):
            orders = math.factorial(size) if len(self.keys) and not key else 1
            ways *= orders * choose_from(owned, size)
        return int(ways.sum())


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
        room, direct = min(most, self.room), rows.count_cells(len(self.table_of))
        lines = np.empty((len(self.table_of) * with_records, room), dtype=np.int32)
        begins, known, support = list_known(
            *(rows.own, rows.starts, rows.codes, rows.keys, rows.is_key, self.table_of),
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
    parts: Iterable[KnownPart],
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
    waiting = deque[tuple[KnownPart, Listing | None]]((part, None) for part in parts)
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


def choose_from(owned: Counts, size: int) -> Reals:
    """Return in how many ways so many records of each person can be chosen."""
    ways = np.ones(len(owned))
    for step in range(size):
        ways *= np.maximum(owned - step, 0) / (step + 1)
    return ways
