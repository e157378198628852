"""Recoding: the answer of every search, before any row is touched."""

from dataclasses import dataclass, replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.frequency import FrequencyList
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Lattice, Vector
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


@dataclass(frozen=True)
class Optimality:
    """How good a recoding is known to be.

    Parameters
    ----------
    objective
        The measure that was made best.
    reached
        Its value, with the outliers suppressed; complementary rows come on top.
    bound
        No recoding within the requirement and the constraints has a better one.
    proved
        Whether the value is the best.
    evaluated
        The number of vectors that were looked at.
    """

    objective: str
    reached: float
    bound: float
    proved: bool
    evaluated: int


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
    optimality
        How good it is known to be, for methods that search for the best.
    """

    vector: Vector
    suppressed: Counts
    rows_suppressed: int
    rows_complementary: int = 0
    k_minimal: bool = False
    steps: tuple[Step, ...] = ()
    optimality: Optimality | None = None

    def splits(self, frequency: FrequencyList) -> bool:
        """Tell whether some sequence is suppressed in part, so that rows must be drawn."""
        return bool(np.any((self.suppressed > 0) & (self.suppressed < frequency.counts)))


def recode_at(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
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
    lattice
        The vectors among which it is to be judged minimal; all, if not given.
    """
    class_of, classes = frequency.classify(vector)
    outlying = requirement.outlying(classes, vector)
    given = np.where(outlying, classes.counts, 0)
    rows_suppressed = int(given.sum())
    if requirement.suppressed_rows == "blank" and 0 < rows_suppressed < requirement.largest_k:
        given = complement(classes, given, requirement)
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
        k_minimal=is_minimal(frequency, vector, requirement, allowance, lattice),
    )


def is_minimal(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
) -> bool:
    """Tell whether a vector is k-minimal (Samarati, Definition 4.3).

    Outliers can only become fewer upwards (Theorem 5.2), so it is enough to look at the
    vectors directly below, in the lattice or the part of it that constraints leave.
    """
    below = (lattice or Lattice.of_heights(frequency.heights)).predecessors(vector)
    return requirement.outliers(frequency, vector) <= allowance and all(
        requirement.outliers(frequency, lower) > allowance for lower in below
    )


def complement(classes: FrequencyList, given: Counts, requirement: Requirement) -> Counts:
    """Say how many rows each class gives, so that the blank rows number at least k.

    As few as possible are taken: a class gives rows while k remain in it, the largest class
    first; if all classes together cannot spare enough, the smallest gives all of its rows. A
    row is a member of one class for each quasi-identifier, and all of them must spare it.

    Parameters
    ----------
    classes
        The frequency list at the vector of the release.
    given
        How many rows of each class are blank already: the outliers.
    requirement
        What the release must satisfy.
    """
    while given.sum() < requirement.largest_k:
        enough = _give_spare(classes, given, requirement)
        if enough.sum() == requirement.largest_k:
            return enough
        left = classes.counts - given
        whole = np.flatnonzero(left)
        if not len(whole):
            break
        given = _withdraw(classes, given, int(whole[np.argmin(left[whole])]), requirement)
    return given


def _give_spare(classes: FrequencyList, given: Counts, requirement: Requirement) -> Counts:
    """Take rows that classes can spare, the largest class first, until the blank ones are k."""
    given = given.copy()
    while (lacking := requirement.largest_k - int(given.sum())) > 0:
        left = classes.counts - given
        spare = _spare(classes, left, requirement)
        if not spare.any():
            break
        position = int(np.lexsort((-left, spare == 0))[0])
        given[position] += min(int(spare[position]), lacking)
    return given


def _spare(classes: FrequencyList, left: Counts, requirement: Requirement) -> Counts:
    """Say how many rows each class could give while k remain over every quasi-identifier."""
    spare = left.copy()
    for one in requirement.protected(classes.attributes):
        places = [classes.attributes.index(attribute) for attribute in one.attributes]
        class_of = classes.class_of(classes.vector, places)
        sizes = np.bincount(class_of, weights=left).astype(np.int64)
        spare = np.minimum(spare, sizes[class_of] - one.k)
    return np.where(left > 0, np.maximum(spare, 0), 0)


def _withdraw(
    classes: FrequencyList, given: Counts, position: int, requirement: Requirement
) -> Counts:
    """Blank a whole class, and what is left below k without it."""
    remaining = classes.counts - given
    remaining[position] = 0
    rest = replace(classes, counts=remaining)
    return np.where(requirement.outlying(rest, classes.vector), classes.counts, given)


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
