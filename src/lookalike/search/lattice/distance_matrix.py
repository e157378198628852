"""DistanceMatrix: Samarati's matrix VT of distance vectors between sequences (section 5).

The matrix answers *satisfies* without generalizing anything, and gives bounds on the solutions.
Its size is outliers × sequences, so it is for small tables and for comparison. It is defined for
one quasi-identifier.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector, keep_minimal

Distances = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False)
class DistanceMatrix:
    """VT, with one row per outlier and one column per distinct sequence.

    ``distances``: ``distances[x, y]`` is the distance vector between an outlier and a sequence: for
    each attribute, the steps to their closest common ancestor.
    ``outliers``: the position of the sequence of each row.
    ``counts``: the number of rows of each sequence.
    ``k``: a sequence is an outlier if it occurs fewer than k times.
    """

    distances: Distances
    outliers: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    k: int

    def required_suppression(self, vector: Sequence[int]) -> int:
        """Return req_sup: the rows of the outliers whose class at a vector is below k."""
        together = (self.distances <= np.array(vector)).all(axis=2)
        clusters = together @ self.counts
        return int(self.counts[self.outliers[clusters < self.k]].sum())

    def lower_bounds(self, allowance: int) -> list[list[Vector]]:
        """Return the least non-null vectors of each outlier that is too frequent to suppress.

        A solution lies above one of them for every such outlier, because the outlier needs
        another sequence in its class.
        """
        frequent = np.flatnonzero(self.counts[self.outliers] > allowance)
        lines = self.distances[frequent].tolist()
        return [sorted(keep_minimal({tuple(one) for one in line if any(one)})) for line in lines]

    def least_upper_bound(self) -> Vector:
        """Return the least vector above all vectors of the matrix; no minimal one is higher."""
        return tuple(self.distances.max(axis=(0, 1), initial=0).tolist())

    def lowest_height(self, allowance: int) -> int:
        """Return a height below which there is no solution: the greatest that an outlier needs."""
        bounds = self.lower_bounds(allowance)
        return max((min(map(sum, least)) for least in bounds if least), default=0)

    def restrict(self, lattice: Lattice, allowance: int) -> tuple[Lattice, int]:
        """Restrict the vectors that Find_vector must consider (Samarati, section 5).

        Returns: A height above the bottom of that part below which there is no solution.
        """
        bound = map(max, self.least_upper_bound(), lattice.bottom)
        part = Lattice(lattice.bottom, tuple(map(min, bound, lattice.top)))
        return part, max(0, self.lowest_height(allowance) - sum(lattice.bottom))

    def occurring_levels(self) -> list[list[int]]:
        """Return the distances of each attribute that occur; a solution has no other levels.

        Distance 0 always occurs: every outlier has it to itself, and a table without outliers
        needs no other.
        """
        lines = self.distances.reshape(-1, self.distances.shape[2])
        return [sorted({0, *column}) for column in lines.T.tolist()]


def distance_matrix(frequency: FrequencyList, k: int) -> DistanceMatrix:
    """Compute VT for a frequency list at level 0."""
    outliers = np.flatnonzero(frequency.counts < k)
    distances = np.empty((len(outliers), len(frequency), len(frequency.codes)), dtype=np.int16)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        codes = frequency.codes[attribute]
        distances[:, :, attribute] = _distances(hierarchy)[codes[outliers][:, None], codes]
    return DistanceMatrix(distances, outliers, frequency.counts, k)


def _distances(hierarchy: BoundHierarchy) -> Distances:
    """Return the steps to the closest common ancestor of every two ground values."""
    size = hierarchy.size(0)
    steps = np.zeros((size, size), dtype=np.int16)
    for level in hierarchy.levels[:-1]:
        steps += level[:, None] != level[None, :]
    return steps
