"""Recoding: the answer of a search, as levels and suppressed rows of each sequence.

What is wrong with a recoding is here, too: why there is none, and which of its classes fail.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypedDict

import numpy as np

from lookalike.errors import Infeasible, InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.model.complementary_suppression import spread_over_sequences, suppress_complementary
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.minimality import is_minimal
from lookalike.model.proved_bound import Duals
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.model.tuples import Tuples, add_blank, tuples_at
from lookalike.shown_text import count_rows


@dataclass(frozen=True)
class Step:
    """One step of a method that generalizes step by step, as in Achieving, Figure 9.

    ``vector``: the levels after the step.
    ``distinct``: the number of distinct values of each attribute.
    ``outliers``: the number of rows whose sequence occurs fewer than k times.
    """

    vector: Vector
    distinct: tuple[int, ...]
    sequences: int
    outliers: int


def describe_step(rolled: Frequencies, requirement: Requirement) -> Step:
    """Return the step at a frequency list, as in Achieving, Figure 9."""
    return Step(
        vector=rolled.vector,
        distinct=rolled.distinct(rolled.vector),
        sequences=rolled.distinct_sequences,
        outliers=requirement.outliers(rolled, rolled.vector),
    )


@dataclass(frozen=True)
class Optimality:
    """How close a recoding is proved to be to the optimum.

    ``reached``: the value of the measure (:mod:`lookalike.model.measures`), including complementary
    suppression.
    ``bound``: a value that no recoding within the requirement and the constraints surpasses.
    ``duals``: the proof of a bound, which can be checked independently of the search; a value for
    each sequence of quasi-identifier values.
    ``beyond``: the least loss of any recoding that the search proved beyond the duals, in
    suppressed cells of weight 1; None if the duals prove the whole bound.
    ``reached_alone``: if persons or protections were satisfied after the search: what it had
    reached with k rows a class alone, which the bound is of. The bound holds for the rest all the
    more.
    """

    objective: str
    reached: float
    bound: float
    proved: bool
    evaluated: int
    duals: Duals | None = None
    beyond: Fraction | None = None
    reached_alone: float | None = None

    @property
    def searched(self) -> float:
        """What the search reached of what the bound is of."""
        return self.reached if self.reached_alone is None else self.reached_alone

    @property
    def gap(self) -> float:
        """The distance between what the search reached and the bound."""
        return abs(self.bound - self.searched)


class DecoyFigures(TypedDict):
    """The rate of decoys, and what was reached before they were drawn."""

    rate: float
    precision_before: float
    optimal_before: bool


@dataclass(frozen=True, eq=False)
class Recoding(Discreet):
    """The released tuples and the suppressed rows of every sequence.

    At the attribute level `vector` determines the tuples. At the cell level `tuples` holds them.

    Parameters
    ----------
    vector
        The level of each attribute, except for suppressed cells; None if rows have different
        levels.
    suppressed
        For each sequence of the frequency list, the number of its suppressed rows: none, all,
        or some if its class gave rows for complementary suppression. Which rows these are is
        drawn at random.
    rows_suppressed
        The number of outliers: rows in classes of fewer than k.
    rows_complementary
        The number of further rows, suppressed so that the blank rows number at least k.
    k_minimal
        Whether no vector below this one satisfies the requirement; None if it is not known,
        and at the cell level.
    allowance
        The number of rows that the method could suppress; None if it never suppresses rows.
    steps
        The steps of a method that generalizes step by step.
    optimality
        How close the recoding is to the optimum, for methods that optimize.
    in_time
        Whether the time limit left the recoding as it is: the method finished, or proved that
        there is no better one. If not, the recoding satisfies the requirement, but the method
        might have found another one.
    tuples
        The released tuples of a recoding at the cell level.
    before_decoys
        The tuples before decoys were drawn, which `optimality` is about; None without decoys.
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
    before_decoys: Tuples | None = None

    @property
    def precision_bound(self) -> float | None:
        """The upper bound on Prec, if the search proved one.

        It is the only bound that the certificate states: it reveals no more of the private table
        than a number of suppressed rows would. Bounds on other measures count private values.
        """
        known = self.optimality
        return known.bound if known is not None and known.objective == "precision" else None

    @property
    def precision_with_k_alone(self) -> float | None:
        """What a search by precision had reached with k rows a class alone.

        Known if persons or protections were satisfied after the search; the bound is of k alone.
        """
        known = self.optimality
        return known.reached_alone if known and known.objective == "precision" else None

    @property
    def loss_bound(self) -> float | None:
        """The lower bound on the loss of any release, if the search proved one."""
        known = self.optimality
        return known.bound if known is not None and known.objective == "loss" else None

    def released(self, frequency: FrequencyList) -> Tuples:
        """Return the released tuples, at either level."""
        if self.tuples is not None:
            return self.tuples
        if self.vector is None:
            raise InternalError("a recoding has neither a vector nor tuples")
        return tuples_at(frequency, self.vector, self.suppressed)

    def visible(self, frequency: FrequencyList, requirement: Requirement) -> Tuples:
        """Return the tuples that a recipient sees: the released tuples and the blank rows."""
        tuples = self.released(frequency)
        blank = requirement.suppressed_rows == "blank"
        return add_blank(tuples, self.suppressed) if blank else tuples


def suppress_at(classes: FrequencyList, requirement: Requirement) -> tuple[int, Counts]:
    """Return the minimal required suppression of classes.

    By Samarati's Lemma 4.1, the rows of classes smaller than k are the only minimal required
    suppression at a vector. Blank rows must number at least k as well (Achieving, Figure 8,
    step 4).
    """
    given = np.where(requirement.outlying(classes, classes.vector), classes.counts, 0)
    outliers = int(given.sum())
    if requirement.needs_complement(outliers):
        # further rows are taken from the classes in the order of their codes
        order = np.lexsort(classes.codes[::-1])
        listed = replace(classes, codes=classes.codes[:, order], counts=classes.counts[order])
        memberships = requirement.memberships(listed, listed.vector)
        given[order] = suppress_complementary(
            listed.counts, given[order], memberships, requirement.largest_k
        )
    return outliers, given


def recode_at(
    frequency: Frequencies,
    vector: Vector,
    requirement: Requirement,
    allowance: int,
    lattice: Lattice | None = None,
    deadline: float = math.inf,
) -> Recoding:
    """Return the recoding at a vector, with minimal required suppression (:func:`suppress_at`).

    ``frequency``: the frequency list of the private table. If it is not in memory, the recoding is
    that of the list that it settles on at the vector (:meth:`StoredList.settled`).
    ``allowance``: the number of rows that may be suppressed, to decide whether the vector is
    k-minimal.
    """
    settled = frequency.settled(vector)
    class_of, classes = settled.classify(vector)
    rows_suppressed, given = suppress_at(classes, requirement)
    check_released(
        frequency.rows,
        frequency.rows - int(given.sum()),
        "allow fewer suppressed rows (max_suppressed = 0), lower k, or use hierarchies with more "
        "levels",
    )
    return Recoding(
        vector=vector,
        suppressed=spread_over_sequences(settled.counts, class_of, classes.counts, given),
        rows_suppressed=rows_suppressed,
        rows_complementary=int(given.sum()) - rows_suppressed,
        k_minimal=is_minimal(frequency, vector, requirement, allowance, lattice, deadline),
        allowance=allowance,
    )


def check_released(rows: int, released: int, remedy: str) -> None:
    """Raise if no row is left to release."""
    if not released:
        raise Infeasible(
            f"every one of the {rows:,} rows would be suppressed, so nothing is left to release; "
            f"{remedy}"
        )


def check_most_general(outliers: int, allowance: int, requirement: Requirement) -> None:
    """Raise if more rows fail the requirement at the most general vector than may be suppressed."""
    if outliers > allowance:
        beyond = [f"{one.protection.name} of {one.column}" for one in requirement.protections]
        beyond += [one.register for one in requirement.registers]
        fail = f"in classes without k or {' or '.join(beyond)}" if beyond else "below k"
        loosen = "what is asked beyond k, the constraints" if beyond else "the constraints"
        raise Infeasible(
            f"even the most general vector that is allowed leaves {count_rows(outliers)} {fail}, "
            f"more than the {allowance:,} that may be suppressed; loosen {loosen} on levels, or "
            "allow more suppressed rows"
        )


def check_found(found: bool, *, complete: bool) -> None:
    """Raise if a search found no vector that satisfies the requirement."""
    if not found and complete:
        raise Infeasible(
            "no generalization that is allowed satisfies the requirement within the rows that may "
            "be suppressed; loosen the protections or the constraints, or raise max_suppressed"
        )
    if not found:
        raise Infeasible(
            "no generalization that satisfies the requirement was found in time; raise time_limit"
        )


@dataclass(frozen=True)
class Failure:
    """The classes of a release that fail one part of the requirement.

    ``condition``: what fails: the name of the protection and its column, or the persons.
    """

    condition: str
    classes: int
    rows: int


def judge_classes(
    frequency: FrequencyList, recoding: Recoding, requirement: Requirement
) -> list[Failure]:
    """Judge every released class by persons and protections, over each quasi-identifier.

    k rows are counted by :func:`lookalike.model.measures.measure`.
    """
    tuples = recoding.released(frequency)
    shown = frequency.taken(tuples.sequence, tuples.counts)
    failures = []
    for one in requirement.combined(frequency.attributes):
        class_of = tuples.classes(frequency, one.attributes)[0]
        for condition, member in requirement.conditions(shown, class_of, one):
            failing = member.failing(tuples.counts)
            if failing.any():
                rows = int(tuples.counts[failing].sum())
                classes = len(np.unique(member.class_of[failing]))
                failures.append(Failure(condition, classes, rows))
    return failures
