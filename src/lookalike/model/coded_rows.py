"""CodedRows: what is known of persons anyway, and the records that are combined with it."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.class_values import order_by
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import sort_records
from lookalike.kernels.types import Codes, Counts, Flags, Reals

DIRECT_CELLS = 2**19
"""Up to so many combinations of all persons are listed without a hash table."""


@dataclass(frozen=True, eq=False)
class ShownRows(Discreet):
    """What the rows of a table show: where those of each person begin, and the codes of rows.

    A row shows the code of its sequence; the codes are 0, 1, …
    """

    starts: Counts
    sequence_of: Codes
    code_of: Codes

    @classmethod
    def of(cls, starts: Counts, codes: Codes) -> "ShownRows":
        """Return rows that show some codes."""
        return cls(starts, codes, np.arange(int(codes.max(initial=-1)) + 1, dtype=np.int32))

    @property
    def codes(self) -> Codes:
        """What each row shows."""
        return self.code_of[self.sequence_of]

    @cached_property
    def kinds(self) -> int:
        """The number of codes."""
        return int(self.code_of.max(initial=-1)) + 1

    def count_multisets(self, size: int) -> int:
        """Return how many combinations of so many rows can be told apart."""
        return math.comb(self.kinds + size - 1, size) if size else 1


@dataclass(frozen=True, eq=False)
class CodedRows(Discreet):
    """What is known of persons, and the records of some tables of which more may be known.

    ``own``: a number of what is known of each person anyway.
    ``tables``, ``limits``: the records, and how many of each table may be known.
    ``keys``, ``is_key``: see :func:`~lookalike.kernels.linked_records.list_known`.
    ``with_person``: whether it is known together with the row of the person table.
    """

    own: Codes
    tables: Sequence[ShownRows]
    limits: Sequence[int]
    keys: Counts
    is_key: Flags
    with_person: bool = True

    @cached_property
    def starts(self) -> Counts:
        """Where the records of each person begin, one line a table, if they follow each other."""
        return _follow([one.starts for one in self.tables], self.own)

    @cached_property
    def sizes(self) -> Counts:
        """The number of records of each person in each table."""
        return np.diff(self.starts)

    @cached_property
    def joined(self) -> tuple[Codes, Codes]:
        """The sequence of each record of all tables, and the code of each sequence."""
        if len(self.tables) == 1:
            return self.tables[0].sequence_of, self.tables[0].code_of
        none = np.empty(0, dtype=np.int32)
        lengths = np.cumsum([0, *(len(one.code_of) for one in self.tables)], dtype=np.int32)
        own = [one.sequence_of + n for one, n in zip(self.tables, lengths[:-1], strict=True)]
        codes = [one.code_of for one in self.tables]
        return np.concatenate([none, *own]), np.concatenate([none, *codes])

    @cached_property
    def listed(self) -> tuple[Counts, Codes]:
        """Where the records of each person begin, and what they show, as they are listed."""
        begins, codes = [], [np.empty(0, dtype=np.int32)]
        for rows, limit in zip(self.tables, self.limits, strict=True):
            several = limit > 1 and not len(self.keys)
            own = rows.starts, rows.codes
            starts, shown = sort_records(*own, limit) if several else own
            begins.append(starts)
            codes.append(shown)
        return _follow(begins, self.own), np.concatenate(codes)

    @cached_property
    def groups(self) -> tuple[Counts, Counts]:
        """The persons by what is known of them anyway, the rarest first; where groups begin."""
        sizes = np.bincount(self.own)
        order = np.argsort(sizes, kind="stable")
        rank = np.empty(len(order), dtype=np.int32)
        rank[order] = np.arange(len(order), dtype=np.int32)
        ordered = order_by(rank[self.own], np.arange(len(self.own)), len(order))
        return ordered, np.concatenate([[0], np.cumsum(sizes[order])])

    def count_direct(self, width: int) -> int:
        """Count the combinations of so many records that are told apart in lists; 0 for many."""
        kinds = max((one.kinds for one in self.tables), default=1)
        cells = (int(self.own.max(initial=0)) + 1) * kinds**width
        return 0 if len(self.keys) or cells > DIRECT_CELLS else cells

    def count_cells(self, sizes: Sequence[int]) -> int:
        """Count the combinations of so many records of each table that can be told apart."""
        shown = zip(self.tables, sizes, strict=True)
        return math.prod(rows.count_multisets(size) for rows, size in shown)

    def list_sizes(self, kept: Flags) -> Iterator[tuple[int, ...]]:
        """Yield how many records of each table somebody shows to an attacker who knows the most.

        What somebody shows of a table to which others refer depends on what is known of these.
        """
        if not len(self.limits):
            yield ()
            return
        limits = np.array(self.limits)
        shown = np.minimum(self.sizes[:, kept], limits[:, None]).astype(np.int32)
        ones = np.ones(shown.shape[1], dtype=np.int64)
        first = group_equal(shown, [limit + 1 for limit in self.limits], ones)[1]
        ranges = (
            [range(size + 1) if key and len(self.keys) else [size] for size, key in line]
            for line in (zip(own, self.is_key, strict=True) for own in shown[:, first].T.tolist())
        )
        yield from sorted({one for line in ranges for one in itertools.product(*line)})

    def bound(self, sizes: Sequence[int], kept: Flags) -> int:
        """Bound the number of combinations of so many records."""
        ways = np.ones(int(kept.sum()))
        owned = np.diff(self.listed[0])[:, kept]
        for own, size, key in zip(owned, sizes, self.is_key, strict=True):
            orders = math.factorial(size) if len(self.keys) and not key else 1
            ways *= orders * choose_from(own, size)
        return int(ways.sum())


def _follow(starts: Sequence[Counts], own: Codes) -> Counts:
    """Return where rows begin if the tables follow each other, one line a table."""
    ends = np.cumsum([0, *(int(one[-1]) for one in starts)])
    lines = [one + end for one, end in zip(starts, ends[:-1], strict=True)]
    return np.array(lines, dtype=np.int64).reshape(len(starts), len(own) + 1)


def choose_from(owned: Counts, size: int) -> Reals:
    """Return in how many ways so many records of each person can be chosen."""
    ways = np.ones(len(owned))
    for step in range(size):
        ways *= np.maximum(owned - step, 0) / (step + 1)
    return ways
