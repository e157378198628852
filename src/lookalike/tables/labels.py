"""Labels: values of any column type as text, the same text whichever engine holds them."""

import datetime
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts

Write = Callable[[Any], str | None]
"""Writes a value as text; `None` for a missing one."""


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
    """Write a value of a column that is released unchanged.

    It is the text of :func:`label`, except that values which differ in a written file
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


def encode_column(
    name: str, column: pa.Array | pa.ChunkedArray, write: Write = label
) -> tuple[tuple[str | None, ...], Codes]:
    """Return the distinct labels of a column, sorted, and each entry's position among them.

    ``write``: writes a value as text: `label`, or `spell` for a column that is released as it is.
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    try:
        encoded = arrow_compute.dictionary_encode(column)
    except (pa.ArrowNotImplementedError, pa.ArrowInvalid):
        raise _not_a_value(name, str(column.type)) from None
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    codes = encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    if _is_plain(encoded.dictionary.type):
        plain, ranks = _sort_plain(encoded.dictionary)
        distinct = (*plain, None) if encoded.null_count else plain
        return distinct, np.append(ranks, np.int32(len(plain)))[codes]
    values = [*_to_python(name, encoded.dictionary), None]
    labels = [label_in(name, value, write) for value in values]
    known = sorted({text for text in labels if text is not None})
    missing = encoded.null_count > 0 or None in labels[:-1]
    distinct = (*known, None) if missing else tuple(known)
    position = {value: number for number, value in enumerate(distinct)}
    lookup = np.array([position.get(text, 0) for text in labels], dtype=np.int32)
    return distinct, lookup[codes]


def divide_set(text: str | None, separator: str) -> list[str]:
    """Divide the text of a set into its items, without blanks around them.

    Examples
    --------
    >>> divide_set("I10; J20;", ";"), divide_set(None, ";")
    (['I10', 'J20'], [])
    """
    parts = [part.strip() for part in (text or "").split(separator)]
    return [part for part in parts if part]


def divide_column(
    name: str, column: pa.Array | pa.ChunkedArray, separator: str
) -> tuple[pa.Array, Counts]:
    """Return the items of the sets in a column, and the number of the row of each."""
    texts, codes = encode_column(name, column)
    items = [divide_set(text, separator) for text in texts]
    lengths = np.array([*map(len, items), 0])[codes]
    values = pa.array([item for code in codes.tolist() for item in items[code]], pa.string())
    return values, np.repeat(np.arange(len(codes)), lengths)


def _is_plain(kind: pa.DataType) -> bool:
    """Return whether Arrow writes different values of a type as different texts, as we do."""
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_integer(kind)
    )


def _sort_plain(values: pa.Array) -> tuple[tuple[str, ...], Codes]:
    """Return different values of a plain type as text, sorted, and the rank of each."""
    texts = values.cast(pa.large_string())
    order = arrow_compute.sort_indices(texts).to_numpy()
    ranks = np.empty(len(order), dtype=np.int32)
    ranks[order] = np.arange(len(order), dtype=np.int32)
    return tuple(texts.take(pa.array(order)).to_pylist()), ranks


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


def label_in(name: str, value: Any, write: Write = label) -> str | None:
    """Label a value of a column, or raise an error that names its type."""
    try:
        return write(value)
    except TypeError as kind:
        raise _not_a_value(name, str(kind)) from None


def _not_a_value(name: str, kind: str) -> InvalidInput:
    """Make the error for a column whose values cannot be matched as text."""
    return InvalidInput(
        f"column {name!r} holds values of type {kind}, which cannot be matched; convert it to "
        "text, numbers, booleans or dates"
    )
