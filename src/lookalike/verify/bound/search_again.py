"""Search again, with another algorithm, for a release that costs less than a bound.

Valid dual values make this search short. A class costs at least the sum of its rows' values. So the
cost of a release beyond all values is the sum of the excess of its classes, and no class may have
more excess than the whole release. All classes within this limit are listed, and combined in every
way. Only small tables can be searched like this.
"""

import numpy as np

from lookalike.kernels.exact_cover import FOUND, TOO_LARGE, CoverColumns, find_cover, list_classes
from lookalike.kernels.types import Codes, Counts
from lookalike.model.lattice import Lattice
from lookalike.model.proved_bound import Duals
from lookalike.verify.bound.cost import CostUnits

EXACT_LIMIT = 2**62
"""Sums below this limit are exact in 64 bits."""
MOST_LISTED = 50_000_000
"""Listing the classes stops after so many steps."""
MOST_ENTRIES_READ = 500_000_000
"""The search stops after reading so many entries of classes."""


def find_cheaper(
    units: CostUnits, duals: Duals, levels: Lattice, k: int, allowed: int, cost: int
) -> bool | None:
    """Return whether a release costs less than a given cost; None if that takes too much work.

    ``k``: the least number of rows of a class; a class of 2 k rows could be divided.
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
        # Each sequence has a column with one suppressed row, and its excess over the value.
        alone = np.full((len(values), rows.shape[1]), -1, dtype=np.int32)
        alone[:, 0] = np.arange(len(values))
        rows = np.concatenate([rows, alone])
        excess = np.concatenate([excess, units.suppressed + duals.price - values])
    order = np.argsort(excess, kind="stable")
    found = _cover(rows[order], excess[order], counts, gap, allowed, duals.price)
    return None if found == TOO_LARGE else found == FOUND


def _lay_out(units: CostUnits, levels: Lattice, sequences: Counts) -> tuple[Codes, Counts]:
    """Return the values of sequences at each level, and the least cost there or above.

    Beyond the levels of an attribute, all sequences have different values.
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


def _cover(rows: Codes, excess: Counts, counts: Counts, gap: int, allowed: int, price: int) -> int:
    """Combine classes, each given as its sequences with their numbers of rows."""
    new = np.ones(rows.shape, dtype=np.bool_)
    new[:, 1:] = rows[:, 1:] != rows[:, :-1]
    new &= rows >= 0
    column, place = np.nonzero(new)
    length = (rows >= 0).sum(axis=1)
    end = np.append(place[1:], 0)
    last = np.append(column[1:] != column[:-1], True)[: len(column)]
    end[last] = length[column[last]]
    start, spare = np.searchsorted(column, np.arange(len(rows) + 1)), (length == 1).astype(np.int32)
    listed = CoverColumns(start, rows[new], end - place, excess, length, spare)
    return find_cover(listed, counts, gap, allowed, price, MOST_ENTRIES_READ)
