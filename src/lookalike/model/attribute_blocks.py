"""AttributeBlocks: several attributes of a frequency list in one code, lifted by one look-up."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from lookalike.kernels import cut_counts, group_sequences, sum_small_classes
from lookalike.kernels.types import Codes, Counts, Totals
from lookalike.model.lattice import Vector

MOST_CODES = 8192
"""The maximum number of codes of a block with several attributes; their table fits in a cache."""
MOST_TABLES = 256
"""The maximum number of tables kept."""


class Lifting(Protocol):
    """The codes of an attribute at each level, such as those of a bound hierarchy."""

    def size(self, level: int) -> int:
        """Return the number of codes at a level."""
        ...

    def lift(self, lower: int, upper: int) -> Codes:
        """Return the map from the codes of a level to the codes of a higher level."""
        ...


class AttributeBlocks:
    """The sequences of a frequency list, with one code for several attributes.

    ``hierarchies``: the codes of each attribute at its levels, as its bound hierarchy has them.
    ``codes``: codes of the values, one row per attribute and one column per sequence.
    ``counts``: the number of rows of each sequence.
    """

    def __init__(
        self, hierarchies: Sequence[Lifting], vector: Vector, codes: Codes, counts: Counts
    ) -> None:
        self._hierarchies = hierarchies
        self._vector = vector
        self._counts = counts
        self._cut: dict[int, Totals] = {}
        self._lift = lru_cache(MOST_TABLES)(self._make_table)
        sizes = [h.size(level) for h, level in zip(hierarchies, vector, strict=True)]
        self._blocks = _combine(sizes, min(MOST_CODES, len(counts)))
        self._codes = _combine_codes(codes, sizes, self._blocks)

    def outliers(self, vector: Sequence[int], k: int) -> int:
        """Count the rows whose sequence occurs fewer than k times at a higher vector."""
        counts = self._cut.get(k)
        if counts is None:
            counts = cut_counts(self._counts, k)
            self._cut = {k: counts}
        return sum_small_classes(self._codes, *self._lift_all(vector), counts, k)

    def count_classes(self, vector: Sequence[int]) -> tuple[Codes, Counts]:
        """Number the sequences that are equal at a higher vector, and count the rows of each."""
        class_of, _, rows = group_sequences(self._codes, *self._lift_all(vector), self._counts)
        return class_of, rows

    def _lift_all(self, vector: Sequence[int]) -> tuple[list[Codes], list[int]]:
        """Return for each block the map of its codes to a higher vector, and their number."""
        found = [self._lift(block, tuple(vector[one] for one in block)) for block in self._blocks]
        return [table for table, _ in found], [size for _, size in found]

    def lifted(self, vector: Sequence[int]) -> tuple[Codes, list[Codes]]:
        """Return the code of every block of each sequence, and their maps to a higher vector."""
        return self._codes, self._lift_all(vector)[0]

    def combine(self, vector: Sequence[int], codes: Codes) -> tuple[Codes, list[int]]:
        """Combine other codes at a vector in the same blocks; return also the number of codes."""
        sizes = [h.size(level) for h, level in zip(self._hierarchies, vector, strict=True)]
        many = [math.prod(sizes[one] for one in block) for block in self._blocks]
        return _combine_codes(codes, sizes, self._blocks), many

    def _make_table(self, block: Vector, levels: Vector) -> tuple[Codes, int]:
        """Combine the maps of a block's attributes; return also the number of lifted codes."""
        table, size = np.zeros(1, dtype=np.int32), 1
        for attribute, level in zip(block, levels, strict=True):
            hierarchy = self._hierarchies[attribute]
            lift = hierarchy.lift(self._vector[attribute], level)
            table = np.add.outer(table * hierarchy.size(level), lift).ravel()
            size *= hierarchy.size(level)
        return table.astype(_narrow(size)), size


def _narrow(size: int) -> npt.DTypeLike:
    """Return the type of codes below a size: 16 bits if they fit."""
    return np.uint16 if size < 2**16 else np.int32


def _combine_codes(codes: Codes, sizes: Sequence[int], blocks: Sequence[Vector]) -> Codes:
    """Return one code for the attributes of each block."""
    most = max((math.prod(sizes[one] for one in block) for block in blocks), default=0)
    combined = np.zeros((len(blocks), codes.shape[1]), _narrow(most))
    for line, block in zip(combined, blocks, strict=True):
        for attribute in block:
            line *= sizes[attribute]
            line += codes[attribute].astype(line.dtype)
    return combined


def _combine(sizes: Sequence[int], most: int) -> list[Vector]:
    """Divide the attributes into blocks of neighbours with at most so many codes, if possible.

    Examples
    --------
    >>> _combine([5, 100, 2, 10, 3000, 1], 1000)
    [(0, 1, 2), (3,), (4,), (5,)]
    """
    blocks: list[Vector] = []
    room = most
    for attribute, size in enumerate(sizes):
        room *= size
        if room <= most and blocks:
            blocks[-1] = (*blocks[-1], attribute)
        else:
            blocks.append((attribute,))
            room = size
    return blocks
