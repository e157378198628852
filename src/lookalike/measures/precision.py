"""Prec, the precision metric (Achieving, Definition 5)."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from lookalike.errors import InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.recoding import Recoding


def precision(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal] | None = None
) -> float:
    """Return Prec = 1 − Σ wᵢ · level/heightᵢ ∕ (rows · Σ wᵢ).

    A suppressed cell, or a cell of a suppressed row, counts as generalized to the full
    height; an attribute of height 0 loses nothing. The sum is exact: weights are decimals.
    """
    scales = [Fraction(weight) for weight in weights or [Decimal(1)] * len(frequency.heights)]
    if any(scale < 0 for scale in scales) or not sum(scales):
        raise InvalidInput("weights must not be negative, and one at least must be above 0")
    lost = sum(
        (
            scale * _height_lost(frequency, recoding, attribute)
            for attribute, scale in enumerate(scales)
        ),
        start=Fraction(0),
    )
    return float(1 - lost / (frequency.rows * sum(scales)))


def _height_lost(frequency: FrequencyList, recoding: Recoding, attribute: int) -> Fraction:
    """Add up level/height over the rows for one attribute."""
    hierarchy, level = frequency.hierarchies[attribute], recoding.vector[attribute]
    if hierarchy.height == 0:
        return Fraction(0)
    full = recoding.suppressed.copy()
    hidden = hierarchy.hidden[level][hierarchy.levels[level][frequency.codes[attribute]]]
    full[hidden] = frequency.counts[hidden]
    at_top = int(full.sum())
    return at_top + Fraction(level, hierarchy.height) * (frequency.rows - at_top)
