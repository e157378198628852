"""Coarsen: round the numbers of columns, and cut them at a greatest and a smallest number.

The values are changed where the private table is read, so that everything after it, the protections
of sensitive values among it, sees the numbers that are released. The expressions are those of
narwhals, as in :mod:`lookalike.tables.clean`.
"""

from collections.abc import Mapping
from typing import TypeVar, cast

import narwhals as nw
from narwhals.dtypes import DType

from lookalike.errors import InvalidInput
from lookalike.tables.coarsening import NumberCoarsening
from lookalike.tables.table import Frame

NUMBER = r"^[+-]?[0-9]{1,15}(?:\.[0-9]+)?$"
"""A number as text; with more digits it would not be exact."""
_Rows = TypeVar("_Rows", bound=Frame)


def coarsen(frame: _Rows, columns: Mapping[str, NumberCoarsening]) -> _Rows:
    """Return the rows with coarser numbers in some columns.

    Parameters
    ----------
    frame
        The rows, in any engine.
    columns
        What is done to each column; one that the frame does not have is ignored.

    Raises
    ------
    InvalidInput
        If a column has values that are not numbers.

    Examples
    --------
    >>> import pyarrow as pa
    >>> pay = nw.from_native(pa.table({"pay": ["1499.50", "98000", None]}))
    >>> coarsen(pay, {"pay": NumberCoarsening(1000, top=90000)}).to_dict(as_series=False)
    {'pay': ['1000', '90000', None]}
    """
    kinds = frame.collect_schema()
    asked = {name: one for name, one in columns.items() if name in kinds}
    if not asked:
        return frame
    _require_numbers(frame, {name: kinds[name] for name in asked})
    values = (_coarsen(nw.col(name), kinds[name], one).alias(name) for name, one in asked.items())
    return cast(_Rows, frame.with_columns(values))


def _require_numbers(frame: Frame, kinds: Mapping[str, DType]) -> None:
    """Refuse columns whose values are not numbers; the message names no value."""
    for name, kind in kinds.items():
        if kind.is_numeric():
            continue
        wrong = "its type is not one of numbers or text"
        if kind == nw.String:
            number = nw.col(name).is_null() | nw.col(name).str.contains(NUMBER)
            other = (~number).cast(nw.Int64).sum().alias("rows")
            rows = frame.lazy().select(other).collect("pyarrow")["rows"][0]
            wrong = f"{int(rows or 0):,} of its values are not numbers"
            if not rows:
                continue
        raise InvalidInput(
            f"column {name!r} cannot be rounded or cut, because {wrong}; name what stands for a "
            "missing value under missing, or leave out round, top and bottom"
        )


def _coarsen(column: nw.Expr, kind: DType, asked: NumberCoarsening) -> nw.Expr:
    """Return the coarser value of a column, of the same type."""
    number = column.cast(nw.Float64)
    coarse = number
    if asked.round is not None:
        coarse = ((number / asked.round) + 0.5).floor() * asked.round
    if asked.bottom is not None or asked.top is not None:
        coarse = coarse.clip(asked.bottom, asked.top)
    if kind != nw.String:
        return coarse.cast(kind)
    whole = coarse.fill_null(0).floor().cast(nw.Int64).cast(nw.String)
    text = nw.when(~column.is_null()).then(whole)
    if asked.round is not None:
        return text
    return nw.when(coarse == number).then(column).otherwise(text)
