"""Find values that have all rows or persons of a class, or nearly all, without listing every pair.

A value with nine tenths of the rows of a class decides every bit of the rows' hashes there: nine
tenths of the rows have the bit of that value. So a class in which both values of a bit are more
frequent than one tenth has no such value. The number of rows with a bit set adds up over the
sequences of a class, so an engine counts it once for all classes. Only the classes that remain are
counted value by value, so the answer is exact whatever the hash is.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_codes
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.tables.plan import NOT_RELEASED
from lookalike.tables.sql import source_changed

BITS = 4
"""A class of five rows with five values is taken for one with a dominant value once in 65,536
times: all its bits agree with probability (2 / 2⁵)⁴."""
RULED_OUT = -2
"""The class of released rows that need no counting by values."""

Ratio = tuple[int, int]
"""A share as a fraction."""

ROWS_SQL = """
    WITH pairs AS (SELECT class, value, count(*) AS own FROM t GROUP BY class, value),
    classes AS (
        SELECT class, CAST(sum(own) AS BIGINT) AS members, count(*) AS different
        FROM pairs WHERE class >= 0 GROUP BY class
    ),
    totals AS (
        SELECT value, CAST(sum(own) AS BIGINT) AS usual FROM pairs WHERE class <> -1 GROUP BY value
    )
    SELECT pairs.class, own, members, different, usual
    FROM pairs JOIN classes ON pairs.class = classes.class
    JOIN totals ON pairs.value IS NOT DISTINCT FROM totals.value
    WHERE own * {of} >= members * {share}
"""
"""Values of rows ``t`` (class, value) with a share of a class, among all rows that are released."""

PERSONS_SQL = """
    WITH units AS (SELECT DISTINCT class, value, person FROM t WHERE class >= 0),
    pairs AS (SELECT class, value, count(*) AS own FROM units GROUP BY class, value),
    sizes AS (
        SELECT class, count(*) AS members FROM (SELECT DISTINCT class, person FROM units) AS u
        GROUP BY class
    ),
    kinds AS (SELECT class, count(*) AS different FROM pairs GROUP BY class),
    totals AS (
        SELECT value, count(*) AS usual FROM (SELECT DISTINCT value, person FROM units) AS u
        GROUP BY value
    ),
    everybody AS (SELECT count(*) AS everybody FROM (SELECT DISTINCT person FROM units) AS u)
    SELECT pairs.class, own, members, different, usual, everybody
    FROM pairs JOIN sizes ON pairs.class = sizes.class JOIN kinds ON pairs.class = kinds.class
    JOIN totals ON pairs.value IS NOT DISTINCT FROM totals.value CROSS JOIN everybody
    WHERE own * {of} >= members * {share}
"""
"""The same for persons, each of whom may have several rows and values."""


@dataclass(frozen=True)
class Dominated:
    """Columns in whose classes dominant values are looked for.

    ``names``: the columns.
    ``share``: the share of a class from which a value is dominant.
    ``person``: the column of the person whose rows these are, if persons are counted.
    """

    names: tuple[str, ...]
    share: Ratio
    person: str | None = None

    def named(self, name: str) -> dict[str, str]:
        """Return the columns that the query over one of them reads, by the names it gives them."""
        return {"value": name} | ({} if self.person is None else {"person": self.person})

    @property
    def sql(self) -> str:
        """The query over the rows of one of the columns."""
        share, of = self.share
        return (ROWS_SQL if self.person is None else PERSONS_SQL).format(share=share, of=of)


@dataclass(frozen=True, eq=False)
class DominantValues(Discreet):
    """The values of a column that have a large share of a class; one place for each.

    ``class_of``: the class.
    ``having``: the number of its rows, or persons, with the value.
    ``members``: the number of all its rows, or persons.
    ``alone``: whether the class has no other value.
    ``usual``: the number of rows, or persons, of the whole release with the value.
    ``everybody``: the number of rows, or persons, of the whole release.
    """

    class_of: Codes
    having: Counts
    members: Counts
    alone: Flags
    usual: Counts
    everybody: int


def list_dominant(
    class_of: Codes, values: Codes, counts: Counts, share: Ratio, person: Codes | None = None
) -> DominantValues:
    """List the values with a share of a class, of rows in memory.

    ``person``: the person whose rows these are. With it, a value has the persons with at least one
    row of it.
    """
    pair_of, begin, _ = group_codes([class_of, values])
    having = _count_units(pair_of, counts, person)
    own, value = class_of[begin], values[begin] + 1
    members = _count_units(class_of, counts, person)[own]
    large = np.flatnonzero(share[1] * having >= share[0] * members)
    return DominantValues(
        class_of=own[large],
        having=having[large],
        members=members[large],
        alone=(np.bincount(own) == 1)[own[large]],
        usual=_count_units(values + 1, counts, person)[value[large]],
        everybody=int(_count_units(np.zeros_like(class_of), counts, person).sum()),
    )


def _count_units(codes: Codes, counts: Counts, person: Codes | None) -> Counts:
    """Count the rows with each code, or the distinct persons."""
    if person is None:
        return np.bincount(codes, counts).astype(np.int64)
    first = group_codes([codes, person])[1]
    return np.bincount(codes[first], minlength=int(codes.max(initial=0)) + 1).astype(np.int64)


def rule_out(class_of: Codes, rows: Counts, columns: Dominated, bits: pa.Table) -> list[Codes]:
    """Return for each column the class of every fate, or `RULED_OUT` where no value dominates.

    ``class_of``: the class of each fate, `NOT_RELEASED` if its rows are not released.
    ``rows``: the number of rows of each fate.
    ``bits``: the fate of some rows, and the number of those with each of `BITS` bits of the hashes
    of the columns.
    """
    if bits.column(0).null_count:
        raise source_changed()
    fate, *having = (column.to_numpy() for column in bits.columns)
    # An entry is a fate or a part of one: entries that were counted apart may share a sequence.
    in_order = [np.bincount(fate, number, len(class_of)) for number in having]
    by_column = np.array(in_order, dtype=np.int64).reshape(len(columns.names), BITS, -1)
    return [_rule_out(class_of, rows, some, columns.share) for some in by_column]


def _rule_out(class_of: Codes, rows: Counts, bits: Counts, share: Ratio) -> Codes:
    """Return the class of every fate, or `RULED_OUT` where no value can have that share."""
    released = class_of != NOT_RELEASED
    members = np.bincount(class_of[released], rows[released])
    doubtful = np.ones(len(members), dtype=np.bool_)
    for having in bits:
        ones = np.bincount(class_of[released], having[released])
        doubtful &= share[1] * np.maximum(ones, members - ones) >= share[0] * members
    left = np.where(released, RULED_OUT, NOT_RELEASED).astype(np.int32)
    left[released] = np.where(doubtful[class_of[released]], class_of[released], RULED_OUT)
    return left


def read_dominant(pairs: pa.Table, everybody: int) -> DominantValues:
    """Return what a query gave; ``everybody`` is the number of released rows."""
    numbers = {name: pairs[name].to_numpy() for name in pairs.column_names}
    persons = numbers.get("everybody", ())
    return DominantValues(
        class_of=numbers["class"].astype(np.int32),
        having=numbers["own"],
        members=numbers["members"],
        alone=numbers["different"] == 1,
        usual=numbers["usual"],
        everybody=int(persons[0]) if len(persons) else everybody,
    )


_NONE = np.zeros(0, dtype=np.int64)
NO_VALUES = DominantValues(
    _NONE.astype(np.int32), _NONE, _NONE, _NONE.astype(np.bool_), _NONE, everybody=0
)
