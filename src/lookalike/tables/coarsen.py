"""Coarsen: round the numbers of columns, and cut them at both ends, by SQL that is exact.

The values are changed where the private table is read, so that everything after it, the protections
of sensitive values among it, sees the numbers that are released. DuckDB and Spark run the same SQL:
whole numbers, decimals and text are compared as decimals of 38 digits, floating-point numbers by
a remainder that loses nothing. A column with values that have no exact result is refused.
"""

import re
import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.sql import quote_name
from lookalike.tables.table import OWN_PREFIX

_MOST_DIGITS = 34
"""The digits before the point: a decimal of 38 digits also holds two behind it, and a sum."""
_NUMBER = rf"^[+-]?[0-9]{{1,{_MOST_DIGITS}}}([.][0-9]+)?$"
_WHOLE, _WIDE, _DOUBLE = "DECIMAL(36, 0)", "DECIMAL(38, 2)", "DOUBLE"
_TEXT = ("varchar", "string")
_EXACT_UNTIL = {"float": 2**24, "double": 2**53}
"""Up to these a floating-point type has every whole number."""
_Rows = TypeVar("_Rows")


@dataclass(frozen=True)
class _Coarse:
    """SQL for the coarser values of a column."""

    steps: tuple[str, str, str]
    value: str
    reason: str


def coarsen(
    rows: _Rows,
    kinds: Mapping[str, str],
    columns: Mapping[str, NumberCoarsening],
    select: Callable[[_Rows, Sequence[str]], _Rows],
    run: Callable[[_Rows], pa.Table],
) -> _Rows:
    """Return the rows with coarser numbers in some columns.

    ``columns``: what is done to each column; one that the rows do not have is ignored.

    Examples
    --------
    >>> import duckdb
    >>> pay = duckdb.sql("SELECT unnest(['1499.50', '98000', NULL]) AS pay")
    >>> coarser = coarsen(
    ...     pay,
    ...     {"pay": "VARCHAR"},
    ...     {"pay": NumberCoarsening(1000, top=90000)},
    ...     lambda rows, sql: rows.project(", ".join(sql)),
    ...     lambda rows: rows.to_arrow_table(),
    ... )
    >>> coarser.fetchall()
    [('1000',), ('90000',), (None,)]
    """
    wanted = {
        name: _write(name, kinds[name], asked) for name, asked in columns.items() if name in kinds
    }
    if not wanted:
        return rows
    for added in zip(*(one.steps for one in wanted.values()), strict=True):
        rows = select(rows, ["*", *added])
    lost = [
        f"{quote_name(name)} IS NOT NULL AND ({one.value}) IS NULL" for name, one in wanted.items()
    ]
    found = run(select(rows, [f"count(CASE WHEN {one} THEN 1 END)" for one in lost]))
    for (name, one), [inexact] in zip(wanted.items(), found.columns, strict=True):
        if inexact.as_py():
            raise _cannot(name, f"{inexact.as_py():,} of its values {one.reason}")
    values = {name: wanted[name].value if name in wanted else quote_name(name) for name in kinds}
    return select(rows, [f"{value} AS {quote_name(name)}" for name, value in values.items()])


def _cannot(name: str, reason: str) -> InvalidInput:
    """Make the error for a column that cannot be coarsened; it names no value."""
    return InvalidInput(
        f"column {name!r} cannot be rounded or cut, because {reason}; name what stands for a "
        "missing value under missing, or leave out round, top and bottom"
    )


def _write(name: str, kind: str, asked: NumberCoarsening) -> _Coarse:
    """Write the steps of a column: its number, the remainder, the coarser number."""
    family = kind.lower().partition("(")[0]
    _check_type(name, family, asked)
    column, own = (
        quote_name(name),
        (f"{OWN_PREFIX}{step} {name}" for step in ("number", "rest", "coarse")),
    )
    number, rest, coarse = map(quote_name, own)
    wide = _DOUBLE if family in _EXACT_UNTIL else _WIDE
    read = f"CAST({column} AS DOUBLE)" if wide == _DOUBLE else _read_digits(column, family)
    remainder, result = _exactly(0, wide), _cut(number, asked, wide)
    if asked.round is not None:
        multiple = _exactly(asked.round, wide)
        remainder = f"{number} % {multiple}"
        result = _cut(_round(number, rest, multiple), asked, wide)
        if wide == _DOUBLE:
            result = _keep_exact(number, multiple, result, asked, _EXACT_UNTIL[family])
    back = f"CAST({coarse} AS {_WHOLE})" if wide == _WIDE and family != "decimal" else coarse
    value = f"TRY_CAST({back} AS {kind})"
    if asked.round is None:
        value = f"CASE WHEN {coarse} = {number} THEN {column} ELSE {value} END"
    reason = f"have no exact result of type {kind}"
    if family in _TEXT:
        reason = f"are not numbers with at most {_MOST_DIGITS} digits before the point"
    steps = f"{read} AS {number}", f"{remainder} AS {rest}", f"{result} AS {coarse}"
    return _Coarse(steps, value, reason)


def _check_type(name: str, family: str, asked: NumberCoarsening) -> None:
    """Refuse a column without numbers, and parameters that are not exact in its type."""
    if family not in (*_TEXT, *_EXACT_UNTIL, "decimal") and not re.search(r"int(eger)?$", family):
        raise _cannot(name, "its type is not one of numbers or text")
    for number in (asked.round, asked.top, asked.bottom):
        if number is not None and not _is_exact(number, family):
            raise _cannot(name, f"{number:,} is not exact in its type {family}")


def _is_exact(number: int, family: str) -> bool:
    """Return whether a whole number is exact in the type in which a column is compared."""
    if family not in _EXACT_UNTIL:
        return len(str(abs(number))) <= _MOST_DIGITS
    form = "<f" if family == "float" else "<d"
    try:
        return bool(struct.unpack(form, struct.pack(form, number))[0] == number)
    except OverflowError:
        return False


def _read_digits(column: str, family: str) -> str:
    """Return SQL for a number with two digits behind the point; missing if it is none.

    The second digit only says whether anything follows the first. So the number compares with
    whole numbers, and with halves of them, as the value does.
    """
    text = f"CAST({column} AS STRING)"
    digits = f"regexp_extract({text}, '[.]([0-9]+)$', 1)"
    more = f"CASE WHEN regexp_extract(substr({digits}, 2), '[1-9]', 0) = '' THEN '0' ELSE '1' END"
    whole = f"regexp_extract({text}, '^[+-]?[0-9]+', 0)"
    read = f"concat({whole}, '.', substr(concat({digits}, '0'), 1, 1), {more})"
    tiny = ""
    if family == "decimal":  # Spark writes decimals below a millionth as 1E-7, if not in ANSI mode
        tiny = f"WHEN {text} LIKE '%E%' THEN CAST(sign({column}) / 100 AS {_WIDE}) "
    return (
        f"CAST(CASE WHEN regexp_extract({text}, '{_NUMBER}', 0) <> '' "
        f"THEN CAST({read} AS {_WIDE}) {tiny}END AS {_WIDE})"
    )


def _round(number: str, rest: str, multiple: str) -> str:
    """Return SQL for the nearest multiple; of two that are equally near, for the greater one.

    The remainder has the sign of the number, so the difference is never further from 0 than it.
    """
    return (
        f"({number} - {rest} + CASE WHEN {rest} > 0 AND {rest} >= {multiple} - {rest} "
        f"THEN {multiple} WHEN {rest} < 0 AND -{rest} > {multiple} + {rest} THEN -{multiple} "
        f"ELSE {multiple} - {multiple} END)"
    )


def _cut(number: str, asked: NumberCoarsening, wide: str) -> str:
    """Return SQL for a number between the ends that are asked for."""
    ends = []
    if asked.top is not None:
        ends.append(f"WHEN {number} > {_exactly(asked.top, wide)} THEN {_exactly(asked.top, wide)}")
    if asked.bottom is not None:
        bottom = _exactly(asked.bottom, wide)
        ends.append(f"WHEN {number} < {bottom} THEN {bottom}")
    return f"CASE {' '.join(ends)} ELSE {number} END" if ends else number


def _keep_exact(
    number: str, multiple: str, result: str, asked: NumberCoarsening, limit: int
) -> str:
    """Return SQL for a coarser floating-point number, missing where it would not be exact.

    A number beyond the limit is cut if its multiple is beyond an end, wherever that multiple is.
    """
    ends, within = "", f"BETWEEN {_exactly(-limit, _DOUBLE)} AND {_exactly(limit, _DOUBLE)}"
    if asked.top is not None:
        top = _exactly(asked.top, _DOUBLE)
        ends += f"WHEN {number} - {multiple} > {top} THEN {top} "
    if asked.bottom is not None:
        bottom = _exactly(asked.bottom, _DOUBLE)
        ends += f"WHEN {number} + {multiple} < {bottom} THEN {bottom} "
    return f"CASE WHEN {number} {within} AND {result} {within} THEN {result} {ends}END"


def _exactly(number: int, kind: str) -> str:
    """Write a whole number of a type."""
    return f"CAST('{number}' AS {kind})"
