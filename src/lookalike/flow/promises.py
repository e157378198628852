"""Asked: what a specification asks of a release, as it is written, for those who verify one.

The search works by a :class:`~lookalike.model.requirement.Requirement`.
What a release is judged by is
read from the fields of the specification once more, so that a fault on the way to the search
cannot lower what is asked.
"""

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction

from lookalike.errors import InvalidInput
from lookalike.model.requirement import LEAST_K, ONLY_QUASI_IDENTIFIER
from lookalike.publish.certificate import Certificate, GeneralizedColumn
from lookalike.spec.fields import QuasiIdentifierFields
from lookalike.spec.specification import Specification
from lookalike.verify.both_tables import AllowedLevels, TruthClaim
from lookalike.verify.recount import Promise


def promises_of(specification: Specification, rows: int) -> tuple[Promise, ...]:
    """Return what a specification asks of each quasi-identifier of a table of so many rows.

    Examples
    --------
    >>> asked = Specification.build(
    ...     {
    ...         "release": {"k": 3},
    ...         "attributes": {
    ...             "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...         },
    ...     }
    ... )
    >>> promises_of(asked, 100)
    (Promise(attributes=('zip',), k=3, least=None, name='quasi-identifier'),)
    """
    return tuple(
        Promise(tuple(_sure(specification, one)), _k_of(specification, one, rows), name=one.name)
        for one in specification.quasi_identifiers or (_whole(specification),)
    )


def promises_alone(specification: Specification, rows: int) -> tuple[Promise, ...]:
    """Return what is asked of attributes by themselves; k is 0 where nothing is.

    These are outside of the combination, or ask for more than it gives.
    """
    several = specification.quasi_identifiers or (_whole(specification),)
    return tuple(
        Promise((name,), k, name=one.name)
        for one in several
        for name in one.attributes
        for k in [_k_alone(specification, one, name, rows)]
        if _linking(specification, one, name) < 1 or k > _k_of(specification, one, rows)
    )


def _whole(specification: Specification) -> QuasiIdentifierFields:
    """Return the one quasi-identifier of a specification that names none."""
    columns = specification.attributes.items()
    linkable = tuple(name for name, one in columns if one.role == "quasi-identifier")
    return QuasiIdentifierFields.model_construct(name=ONLY_QUASI_IDENTIFIER, attributes=linkable)


def _linking(specification: Specification, one: QuasiIdentifierFields, name: str) -> Decimal:
    """Return how likely an attribute is used for linking."""
    return one.linking.get(name, specification.attributes[name].linking)


def _sure(specification: Specification, one: QuasiIdentifierFields) -> Iterator[str]:
    """Yield the attributes that are sure to be linked, which are protected in combination."""
    for name in one.attributes:
        if _linking(specification, one, name) == 1:
            yield name


def _k_of(specification: Specification, one: QuasiIdentifierFields, rows: int) -> int:
    """Return the k of a quasi-identifier: its own, that of the release, or by anonymity."""
    for fields in (one, specification.release):
        if fields.k is not None:
            return fields.k
        if fields.anonymity is not None:
            return max(LEAST_K, _bin_size(specification, fields.anonymity, rows))
    levels = [specification.attributes[name].anonymity for name in _sure(specification, one)]
    own = [_bin_size(specification, level, rows) for level in levels if level is not None]
    if not own:
        raise InvalidInput("release.k is required: how often each combination must occur")
    return max(LEAST_K, *own)


def _k_alone(specification: Specification, one: QuasiIdentifierFields, name: str, rows: int) -> int:
    """Return how often each value of an attribute must occur by itself; once is nothing."""
    level = specification.attributes[name].anonymity
    whole = (
        _k_of(specification, one, rows) if level is None else _bin_size(specification, level, rows)
    )
    k = math.ceil(Fraction(_linking(specification, one, name)) * whole)
    return k if k >= LEAST_K else 0


def _bin_size(specification: Specification, level: Decimal, rows: int) -> int:
    """Return how many rows a level of anonymity asks for, rounded up."""
    constant = specification.release.anonymity_constant
    return math.ceil(Fraction(level) * Fraction(constant) * rows)


def truth_claim(specification: Specification, certificate: Certificate) -> TruthClaim:
    """Return what must be true of a release: columns as specified, levels as certified.

    Parameters
    ----------
    specification
        The holder's.
    certificate
        The levels, and whether suppressed rows were left out.
    """
    columns = specification.attributes.items()
    return TruthClaim(
        hierarchies=specification.hierarchies(),
        levels={name: _levels(done) for name, done in certificate.generalized.items()},
        unchanged=[name for name, one in columns if one.role in ("sensitive", "other")],
        blank=certificate.suppressed_rows == "blank",
        suppressed_label=specification.release.suppressed_label,
        cells=certificate.recoding == "cell level",
        pseudonym_keys={name: one.pseudonym.key() for name, one in columns if one.pseudonym},
    )


def _levels(done: GeneralizedColumn) -> AllowedLevels:
    """Return the levels that the values of an attribute have."""
    return done.level if done.cells_by_level is None else tuple(done.cells_by_level)
