"""Mark: give rows a number that nobody sees, and other values where that is asked."""

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.count import fetch
from lookalike.discreet import Discreet
from lookalike.hierarchy.bound import Codes
from lookalike.sql import derive, quote_name
from lookalike.table import Frame, Table

MARK = "lookalike mark"
KEY = "lookalike key"
OLD = "lookalike old"
CURRENT = -1
"""The place of a row that shows the values it has."""


@dataclass(frozen=True, eq=False)
class Marks(Discreet):
    """What the rows of a table are marked with, in the order in which they were fetched.

    Parameters
    ----------
    row_key
        The column that tells the rows apart.
    keys
        Its values.
    numbers
        The number of each row.
    values
        Values of other times, of some columns.
    places
        Where each row's values are among them, or `CURRENT`.
    """

    row_key: str
    keys: pa.ChunkedArray
    numbers: Codes
    values: pa.Table
    places: Codes

    @property
    def replaced(self) -> list[str]:
        """The columns in which some rows show values of other times."""
        return self.values.column_names if np.any(self.places != CURRENT) else []


def mark_rows(table: Table, marks: Marks) -> Table:
    """Return a table with the number of each row as :data:`MARK`, which is never released."""
    frame = table.frame
    marked: Frame
    if isinstance(frame, nw.DataFrame):
        marked = _mark_frame(frame, marks)
    else:
        marked = _mark_query(frame, marks)
    roles = {**table.roles, MARK: "identifier"}
    return Table(marked, roles, table.pseudonym_keys, table.lazy)


def _mark_frame(frame: nw.DataFrame[Any], marks: Marks) -> nw.DataFrame[Any]:
    """Mark the rows of a frame, which come in the order of the marks."""
    here = np.arange(len(frame))
    places = pa.array(np.where(marks.places == CURRENT, here, len(frame) + marks.places))
    columns = pa.table({MARK: pa.array(marks.numbers)})
    if marks.replaced:
        [now] = fetch(frame, marks.replaced)
        both = [now.replace_schema_metadata(None).cast(marks.values.schema), marks.values]
        shown = pa.concat_tables(both).take(places)
        for name in marks.replaced:
            columns = columns.append_column(name, shown[name])
    beside = nw.from_arrow(columns, backend=frame.implementation)
    return frame.with_columns(beside[name] for name in columns.column_names)


def _mark_query(frame: nw.LazyFrame[Any], marks: Marks) -> nw.LazyFrame[Any]:
    """Mark the rows of a query, found by their keys."""
    current = marks.places == CURRENT
    places = pa.array(marks.places, mask=current)
    columns = {KEY: marks.keys, MARK: pa.array(marks.numbers), OLD: pa.array(~current)}
    columns |= {f"{OLD} {name}": marks.values[name].take(places) for name in marks.replaced}
    shown = ", ".join(
        f"CASE WHEN m.{quote_name(OLD)} THEN m.{quote_name(f'{OLD} {name}')} "
        f"ELSE s.{quote_name(name)} END AS {quote_name(name)}"
        for name in marks.replaced
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
