"""Mark: give rows a number that nobody sees, and other values where that is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.tables.count import fetch
from lookalike.tables.sql import derive, quote_name
from lookalike.tables.table import Frame, Table

MARK = "lookalike mark"
KEY = "lookalike key"
OLD = "lookalike old"
KEPT = "lookalike kept"
CURRENT = -1
"""The place of a row that shows the value it has."""


@dataclass(frozen=True, eq=False)
class Old(Discreet):
    """Values that some rows of a table showed before, in one column.

    Parameters
    ----------
    values
        The values, of the type that the column has.
    places
        Where each row's value is among them, or `CURRENT`.
    """

    values: pa.Array
    places: Codes


@dataclass(frozen=True, eq=False)
class RowTags(Discreet):
    """What the rows of a table are marked with, in the order in which they were fetched.

    Parameters
    ----------
    row_key
        The column that tells the rows apart.
    keys
        Its values.
    numbers
        The number of each row.
    old
        The columns in which some rows show earlier values.
    """

    row_key: str
    keys: pa.ChunkedArray
    numbers: Codes
    old: Mapping[str, Old]


def tag_rows(table: Table, marks: RowTags) -> Table:
    """Return a table with the number of each row as :data:`MARK`, which is never released."""
    frame = table.frame
    marked: Frame
    if isinstance(frame, nw.DataFrame):
        marked = _mark_frame(frame, marks)
    else:
        marked = _mark_query(frame, marks)
    roles = {**table.roles, MARK: "identifier"}
    return Table(marked, roles, table.pseudonym_keys, table.lazy)


def _mark_frame(frame: nw.DataFrame[Any], marks: RowTags) -> nw.DataFrame[Any]:
    """Mark the rows of a frame, which come in the order of the marks."""
    here = np.arange(len(frame))
    columns = {MARK: pa.array(marks.numbers)}
    for name, old in marks.old.items():
        [now] = fetch(frame, [name])
        both = pa.chunked_array([*now[name].cast(old.values.type).chunks, old.values])
        places = np.where(old.places == CURRENT, here, len(frame) + old.places)
        columns[name] = both.take(pa.array(places))
    beside = nw.from_arrow(pa.table(columns), backend=frame.implementation)
    return frame.with_columns(beside[name] for name in columns)


def _mark_query(frame: nw.LazyFrame[Any], marks: RowTags) -> nw.LazyFrame[Any]:
    """Mark the rows of a query, found by their keys."""
    columns = {KEY: marks.keys, MARK: pa.array(marks.numbers)}
    for name, old in marks.old.items():
        current = old.places == CURRENT
        columns[f"{KEPT} {name}"] = pa.array(~current)
        columns[f"{OLD} {name}"] = old.values.take(pa.array(old.places, mask=current))
    shown = ", ".join(
        f"CASE WHEN m.{quote_name(f'{KEPT} {name}')} THEN m.{quote_name(f'{OLD} {name}')} "
        f"ELSE s.{quote_name(name)} END AS {quote_name(name)}"
        for name in marks.old
    )
    marked = derive(
        frame.to_native(),
        f"""
        SELECT s.* {f"REPLACE ({shown})" if shown else ""}, m.{quote_name(MARK)}
        FROM t AS s LEFT JOIN mapping AS m ON s.{quote_name(marks.row_key)} = m.{quote_name(KEY)}
        """,
        pa.table(columns),
    )
    return nw.from_native(marked)
