"""Count: from rows to the distinct sequences of quasi-identifier values.

An engine that works on disk counts there; only distinct sequences come to memory. Values are
labelled here, in Python, so that every kind of frame gives the same text for the same value.
"""

import datetime
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.sql import SOURCE_CHANGED, derive, engine_errors, quote_name
from lookalike.tables.table import Frame, check_columns, column_names

ROWS = "lookalike rows"

Write = Callable[[Any], str | None]
"""Writes a value as text; nothing for a missing one."""
TOGETHER = 500
"""How many columns one query estimates: a query over a wide table costs much by itself."""
TOGETHER_EXACTLY = 8
"""How many columns one query counts exactly, each of which needs memory for its values."""


@dataclass(frozen=True, eq=False)
class Counted(Discreet):
    """The entries of a table over some attributes, as positions among their distinct values.

    Parameters
    ----------
    values
        For each attribute its distinct values as text, sorted; ``None``, missing, comes last.
    positions
        One line an attribute: the position of each entry's value.
    counts
        The number of rows of each entry; an entry of a frame in memory is one row.
    keys
        The values of each entry as the engine holds them, where rows must be found again.
    marks
        The mark of each entry, where rows with the same values have different ones.
    """

    values: tuple[tuple[str | None, ...], ...]
    positions: Codes
    counts: Counts
    keys: pa.Table | None
    marks: Codes | None = None

    def class_sizes(self) -> Counts:
        """Return the number of rows of each distinct sequence."""
        sizes = [len(values) for values in self.values]
        return group_equal(self.positions, sizes, self.counts)[2]


def count(frame: Frame, attributes: Sequence[str], mark: str | None = None) -> Counted:
    """Count how often each sequence of values occurs (Achieving, Figure 8, step 1).

    Parameters
    ----------
    frame
        The rows.
    attributes
        The attributes to count over.
    mark
        A column of numbers; rows with different ones are counted apart.
    """
    check_columns(column_names(frame), attributes)
    apart = () if mark is None else (mark,)
    if isinstance(frame, nw.DataFrame):
        encoded = [encode(frame[name]) for name in attributes]
        counts, keys = np.ones(len(frame), dtype=np.int64), None
        marks = [frame[name].to_numpy() for name in apart]
    else:
        keys = _group(frame, (*attributes, *apart))
        encoded = [encode_column(name, keys[name]) for name in attributes]
        counts = keys[ROWS].to_numpy().astype(np.int64)
        marks = [keys[name].to_numpy() for name in apart]
        if any(keys[name].null_count for name in apart):
            raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")
    positions = np.empty((len(encoded), len(counts)), dtype=np.int32)
    for attribute, (_, codes) in enumerate(encoded):
        positions[attribute] = codes
    values = tuple(values for values, _ in encoded)
    marked = marks[0].astype(np.int32) if marks else None
    return Counted(values, positions, counts, keys, marked)


def fetch(frame: Frame, columns: Sequence[str]) -> Iterator[pa.Table]:
    """Yield some columns of all rows, piece by piece and one at least, as Arrow tables."""
    if isinstance(frame, nw.DataFrame):
        yield frame.select(columns).to_arrow().select(list(columns))
        return
    names = ", ".join(quote_name(name) for name in columns)
    with engine_errors():
        reader = derive(frame.to_native(), f"SELECT {names} FROM t").to_arrow_reader()
        yield pa.Table.from_batches([*islice(reader, 1)], reader.schema)
        for batch in reader:
            yield pa.Table.from_batches([batch])


def count_distinct(
    frame: Frame, columns: Sequence[str], *, exact: bool = False
) -> dict[str, tuple[int, int]]:
    """Return for each column how many distinct values it has, and how many rows have one.

    An engine that works on disk estimates first and counts exactly only where the estimate
    says that most values differ, or where that is asked for.
    """
    if isinstance(frame, nw.DataFrame):
        arrays = {name: _known(_to_arrow(frame[name])) for name in columns}
        return {name: (_distinct(a), len(a) - a.null_count) for name, a in arrays.items()}
    relation = frame.to_native()
    with engine_errors():
        if exact:
            return _ask(relation, columns, "count(DISTINCT {})", TOGETHER_EXACTLY)
        estimates = _ask(relation, columns, "approx_count_distinct({})", TOGETHER)
        doubtful = [name for name, (distinct, rows) in estimates.items() if distinct * 2 > rows]
        return estimates | _ask(relation, doubtful, "count(DISTINCT {})", TOGETHER_EXACTLY)


def label(value: Any) -> str | None:
    """Write a value as text, the same for every kind of frame.

    A time with a zone is written in UTC: engines show the same time in different zones.

    Examples
    --------
    >>> [label(value) for value in (True, 3.0, 2.5, float("nan"), datetime.date(1965, 9, 20))]
    ['true', '3', '2.5', None, '1965-09-20']
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float | Decimal):
        return _label_number(value)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            return value.astimezone(datetime.UTC).isoformat()
        midnight = datetime.datetime.combine(value.date(), datetime.time())
        return (value.date() if value == midnight else value).isoformat()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, int):
        return str(value)
    raise TypeError(type(value).__name__)


def spell(value: Any) -> str | None:
    """Write a value of a column that is released as it is.

    It is the text of :func:`label`, except that values which are written differently to a file
    stay different: not-a-number and missing, -0 and 0.

    Examples
    --------
    >>> [spell(value) for value in (3.0, -0.0, 0.0, float("nan"), None)]
    ['3', '-0', '0', 'nan', None]
    """
    if isinstance(value, float) and math.isnan(value):
        return "nan"
    if isinstance(value, float) and value == 0 and math.copysign(1, value) < 0:
        return "-0"
    return label(value)


def _label_number(value: float | Decimal) -> str | None:
    """Write a number without a useless fraction; not-a-number is missing."""
    if math.isnan(value):
        return None
    if math.isinf(value):
        return str(float(value))
    return str(int(value)) if value == int(value) else str(value)


def settle_mixed(frame: Frame) -> Frame:
    """Write columns of mixed objects as text, so that 1 and "1", counted as one, are one."""
    if not isinstance(frame, nw.DataFrame):
        return frame
    mixed = [name for name in frame.columns if _is_mixed(frame[name])]
    return frame.with_columns(
        nw.new_series(name, _label_all(frame[name]), nw.String, backend=frame.implementation)
        for name in mixed
    )


def _label_all(series: nw.Series[Any]) -> list[str | None]:
    """Label every object of a column; whatever the frame takes for missing is missing."""
    rows = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return [None if missing else _label_in(series.name, value) for value, missing in rows]


def _is_mixed(series: nw.Series[Any]) -> bool:
    """Tell whether a column holds objects of several types, or of none that Arrow knows."""
    if series.dtype != nw.Object or not series.implementation.is_pandas():
        return series.dtype == nw.Object
    return len({type(value) for value in series.drop_nulls().to_list()}) > 1


def _group(frame: nw.LazyFrame[Any], attributes: Sequence[str]) -> pa.Table:
    """Let the engine count, and fetch the distinct sequences."""
    keys = ", ".join(quote_name(name) for name in attributes)
    sql = f"SELECT {keys}, count(*) AS {quote_name(ROWS)} FROM t GROUP BY {keys}"
    with engine_errors():
        return derive(frame.to_native(), sql).to_arrow_table()


def _ask(
    relation: duckdb.DuckDBPyRelation, columns: Sequence[str], function: str, together: int
) -> dict[str, tuple[int, int]]:
    """Ask DuckDB for the distinct values of columns and the rows that have one, some at a time."""
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    answers: dict[str, tuple[int, int]] = {}
    for begin in range(0, len(columns), together):
        names = columns[begin : begin + together]
        known = [_known_sql(name, kinds[name].id) for name in names]
        asked = (f"{function.format(column)}, count({column})" for column in known)
        numbers = derive(relation, f"SELECT {', '.join(asked)} FROM t").fetchall()[0]
        answers |= dict(zip(names, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
    return answers


def _known_sql(name: str, kind: str) -> str:
    """Take not-a-number as missing in SQL, as :func:`_known` does in memory."""
    column = quote_name(name)
    if kind not in ("float", "double"):
        return column
    return f"CASE WHEN NOT isnan({column}) THEN {column} END"


def _known(column: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Take not-a-number as missing, as :func:`label` does."""
    if not pa.types.is_floating(column.type):
        return column
    return arrow_compute.if_else(arrow_compute.is_nan(column), None, column)


def _distinct(column: pa.Array | pa.ChunkedArray) -> int:
    """Count the distinct values of a column that are not missing."""
    try:
        return int(arrow_compute.count_distinct(column, mode="only_valid").as_py())
    except pa.ArrowNotImplementedError:
        return len({str(value) for value in column.to_pylist() if value is not None})


def _to_arrow(series: nw.Series[Any]) -> pa.Array | pa.ChunkedArray:
    """Hand a column over to Arrow; a column of mixed objects is labelled first."""
    try:
        return series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        return pa.array(_label_all(series), pa.string())


def encode(series: nw.Series[Any]) -> tuple[tuple[str | None, ...], Codes]:
    """Return the distinct labels of a column in memory, and each row's position among them."""
    return encode_column(series.name, _to_arrow(series))


def encode_column(
    name: str, column: pa.Array | pa.ChunkedArray, write: Write = label
) -> tuple[tuple[str | None, ...], Codes]:
    """Return the distinct labels of a column, sorted, and each entry's position among them.

    Parameters
    ----------
    name
        The column's name, for errors.
    column
        Its values.
    write
        Writes a value as text: `label`, or `spell` for a column that is released as it is.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    try:
        encoded = arrow_compute.dictionary_encode(column)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise _not_a_value(name, str(column.type)) from None
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    values = [*_to_python(name, encoded.dictionary), None]
    labels = [_label_in(name, value, write) for value in values]
    codes = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    known = sorted({text for text in labels if text is not None})
    missing = encoded.null_count > 0 or None in labels[:-1]
    distinct = (*known, None) if missing else tuple(known)
    position = {value: number for number, value in enumerate(distinct)}
    lookup = np.array([position.get(text, 0) for text in labels], dtype=np.int32)
    return distinct, lookup[codes]


def _to_python(name: str, values: pa.Array) -> list[Any]:
    """Return values as Python's own, which has no dates before the year 1 or after 9999.

    Python knows no nanoseconds either; times that need them come as text.
    """
    try:
        if pa.types.is_time64(values.type):
            values = values.cast(pa.time64("us"))
    except pa.ArrowInvalid:
        values = values.cast(pa.string())
    try:
        return values.to_pylist()  # type: ignore[no-any-return]
    except (OverflowError, ValueError):
        raise InvalidInput(
            f"column {name!r} holds dates that cannot be written as text here; convert it to text"
        ) from None


def _label_in(name: str, value: Any, write: Write = label) -> str | None:
    """Label a value of a column, or say that its type has no label."""
    try:
        return write(value)
    except TypeError as kind:
        raise _not_a_value(name, str(kind)) from None


def _not_a_value(name: str, kind: str) -> InvalidInput:
    """Say that a column holds something that cannot be a quasi-identifier value."""
    return InvalidInput(
        f"column {name!r} holds values of type {kind}, which cannot be matched; convert it to "
        "text, numbers, booleans or dates"
    )
