"""List what private values may become in a release, and recognize what released values stand for.

Private values are generalized by the public methods of a hierarchy, not by the arrays that the
search uses, and missing and unknown values are handled independently here. So a fault in counting,
or in binding a hierarchy to a column, shows as a difference.
"""

from collections.abc import Collection, Sequence
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.bound import LabelPath
from lookalike.kernels.types import Codes
from lookalike.tables.connection import Connection
from lookalike.tables.labels import label
from lookalike.tables.sql import derive

_TEXT_TYPES = ("varchar", "enum")
_FRACTIONS = ("float", "double")
NESTED = ("list", "array", "struct", "map", "union")


def column_types(relation: duckdb.DuckDBPyRelation) -> dict[str, Any]:
    """Return the DuckDB type of each column."""
    return dict(zip(relation.columns, relation.types, strict=True))


def list_values(column: pa.ChunkedArray) -> tuple[list[Any], Codes]:
    """Return the distinct values of a column as Python objects, and each row's position in them."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    places: Codes = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int32)
    return encoded.dictionary.to_pylist(), places


def list_paths(
    name: str, rule: Hierarchy, labels: Sequence[str | None], suppressed: str
) -> list[LabelPath]:
    """Return for each private value of a column its label at every level.

    A missing value stays missing below the top. A value that is not in the hierarchy is suppressed
    at every level, or refused, depending on the hierarchy.

    Examples
    --------
    >>> from lookalike.hierarchy import Mask
    >>> list_paths("zip", Mask(length=2), ["02", None], "-")
    [('02', '0*', '-'), (None, None, '-')]
    """
    try:
        fitted = rule.fit([text for text in labels if text is not None])
    except InvalidInput as problem:
        raise InvalidInput(f"column {name!r}: {problem}") from None
    known = {text: _climb(name, fitted, text, suppressed) for text in labels if text is not None}
    paths = [path for path in known.values() if path is not None]
    listed = [_climb(name, fitted, text, suppressed) for text in fitted.domain()[:1]]
    top = next((path[-1] for path in (*paths, *listed) if path is not None), suppressed)
    missing = (*(None,) * fitted.height, top) if fitted.height else (None,)
    unknown = (*(suppressed,) * fitted.height, top) if fitted.height else (suppressed,)
    return [missing if text is None else known[text] or unknown for text in labels]


def _climb(name: str, rule: Hierarchy, text: str, suppressed: str) -> LabelPath | None:
    """Return the labels of a value at every level; None if it is unknown and suppressed."""
    try:
        ground, *above = rule.ancestors(text)
    except UnknownValue:
        if rule.unknown == "suppress":
            return None
        raise UnknownValue(
            f"column {name!r}: the private table has values that are not in the hierarchy; check "
            "that the hierarchy and the table belong to this release"
        ) from None
    return (ground, *(suppressed if one == SUPPRESSED else one for one in above))


def recognize(
    values: Sequence[Any],
    paths: Sequence[LabelPath],
    levels: Collection[int],
    kind: Any,
    connection: Connection,
) -> list[str | None]:
    """Return the labels of released values.

    A text that is a label of some level, such as 0.70 for 0.7, is that label. Any other text in
    place of a private number, time or boolean at level 0 is read as a value of this type, because
    each file format writes these types in its own way.
    """
    written = {path[level] for path in paths for level in levels}
    texts = [label(value) for value in values]
    if kind.id in _TEXT_TYPES or 0 not in levels:
        return texts
    read = _read_as(texts, kind, connection)
    return [
        text if text in written or as_typed is None else as_typed
        for text, as_typed in zip(texts, read, strict=True)
    ]


def _read_as(texts: Sequence[str | None], kind: Any, connection: Connection) -> list[str | None]:
    """Return the label of each text that a file format writes for a value of a type, else None.

    For example, CSV files have 1e+20 and 1.50, JSON lines 100000000000000000000.0 and 1.5.
    """
    written = connection.duckdb.from_arrow(pa.table({"written": pa.array(texts, pa.string())}))
    number = "CAST(TRY_CAST(CAST(read AS VARCHAR) AS DOUBLE) AS VARCHAR)"
    read = derive(
        written,
        "SELECT CASE WHEN written IN (CAST(read AS VARCHAR), CAST(to_json(read) AS VARCHAR), "
        f"{number}) THEN read END "
        f"FROM (SELECT written, TRY_CAST(written AS {kind}) AS read FROM t)",
        connection=connection.duckdb,
    ).to_arrow_table()
    return [label(value) for value in read.column(0).to_pylist()]


def compare_as(name: str, private: Any, released: Any) -> tuple[str, str]:
    """Return SQL for a private and a released value of a column that is released as it is.

    Both are converted to one type: text is read as the private type, and a type that the file
    format lacks is compared as the type in the file. Whole numbers in place of fractions, which
    pandas takes for one another, are read as fractions. Whether a value is missing is compared
    separately.

    Examples
    --------
    >>> compare_as("cost", duckdb.sqltype("DOUBLE"), duckdb.sqltype("VARCHAR"))
    ('cost IS NULL, cost', 'cost IS NULL, TRY_CAST(cost AS DOUBLE)')
    """
    ours = theirs = name
    if private.id == "enum":
        ours, private = f"CAST({name} AS VARCHAR)", duckdb.sqltype("VARCHAR")
    if released.id == "enum":
        theirs, released = f"CAST({name} AS VARCHAR)", duckdb.sqltype("VARCHAR")
    if str(private) != str(released):
        if released.id == "varchar" or (private.id in _FRACTIONS and released.id == "bigint"):
            theirs = f"TRY_CAST({theirs} AS {private})"
            if private.id in NESTED:
                theirs = f"coalesce(TRY_CAST(TRY_CAST({name} AS JSON) AS {private}), {theirs})"
        else:
            ours = f"TRY_CAST({ours} AS {released})"
    return f"{name} IS NULL, {ours}", f"{name} IS NULL, {theirs}"
