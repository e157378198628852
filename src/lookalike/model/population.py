"""Conditions on a register of the population that every class of a release must satisfy.

A recipient who has a register looks for the people who match a class. `KMap` asks that there are
always many (Sweeney's k-map). `PresenceBounds` asks that the share of them who are in the table is
neither so large nor so small that being in the table becomes known (δ-presence of Nergiz, Atzori
and Clifton).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList

K_MAP = "k_map"
PRESENCE = "presence"


@dataclass(frozen=True)
class KMap:
    """Every class matches at least k people of a register.

    That stays true when a class grows, because whoever matches a class matches all above it.
    """

    k: int
    register: str = K_MAP
    grows: ClassVar[bool] = True

    def failing(self, rows: Counts, people: Counts) -> Flags:  # noqa: ARG002
        """Mark the classes that fail, given their rows and the people who match them."""
        fails: Flags = people < self.k
        return fails

    def rest_fails(self, rows: int, people: int) -> bool:  # noqa: ARG002
        """Return whether suppressed rows break it; they do not, because nobody sees them."""
        return False

    def monotone_part(self, k: int) -> "KMap":  # noqa: ARG002
        """Return what follows from it and stays true when a class grows."""
        return self


@dataclass(frozen=True)
class PresenceBounds:
    """The probability that a person of a register is in the table lies between two bounds.

    For a person who matches a released class it is rows of the class ∕ people who match it. The
    number of suppressed rows is published, so for everybody who matches no released class it is
    suppressed rows ∕ these people.

    Examples
    --------
    >>> bounds = PresenceBounds(Fraction(0), Fraction(1, 2))
    >>> bounds.failing(np.array([3, 3]), np.array([6, 5])).tolist()
    [False, True]
    """

    lowest: Fraction
    highest: Fraction
    register: str = PRESENCE
    grows: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0 <= self.lowest <= self.highest <= 1 or not self.highest:
            raise InvalidInput(
                "presence: lowest and highest are probabilities: 0 <= lowest <= highest <= 1, and "
                "highest above 0"
            )

    def failing(self, rows: Counts, people: Counts) -> Flags:
        """Mark the classes that fail, given their rows and the people who match them.

        The comparison is exact: bounds are computed with fractions, once a number of people.
        """
        numbers, number_of = np.unique(people, return_inverse=True)
        most = np.array([int(self.highest * int(one)) for one in numbers], dtype=np.int64)
        least = np.array([math.ceil(self.lowest * int(one)) for one in numbers], dtype=np.int64)
        fails: Flags = (rows > most[number_of]) | (rows < least[number_of])
        return fails

    def rest_fails(self, rows: int, people: int) -> bool:
        """Return whether the suppressed rows break it, given those who match no released class."""
        return not self.lowest * people <= rows <= self.highest * people

    def monotone_part(self, k: int) -> KMap:
        """Return what follows from it and stays true when a class grows: k ∕ highest people."""
        return KMap(math.ceil(k / self.highest), self.register)


RegisterCondition = KMap | PresenceBounds


@dataclass(frozen=True, eq=False)
class MatchedPeople:
    """The people of a register who match each class at a vector, and what they must satisfy.

    ``people``: for each class of the table, the people who match it.
    """

    condition: RegisterCondition
    people: Counts
    everybody: int

    def failing(self, rows: Counts) -> Flags:
        """Mark the classes that fail, given their rows."""
        return self.condition.failing(rows, self.people)

    def rest_fails(self, suppressed: int, rows: Counts) -> bool:
        """Return whether the suppressed rows break the condition, given the released rows."""
        outside = self.everybody - int(self.people[rows > 0].sum())
        return self.condition.rest_fails(suppressed, outside)


def match_people(
    conditions: Sequence[RegisterCondition],
    frequency: FrequencyList,
    vector: Sequence[int],
    class_of: Codes,
) -> tuple[MatchedPeople, ...]:
    """Count the people of each condition's register who match the classes at a vector."""
    known = {register.name: register for register in frequency.registers}
    asked = [(one, known[one.register]) for one in conditions]
    return tuple(
        MatchedPeople(one, frequency.people(register, vector, class_of), register.people)
        for one, register in asked
    )


def check_conditions(
    conditions: tuple[RegisterCondition, ...], *, single: bool, persons: bool, blank: bool
) -> None:
    """Raise if a register cannot be compared with the classes of a release."""
    if not conditions:
        return
    names = " and ".join(one.register for one in conditions)
    if not single:
        raise InvalidInput(
            f"{names}: a register is of one kind of respondent and is compared over all attributes "
            "together; leave out quasi_identifiers, and linking below 1 or a greater k of single "
            "attributes"
        )
    if blank:
        raise InvalidInput(
            f'{names}: suppressed_rows = "blank" releases rows that match everybody; leave them '
            'out (suppressed_rows = "drop")'
        )
    if persons and any(isinstance(one, PresenceBounds) for one in conditions):
        raise InvalidInput(
            "presence compares rows with people, so it needs a table with one row per person; "
            "leave person out, and keep one row of each person"
        )
