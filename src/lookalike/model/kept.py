"""Kept: what a release keeps of each attribute, as its holder reads it."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Counts
from lookalike.model.cell_costs import add_up_cells, count_lost_leaves
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.stored_list import Frequencies


def kept_shares(frequency: FrequencyList, recoding: Recoding) -> tuple[float, ...]:
    """Return what is kept of each attribute: 1 − the loss of its cells with a private value.

    A cell loses (leaves under its label − 1) ∕ (all leaves − 1), as in
    :func:`lookalike.model.measures.loss`, and everything if it is suppressed. Missing values keep
    nothing and lose nothing.
    """
    return tuple(kept_share(frequency, recoding, one) for one in range(len(frequency.heights)))


def kept_shares_released(frequency: FrequencyList, recoding: Recoding) -> tuple[float, ...]:
    """Return what is kept of each attribute in the rows that are not suppressed."""
    left = replace(frequency, counts=frequency.counts - recoding.suppressed)
    return kept_shares(left, replace(recoding, suppressed=np.zeros_like(recoding.suppressed)))


def kept_share(frequency: FrequencyList, recoding: Recoding, attribute: int) -> float:
    """Return what is kept of one attribute."""
    return 1 - float(_lost_share(frequency, recoding, attribute))


def find_lacking(
    frequency: FrequencyList, recoding: Recoding, least: Sequence[Decimal]
) -> dict[int, Fraction]:
    """Return what is kept of the attributes of which less is kept than must be, by their place."""
    asked = [place for place, share in enumerate(least) if share]
    kept = {place: 1 - _lost_share(frequency, recoding, place) for place in asked}
    return {place: share for place, share in kept.items() if share < Fraction(least[place])}


def name_share(share: Fraction | Decimal) -> str:
    """Write a share as a percentage, rounded down to a tenth.

    Examples
    --------
    >>> name_share(Fraction(2, 3)), name_share(Decimal("0.4"))
    ('66.6 %', '40 %')
    """
    tenths = int(Fraction(share) * 1000)
    return f"{tenths // 10}.{tenths % 10} %" if tenths % 10 else f"{tenths // 10} %"


def kept_at(frequency: Frequencies, classes: FrequencyList, released: Counts) -> tuple[float, ...]:
    """Return what a release at the vector of some classes keeps, as :func:`kept_shares` does.

    ``frequency``: the list of the private table.
    ``released``: the number of rows of each class that are not suppressed.
    """
    kept = []
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        level, ground = classes.vector[attribute], frequency.vector[attribute]
        rows = int(frequency.code_rows(attribute, ground) @ mark_known(hierarchy, ground))
        if not rows or not hierarchy.most_lost:
            kept.append(1.0)
            continue
        leaves, most = count_lost_leaves(hierarchy)
        shares = (1 - leaves[level] / most) * mark_known(hierarchy, level)
        kept.append(float(shares[classes.codes[attribute]] @ released) / rows)
    return tuple(kept)


def mark_known(hierarchy: BoundHierarchy, level: int) -> Counts:
    """Return 0 for the missing value of a level, and 1 for every other one."""
    return np.array([label is not None for label in hierarchy.labels[level]], dtype=np.int64)


def _lost_share(frequency: FrequencyList, recoding: Recoding, attribute: int) -> Fraction:
    """Return what is lost of one attribute; nothing if every value is missing."""
    hierarchy, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    known = mark_known(hierarchy, frequency.vector[attribute])[codes]
    leaves, most = count_lost_leaves(hierarchy)
    lost = add_up_cells(frequency, recoding, attribute, leaves, known)
    rows = int(frequency.counts @ known)
    return Fraction(lost, most * rows) if rows else Fraction(0)
