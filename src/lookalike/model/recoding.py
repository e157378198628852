"""Recoding: the answer of every search, before any row is touched."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from lookalike.errors import Infeasible, InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.model.clock import is_over
from lookalike.model.complement import complement, share
from lookalike.model.duals import Duals
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples, add_blank, tuples_at


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


def describe_step(rolled: FrequencyList, requirement: Requirement) -> Step:
    """Record the state of freq, as Figure 9 prints it."""
    return Step(
        vector=rolled.vector,
        distinct=rolled.distinct(rolled.vector),
        sequences=len(rolled),
        outliers=requirement.outliers(rolled, rolled.vector),
    )


@dataclass(frozen=True)
class Optimality:
    """How good a recoding is known to be.

    Parameters
    ----------
    objective
        The measure that was made best.
    reached
        Its value, complementary rows included, as :mod:`lookalike.model.measures` has it.
    bound
        No recoding within the requirement and the constraints has a better one.
    proved
        Whether the value is the best.
    evaluated
        The number of vectors that were looked at.
    duals
        What proves a bound that can be checked apart from the search.
    beyond
        What the search proved beyond the duals: no recoding loses less, counted in suppressed
        cells of weight 1. Nothing if the duals prove the whole bound.
    """

    objective: str
    reached: float
    bound: float
    proved: bool
    evaluated: int
    duals: Duals | None = None
    beyond: Fraction | None = None

    @property
    def gap(self) -> float:
        """The distance between the value reached and the bound."""
        return abs(self.bound - self.reached)


@dataclass(frozen=True, eq=False)
class Recoding(Discreet):
    """What becomes of the rows of every sequence: which tuple they are released as, or none.

    At the attribute level a vector says it all. At the cell level `tuples` do.

    Parameters
    ----------
    vector
        The level of each attribute, suppressed cells aside; nothing if rows differ in it.
    suppressed
        For each sequence of the frequency list, how many of its rows are suppressed: none,
        all, or some where a class had to give rows; which ones is drawn at random.
    rows_suppressed
        The outliers: rows in classes of fewer than k.
    rows_complementary
        Further rows, suppressed so that the blank rows number at least k.
    k_minimal
        Whether no vector below this one does with the suppression that was allowed; nothing
        at the cell level, where vectors do not say it all.
    allowance
        How many rows the method could have suppressed; nothing if it leaves none out.
    steps
        How the method got there, for methods that go step by step.
    optimality
        How good it is known to be, for methods that search for the best.
    in_time
        Whether the method came to its end; if not, the time limit came first and the recoding
        satisfies the requirement but is not what the method would have found.
    tuples
        The released tuples of a recoding at the cell level.
    """

    vector: Vector | None
    suppressed: Counts
    rows_suppressed: int
    rows_complementary: int = 0
    k_minimal: bool | None = None
    allowance: int | None = None
    steps: tuple[Step, ...] = ()
    optimality: Optimality | None = None
    in_time: bool = True
    tuples: Tuples | None = None

    @property
    def precision_bound(self) -> float | None:
        """The greatest Prec that is possible, if the search bounded it.

        It is the one bound that a recipient is told: of the private table it knows no more than
        a number of rows that would be suppressed. Bounds of other measures count its values.
        """
        known = self.optimality
        return known.bound if known is not None and known.objective == "precision" else None

    def released(self, frequency: FrequencyList) -> Tuples:
        """Return the released tuples, at either level."""
        if self.tuples is not None:
            return self.tuples
        if self.vector is None:
            raise InternalError("a recoding has neither a vector nor tuples")
        return tuples_at(frequency, self.vector, self.suppressed)

    def visible(self, frequency: FrequencyList, requirement: Requirement) -> Tuples:
        """Return what a recipient sees: the released tuples, and blank rows as one of them."""
        tuples = self.released(frequency)
        blank = requirement.suppressed_rows == "blank"
        return add_blank(tuples, self.suppressed) if blank else tuples


def suppress_at(classes: FrequencyList, requirement: Requirement) -> tuple[int, Counts]:
    """Say what must be suppressed of classes, and no more.

    By Samarati's Lemma 4.1 the rows of classes smaller than k are the one minimal required
    suppression at a vector. Blank rows must also number at least k among themselves
    (Achieving, Figure 8, step 4).

    Returns
    -------
    outliers
        The number of rows in classes that are too small.
    given
        For each class, how many of its rows are suppressed, complementary ones included.
    """
    given = np.where(requirement.outlying(classes, classes.vector), classes.counts, 0)
    outliers = int(given.sum())
    if requirement.needs_complement(outliers):
        memberships = requirement.memberships(classes, classes.vector)
        given = complement(classes.counts, given, memberships, requirement.largest_k)
    return outliers, given


def recode_at(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
    deadline: float = math.inf,
) -> Recoding:
    """Suppress what a vector leaves below k, and no more (:func:`suppress_at`).

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
    deadline
        When to give up judging whether it is minimal.
    """
    class_of, classes = frequency.classify(vector)
    rows_suppressed, given = suppress_at(classes, requirement)
    if given.sum() == frequency.rows:
        raise Infeasible(
            f"every one of the {frequency.rows:,} rows would be suppressed, so nothing is left to "
            "release; allow fewer suppressed rows (max_suppressed = 0), lower k, or use "
            "hierarchies with more levels"
        )
    return Recoding(
        vector=vector,
        suppressed=share(frequency.counts, class_of, classes.counts, given),
        rows_suppressed=rows_suppressed,
        rows_complementary=int(given.sum()) - rows_suppressed,
        k_minimal=is_minimal(frequency, vector, requirement, allowance, lattice, deadline),
        allowance=allowance,
    )


def minimal_below(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    deadline: float = math.inf,
) -> Vector | None:
    """Return a k-minimal vector at or below one that does with the allowed suppression.

    It goes down, always to the first vector below that does, until none does; nothing if the
    deadline comes first.
    """
    lattice, here, lower = Lattice.of_heights(frequency.heights), vector, True
    while lower:
        lower = False
        for below in lattice.predecessors(here):
            if is_over(deadline):
                return None
            if requirement.outliers(frequency, below) <= allowance:
                here, lower = below, True
                break
    return here


def is_minimal(
    frequency: FrequencyList,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
    deadline: float = math.inf,
) -> bool | None:
    """Tell whether a vector is k-minimal (Samarati, Definition 4.3).

    Outliers can only become fewer upwards (Theorem 5.2), so it is enough to look at the
    vectors directly below, in the lattice or the part of it that constraints leave. Nothing is
    told if the deadline comes first.
    """
    if requirement.outliers(frequency, vector) > allowance:
        return False
    for lower in (lattice or Lattice.of_heights(frequency.heights)).predecessors(vector):
        if is_over(deadline):
            return None
        if requirement.outliers(frequency, lower) <= allowance:
            return False
    return True
