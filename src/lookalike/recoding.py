"""Recoding: the answer of every search, before any row is touched."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.frequency import FrequencyList
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Vector, predecessors
from lookalike.requirement import Requirement


@dataclass(frozen=True)
class Step:
    """One state of a method that generalizes step by step, as Achieving's Figure 9 prints it.

    Parameters
    ----------
    vector
        The levels reached.
    distinct
        The number of distinct values of each attribute.
    sequences
        The number of distinct sequences.
    outliers
        The number of rows whose sequence occurs fewer than k times.
    """

    vector: Vector
    distinct: tuple[int, ...]
    sequences: int
    outliers: int


@dataclass(frozen=True, eq=False)
class Recoding:
    """A recoding at the attribute level: one level an attribute, and what is suppressed.

    Parameters
    ----------
    vector
        The level of each attribute.
    suppressed
        For each sequence of the frequency list, how many of its rows are suppressed: none,
        all, or some where a class had to give rows; which ones is drawn at random.
    rows_suppressed
        The outliers: rows in classes of fewer than k.
    rows_complementary
        Further rows, suppressed so that the blank rows number at least k.
    k_minimal
        Whether no vector below this one does with the suppression that was allowed.
    steps
        How the method got there, for methods that go step by step.
    """

    vector: Vector
    suppressed: Counts
    rows_suppressed: int
    rows_complementary: int = 0
    k_minimal: bool = False
    steps: tuple[Step, ...] = ()

    def splits(self, frequency: FrequencyList) -> bool:
        """Tell whether some sequence is suppressed in part, so that rows must be drawn."""
        return bool(np.any((self.suppressed > 0) & (self.suppressed < frequency.counts)))


def recode_at(
    frequency: FrequencyList, vector: Vector, requirement: Requirement, allowance: int
) -> Recoding:
    """Suppress what a vector leaves below k, and no more.

    By Samarati's Lemma 4.1 the rows of classes smaller than k are the one minimal required
    suppression at a vector. Blank rows must also number at least k among themselves
    (Achieving, Figure 8, step 4).

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    vector
        The level of each attribute.
    requirement
        What the release must satisfy.
    allowance
        How many rows the method could suppress, for judging whether the vector is minimal.
    """
    class_of, classes = frequency.classify(vector)
    outlying = classes.counts < requirement.k
    given = np.where(outlying, classes.counts, 0)
    rows_suppressed = int(given.sum())
    if requirement.suppressed_rows == "blank" and 0 < rows_suppressed < requirement.k:
        given = given + _complement(classes.counts - given, requirement.k, rows_suppressed)
    if given.sum() == frequency.rows:
        raise Infeasible(
            f"every one of the {frequency.rows:,} rows would be suppressed, so nothing is left to "
            "release; allow fewer suppressed rows (max_suppressed = 0), lower k, or use "
            "hierarchies with more levels"
        )
    return Recoding(
        vector=vector,
        suppressed=_share(frequency.counts, class_of, classes.counts, given),
        rows_suppressed=rows_suppressed,
        rows_complementary=int(given.sum()) - rows_suppressed,
        k_minimal=is_minimal(frequency, vector, requirement.k, allowance),
    )


def is_minimal(frequency: FrequencyList, vector: Vector, k: int, allowance: int) -> bool:
    """Tell whether a vector is k-minimal (Samarati, Definition 4.3).

    Outliers can only become fewer upwards (Theorem 5.2), so it is enough to look at the
    vectors directly below.
    """
    return frequency.outliers(vector, k) <= allowance and all(
        frequency.outliers(below, k) > allowance for below in predecessors(vector)
    )


def with_steps(recoding: Recoding, steps: Sequence[Step]) -> Recoding:
    """Attach the steps that led to a recoding."""
    return replace(recoding, steps=tuple(steps))


def _complement(sizes: Counts, k: int, blank: int) -> Counts:
    """Say how many further rows each class gives so that the blank rows number k.

    The fewest are taken: a class gives rows while k remain in it, the largest class first;
    if all classes together cannot spare enough, the smallest class gives all of its rows.
    """
    lacking = k - blank
    taken = np.zeros_like(sizes)
    spare = np.maximum(sizes - k, 0)
    if spare.sum() >= lacking:
        for position in np.argsort(-sizes, kind="stable"):
            taken[position] = min(spare[position], lacking - taken.sum())
        return taken
    remaining = np.flatnonzero(sizes)
    if len(remaining):
        smallest = remaining[np.argmin(sizes[remaining])]
        taken[smallest] = sizes[smallest]
    return taken


def _share(counts: Counts, class_of: Codes, sizes: Counts, given: Counts) -> Counts:
    """Spread the rows that each class gives over its sequences.

    Where a class gives some of its rows, every row is equally likely to be taken: a rule by
    value or position would tell something about the blank rows.
    """
    suppressed = np.where(given[class_of] == sizes[class_of], counts, 0)
    generator = np.random.default_rng()
    for partial in np.flatnonzero((given > 0) & (given < sizes)):
        members = np.flatnonzero(class_of == partial)
        suppressed[members] = generator.multivariate_hypergeometric(
            counts[members], given[partial], method="marginals"
        )
    return suppressed
