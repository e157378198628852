"""Prove that every released row is the generalization of a different private row.

SQL counts both tables once: their distinct sequences of quasi-identifier values, the number of rows
of each, and the sum of keyed hashes of the other columns. Everything else works on distinct
sequences. Only where the hashes of a class differ, or not all of its rows are released, its rows
are also counted by hash.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.released_values import read_attribute
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Hashes
from lookalike.tables.connection import Connection
from lookalike.tables.counted import Counted
from lookalike.tables.engines import as_native, sql_engine_of
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.labels import label
from lookalike.tables.sql import derive
from lookalike.tables.table import Frame, check_columns
from lookalike.verify.both_tables import ComparedTable, TruthClaim, count_both_tables
from lookalike.verify.cell_matching import count_unmatched
from lookalike.verify.spark_tables import count_in_spark
from lookalike.verify.values import list_paths, list_values, recognize

NO_IMAGE = object()
"""The image of a value at a level that its hierarchy does not have; it equals no label."""


def count_untruthful(
    private: Frame, release: QueryRows, claim: TruthClaim, connection: Connection
) -> int:
    """Count the released rows that are not the generalization of a different private row each.

    The result 0 proves that the mapping of Samarati's Definition 4.1 exists: it maps released rows
    to different private rows, and every value equals or generalizes its original. At the attribute
    level each private row has only one image, so the released rows must be a sub-multiset of the
    images; blank rows must, in their other columns, be among the remaining images. At the cell
    level, the rows without a private row in a maximum matching are counted.
    """
    return _compare_tables(private, release, claim, connection)[1]


def _compare_tables(
    private: Frame, release: QueryRows, claim: TruthClaim, connection: Connection
) -> tuple["_Comparison", int]:
    """Count both tables, and the released rows that are not true."""
    original = as_native(private, release, connection)
    check_columns(original.columns, claim.columns)
    check_columns(release.columns, claim.columns, "the release")
    engine = sql_engine_of(release)
    with engine.errors("the private table or the release"):
        count = count_in_spark if engine.is_cluster else count_both_tables
        both = _Comparison(claim, connection, *count(original, release, claim))
        return both, both.count_unmatched() if claim.cells else both.count_extra()


def require_truth(
    private: Frame,
    release: QueryRows,
    claim: TruthClaim,
    connection: Connection,
    rows_in: int | None = None,
    counted: Counted | None = None,
) -> None:
    """Refuse a release with rows that do not generalize different private rows.

    ``rows_in``: how many rows the private table had when it was counted.
    ``counted``: the sequences that it had, if they must be the same.
    """
    both, false = _compare_tables(private, release, claim, connection)
    rows = int(both.private.rows.sum())
    if rows_in not in (None, rows):
        raise RequirementNotMet(
            f"the source has {rows:,} rows, and had {rows_in:,} when it was counted, so nothing is "
            "released; did the source change while it was read?"
        )
    if counted is not None and not both.has_counted(counted):
        raise RequirementNotMet(
            "the source has other sequences of values than when it was counted, so nothing is "
            "released; did the source change while it was read?"
        )
    if false:
        raise RequirementNotMet(
            f"{false:,} released rows do not generalize a private row each, so nothing is "
            "released; did the source change while it was read? If not, please report it"
        )


@dataclass(frozen=True, eq=False)
class ComparedColumn(Discreet):
    """An attribute of the quasi-identifier in both tables.

    Parameters
    ----------
    name
        Its name.
    paths
        For each distinct private value, its label at every level.
    levels
        The levels that its values may have.
    private
        The position of each private value among the distinct ones.
    texts
        The label of each distinct released value.
    released
        The position of each released value among the distinct ones.
    """

    name: str
    paths: list[LabelPath]
    levels: list[int]
    private: Codes
    texts: list[str | None]
    released: Codes

    @property
    def images(self) -> list[object]:
        """The image of each private value, where the attribute has one level."""
        level = next(iter(self.levels), None)
        return [NO_IMAGE if level is None else path[level] for path in self.paths]


def compare_columns(
    name: str,
    private: pa.ChunkedArray,
    released: pa.ChunkedArray,
    kind: Any,
    claim: TruthClaim,
    connection: Connection,
) -> ComparedColumn:
    """Compare an attribute in both tables; refuse a suppressed label that is a private value."""
    values, places = list_values(private)
    shown, shown_places = list_values(released)
    labels = [label(value) for value in values]
    if claim.suppressed_label in labels:
        raise InvalidInput(
            f"column {name!r}: the suppressed label {claim.suppressed_label!r} is also a "
            "value of the private column; give the suppressed_label of the release"
        )
    paths = list_paths(name, claim.hierarchies[name], labels, claim.suppressed_label)
    levels = claim.levels_of(name, len(paths[0]) - 1) if paths else []
    texts = recognize(shown, paths, levels, kind, connection)
    return ComparedColumn(name, paths, levels, places, texts, shown_places)


@dataclass(frozen=True, eq=False)
class _Comparison(Discreet):
    """Both tables, counted, and what is claimed about them."""

    claim: TruthClaim
    connection: Connection
    private: ComparedTable
    released: ComparedTable

    def read_columns(self) -> Iterator[ComparedColumn]:
        """Read the quasi-identifier of both tables; refuse a suppressed label that is a value."""
        for name in self.claim.hierarchies:
            private, released = self.private.sequences[name], self.released.sequences[name]
            kind = self.private.types[name]
            yield compare_columns(name, private, released, kind, self.claim, self.connection)

    def has_counted(self, counted: Counted) -> bool:
        """Return whether the private sequences, and the rows of each, are those that were counted.

        Columns beside the attributes may have been counted, too.
        """
        found, attributes = [], len(self.claim.hierarchies)
        for name, texts in zip(self.claim.hierarchies, counted.values, strict=False):
            number = {text: place for place, text in enumerate(texts)}
            values, codes = list_values(self.private.sequences[name])
            places = [number.get(label(value), len(number)) for value in values]
            found.append(np.array(places, dtype=np.int32)[codes])
        codes = np.hstack([counted.positions[:attributes], np.array(found, dtype=np.int32)])
        sizes = [len(texts) + 1 for texts in counted.values[:attributes]]
        differences = group_equal(
            codes, sizes, np.concatenate([counted.counts, -self.private.rows])
        )[2]
        return not differences.any()

    def count_extra(self) -> int:
        """Count the released rows that are not among the images, each image used once.

        A class whose rows are all released, with the same sum of hashes, needs no further check.
        Blank rows are the remaining rows if all rows together have the same sum of hashes.
        """
        columns, hidden = [*self.read_columns()], self.claim.suppressed_label
        images, shown, blank = _number_classes(columns, hidden)
        number = 1 + int(max(images.max(initial=-1), shown.max(initial=-1)))
        private = _total(images, self.private, number)
        released = _total(shown, self.released, number)
        doubtful = (released[0] > 0) & ((released[0] != private[0]) | (released[1] != private[1]))
        if self.claim.blank and blank is not None:
            doubtful[blank] = False
            whole = [(int(rows.sum()), int(marks.sum())) for rows, marks in (private, released)]
            doubtful |= whole[0] != whole[1]
        if not doubtful.any():
            return 0
        return _subtract(
            self.private.count_by_hash(images, doubtful),
            self.released.count_by_hash(shown, doubtful),
            blank if self.claim.blank else None,
            self.connection,
        )

    def count_unmatched(self) -> int:
        """Count the released rows that cannot be matched with private rows, at the cell level."""
        attributes, private, released = [], [], []
        for one in self.read_columns():
            hidden = self.claim.suppressed_label
            attribute = read_attribute(one.name, one.paths, one.texts, hidden, one.levels)
            attributes.append(attribute)
            private.append(attribute.private[one.private])
            released.append(attribute.released[one.released])
        return count_unmatched(
            _merge(private, self.private, self.connection),
            _merge(released, self.released, self.connection),
            attributes,
        )


def _number_classes(
    columns: Sequence[ComparedColumn], suppressed: str
) -> tuple[Codes, Codes, int | None]:
    """Number the images of private sequences and the released sequences, equal ones alike."""
    lines, sizes = [], []
    for column in columns:
        number: dict[object, int] = {suppressed: 0}
        for text in (*column.images, *column.texts):
            number.setdefault(text, len(number))
        images, shown = (
            np.array([number[text] for text in texts], dtype=np.int32)[places]
            for texts, places in (
                (column.images, column.private),
                (column.texts, column.released),
            )
        )
        lines.append(np.concatenate([images, shown]))
        sizes.append(len(number))
    codes = np.array(lines, dtype=np.int32)
    class_of = group_equal(codes, sizes, np.ones(codes.shape[1], dtype=np.int64))[0]
    blank = class_of[~codes.any(axis=0)]
    own = len(columns[0].private)
    return class_of[:own], class_of[own:], int(blank[0]) if len(blank) else None


def _total(classes: Codes, table: ComparedTable, number: int) -> tuple[Counts, Hashes]:
    """Add up the rows and the hashes of each class; sums of hashes are modulo 2^64."""
    rows, marks = np.zeros(number, dtype=np.int64), np.zeros(number, dtype=np.uint64)
    np.add.at(rows, classes, table.rows)
    np.add.at(marks, classes, table.marks)
    return rows, marks


def _subtract(
    private: pa.Table, release: pa.Table, blank: int | None, connection: Connection
) -> int:
    """Count the released rows in excess of the private rows of the same class and hash.

    A blank row may be any remaining private row with the same hash.
    """
    is_blank = pa.array(release["class"].to_numpy() == (-1 if blank is None else blank))
    shown = release.filter(arrow_compute.invert(is_blank))
    left = derive(
        connection.duckdb.from_arrow(private),
        "SELECT hash, sum(greatest(t.rows - coalesce(m.rows, 0), 0)) AS rows "
        "FROM t LEFT JOIN mapping AS m USING (class, hash) GROUP BY hash",
        shown,
        connection.duckdb,
    ).to_arrow_table()
    extra = _count_more(shown, private, "class, hash", connection)
    return extra + _count_more(release.filter(is_blank), left, "hash", connection)


def _count_more(rows: pa.Table, others: pa.Table, keys: str, connection: Connection) -> int:
    """Count the rows in excess of the rows of another table with the same keys."""
    more = derive(
        connection.duckdb.from_arrow(rows),
        "SELECT coalesce(sum(greatest(t.rows - coalesce(m.rows, 0), 0)), 0) "
        f"FROM t LEFT JOIN mapping AS m USING ({keys})",
        others,
        connection.duckdb,
    )
    return int(more.fetchall()[0][0])


def _merge(codes: Sequence[Codes], table: ComparedTable, connection: Connection) -> pa.Table:
    """Replace values by codes, and count rows with equal codes together."""
    lines = {f"code {place}": pa.array(line) for place, line in enumerate(codes)}
    coded = pa.table(lines | {"hash": pa.array(table.marks), "rows": pa.array(table.rows)})
    return derive(
        connection.duckdb.from_arrow(coded),
        "SELECT * EXCLUDE (rows), CAST(sum(rows) AS BIGINT) AS rows FROM t GROUP BY ALL",
        connection=connection.duckdb,
    ).to_arrow_table()
