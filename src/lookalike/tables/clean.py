"""Clean: trim and map text, read not-a-number and markers as missing, restore leading zeros.

The expressions are those of narwhals, so that a value means the same in every engine, and a query
stays a query. A marker is compared with text, with the digits of whole numbers and decimals, with
the value of floating-point numbers, and with dates; other types have no markers. Whatever a table
asks for, not-a-number is missing and -0 is 0: what is counted as one value is written as one. The
text "nan" is a text.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar, cast

import narwhals as nw
from narwhals.dtypes import DType

from lookalike.errors import InvalidInput
from lookalike.tables.cleaning import Cleaning, ColumnCleaning
from lookalike.tables.engines import engine_of
from lookalike.tables.table import OWN_PREFIX, PERSON, Frame, rename_columns

BLANKS = "".join(character for character in map(chr, range(0x3001)) if character.isspace())
"""The characters that are removed around text: those of ``str.strip``."""
_DIGITS = "0123456789"
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TEXT = (nw.String, nw.Categorical, nw.Enum)
_Rows = TypeVar("_Rows", bound=Frame)


def clean(frame: _Rows, cleaning: Cleaning) -> _Rows:
    """Return the rows with trimmed and mapped text, missing values for markers and leading zeros.

    ``cleaning``: how the values are read. A column that the frame does not have is ignored.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = nw.from_native(pa.table({"zip": ["2138", " NA"], "age": [41, -9]}))
    >>> cleaning = Cleaning(("NA", "-9"), trim=True, columns={"zip": ColumnCleaning(zero_pad=5)})
    >>> clean(people, cleaning).to_dict(as_series=False)
    {'zip': ['02138', None], 'age': [41, None]}
    """
    if any(kind.is_float() for kind in frame.collect_schema().dtypes()):
        frame = cast(_Rows, engine_of(frame).settle_numbers(frame))
    if cleaning == Cleaning():
        return frame
    _refuse_types(frame, cleaning)
    if not frame.implementation.is_spark_like():
        cleaned = _combine_person(_clean_rows(frame, cleaning), cleaning.combined)
        return _coarsen_rows(cleaned, cleaning)
    names = frame.collect_schema().names()
    plain = [f"column_{number}" for number in range(len(names))]
    rows = rename_columns(frame, plain)
    renamed = cleaning.renamed(dict(zip(names, plain, strict=True)))
    cleaned = _combine_person(_clean_rows(rows, renamed), renamed.combined)
    added = [PERSON] if cleaning.combined else []
    return _coarsen_rows(rename_columns(cleaned, [*names, *added]), cleaning)


def _combine_person(frame: _Rows, columns: Sequence[str]) -> _Rows:
    """Add a column with a text for each combination of values; missing if one of them is.

    A part is preceded by its length, so that different combinations have different texts.
    """
    if not columns:
        return frame
    texts = [nw.col(name).cast(nw.String) for name in columns]
    parts = [part for text in texts for part in (text.str.len_chars().cast(nw.String), text)]
    combined = nw.concat_str(parts, separator=" ").alias(PERSON)
    return cast(_Rows, frame.with_columns(combined))


def _coarsen_rows(frame: _Rows, cleaning: Cleaning) -> _Rows:
    """Round and cut the numbers of the columns for which that is asked."""
    found = {name: one.coarsening for name, one in cleaning.columns.items()}
    asked = {name: one for name, one in found.items() if one.is_asked}
    return cast(_Rows, engine_of(frame).coarsen(frame, asked)) if asked else frame


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
    if rule.map:
        return _clean_mapped(name, kind, cleaning)
    codes = _are_codes(kind)  # they may have lost zeros
    trim, pad = cleaning.trim and kind in _TEXT, rule.zero_pad is not None and codes
    markers = _find_markers(kind, rule)
    if not (trim or pad or markers):
        return None
    text = _write_text(column, kind)
    text = text.str.strip_chars(BLANKS) if trim else text
    value = text if pad or kind in _TEXT else column
    if markers:
        # Engines write large fractions in different ways, so these are compared as numbers.
        numbers = [float(one) for one in markers] if kind.is_float() else []
        found = column.is_in(numbers) if kind.is_float() else text.is_in(markers)
        value = nw.when(~found).then(value)
    return _pad(value, cast(int, rule.zero_pad)) if pad else value


def _refuse_types(frame: Frame, cleaning: Cleaning) -> None:
    """Refuse to map dates, truth values and the like, which engines write differently as text."""
    for name, kind in frame.collect_schema().items():
        if cleaning.of(name).map and not _are_codes(kind):
            raise InvalidInput(
                f"map: column {name!r} has type {kind}, and only text and numbers can be mapped; "
                "leave out map, or write the column as text"
            )


def _are_codes(kind: DType) -> bool:
    """Return whether values are text or numbers."""
    return kind in _TEXT or kind.is_integer() or kind.is_float()


def _clean_mapped(name: str, kind: DType, cleaning: Cleaning) -> nw.Expr:
    """Return the value of a column whose texts are mapped; what has a meaning is text.

    The alternatives are side by side, since an engine parses only so many within each other.
    """
    rule, text = cleaning.of(name), _read_mapped(name, kind, cleaning)
    spellings = defaultdict[str, list[str]](list)
    for one, meaning in rule.map.items():
        spellings[meaning].append(one)
    meanings = [nw.when(text.is_in(some)).then(nw.lit(one)) for one, some in spellings.items()]
    value = nw.coalesce(*meanings, text)
    if rule.missing:
        value = nw.when(~value.is_in(list(rule.missing))).then(value)
    return value if rule.zero_pad is None else _pad(value, rule.zero_pad)


def _read_mapped(name: str, kind: DType, cleaning: Cleaning) -> nw.Expr:
    """Return the text of a column as its map compares it."""
    text = _write_text(nw.col(name), kind)
    return text.str.strip_chars(BLANKS) if cleaning.trim and kind in _TEXT else text


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
    return text.str.replace_all(r"\.0+$", "")


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
