"""Clean: read markers as missing values, trim text and restore leading zeros.

The expressions are those of narwhals, so that a value means the same in every engine, and a query
stays a query. A marker is compared with text, with the digits of whole numbers and decimals, with
the value of floating-point numbers, and with dates; other types have no markers.
"""

import re
from typing import TypeVar, cast

import narwhals as nw
from narwhals.dtypes import DType

from lookalike.tables.cleaning import Cleaning, ColumnCleaning
from lookalike.tables.coarsen import coarsen
from lookalike.tables.table import OWN_PREFIX, Frame

BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
"""The characters that are removed around text: those of ``str.strip``."""
_DIGITS = "0123456789"
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_Rows = TypeVar("_Rows", bound=Frame)


def clean(frame: _Rows, cleaning: Cleaning) -> _Rows:
    """Return the rows with missing values for markers, trimmed text and leading zeros.

    Parameters
    ----------
    frame
        The rows, in any engine.
    cleaning
        How the values are read. A column that the frame does not have is ignored.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = nw.from_native(pa.table({"zip": ["2138", " NA"], "age": [41, -9]}))
    >>> cleaning = Cleaning(("NA", "-9"), trim=True, columns={"zip": ColumnCleaning(zero_pad=5)})
    >>> clean(people, cleaning).to_dict(as_series=False)
    {'zip': ['02138', None], 'age': [41, None]}
    """
    if cleaning == Cleaning():
        return frame
    if not frame.implementation.is_spark_like():
        return _coarsen_rows(_clean_rows(frame, cleaning), cleaning)
    names = frame.collect_schema().names()
    plain = [f"column_{number}" for number in range(len(names))]
    rows = nw.from_native(frame.to_native().toDF(*plain))
    renamed = cleaning.renamed(dict(zip(names, plain, strict=True)))
    cleaned = _coarsen_rows(_clean_rows(rows, renamed), renamed)
    return cast(_Rows, nw.from_native(cleaned.to_native().toDF(*names)))


def _coarsen_rows(frame: _Rows, cleaning: Cleaning) -> _Rows:
    """Round and cut the numbers of the columns for which that is asked."""
    asked = {name: one.coarsening for name, one in cleaning.columns.items()}
    return coarsen(frame, {name: one for name, one in asked.items() if one.is_asked})


def _clean_rows(frame: _Rows, cleaning: Cleaning) -> _Rows:
    """Clean rows whose columns have names that narwhals can write; in Spark it quotes none."""
    kinds = {
        name: kind
        for name, kind in frame.collect_schema().items()
        if not name.startswith(OWN_PREFIX)
    }
    found = {name: _clean_column(name, kind, cleaning) for name, kind in kinds.items()}
    changed = {name: value for name, value in found.items() if value is not None}
    counts = [name for name in changed if kinds[name].is_integer()]
    values = (value.alias(name) for name, value in changed.items())
    return cast(_Rows, _allow_missing(frame, counts).with_columns(values))


def _clean_column(name: str, kind: DType, cleaning: Cleaning) -> nw.Expr | None:
    """Return the value of a column; nothing if it stays as it is."""
    rule, column = cleaning.of(name), nw.col(name)
    trim, pad = cleaning.trim and kind in _TEXT, rule.zero_pad is not None and _has_digits(kind)
    markers = _find_markers(kind, rule)
    if not (trim or pad or markers):
        return None
    text = _write_text(column, kind)
    text = text.str.strip_chars(BLANKS) if trim else text
    value = text if pad or kind in _TEXT else column
    if markers:
        value = nw.when(~_is_marker(column, text, kind, markers)).then(value)
    return _pad(value, cast(int, rule.zero_pad)) if pad else value


def _has_digits(kind: DType) -> bool:
    """Return whether values of a type can be codes that lost leading zeros."""
    return kind in _TEXT or kind.is_integer() or kind.is_float()


def _find_markers(kind: DType, rule: ColumnCleaning) -> list[str]:
    """Return the markers that values of a type can equal."""
    markers = list(rule.missing or ())
    if kind in _TEXT or kind == nw.Object:
        return markers
    if kind.is_numeric():
        return [marker for marker in markers if _NUMBER.fullmatch(marker)]
    return [marker for marker in markers if _DATE.fullmatch(marker)] if kind == nw.Date else []


def _write_text(column: nw.Expr, kind: DType) -> nw.Expr:
    """Write values as text, whole numbers without a fraction."""
    text = column.cast(nw.String)
    if kind in _TEXT or kind.is_integer() or kind == nw.Date:
        return text
    text = text.str.replace_all(r"\.0+$", "")
    return nw.when(~column.is_nan()).then(text) if kind.is_float() else text


def _is_marker(column: nw.Expr, text: nw.Expr, kind: DType, markers: list[str]) -> nw.Expr:
    """Return whether a value is a marker; engines write large fractions in different ways."""
    return column.is_in([float(one) for one in markers]) if kind.is_float() else text.is_in(markers)


def _pad(text: nw.Expr, width: int) -> nw.Expr:
    """Fill text that consists of digits with leading zeros."""
    digits = (text.str.strip_chars(_DIGITS) == "") & (text != "")
    return nw.when(digits).then(text.str.zfill(width)).otherwise(text)


def _allow_missing(frame: _Rows, names: list[str]) -> _Rows:
    """Let whole numbers of pandas be missing; it would turn them into fractions."""
    if not names or not frame.implementation.is_pandas():
        return frame
    native = frame.to_native()
    nullable = {name: native[name].convert_dtypes() for name in names}
    return cast(_Rows, nw.from_native(native.assign(**nullable)))
