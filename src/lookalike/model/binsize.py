"""Binsize: how often values must occur, in combination and by themselves.

The holder of Datafly's data does not name k, but gives a level of anonymity from 0 to 1, of the
table or of an attribute, which computes to a *binsize*, "the minimum number of occurrences of
values of an attribute (or combination of them)"; and for each attribute the likelihood that the
recipient uses it for linking, which the binsize is weighted with. "Control on combination of
attributes is executed only for attributes for which a value of 1 is specified" (Samarati,
section 7; Achieving, section 4.1).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lookalike.model.requirement import QuasiIdentifier

LEAST_K = 2
"""The least k that a release may have."""


def bin_size(level: Decimal, constant: Decimal, rows: int) -> int:
    """Return ⌈level · constant · rows⌉, exactly: 1 asks as much of the rows as the constant.

    Examples
    --------
    >>> bin_size(Decimal("0.2"), Decimal("0.01"), 30_162)
    61
    >>> bin_size(Decimal(1), Decimal(1), 12)
    12
    """
    return math.ceil(Fraction(level) * Fraction(constant) * rows)


@dataclass(frozen=True)
class ProtectedAlone:
    """An attribute that is protected by itself, beside or instead of in combination.

    Parameters
    ----------
    quasi_identifier
        The quasi-identifier that it belongs to, by name.
    attribute
        Its name.
    linking
        The likelihood that it is used for linking; at 1 it is in the combination too.
    k
        How often each of its values must occur; 0 if nothing is asked of it.
    """

    quasi_identifier: str
    attribute: str
    linking: Decimal
    k: int


@dataclass(frozen=True)
class LinkableAttribute:
    """An attribute within a quasi-identifier.

    Parameters
    ----------
    attribute
        Its name.
    linking
        The likelihood that it is used for linking, from 0 to 1.
    own
        The binsize of its own level of anonymity, if it has one.
    """

    attribute: str
    linking: Decimal = Decimal(1)
    own: int | None = None


@dataclass(frozen=True)
class WeightedQuasiIdentifier:
    """A quasi-identifier whose attributes are not all equally likely to be linked.

    Parameters
    ----------
    name
        What to call it.
    k
        How often a combination of those that are sure to be linked must occur.
    members
        All of its attributes.
    respondent
        The column that says who the respondent is, if rows a person must be counted.
    """

    name: str
    k: int
    members: tuple[LinkableAttribute, ...]
    respondent: str | None = None

    @property
    def combined(self) -> QuasiIdentifier:
        """The attributes with linking 1, which are controlled in combination."""
        sure = tuple(one.attribute for one in self.members if one.linking == 1)
        return QuasiIdentifier(self.name, sure, self.k, self.respondent)

    @property
    def alone(self) -> tuple[ProtectedAlone, ...]:
        """The attributes that are outside of the combination, or ask more than it gives.

        Rows that are alike over all attributes are alike over each, so one in the combination
        needs nothing of its own unless its binsize is greater.

        Examples
        --------
        >>> zip_code = LinkableAttribute("zip", Decimal("0.5"))
        >>> sex = LinkableAttribute("sex", own=7)
        >>> people = WeightedQuasiIdentifier("people", 5, (zip_code, sex))
        >>> [(one.attribute, one.k) for one in people.alone]
        [('zip', 3), ('sex', 7)]
        """
        return tuple(
            ProtectedAlone(self.name, one.attribute, one.linking, self._asked(one))
            for one in self.members
            if one.linking < 1 or self._asked(one) > self.k
        )

    def _asked(self, one: LinkableAttribute) -> int:
        """Return how often each value of an attribute must occur; once is nothing to ask."""
        size = math.ceil(Fraction(one.linking) * (self.k if one.own is None else one.own))
        return size if size >= LEAST_K else 0


def list_protected(weighted: Sequence[WeightedQuasiIdentifier]) -> tuple[QuasiIdentifier, ...]:
    """Return all that must hold: the combinations, and attributes by themselves."""
    asked: dict[str, int] = {}
    for one in (alone for quasi_identifier in weighted for alone in quasi_identifier.alone):
        asked[one.attribute] = max(one.k, asked.get(one.attribute, 0))
    single = (QuasiIdentifier(name, (name,), k, alone=True) for name, k in asked.items() if k)
    return (*(one.combined for one in weighted), *single)
