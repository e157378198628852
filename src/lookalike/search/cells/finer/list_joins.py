"""List the joins of k rows or more below the tuples of a release."""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

MOST_GROUPINGS = 20_000
"""The greatest number of vectors below all tuples in total for which joins are listed."""

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Join:
    """A join of k rows or more."""

    levels: Vector
    ground: Cells
    sequences: tuple[int, ...]


def list_joins(
    frequency: FrequencyList,
    covered: Mapping[int, Sequence[int]],
    tops: Mapping[int, Vector],
    k: int,
    bottom: Vector,
    deadline: float,
) -> list[Join] | None:
    """List the joins of k rows or more below given tuples; ``None`` if there are too many."""
    ranges = {
        one: [range(low, max(low, high) + 1) for low, high in zip(bottom, top, strict=True)]
        for one, top in tops.items()
    }
    if sum(prod(map(len, levels)) for levels in ranges.values()) > MOST_GROUPINGS:
        return None
    found: dict[tuple[Vector, Cells], Join] = {}
    for one, levels in ranges.items():
        members = np.array(covered[one], dtype=np.int64)
        for vector in product(*levels):
            if time.monotonic() > deadline:
                return None
            for join in _group(frequency, members, vector, k, bottom):
                found[join.levels, join.sequences] = join
    return list(found.values())


def _group(
    frequency: FrequencyList, members: Counts, vector: Vector, k: int, bottom: Vector
) -> Iterator[Join]:
    """Group sequences that are equal at a vector; yield the groups whose join is that vector."""
    levels = zip(frequency.hierarchies, vector, strict=True)
    codes = [
        hierarchy.lift_ground(level, frequency.codes[attribute, members]).tolist()
        for attribute, (hierarchy, level) in enumerate(levels)
    ]
    groups: dict[Cells, list[int]] = defaultdict(list)
    for place, cells in enumerate(zip(*codes, strict=True)):
        groups[cells].append(place)
    for places in groups.values():
        inside = members[places]
        if frequency.counts[inside].sum() >= k and _is_join(frequency, inside, vector, bottom):
            ground = tuple(frequency.codes[:, inside[0]].tolist())
            yield Join(vector, ground, tuple(inside.tolist()))


def _is_join(frequency: FrequencyList, members: Counts, vector: Vector, bottom: Vector) -> bool:
    """Return whether sequences differ one level below a vector wherever it is above the bottom."""
    for attribute, (level, lowest) in enumerate(zip(vector, bottom, strict=True)):
        if level > lowest:
            ground = frequency.codes[attribute, members]
            below = frequency.hierarchies[attribute].lift_ground(level - 1, ground)
            if (below == below[0]).all():
                return False
    return True
