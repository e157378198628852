"""Precision: the metric Prec (Achieving, Definition 5)."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import Tuples


def precision(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal] | None = None
) -> float:
    """Return Prec = 1 − Σ wᵢ · level/heightᵢ ∕ (rows · Σ wᵢ).

    A suppressed cell, or a cell of a suppressed row, counts as generalized to the full
    height; an attribute of height 0 loses nothing. Weights are decimals, so the sum is exact.
    """
    whole = frequency.rows * sum(_scales(frequency, weights))
    return float(1 - add_up_loss(frequency, recoding, weights) / whole)


def add_up_loss(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal] | None = None
) -> Fraction:
    """Return Σ wᵢ · level/heightᵢ over all cells, exactly."""
    scales = _scales(frequency, weights)
    tuples = recoding.released(frequency)
    return sum(
        (
            scale * _height_lost(frequency, tuples, attribute)
            for attribute, scale in enumerate(scales)
        ),
        start=Fraction(0),
    )


def kept_shares(frequency: FrequencyList, recoding: Recoding) -> tuple[float, ...]:
    """Return what is kept of each attribute: 1 − Σ level/height ∕ rows.

    Prec is their mean, weighted as the attributes are.
    """
    tuples, rows = recoding.released(frequency), max(1, frequency.rows)
    return tuple(
        float(1 - _height_lost(frequency, tuples, attribute) / rows)
        for attribute in range(len(frequency.heights))
    )


def _scales(frequency: FrequencyList, weights: Sequence[Decimal] | None) -> list[Fraction]:
    """Return the weight of each attribute, 1 if none is given."""
    scales = [Fraction(weight) for weight in weights or [Decimal(1)] * len(frequency.heights)]
    if any(scale < 0 for scale in scales) or not sum(scales):
        raise InvalidInput("weights must not be negative, and at least one must be above 0")
    return scales


def _height_lost(frequency: FrequencyList, tuples: Tuples, attribute: int) -> Fraction:
    """Add up level/height over the rows for one attribute."""
    height = frequency.heights[attribute]
    if height == 0:
        return Fraction(0)
    visible = ~tuples.hidden(frequency, attribute)
    rows = tuples.counts[visible]
    steps = int(tuples.levels[attribute, visible].astype(np.int64) @ rows)
    return frequency.rows - int(rows.sum()) + Fraction(steps, height)
