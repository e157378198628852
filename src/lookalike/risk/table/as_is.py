"""Count the rows that the columns released as they are single out, together and in small subsets.

k-anonymity is promised for the quasi-identifier. Columns with role ``sensitive`` or ``other`` are
outside of the promise, and together they can identify a row as well as the quasi-identifier did.

**Missing values do not help to single out a row.** A set of columns singles out a row if no other
row has the same values in those of the columns in which the row has a value. So

- a missing value is nothing that an attacker knows: a row without any value is never singled out;
- a row with a missing value still counts if its known values are enough, so nobody is overlooked;
- another row whose value is missing is not equal, since the file does not show the value there;
- more columns never single out fewer rows, as one expects.

Equivalently: the set S singles out the rows that are complete and unique over some subset of S.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from lookalike.kernels.grouping import group_codes
from lookalike.kernels.singling_out import MISSING, count_subsets, match_none, refine
from lookalike.kernels.types import Codes, Counts, Flags, Hashes
from lookalike.risk.table.sequences import Sequences
from lookalike.risk.table.uniqueness import Subset

MOST_COLUMNS = 4
"""The largest subset of columns that is counted."""
MOST_WORK = 1_300_000_000
"""The most rows times subsets; with more rows, only smaller subsets are counted (4 for 100,000
rows of 24 columns)."""
MOST_COMPARISONS = 2_000_000_000
"""The most comparisons of rows with missing values; with more, a part of these rows is compared
with all others, and the number is estimated from it."""
MOST_PAIRED = 5_000_000
"""The most rows times pairs of columns that are compared."""

FEW_COLUMNS = 2
"""With so few columns, uniqueness is a warning at most, and a note with one: whoever knows them
all learns no other column, and one sensitive column of many values is ordinary."""


@dataclass(frozen=True)
class SingledOut:
    """The rows that some columns single out.

    ``between``: bounds of their number, if it is estimated from a sample.
    ``is_estimated``: whether some rows with missing values were not compared with all others.
    """

    columns: tuple[str, ...]
    rows: int
    between: tuple[int, int] | None = None
    is_estimated: bool = False


@dataclass(frozen=True)
class AsIs:
    """The rows that the columns released as they are single out.

    ``by_size``: of the subsets with one column, with two and so on, the one that singles out the
    most rows.
    """

    rows: int
    jointly: SingledOut
    by_size: tuple[SingledOut, ...]

    @property
    def share(self) -> float:
        """The share of the rows that all the columns single out together."""
        return self.jointly.rows / self.rows if self.rows else 0.0

    @property
    def smallest(self) -> SingledOut:
        """The smallest of the counted subsets that single out the most rows."""
        most = max(one.rows for one in self.by_size)
        return next(one for one in self.by_size if one.rows == most)


def single_out(
    sequences: Sequences,
    names: Sequence[str],
    class_of: Codes | None = None,
    size: int = MOST_COLUMNS,
    most: int | None = None,
) -> AsIs:
    """Count the rows that some columns single out, all together and in every subset up to a size.

    ``sequences``: the distinct sequences of values of the columns; with `class_of`, those of each
    class.
    ``class_of``: the class of each sequence, if the attacker knows it as well: rows are compared
    with the others of their class only.
    ``most``: the comparisons of rows with missing values; default: :data:`MOST_COMPARISONS`.

    Examples
    --------
    >>> codes = np.array([[0, 0, 1, 1], [0, 1, 0, 1]], dtype=np.int32)
    >>> values = (("flu", "gout"), ("may", None))
    >>> found = single_out(Sequences(values, codes, np.array([1, 1, 1, 1])), ["ill", "month"])
    >>> found.jointly.rows, found.smallest.columns, found.by_size[0].rows
    (2, ('ill', 'month'), 0)
    """
    ordered = sorted(range(len(names)), key=lambda place: len(sequences.values[place]))
    codes = np.stack([_encode(sequences, place) for place in ordered])
    search = _Search(codes, sequences.counts == 1, class_of, _affordable(sequences, size))
    search.run()
    rows, is_estimated = search.count_jointly(MOST_COMPARISONS if most is None else most)
    return AsIs(
        rows=int(sequences.counts.sum()),
        jointly=SingledOut(tuple(names), rows, is_estimated=is_estimated),
        by_size=tuple(
            SingledOut(
                tuple(names[place] for place in sorted(ordered[one] for one in subset)), rows
            )
            for subset, rows in search.best
        ),
    )


def count_jointly(sequences: Sequences, names: Sequence[str], most: int) -> SingledOut:
    """Count the rows that all columns together single out, with at most so many comparisons.

    Where no value is missing, a row is singled out if its sequence occurs once.
    """
    if any(None in values for values in sequences.values):
        return single_out(sequences, names, size=1, most=most).jointly
    return SingledOut(tuple(names), int((sequences.counts == 1).sum()))


def count_known_pairs(sequences: Sequences, class_of: Codes, k: int) -> tuple[int, bool]:
    """Count the rows of which fewer than k have the same values in some two columns, in a class.

    Missing values are nothing that an attacker knows.

    Returns: the rows, and whether all pairs were compared; if not, they are at least so many.

    Examples
    --------
    >>> codes = np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]], dtype=np.int32)
    >>> table = Sequences((("a",), ("b", "c"), ("d",)), codes, np.array([3, 2, 1]))
    >>> count_known_pairs(table, np.array([0, 1, 1], dtype=np.int32), 3)
    (3, True)
    >>> count_known_pairs(table, np.array([0, 0, 0], dtype=np.int32), 2)
    (1, True)
    """
    codes = [_encode(sequences, place) for place in range(len(sequences.values))]
    codes.sort(key=lambda column: -int(column.max(initial=0)))
    few = np.zeros(len(sequences), dtype=np.bool_)
    for number, (one, other) in enumerate(combinations(codes, 2)):
        if few.all() or number * len(sequences) > MOST_PAIRED:
            break
        known = np.flatnonzero((one != MISSING) & (other != MISSING))
        group = group_codes([class_of[known], one[known], other[known]])[0]
        rows = np.bincount(group, sequences.counts[known])
        few[known] |= rows[group] < k
    else:
        return int(sequences.counts[few].sum()), True
    return int(sequences.counts[few].sum()), bool(few.all())


def _encode(sequences: Sequences, column: int) -> Codes:
    """Return the codes of a column: 0 for a missing value, then those of the known values."""
    numbered = enumerate(sequences.values[column], start=1)
    codes = [MISSING if value is None else place for place, value in numbered]
    encoded: Codes = np.array(codes, dtype=np.int32)[sequences.codes[column]]
    return encoded


def _affordable(sequences: Sequences, size: int) -> int:
    """Return the largest size of subsets that can all be counted, at least 1."""
    columns = len(sequences.values)
    subsets = np.cumsum([comb(columns, number) for number in range(1, min(size, columns) + 1)])
    return max(1, int((subsets * len(sequences) <= MOST_WORK).sum()))


class _Search:
    """Counts what every subset singles out, each subset after all subsets of it.

    Columns are numbered by rising number of values, and a subset begins with its highest number.
    So its partition is divided early. Subsets as large as one that singles out every row that can
    be are not counted, since none can single out more.
    """

    def __init__(self, codes: Codes, single: Flags, class_of: Codes | None, size: int) -> None:
        self.codes = codes
        self.single = single
        self.known = [] if class_of is None else [class_of + np.int32(1)]
        self.size = size
        self.may_be_alone = _as_bits(single & (bool(self.known) | (codes != MISSING).any(axis=0)))
        self.ever = np.zeros_like(self.may_be_alone)
        self.best: list[tuple[Subset, int]] = []

    def run(self) -> None:
        """Count every subset."""
        entries = np.arange(self.codes.shape[1], dtype=np.int32)
        partition = entries, np.array([0, len(entries)], dtype=np.int32)
        for line in self.known:
            partition = refine(line, int(line.max(initial=0)) + 1, *partition, entries, self.ever)
        self.ever &= self.may_be_alone
        self.best = list(self._guess(partition))
        most = _count_bits(self.may_be_alone)
        size = sum(rows < most for _, rows in self.best)
        if size:
            self._count_subsets(size, partition)
        if size < self.size:
            self.ever = self.may_be_alone

    def _guess(self, partition: tuple[Codes, Codes]) -> Iterator[tuple[Subset, int]]:
        """Yield a subset of each size that singles out many rows, column by column.

        What it singles out at least lets the search skip subsets that cannot single out more.
        """
        names, alone = np.arange(self.codes.shape[1], dtype=np.int32), self.ever
        subset: Subset = ()
        for _ in range(self.size):
            tried = {}
            for column in set(range(len(self.codes))) - set(subset):
                line, more = self.codes[column], alone.copy()
                size = int(line.max(initial=0)) + 1
                tried[column] = refine(line, size, *partition, names, more), more
            best = max(tried, key=lambda one: (_count_bits(tried[one][1]), -len(tried[one][0][0])))
            (partition, alone), subset = tried[best], (*subset, best)
            yield tuple(sorted(subset, reverse=True)), _count_bits(alone & self.may_be_alone)

    def _count_subsets(self, size: int, partition: tuple[Codes, Codes]) -> None:
        """Count the subsets up to a size, which begin with what was guessed."""
        columns, sizes = len(self.codes), self.codes.max(axis=1) + np.int32(1)
        best = np.zeros((size, 1 + size), dtype=np.int64)
        for place, (subset, rows) in enumerate(self.best[:size]):
            best[place, : 2 + place] = rows, *subset
        place_of = _place_subsets(columns, size)
        kept = sum(comb(columns, number) for number in range(size))
        found = np.zeros((kept, len(self.ever)), dtype=np.uint64)
        found[0] = self.ever
        for first in range(columns):
            part = partition, first, place_of, self.may_be_alone
            count_subsets(self.codes, sizes, *part, found, best, self.ever)
        self.best[:size] = [
            (tuple(line[1 : 2 + place]), line[0]) for place, line in enumerate(best.tolist())
        ]

    def count_jointly(self, most: int) -> tuple[int, bool]:
        """Count the rows that all columns together single out; return also if it is estimated.

        Entries are distinct. So one without a missing value is singled out if it is one row, and
        one with missing values if a subset singled it out, or if it matches no other entry.
        """
        incomplete = (self.codes == MISSING).any(axis=0)
        decided = self.single & (~incomplete | _as_flags(self.ever, len(self.single)))
        open_entries = np.flatnonzero(self.single & ~decided).astype(np.int32)
        unmatched, is_estimated = self._count_unmatched(open_entries, most)
        return int(decided.sum()) + unmatched, is_estimated

    def _count_unmatched(self, asked: Codes, most: int) -> tuple[int, bool]:
        """Count the entries that no other entry equals wherever their own value is known."""
        if not len(asked):
            return 0, False
        codes = np.concatenate([self.codes, *(line[np.newaxis] for line in self.known)])
        width = int(codes.max(initial=0)) + 2
        entries = np.argsort(codes, axis=1, kind="stable").astype(np.int32)
        numbers = np.stack([np.bincount(line, minlength=width) for line in codes])
        starts = np.concatenate([np.zeros((len(codes), 1), np.int64), numbers.cumsum(axis=1)], 1)
        numbers[:, MISSING] = codes.shape[1]
        fewest = [numbers[place][line[asked]] for place, line in enumerate(codes)]
        every = 1 + int(np.min(fewest, axis=0).sum()) // most
        unmatched = match_none(codes, asked[::every], entries, starts)
        return min(len(asked), every * int(unmatched.sum())), every > 1


def _place_subsets(columns: int, size: int) -> Counts:
    """Return what each column adds to the place of a subset, by the number of columns before it.

    Subsets of fewer columns than `size` are placed in the order of their first columns, each
    directly before those that begin with it.
    """
    below = [
        [sum(comb(n, k) for k in range(size - depth - 1)) for n in range(columns)]
        for depth in range(size)
    ]
    return np.array([1 + np.cumsum([0, *line[:-1]]) for line in below]).T.copy()


def _as_bits(flags: Flags) -> Hashes:
    """Pack flags into words of 64 bits."""
    packed = np.zeros(8 * -(-len(flags) // 64), dtype=np.uint8)
    packed[: -(-len(flags) // 8)] = np.packbits(flags, bitorder="little")
    return packed.view(np.uint64)


def _as_flags(bits: Hashes, number: int) -> Flags:
    """Unpack flags from words of 64 bits."""
    return np.unpackbits(bits.view(np.uint8), count=number, bitorder="little").astype(np.bool_)


def _count_bits(bits: Hashes) -> int:
    """Count the bits that are set."""
    return int(np.bitwise_count(bits).sum())
