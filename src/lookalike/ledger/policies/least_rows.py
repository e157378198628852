"""Count how many rows of a part must stay together so that protections hold whichever they are.

Where rows of a part leave it, somebody who compares the releases sees the values of those that are
gone, and of those that stayed, apart. A plan that looked whether *these* rows still keep the
protections would give values away by what it does: a class that is withdrawn because two people
left would show that both had the same value. So a plan divides a part only into sets that are large
enough that *any* rows of the part would do. How often each value occurs in a part is shown by the
releases; whose they are is not, and decides nothing.

For the protections that judge a class by its own values alone, the worst set of s rows takes the
most frequent values whole, one after the other. Its counts majorize those of every other set of s
rows, and so they do for smaller s, relative to s; distinct, entropy, recursive and share get no
worse the less concentrated counts are. So there is a least s from which on every set will do.
Protections that compare with the whole table have no such order: there a part stays whole.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Counts, Digests
from lookalike.ledger.policies.history import NEVER_SHOWN, History
from lookalike.ledger.policies.protections_over_time import (
    ComparedRelease,
    PromisedRows,
    list_promised_rows,
)
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.entry import Entry
from lookalike.model.protections import ClassValues, Protection, count_values


class ProtectedValues(NamedTuple):
    """The values that some rows of a history show in a protected column.

    ``place``: place of each row in the history; ``value``: number of its value.
    """

    protection: Protection
    place: Codes
    value: Codes


def count_least_rows(
    history: History,
    k: int,
    protected: Iterable[ProtectedValues],
    undivided: Iterable[PromisedRows] = (),
) -> Counts:
    """Return for each part how many rows of it must stay together: k or more.

    It is more than the part has if the part fails by itself.

    ``undivided``: rows with protections that no part of them keeps for certain.
    """
    part, sizes = history.parts
    least = np.full(len(sizes), k, dtype=np.int64)
    for one in protected:
        needed = find_least_rows(part[one.place], one.value, len(sizes), one.protection)
        least = np.maximum(least, needed)
    for rows in undivided:
        needed = sizes[part[rows.place]] + rows.find_failing(history)
        np.maximum.at(least, part[rows.place], needed)
    least[NEVER_SHOWN] = k  # nothing is known of these rows
    return least


def find_least_rows(part: Codes, value: Codes, parts: int, protection: Protection) -> Counts:
    """Return for each part the least number of rows from which on any of them keep a protection.

    It is one more than the part has if all of them together fail.

    Examples
    --------
    Any three of flu, flu, gout, ulcer have two values.

    >>> from lookalike.model.protections import Distinct
    >>> ill = np.array([0, 0, 1, 2], dtype=np.int32)
    >>> find_least_rows(np.zeros(4, dtype=np.int32), ill, 1, Distinct(2)).tolist()
    [3]
    """
    reference = np.bincount(value, minlength=1).astype(np.int64)
    ones = np.ones(len(part), dtype=np.int64)
    counted = count_values(part, value, ones, parts, reference)
    of_entry = np.repeat(np.arange(parts), np.diff(counted.starts))
    largest_first = counted.counts[np.lexsort((-counted.counts, of_entry))]
    before = np.cumsum(largest_first) - largest_first
    before -= np.concatenate([[0], np.cumsum(counted.sizes)])[of_entry]
    low, high = np.zeros(parts, dtype=np.int64), counted.sizes + 1
    while np.any(high - low > 1):  # any `low` rows may fail, and no `high` rows do
        middle = (low + high) // 2
        taken = np.clip(middle[of_entry] - before, 0, largest_first)
        fails = protection.failing(_to_values(of_entry, taken, parts)) | (middle == 0)
        low, high = np.where(fails, middle, low), np.where(fails, high, middle)
    return high


def _to_values(of_entry: Counts, taken: Counts, parts: int) -> ClassValues:
    """Return how often values occur in each part, where it does not matter which they are."""
    kept = taken > 0
    starts = np.searchsorted(of_entry[kept], np.arange(parts + 1))
    values = np.arange(np.count_nonzero(kept), dtype=np.int32)
    return ClassValues(starts.astype(np.int64), values, taken[kept], np.ones(1, dtype=np.int64))


def count_planned_rows(
    entries: Sequence[Entry], history: History, k: int, planned: Iterable[ProtectedValues]
) -> Counts:
    """Return for each part how many rows must stay together in a release that is planned.

    The protections of earlier releases go on holding for the rows that these show.

    ``planned``: what the release would show of the columns that it protects itself.
    """
    protected, undivided = [*planned], []
    for rows in list_promised_rows(
        [ComparedRelease(o.name, o.certificate, o.files) for o in entries]
    ):
        if rows.protection.by_counts:
            protected.append(ProtectedValues(rows.protection, rows.place, rows.value))
        else:
            undivided.append(rows)
    return count_least_rows(history, k, protected, undivided)


def see_planned(
    history: History,
    asked: Iterable[tuple[str, Protection]],
    position: Codes,
    values: Mapping[str, Digests],
) -> Iterator[ProtectedValues]:
    """Yield the values that a release would show of protected columns, if all rows stayed.

    They are the values last shown, of rows that left the source, too: their values are known. A
    column that was not shown before has its present values.

    ``asked``: the protections of the release, by column.
    ``position``: place of each row of the source in the history; `ABSENT` for a new row.
    ``values``: for each released column, the digest of its present values.
    """
    for column, protection in asked:
        named = history.columns.get(column)
        last = np.full(len(history.keys), ABSENT) if named is None else named.release
        shown = np.flatnonzero(last != ABSENT)
        first = np.flatnonzero(position != ABSENT)
        first = first[last[position[first]] == ABSENT]
        digests = values[column][first]
        if named is not None:
            digests = np.concatenate([named.digest[shown], digests])
        place = np.concatenate([shown, position[first]]).astype(np.int32)
        yield ProtectedValues(protection, place, number_keys(digests)[0])
