"""Value_order: the order of numbers and dates that are written as text."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def rank_values(column: str, values: Sequence[str | None]) -> Codes:
    """Return the rank of each value among numbers or dates.

    Equal numbers that are written differently, such as 7.5 and 7.50, are ranked by their text.

    Examples
    --------
    >>> rank_values("age", ["10", "9", "80"]).tolist()
    [1, 0, 2]
    """
    if None in values:
        raise InvalidInput(
            f"column {column!r}: missing values have no order; exclude such rows (where), or "
            'compare the values without order (distance = "equal")'
        )
    texts = [value for value in values if value is not None]
    days = all(_DAY.fullmatch(text) for text in texts)
    keys = sorted(zip(texts if days else _read_numbers(column, texts), texts, strict=True))
    rank_of = {text: rank for rank, (_, text) in enumerate(keys)}
    return np.array([rank_of[text] for text in texts], dtype=np.int32)


def _read_numbers(column: str, texts: Sequence[str]) -> list[Decimal]:
    """Read values as numbers; refuse values without an order."""
    try:
        numbers = [Decimal(text) for text in texts]
    except InvalidOperation:
        numbers = [Decimal("NaN")]
    if any(number.is_nan() for number in numbers):
        raise InvalidInput(
            f"column {column!r}: only numbers, and dates written as 1965-09-20, have an order; "
            'compare the values without order (distance = "equal")'
        )
    return numbers
