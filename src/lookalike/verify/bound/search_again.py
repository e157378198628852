"""Verify a search: look again, in another way, for a release that costs less than a bound.

Values that hold for every tuple make this short. A class costs no less than its rows' values,
so what a release costs beyond all values is the sum of what its classes do, and none of them
may exceed them by more than the whole release may. The classes that do not are listed one by
one, and put together in every way that could do. Small tables only can be searched so.
"""

import numpy as np

from lookalike.kernels.exact_cover import FOUND, TOO_LARGE, find_cover, list_classes
from lookalike.kernels.types import Codes, Counts
from lookalike.model.duals import Duals
from lookalike.model.lattice import Lattice
from lookalike.verify.bound.cost_units import CostUnits

EXACT_LIMIT = 2**62
"""Sums below it are exact in 64 bits."""
MOST_LISTED = 50_000_000
"""The list of classes is given up after so many steps."""
MOST_LOOKED_AT = 500_000_000
"""The search is given up after so many entries of classes."""


def find_cheaper(
    units: CostUnits, duals: Duals, levels: Lattice, k: int, allowed: int, cost: int
) -> bool | None:
    """Tell whether a release costs less than so many units; nothing if that is too much to ask.

    Parameters
    ----------
    units
        What cells cost.
    duals
        Values that hold for every tuple, and the price of suppressing a row.
    levels
        The vectors of levels that tuples may have.
    k
        How many rows a class has at least; none needs 2 k, since it could be divided.
    allowed
        How many rows may be suppressed.
    cost
        The cost, of which nothing less is to be found.
    """
    falling = np.argsort(-duals.values, kind="stable")
    counts, values = units.frequency.counts[falling], duals.values[falling]
    worth = sum(one * value for one, value in zip(counts.tolist(), values.tolist(), strict=True))
    gap = cost - 1 - (worth - allowed * duals.price)
    if gap < 0:
        return False
    if max(gap * units.frequency.rows, 2 * k * int(np.abs(values).max())) >= EXACT_LIMIT:
        return None
    shown, paid = _lay_out(units, levels, falling)
    rows, excess, steps = list_classes(shown, paid, counts, values, k, gap, MOST_LISTED)
    if steps > MOST_LISTED:
        return None
    if allowed:
        rows, excess = _with_suppressed(rows, excess, units.suppressed + duals.price - values)
    order = np.argsort(excess, kind="stable")
    found = _cover(rows[order], excess[order], counts, gap, allowed, duals.price)
    return None if found == TOO_LARGE else found == FOUND


def _lay_out(units: CostUnits, levels: Lattice, sequences: Counts) -> tuple[Codes, Counts]:
    """Return what sequences show at each level, and the least that it costs there or above.

    Where an attribute has fewer levels than another, no two sequences are alike beyond.
    """
    frequency, most = units.frequency, max(np.subtract(levels.top, levels.bottom)) + 1
    shape = (len(sequences), len(levels.top), most)
    apart = -1 - np.arange(len(sequences), dtype=np.int32)
    shown = np.broadcast_to(apart[:, None, None], shape).copy()
    paid = np.zeros(shape, dtype=np.int64)
    for attribute, (low, high) in enumerate(zip(levels.bottom, levels.top, strict=True)):
        codes = frequency.codes[attribute, sequences]
        for level in range(high, low - 1, -1):
            shown[:, attribute, level - low] = frequency.hierarchies[attribute].levels[level][codes]
            costs = units.of_codes(attribute, level)[codes]
            above = paid[:, attribute, level - low + 1] if level < high else costs
            paid[:, attribute, level - low] = np.minimum(costs, above)
    return shown, paid


def _with_suppressed(rows: Codes, excess: Counts, dearer: Counts) -> tuple[Codes, Counts]:
    """Add columns of one row each that is suppressed, and by how much it exceeds its value."""
    alone = np.full((len(dearer), rows.shape[1]), -1, dtype=np.int32)
    alone[:, 0] = np.arange(len(dearer))
    return np.concatenate([rows, alone]), np.concatenate([excess, dearer])


def _cover(rows: Codes, excess: Counts, counts: Counts, gap: int, allowed: int, price: int) -> int:
    """Put classes together, each as its sequences with their numbers of rows."""
    new = np.ones(rows.shape, dtype=np.bool_)
    new[:, 1:] = rows[:, 1:] != rows[:, :-1]
    new &= rows >= 0
    column, place = np.nonzero(new)
    length = (rows >= 0).sum(axis=1)
    end = np.append(place[1:], 0)
    last = np.append(column[1:] != column[:-1], True)[: len(column)]
    end[last] = length[column[last]]
    return find_cover(
        np.searchsorted(column, np.arange(len(rows) + 1)),
        rows[new],
        end - place,
        excess,
        length,
        (length == 1).astype(np.int32),
        counts,
        gap,
        allowed,
        price,
        MOST_LOOKED_AT,
    )
