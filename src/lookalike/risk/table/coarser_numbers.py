"""Find how far numbers released as they are must be rounded, so that they single out few rows.

An attacker knows an income or a bill about as precisely as it is written. What is released by
``round`` and ``top`` is all that can be compared, so the rows that are unique over the coarser
numbers and the other columns released as they are are counted, from fine to coarse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np

from lookalike.errors import UnknownValue
from lookalike.hierarchy.decimal_text import read_number
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes
from lookalike.risk.finding import grade
from lookalike.risk.table.as_is import MOST_COMPARISONS, count_jointly
from lookalike.risk.table.sequences import Sequences
from lookalike.tables.cleaning import NumberCoarsening

LEAST_NUMBERS = 20
"""A column with fewer different numbers is a count or a code, and rounding hides little."""
_STEPS = 10
"""How often units grow: from three significant digits to one, by 1, 2 and 5, and beyond."""
TOP_SHARE = 0.99
"""The share of the rows whose numbers are not cut: the largest ones would stay alone."""
_FIRST_DIGITS = (1, 2, 5)
_Numbers = Mapping[int, list[Fraction | None]]
"""For some columns, by their place, the number of each value; missing values have none."""


@dataclass(frozen=True)
class CoarserNumbers:
    """The numbers to round and cut, and how many rows would still be unique.

    ``is_estimated``: whether some rows with missing values were not compared with all others.
    """

    columns: Mapping[str, NumberCoarsening]
    rows: int
    unique: int
    is_estimated: bool = False

    @property
    def is_enough(self) -> bool:
        """Whether so few rows would be unique that they do not stop publishing."""
        return grade(self.unique, self.rows) != "error"


def find_coarser_numbers(sequences: Sequences, names: Sequence[str]) -> CoarserNumbers | None:
    """Return the finest rounding after which few rows are unique, or the coarsest.

    Finer ones are not tried if the coarsest is not enough.

    ``sequences``: the distinct sequences of the columns released as they are.

    Examples
    --------
    >>> pay = tuple(str(1000 + number) for number in range(400))
    >>> codes, counts = np.arange(400, dtype=np.int32)[None], np.ones(400, dtype=np.int64)
    >>> found = find_coarser_numbers(Sequences((pay,), codes, counts), ["pay"])
    >>> found.columns["pay"].round, found.unique
    (10, 0)
    """
    numbers = {
        place: read for place, values in enumerate(sequences.values) if (read := _read(values))
    }
    if not numbers:
        return None
    coarsest = _try(sequences, names, numbers, _STEPS - 1)
    if not coarsest.is_enough:
        return coarsest
    finer = (_try(sequences, names, numbers, step) for step in range(_STEPS - 1))
    return next((one for one in finer if one.is_enough), coarsest)


def _try(
    sequences: Sequences, names: Sequence[str], numbers: _Numbers, step: int
) -> CoarserNumbers:
    """Count the rows that are unique over the numbers of a step."""
    coarser = {place: _choose(sequences, place, read, step) for place, read in numbers.items()}
    most = MOST_COMPARISONS // _STEPS  # all steps take no longer than what they advise on
    found = count_jointly(_coarsen(sequences, numbers, coarser), names, most)
    chosen = {names[place]: one for place, one in coarser.items()}
    rows = int(sequences.counts.sum())
    return CoarserNumbers(chosen, rows, found.rows, found.is_estimated)


def _read(values: Sequence[str | None]) -> list[Fraction | None]:
    """Return the numbers of a column with many of them, or nothing."""
    found: list[Fraction | None] = []
    for value in values if len(values) > LEAST_NUMBERS else ():
        try:
            units, places = (0, 0) if value is None else read_number(value)
        except UnknownValue:
            return []
        found.append(None if value is None else Fraction(units, 10**places))
    return found


def _choose(
    sequences: Sequences, place: int, numbers: Sequence[Fraction | None], step: int
) -> NumberCoarsening:
    """Return the unit of a column at a step, and the number that greater ones become."""
    rows = np.bincount(sequences.codes[place], sequences.counts, len(numbers))
    known = sorted(
        (one, count) for one, count in zip(numbers, rows, strict=True) if one is not None
    )
    reached = np.cumsum([count for _, count in known])
    high = known[int(np.searchsorted(reached, TOP_SHARE * reached[-1]))][0]
    digits = len(str(abs(int(high))))
    unit = _find_unit(digits - 3, step)
    return NumberCoarsening(unit, top=max(unit, ceil(high / unit) * unit))


def _find_unit(exponent: int, step: int) -> int:
    """Return the unit that is some steps above a power of ten, at least 1.

    Examples
    --------
    >>> [_find_unit(1, step) for step in range(4)]
    [10, 20, 50, 100]
    """
    more, digit = divmod(step, len(_FIRST_DIGITS))
    return max(1, int(_FIRST_DIGITS[digit] * Fraction(10) ** (exponent + more)))


def _coarsen(
    sequences: Sequences, numbers: _Numbers, coarser: Mapping[int, NumberCoarsening]
) -> Sequences:
    """Return the sequences with coarser numbers, those that become equal counted together."""
    values, codes = list(sequences.values), sequences.codes.copy()
    for place, read in numbers.items():
        asked = coarser[place]
        unit, top = asked.round or 1, asked.top or 0
        shown = [None if one is None else str(min(top, _round(one, unit))) for one in read]
        numbered = {text: code for code, text in enumerate(dict.fromkeys(shown))}
        values[place] = tuple(numbered)
        lifted: Codes = np.array([numbered[text] for text in shown], dtype=np.int32)
        codes[place] = lifted[codes[place]]
    _, first, counts = group_equal(codes, [len(one) for one in values], sequences.counts)
    return Sequences(tuple(values), codes[:, first], counts)


def _round(number: Fraction, unit: int) -> int:
    """Return the nearest multiple; one in the middle becomes the greater one."""
    return floor(number / unit + Fraction(1, 2)) * unit
