"""Ask_requirement: from the fields of a specification to the requirement of its release."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from lookalike.errors import InvalidInput
from lookalike.model import requirement as required
from lookalike.model.binsize import (
    LinkableAttribute,
    WeightedQuasiIdentifier,
    bin_size,
    list_protected,
)
from lookalike.search.methods import TAKES
from lookalike.search.secrecy import default_secrecy
from lookalike.spec.fields import QuasiIdentifierFields
from lookalike.spec.release_fields import ReleaseFields

if TYPE_CHECKING:
    from lookalike.spec.specification import Specification


def ask_requirement(specification: "Specification", rows: int) -> required.Requirement:
    """Return the requirement of a specification for a table of so many rows."""
    asked = specification.release
    weighted = weigh_quasi_identifiers(specification, rows)
    several = specification.quasi_identifiers or any(one.alone for one in weighted)
    overall = _k_asked(asked, asked, rows)
    protections = tuple(
        required.ColumnProtection(name, protection)
        for name, attribute in specification.attributes.items()
        if attribute.protect is not None
        for protection in attribute.protect.protections()
    )
    return required.Requirement(
        k=max(one.k for one in weighted) if overall is None else overall,
        max_suppressed=asked.max_suppressed,
        suppressed_rows=asked.suppressed_rows,
        quasi_identifiers=list_protected(weighted) if several else (),
        person=specification.person_column,
        protections=protections,
        registers=tuple(one.condition for one in asked.registers),
        average_risk=None if asked.average_risk is None else Fraction(asked.average_risk),
        secrecy=asked.secrecy or default_secrecy(protections, lottery=TAKES[asked.method].lottery),
        lottery_rate=asked.lottery_rate,
        answers=None
        if asked.knows_answers is None
        else required.KnownAnswers(asked.knows_answers, asked.k_answers, asked.suppressed_label),
    )


def weigh_quasi_identifiers(
    specification: "Specification", rows: int
) -> tuple[WeightedQuasiIdentifier, ...]:
    """Return the quasi-identifiers with their k and the linking weights of their attributes."""
    linkable = tuple(specification.hierarchies())
    whole = QuasiIdentifierFields.model_construct(
        name=required.ONLY_QUASI_IDENTIFIER, attributes=linkable
    )
    return tuple(
        _weigh(specification, one, rows) for one in specification.quasi_identifiers or (whole,)
    )


def _weigh(
    specification: "Specification", one: QuasiIdentifierFields, rows: int
) -> WeightedQuasiIdentifier:
    """Return one quasi-identifier; at least one attribute must have linking 1."""
    attributes, release = specification.attributes, specification.release
    members = tuple(
        LinkableAttribute(
            name,
            one.linking.get(name, attributes[name].linking),
            _bin_size(attributes[name].anonymity, release, rows),
        )
        for name in one.attributes
    )
    sure = [member for member in members if member.linking == 1]
    if members and not sure:
        raise InvalidInput(
            f"linking: every attribute of {one.name!r} is below 1, so none would be protected "
            "in combination; give 1 to those that are likely to be used for linking"
        )
    asked = (_k_asked(one, release, rows), _k_asked(release, release, rows))
    own = [max(required.LEAST_K, member.own) for member in sure if member.own is not None]
    k = next((k for k in asked if k is not None), max(own, default=None))
    if k is None:
        raise InvalidInput(
            "release.k is required: the minimum number of rows with each combination, such as "
            "k = 5; or highest_risk, such as 0.09; or anonymity, a level from 0 to 1, of the "
            "release or of its attributes"
        )
    person = one.respondent or specification.person_column
    return WeightedQuasiIdentifier(one.name, k, members, person)


def _k_asked(
    asked: ReleaseFields | QuasiIdentifierFields, release: ReleaseFields, rows: int
) -> int | None:
    """Return the k of a table of the specification, if it sets one.

    The probability to re-identify a row of a class of k rows is at most 1 ∕ k.
    """
    if asked.k is not None:
        return asked.k
    if isinstance(asked, ReleaseFields) and asked.highest_risk is not None:
        return math.ceil(1 / Fraction(asked.highest_risk))
    size = _bin_size(asked.anonymity, release, rows)
    return None if size is None else max(required.LEAST_K, size)


def _bin_size(level: Decimal | None, release: ReleaseFields, rows: int) -> int | None:
    """Return the binsize of a level of anonymity."""
    return None if level is None else bin_size(level, release.anonymity_constant, rows)
