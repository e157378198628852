"""Rank the values of a column by their order: numbers by size, dates by time."""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes

DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def rank_values(attribute: str, values: Sequence[str | None]) -> Codes:
    """Return the rank of each value among numbers or dates; refuse values without an order.

    Equal numbers that are written differently, such as 7.5 and 7.50, are ranked by their text.

    Parameters
    ----------
    attribute
        The column, for messages.
    values
        Its distinct values.

    Examples
    --------
    >>> rank_values("cost", ["10", "9", "2.5"]).tolist()
    [2, 1, 0]
    """
    if None in values:
        raise InvalidInput(
            f"column {attribute!r}: missing values have no order; exclude such rows (where), or "
            "compare this column without order"
        )
    texts = [value for value in values if value is not None]
    days = all(DAY.fullmatch(text) for text in texts)
    keys = sorted(zip(texts if days else _read_numbers(attribute, texts), texts, strict=True))
    rank_of = {text: rank for rank, (_, text) in enumerate(keys)}
    return np.array([rank_of[text] for text in texts], dtype=np.int32)


def _read_numbers(attribute: str, texts: Sequence[str]) -> list[Decimal]:
    """Read values as numbers."""
    try:
        numbers = [Decimal(text) for text in texts]
    except InvalidOperation:
        numbers = [Decimal("NaN")]
    if any(number.is_nan() for number in numbers):
        raise InvalidInput(
            f"column {attribute!r}: only numbers, and dates written as 1965-09-20, have an order; "
            "compare this column without order"
        )
    return numbers
