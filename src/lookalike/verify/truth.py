"""Prove that every released row is the generalization of a different private row.

SQL counts both tables once: their distinct sequences of quasi-identifier values, the number of rows
of each, and the sum of keyed hashes of the other columns. Everything else works on distinct
sequences. Only where the hashes of a class differ, or not all of its rows are released, its rows
are also counted by hash.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

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
from lookalike.tables.engines import as_native, sql_engine_of
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.labels import label
from lookalike.tables.sql import derive
from lookalike.tables.table import Frame, check_columns
from lookalike.verify.both_tables import ComparedTable, TruthClaim, count_both_tables, count_by_hash
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
    return _compare_tables(private, release, claim, connection)[0]


def _compare_tables(
    private: Frame, release: QueryRows, claim: TruthClaim, connection: Connection
) -> tuple[int, int]:
    """Count the released rows that are not true, and all private rows."""
    original = as_native(private, release, connection)
    check_columns(original.columns, claim.columns)
    check_columns(release.columns, claim.columns, "the release")
    engine = sql_engine_of(release)
    with engine.errors("the private table or the release"):
        count = count_in_spark if engine.is_cluster else count_both_tables
        tables = count(original, release, claim)
        columns = list(_read_columns(*tables, claim, connection))
        compare = _count_unmatched if claim.cells else _count_extra
        return compare(columns, *tables, claim, connection), int(tables[0].rows.sum())


def require_truth(
    private: Frame,
    release: QueryRows,
    claim: TruthClaim,
    connection: Connection,
    rows_in: int | None = None,
) -> None:
    """Refuse a release with rows that do not generalize different private rows.

    ``rows_in``: how many rows the private table had when it was counted.
    """
    false, rows = _compare_tables(private, release, claim, connection)
    if rows_in not in (None, rows):
        raise RequirementNotMet(
            f"the source has {rows:,} rows, and had {rows_in:,} when it was counted, so nothing is "
            "released; did the source change while it was read?"
        )
    if false:
        raise RequirementNotMet(
            f"{false:,} released rows do not generalize a private row each, so nothing is "
            "released; did the source change while it was read? If not, please report it"
        )


@dataclass(frozen=True, eq=False)
class _ComparedColumn(Discreet):
    """An attribute of the quasi-identifier in both tables."""

    name: str
    paths: list[LabelPath]
    levels: list[int]
    private: Codes
    texts: list[str | None]
    released: Codes


def _read_columns(
    private_table: ComparedTable,
    released_table: ComparedTable,
    claim: TruthClaim,
    connection: Connection,
) -> Iterator[_ComparedColumn]:
    """Read the quasi-identifier of both tables."""
    types = private_table.types
    for name, rule in claim.hierarchies.items():
        values, private = list_values(private_table.sequences[name])
        shown, released = list_values(released_table.sequences[name])
        labels = [label(value) for value in values]
        _check_suppressed(name, labels, claim.suppressed_label)
        paths = list_paths(name, rule, labels, claim.suppressed_label)
        levels = claim.levels_of(name, len(paths[0]) - 1) if paths else []
        texts = recognize(shown, paths, levels, types[name], connection)
        yield _ComparedColumn(name, paths, levels, private, texts, released)


def _check_suppressed(name: str, labels: Collection[str | None], suppressed: str) -> None:
    """Refuse a suppressed label that is also a private value."""
    if suppressed in labels:
        raise InvalidInput(
            f"column {name!r}: the suppressed label {suppressed!r} is also a value of the private "
            "column; give the suppressed_label of the release"
        )


def _count_extra(
    columns: Sequence[_ComparedColumn],
    private_table: ComparedTable,
    released_table: ComparedTable,
    claim: TruthClaim,
    connection: Connection,
) -> int:
    """Count the released rows that are not among the images, each image used once.

    A class whose rows are all released, with the same sum of hashes, needs no further check. Blank
    rows are the remaining rows if all rows together have the same sum of hashes.
    """
    images, shown, blank = _number_classes(columns, claim.suppressed_label)
    number = 1 + int(max(images.max(initial=-1), shown.max(initial=-1)))
    private, released = _total(images, private_table, number), _total(shown, released_table, number)
    doubtful = (released[0] > 0) & ((released[0] != private[0]) | (released[1] != private[1]))
    if claim.blank and blank is not None:
        doubtful[blank] = False
        whole = [(int(rows.sum()), int(marks.sum())) for rows, marks in (private, released)]
        doubtful |= whole[0] != whole[1]
    if not doubtful.any():
        return 0
    names = [column.name for column in columns]
    return _subtract(
        count_by_hash(private_table, images, doubtful, names),
        count_by_hash(released_table, shown, doubtful, names),
        blank if claim.blank else None,
        connection,
    )


def _number_classes(
    columns: Sequence[_ComparedColumn], suppressed: str
) -> tuple[Codes, Codes, int | None]:
    """Number the images of private sequences and the released sequences, equal ones alike."""
    lines, sizes = [], []
    for column in columns:
        number: dict[object, int] = {suppressed: 0}
        for text in (*_images(column), *column.texts):
            number.setdefault(text, len(number))
        images, shown = (
            np.array([number[text] for text in texts], dtype=np.int32)[places]
            for texts, places in (
                (_images(column), column.private),
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


def _images(column: _ComparedColumn) -> list[object]:
    """Return the image of each private value at the level of an attribute."""
    level = next(iter(column.levels), None)
    return [NO_IMAGE if level is None else path[level] for path in column.paths]


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
    )
    return int(more.fetchall()[0][0])


def _count_unmatched(
    columns: Sequence[_ComparedColumn],
    private_table: ComparedTable,
    released_table: ComparedTable,
    claim: TruthClaim,
    connection: Connection,
) -> int:
    """Count the released rows that cannot be matched with private rows, at the cell level."""
    attributes = [
        read_attribute(
            column.name, column.paths, column.texts, claim.suppressed_label, column.levels
        )
        for column in columns
    ]
    pairs = list(zip(attributes, columns, strict=True))
    private = [attribute.private[column.private] for attribute, column in pairs]
    released = [attribute.released[column.released] for attribute, column in pairs]
    return count_unmatched(
        _merge(private, private_table, connection),
        _merge(released, released_table, connection),
        attributes,
    )


def _merge(codes: Sequence[Codes], table: ComparedTable, connection: Connection) -> pa.Table:
    """Replace values by codes, and count rows with equal codes together."""
    lines = {f"code {place}": pa.array(line) for place, line in enumerate(codes)}
    coded = pa.table(lines | {"hash": pa.array(table.marks), "rows": pa.array(table.rows)})
    return derive(
        connection.duckdb.from_arrow(coded),
        "SELECT * EXCLUDE (rows), CAST(sum(rows) AS BIGINT) AS rows FROM t GROUP BY ALL",
    ).to_arrow_table()
