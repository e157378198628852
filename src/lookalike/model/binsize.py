"""Binsize: k from Datafly's anonymity levels and linking weights.

In Datafly the data holder does not set k. A level of anonymity from 0 to 1, of the table or of an
attribute, determines the *binsize*, "the minimum number of occurrences of values of an attribute
(or combination of them)". For each attribute the holder states the likelihood that the recipient
uses it for linking, and the binsize is multiplied by it. "Control on combination of attributes
is executed only for attributes for which a value of 1 is specified" (Samarati, section 7;
Achieving, section 4.1).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from lookalike.model.requirement import LEAST_K, QuasiIdentifier


def bin_size(level: Decimal, constant: Decimal, rows: int) -> int:
    """Return ⌈level · constant · rows⌉, computed exactly.

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
    """An attribute that is protected by itself, instead of or besides in combination.

    ``linking``: likelihood that it is used for linking; with 1 it is in the combination as well.
    ``k``: minimum number of rows with each of its values; 0 if it is not protected.
    """

    quasi_identifier: str
    attribute: str
    linking: Decimal
    k: int


@dataclass(frozen=True)
class LinkableAttribute:
    """An attribute of a quasi-identifier with its likelihood of being used for linking.

    ``linking``: likelihood that it is used for linking, from 0 to 1.
    ``own``: binsize of its own level of anonymity, if it has one.
    """

    attribute: str
    linking: Decimal = Decimal(1)
    own: int | None = None


@dataclass(frozen=True)
class WeightedQuasiIdentifier:
    """A quasi-identifier whose attributes have different likelihoods of being linked.

    ``k``: minimum number of rows with each combination of the attributes with linking 1.
    """

    name: str
    k: int
    members: tuple[LinkableAttribute, ...]
    respondent: str | None = None

    @property
    def combined(self) -> QuasiIdentifier:
        """The attributes with linking 1, which are protected in combination."""
        sure = tuple(one.attribute for one in self.members if one.linking == 1)
        return QuasiIdentifier(self.name, sure, self.k, self.respondent)

    @property
    def alone(self) -> tuple[ProtectedAlone, ...]:
        """The attributes outside the combination, or with a greater binsize than its k.

        Rows that are equal over all attributes are equal over each of them, so an attribute in
        the combination needs no protection of its own unless its binsize is greater.

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
        """Return the minimum number of rows with each value of an attribute, 0 for at most 1."""
        size = math.ceil(Fraction(one.linking) * (self.k if one.own is None else one.own))
        return size if size >= LEAST_K else 0


def list_protected(weighted: Sequence[WeightedQuasiIdentifier]) -> tuple[QuasiIdentifier, ...]:
    """Return all quasi-identifiers: the combinations, and the attributes protected alone."""
    asked: dict[tuple[str, str | None], int] = {}
    for whole in weighted:
        for one in whole.alone:
            counted = one.attribute, whole.respondent
            if one.k > asked.get(counted, 0):
                asked[counted] = one.k
    single = (
        QuasiIdentifier(name, (name,), k, respondent, alone=True)
        for (name, respondent), k in asked.items()
    )
    return (*(one.combined for one in weighted), *single)
