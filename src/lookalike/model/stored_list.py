"""StoredList: a frequency list that stays where the rows are, because it is too long for memory.

A search at the attribute level needs few numbers of a long list: how many rows are outliers at a
vector, and how many sequences there are. Whoever keeps the sequences counts them. A list that
fits comes to memory, and every vector above it is evaluated there. The numbers are the same, so
the answer of the search is the same.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from lookalike.errors import InternalError
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import AtVector, Coarsening, FrequencyList
from lookalike.model.lattice import Vector, dominates, raise_level

LISTS_IN_MEMORY = 4
"""How many lists should fit in memory together; each serves the vectors above it."""
MARGIN = 1.1
"""How much longer than estimated a list may be."""


class SequenceStore(Protocol):
    """Keeps the sequences of a table outside of memory, and rolls them up to a vector."""

    def count(self, vector: Vector) -> int:
        """Count the distinct sequences at a vector."""

    def estimate(self, vector: Vector) -> int:
        """Estimate the number of distinct sequences at a vector, which takes less time."""

    def count_sizes(self, vector: Vector) -> tuple[Counts, Counts]:
        """Return the sizes of classes that occur at a vector, and the number of classes of each."""

    def outliers(self, vector: Vector, k: int) -> int:
        """Count the rows whose sequence occurs fewer than k times at a vector."""

    def outlying(self, vector: Vector, k: int) -> Sequence[tuple[Codes, Counts]]:
        """Count these rows by their code at the vector, for each attribute."""

    def fetch(self, vector: Vector) -> tuple[Codes, Counts]:
        """Return the sequences at a vector, one row per attribute, and their numbers of rows."""


@dataclass(frozen=True, eq=False)
class StoredList(AtVector):
    """The distinct sequences of a table at a vector, kept outside of memory.

    ``ground_rows``: for each attribute, the number of rows with each ground code.
    ``most``: how many sequences may be in memory.
    """

    ground_rows: tuple[Counts, ...]
    store: SequenceStore
    most: int
    _held: list[FrequencyList] = field(default_factory=list)
    _known: dict[tuple[Vector, int], int] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.ground_rows[0].sum())

    def __len__(self) -> int:
        return self.store.count(self.vector)

    @property
    def distinct_sequences(self) -> int:
        """The number of distinct sequences of quasi-identifier values."""
        return len(self)

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows with each code of an attribute at a level."""
        hierarchy = self.hierarchies[attribute]
        shown, size = hierarchy.levels[level], hierarchy.size(level)
        return np.bincount(shown, self.ground_rows[attribute], size).astype(np.int64)

    def distinct(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Count the distinct values of each attribute that occur at a vector."""
        return tuple(
            int(np.count_nonzero(self.code_rows(attribute, level)))
            for attribute, level in enumerate(vector)
        )

    def outliers(self, vector: Sequence[int], k: int) -> int:
        """Count the rows whose sequence occurs fewer than k times at a vector."""
        here = tuple(vector)
        if (here, k) not in self._known:
            held = self._find(here)
            counting = self.store if held is None else held
            self._known[here, k] = counting.outliers(here, k)
        return self._known[here, k]

    def outlying_rows(self, vector: Sequence[int], k: int) -> tuple[Counts, ...]:
        """Count these rows by their code at the vector, for each attribute."""
        found = self.store.outlying(tuple(vector), k)
        rows = []
        for (codes, counts), hierarchy, level in zip(found, self.hierarchies, vector, strict=True):
            rows.append(np.zeros(hierarchy.size(level), dtype=np.int64))
            rows[-1][codes] = counts
        return tuple(rows)

    def roll_up(self, vector: Sequence[int]) -> "FrequencyList | StoredList":
        """Return the list at a vector above the vector of this list, in memory if it fits."""
        held = self._find(tuple(vector))
        return replace(self, vector=tuple(vector)) if held is None else held.roll_up(vector)

    def held(self, vector: Sequence[int]) -> FrequencyList:
        """Return the smallest list in memory at or below a vector; fetch it if there is none.

        The list at a vector is fetched whether it fits or not: it is asked for at vectors that
        could be released, which have at most rows / k classes and the suppressed rows.
        """
        return self._find(tuple(vector)) or self._fetch(tuple(vector))

    def settled(self, vector: Sequence[int]) -> FrequencyList:
        """Return the list at a vector as the list of a table that was generalized to it.

        Its hierarchies begin at the vector, so a recoding, its measures and its rows can be
        described by it as by the list of the private table.
        """
        classes = self.held(vector).roll_up(vector)
        order = np.lexsort(classes.codes[::-1])
        raised = zip(self.hierarchies, vector, strict=True)
        return FrequencyList(
            hierarchies=tuple(hierarchy.raised(level) for hierarchy, level in raised),
            vector=(0,) * len(self.hierarchies),
            codes=classes.codes[:, order],
            counts=classes.counts[order],
            coarsened=Coarsening(
                vector=tuple(vector),
                distinct=tuple(int(np.count_nonzero(rows)) for rows in self.ground_rows),
                lost_bits=self._bits(vector) - self._bits((0,) * len(self.hierarchies)),
            ),
        )

    def _bits(self, vector: Sequence[int]) -> float:
        """Return Σ n log₂ n over the values at a vector, of attributes that lose information."""
        bits = 0.0
        for attribute, level in enumerate(vector):
            rows = self.code_rows(attribute, level)
            if self.hierarchies[attribute].height:
                bits += float(np.log2(np.maximum(rows, 1)) @ rows)
        return bits

    def _find(self, vector: Vector) -> FrequencyList | None:
        """Return the smallest list in memory at or below a vector, brought there if it fits."""
        usable = [one for one in self._held if dominates(vector, one.vector)]
        if usable:
            return min(usable, key=len)
        lowest = self._lowest_that_fits(vector)
        return None if lowest is None else self._fetch(lowest)

    def _lowest_that_fits(self, vector: Vector) -> Vector | None:
        """Return a vector as far below as possible whose list fits, or None if there is none.

        The lower it is, the more vectors its list serves. The lists grow downwards along a
        chain, so the lowest one is found by halving.
        """
        if not self._fits(vector, self.most):
            return None
        chain, most = self._descend(vector), self.most // LISTS_IN_MEMORY
        beyond = bisect_left(chain, True, lo=1, key=lambda one: not self._fits(one, most))
        return chain[beyond - 1]

    def _descend(self, vector: Vector) -> list[Vector]:
        """Return a chain of vectors down to that of the list; domains grow as late as possible."""
        chain = [vector]
        while (here := chain[-1]) != self.vector:
            growth = {
                place: hierarchy.size(here[place] - 1) / hierarchy.size(here[place])
                for place, hierarchy in enumerate(self.hierarchies)
                if here[place] > self.vector[place]
            }
            chain.append(raise_level(here, min(growth, key=lambda place: growth[place]), -1))
        return chain

    def _fits(self, vector: Vector, most: int) -> bool:
        """Return whether the list at a vector has at most so many sequences, by an estimate."""
        sizes = [h.size(level) for h, level in zip(self.hierarchies, vector, strict=True)]
        return math.prod(sizes) <= most or self.store.estimate(vector) * MARGIN <= most

    def _fetch(self, vector: Vector) -> FrequencyList:
        """Bring the list at a vector to memory; those brought first leave to make room."""
        codes, counts = self.store.fetch(vector)
        if int(counts.sum()) != self.rows:
            raise InternalError(f"rolling up to {vector} did not conserve the rows")
        self._held.append(FrequencyList(self.hierarchies, vector, codes, counts))
        while len(self._held) > 1 and sum(map(len, self._held)) > self.most:
            self._held.pop(0)
        return self._held[-1]


Frequencies = FrequencyList | StoredList
"""A frequency list, in memory or not."""
