"""Exact decimal numbers read from and written to text, without floats.

A number is an integer count of units of 10^-places. Binary floats cannot represent 0.1, so an
interval with the edge 0.1 would gain or lose a value.
"""

import re
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from itertools import pairwise
from typing import Annotated

from pydantic import SkipValidation

from lookalike.errors import InvalidInput, UnknownValue

AnyNumber = Annotated[Decimal | int | float, SkipValidation]
"""A number as a specification gives it; :func:`to_decimal` makes it exact."""

MOST_DIGITS = 300
_PLAIN = re.compile(rf"([+-]?[0-9]{{1,{MOST_DIGITS}}})(?:\.([0-9]{{1,{MOST_DIGITS}}}))?")


def read_number(text: str) -> tuple[int, int]:
    """Return a number as (units, places) with the fewest places: units ∕ 10^places.

    Examples
    --------
    >>> read_number("+007.50"), read_number("-12")
    ((75, 1), (-12, 0))
    """
    match = _PLAIN.fullmatch(text)
    if match is None:
        raise UnknownValue("write them as plain numbers such as 12 or -3.5")
    whole, fraction = match.groups(default="")
    fraction = fraction.rstrip("0")
    return int(whole + fraction), len(fraction)


def write_number(units: int, places: int) -> str:
    """Return units ∕ 10^places as text with exactly that many decimals.

    Examples
    --------
    >>> write_number(-5, 2), write_number(120, 1), write_number(7, 0)
    ('-0.05', '12.0', '7')
    """
    digits = str(abs(units)).rjust(places + 1, "0")
    sign = "-" if units < 0 else ""
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def canonical_number(text: str) -> str:
    """Return the canonical text of a number: no plus sign, no redundant zeros.

    Examples
    --------
    >>> canonical_number("+05.10"), canonical_number("-0.0")
    ('5.1', '0')
    """
    return write_number(*read_number(text))


def to_decimal(number: AnyNumber, field: str) -> Decimal:
    """Return a number of a specification as an exact decimal.

    Examples
    --------
    >>> to_decimal(0.1, "widths")
    Decimal('0.1')
    """
    try:
        decimal = Decimal(str(number))
        read_number(f"{decimal:f}")
    except (InvalidOperation, UnknownValue):
        raise InvalidInput(f"{field}: {number!r} is not a plain finite number") from None
    return decimal


def split_decimal(number: Decimal) -> tuple[int, int]:
    """Return a decimal as (units, places) with the fewest places.

    Examples
    --------
    >>> split_decimal(Decimal("2.50")), split_decimal(Decimal("1E+3"))
    ((25, 1), (1000, 0))
    """
    return read_number(f"{number:f}")


def to_units(number: Decimal, places: int, field: str) -> int:
    """Return a decimal in units of 10^-places, or raise if it has more decimals.

    Examples
    --------
    >>> to_units(Decimal("2.5"), 2, "origin")
    250
    """
    units, own = split_decimal(number)
    if own > places:
        raise InvalidInput(
            f"{field}: {number} has more decimals than decimals = {places}; set decimals = {own}"
        )
    return units * int(10 ** (places - own))


def check_multiples(numbers: Sequence[Decimal], field: str) -> None:
    """Check that steps nest: each must be positive and a multiple of the previous one."""
    if not numbers:
        raise InvalidInput(f"{field}: give at least one")
    if min(numbers) <= 0:
        raise InvalidInput(f"{field}: {min(numbers)} is not positive")
    places = max(split_decimal(number)[1] for number in numbers)
    for finer, coarser in pairwise(numbers):
        lower, upper = (to_units(number, places, field) for number in (finer, coarser))
        if upper <= lower or upper % lower:
            raise InvalidInput(
                f"{field}: {coarser} is not a larger multiple of {finer}, so the levels would "
                "not nest; give each as a multiple of the one before"
            )
