"""Requirement: what a release must satisfy, and which rows must be suppressed for it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np

from lookalike.errors import Infeasible, InternalError, InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.beside import Persons, Sensitive
from lookalike.model.frequency import FrequencyList
from lookalike.model.membership import Membership, remove_failing
from lookalike.model.population import RegisterCondition, check_conditions, match_people
from lookalike.model.protections import Protection
from lookalike.model.stored_list import Frequencies, StoredList

LEAST_K = 2
"""The least k of a release."""
Secrecy = Literal["search", "blind", "lottery"]
"""Ways to choose classes: by sensitive values, by the quasi-identifier alone, or at random."""
ONLY_QUASI_IDENTIFIER = "quasi-identifier"
"""The name of the quasi-identifier if a release has only one, of all linkable attributes."""


@dataclass(frozen=True)
class QuasiIdentifier:
    """Attributes that can be linked together, and the k that protects them.

    A table may have several quasi-identifiers, one for each kind of respondent, such as the
    patient and the doctor (Samarati, section 2); all must satisfy their k.

    ``k``: minimum number of rows with each sequence of values.
    ``alone``: whether it is a single attribute that is protected by itself
    (:mod:`lookalike.model.binsize`).
    """

    name: str
    attributes: tuple[str, ...]
    k: int
    respondent: str | None = None
    alone: bool = False

    def __post_init__(self) -> None:
        check_k(self.k)


def check_k(k: int) -> None:
    """Raise if k is too small for a release."""
    if k < LEAST_K:
        raise InvalidInput(f"k must be at least {LEAST_K} for a release, not {k}")


KnownRecords = int | Literal["all"]
"""How many records of a person an attacker may know; ``"all"``: all, and how many there are."""


@dataclass(frozen=True)
class ColumnProtection:
    """A protection of a sensitive column, which every class must satisfy."""

    column: str
    protection: Protection


@dataclass(frozen=True)
class KnownAnswers:
    """What somebody may know of answers, and must be left with.

    It holds of a release whose rare answers are left out, whatever classes a search chose.

    ``known``: how many columns of answers are known beside the quasi-identifier.
    ``k``: the rows that they leave of a class; None for the k of the quasi-identifier.
    ``label``: what is shown instead of a value that is left out.
    """

    known: int
    k: int | None
    label: str


@dataclass(frozen=True)
class Requirement:
    """What a release must satisfy: k-anonymity, protections, and at most some rows suppressed.

    ``k``: every sequence of quasi-identifier values must occur at least k times (Achieving,
    Definition 2).
    ``max_suppressed``: Samarati's MaxSup: an integer is a number of rows, a decimal 0.0 … 1.0 a
    fraction of the rows. None leaves the default to the method.
    ``suppressed_rows``: whether suppressed rows are left out (``"drop"``) or kept with every
    quasi-identifier value suppressed (``"blank"``). Blank rows are a class of the release like any
    other, so they must number 0 or at least k.
    ``quasi_identifiers``: the quasi-identifiers, if there are several or one does not have all
    attributes. If empty, all attributes together are the quasi-identifier.
    ``person``: the column that identifies persons, if k counts persons and not rows. A
    quasi-identifier with a respondent counts that column instead.
    ``protections``: what every class must satisfy in its sensitive values.
    ``registers``: what every class must satisfy in the people of a register who match it.
    ``average_risk``: the greatest average probability of re-identification: classes ∕ released
    rows.
    ``secrecy``: what the choice of classes may reveal about sensitive values; None for the safest
    way that the method and the protections have (:mod:`lookalike.search.secrecy`).
    ``lottery_rate``: the probability with which a lottery merges classes without need; None for a
    rate that suits the protections.
    ``answers``: what somebody may know of the columns released as they are.
    """

    k: int
    max_suppressed: int | Decimal | None = None
    suppressed_rows: Literal["drop", "blank"] = "drop"
    quasi_identifiers: tuple[QuasiIdentifier, ...] = ()
    person: str | None = None
    protections: tuple[ColumnProtection, ...] = ()
    registers: tuple[RegisterCondition, ...] = ()
    average_risk: Fraction | None = None
    secrecy: Secrecy | None = None
    lottery_rate: float | None = None
    answers: KnownAnswers | None = None

    def __post_init__(self) -> None:
        check_k(self.k)
        most = self.max_suppressed
        if isinstance(most, Decimal) and not 0 <= most <= 1:
            raise InvalidInput(
                f"max_suppressed = {most} is a decimal, so a fraction of the rows, and must lie "
                "between 0.0 and 1.0; write an integer for a number of rows"
            )
        if most is not None and most < 0:
            raise InvalidInput(f"max_suppressed must not be negative, but is {most}")
        check_conditions(
            self.registers,
            single=not self.quasi_identifiers,
            persons=self.person is not None,
            blank=self.suppressed_rows == "blank",
        )
        if self.suppressed_rows == "blank" and (self.protections or self.average_risk is not None):
            raise InvalidInput(
                'suppressed_rows = "blank" keeps the sensitive values of suppressed rows, which '
                "protections and average_risk do not cover; leave the rows out "
                '(suppressed_rows = "drop")'
            )

    @property
    def largest_k(self) -> int:
        """The greatest k of all quasi-identifiers, which blank rows must reach."""
        return max((protected.k for protected in self.quasi_identifiers), default=self.k)

    @property
    def rows_alone(self) -> "Requirement":
        """The same requirement with k rows a class, without persons and protections."""
        combined = tuple(replace(one, respondent=None) for one in self.quasi_identifiers)
        return replace(self, quasi_identifiers=combined, person=None, protections=())

    def needs_complement(self, outliers: int) -> bool:
        """Return whether further rows must be suppressed so that the blank rows number k."""
        return self.suppressed_rows == "blank" and 0 < outliers < self.largest_k

    def allowance(self, rows: int, default: int = 0) -> int:
        """Return the number of rows that may be suppressed.

        Examples
        --------
        >>> Requirement(2, Decimal("0.29")).allowance(100)
        29
        """
        if self.max_suppressed is None:
            return default
        if isinstance(self.max_suppressed, Decimal):
            return int(Fraction(self.max_suppressed) * rows)
        return self.max_suppressed

    def protected(self, attributes: Sequence[str]) -> tuple[QuasiIdentifier, ...]:
        """Return every quasi-identifier of a table with these linkable attributes."""
        everything = QuasiIdentifier(ONLY_QUASI_IDENTIFIER, tuple(attributes), self.k, self.person)
        return self.quasi_identifiers or (everything,)

    def combined(self, attributes: Sequence[str]) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers without the attributes that are protected alone."""
        return tuple(one for one in self.protected(attributes) if not one.alone)

    def unsatisfied(
        self, frequency: Frequencies, vector: Sequence[int]
    ) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers that have a class that fails at a vector."""
        held = frequency.held(vector)
        judged = zip(
            self.protected(frequency.attributes), self.memberships(held, vector), strict=True
        )
        return tuple(one for one, member in judged if member.failing(held.counts).any())

    def outlying(self, frequency: FrequencyList, vector: Sequence[int]) -> Flags:
        """Mark the sequences that must be suppressed at a vector.

        A sequence is suppressed if its class over a quasi-identifier is smaller than k or fails a
        protection. That lowers the counts of other quasi-identifiers, so it is repeated until
        nothing changes (:func:`~lookalike.model.membership.remove_failing`). For k, the least
        fixed point is the minimal required suppression (Samarati, Definition 4.2) of all
        quasi-identifiers together.
        """
        left = remove_failing(frequency.counts, self.memberships(frequency, vector))
        gone: Flags = left == 0
        return gone

    def memberships(
        self, frequency: FrequencyList, vector: Sequence[int]
    ) -> tuple[Membership, ...]:
        """Return, for each quasi-identifier, the class of every sequence at a vector."""
        members = []
        for one in self.protected(frequency.attributes):
            positions = [frequency.attributes.index(attribute) for attribute in one.attributes]
            class_of, rows = frequency.count_classes(vector, positions)
            members.append(
                Membership(
                    class_of=class_of,
                    k=one.k,
                    persons=_find_persons(frequency, one.respondent),
                    protected=() if one.alone else self._find_protected(frequency),
                    matched=match_people(self.registers, frequency, vector, class_of),
                    rows=rows,
                )
            )
        return tuple(members)

    def conditions(
        self, frequency: FrequencyList, class_of: Codes, one: QuasiIdentifier
    ) -> Iterator[tuple[str, Membership]]:
        """Yield what classes must satisfy beside k rows, each part by itself and with its name."""
        persons = _find_persons(frequency, one.respondent)
        if persons is not None:
            yield f"{one.k} persons of {persons.column!r}", Membership(class_of, one.k, persons)
        for column, protection in self._find_protected(frequency):
            alone = ((column, protection),)
            yield f"{protection.name} of {column.column!r}", Membership(class_of, 0, None, alone)

    def _find_protected(self, frequency: FrequencyList) -> tuple[tuple[Sensitive, Protection], ...]:
        """Return the sensitive columns of a list, each with a protection."""
        found = []
        for one in self.protections:
            column = frequency.find_beside(one.column)
            if not isinstance(column, Sensitive):
                raise InternalError(f"the sensitive column {one.column!r} was not counted")
            found.append((column, one.protection.bound(column.levels)))
        return tuple(found)

    def outliers(self, frequency: Frequencies, vector: Sequence[int]) -> int:
        """Count the rows that must be suppressed at a vector.

        A vector whose release would exceed the average risk, or whose suppressed rows would make
        known who is in the table, cannot be released; it counts as more rows than there are.
        """
        if self.counts_rows(frequency):
            return frequency.outliers(vector, self.largest_k)
        held = frequency.held(vector)
        return self._count_outliers(held, self.memberships(held, vector))

    def _count_outliers(self, held: FrequencyList, members: Sequence[Membership]) -> int:
        """Count the rows that must be suppressed, given the classes of each quasi-identifier."""
        if len(members) == 1 and self._judges_classes:
            return held.rows - members[0].judge(held.counts, math.inf, monotone=True)[0]
        left = remove_failing(held.counts, members)
        for one, member in zip(self.protected(held.attributes), members, strict=True):
            risk = None if one.alone else self.average_risk
            classes = 0 if risk is None else np.count_nonzero(member.sizes(left))
            risky = risk is not None and classes > risk * int(left.sum())
            if risky or (not one.alone and member.rest_fails(held.counts, left)):
                return held.rows + 1
        return held.rows - int(left.sum())

    @property
    def _judges_classes(self) -> bool:
        """Whether each class is judged by its own rows alone."""
        return not self.registers and self.average_risk is None

    def counts_rows(self, frequency: Frequencies) -> bool:
        """Return whether a single quasi-identifier with k rows a class is all that is required."""
        return (
            self.is_single(frequency.attributes)
            and not self.protections
            and not self.registers
            and self.average_risk is None
            and not (isinstance(frequency, FrequencyList) and frequency.beside)
        )

    @cached_property
    def is_monotone(self) -> bool:
        """Whether a vector satisfies the requirement if a vector below it does.

        Then suppressed rows never grow upwards in the lattice (Samarati, Theorem 5.2). k rows or
        persons, distinct l and k-map have this property, because they stay true when a class grows.
        """
        growing = all(one.protection.grows for one in self.protections)
        return self.average_risk is None and growing and all(one.grows for one in self.registers)

    def judge(
        self, frequency: Frequencies, vector: Sequence[int], allowance: int
    ) -> tuple[int, int]:
        """Count the rows that must be suppressed at a vector, after a bound for vectors below.

        The bound is the least number of rows that must be suppressed at the vector and at all
        vectors below. For a monotone requirement these are its outliers (Samarati, Theorem 5.2).
        For other protections, a class of the vector can keep only as many rows as satisfy the
        protection together, however a vector below divides it. If classes of fewer than k rows
        exceed the allowance already, nothing else may be counted, and both are their rows.
        """
        if self.counts_rows(frequency):
            return (frequency.outliers(vector, self.largest_k),) * 2
        held = frequency.held(vector)
        members = self.memberships(held, vector)
        monotone, most = self.is_monotone, allowance if len(members) == 1 else math.inf
        judged = [one.judge(held.counts, most, monotone=monotone) for one in members]
        certain = held.rows - min(kept for _, kept in judged)
        if len(members) == 1 and (certain > allowance or self._judges_classes):
            return certain, held.rows - judged[0][0]
        outliers = self._count_outliers(held, members)
        if monotone:
            return outliers, outliers
        people = tuple(one.monotone_part(self.k) for one in self.registers)
        growing = replace(self, protections=(), registers=people, average_risk=None)
        return max(certain, growing.outliers(held, vector)), outliers

    def outlying_rows(self, frequency: Frequencies, vector: Sequence[int]) -> tuple[Counts, ...]:
        """Count the rows that must be suppressed by their code at a vector, for each attribute."""
        if isinstance(frequency, StoredList) and self.counts_rows(frequency):
            return frequency.outlying_rows(vector, self.largest_k)
        held = frequency.held(vector)
        gone = np.flatnonzero(self.outlying(held, vector))
        some = replace(held, codes=held.codes[:, gone], counts=held.counts[gone])
        return tuple(some.code_rows(attribute, level) for attribute, level in enumerate(vector))

    def is_single(self, attributes: Sequence[str]) -> bool:
        """Return whether all attributes together are the only quasi-identifier."""
        one, *others = self.protected(attributes)
        return not others and one.attributes == tuple(attributes)

    def check_feasible(self, rows: int) -> None:
        """Raise if the table has fewer than k rows, so that no release satisfies k."""
        if rows < self.largest_k:
            raise Infeasible(
                f"the table has {rows:,} eligible rows, fewer than k = {self.largest_k}: no "
                f"release of it can be {self.largest_k}-anonymous; lower k or collect more rows"
            )


def _find_persons(frequency: FrequencyList, respondent: str | None) -> Persons | None:
    """Return the persons that k counts; None if it counts rows, or each person has one row."""
    found = None if respondent is None else frequency.find_beside(respondent)
    return found if isinstance(found, Persons) else None
