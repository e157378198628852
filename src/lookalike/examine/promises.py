"""Read from a specification what a release must promise, for verification only.

The search works with a :class:`~lookalike.model.requirement.Requirement`. Verification reads k,
the quasi-identifiers and the protections of sensitive values from the fields of the specification
a second time, by the code in this file, so that a fault on the way to the search cannot lower the
promise.
"""

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from lookalike.errors import InternalError, InvalidInput
from lookalike.model.requirement import LEAST_K, ONLY_QUASI_IDENTIFIER
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedAnswers, CertifiedProtection
from lookalike.spec.fields import QuasiIdentifierFields
from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.specification import Specification
from lookalike.verify.answers import AnswersPromise, AnswersVerdict
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.protections import FORMULAS, ProtectionPromise, ProtectionVerdict
from lookalike.verify.recount import Promise


def read_promises(specification: Specification, rows: int) -> tuple[Promise, ...]:
    """Return the promise of each quasi-identifier.

    ``rows``: the number of rows of the private table, which a level of anonymity refers to.

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
    >>> read_promises(asked, 100)
    (Promise(attributes=('zip',), k=3, least=None, name='quasi-identifier', person=None),)
    """
    return tuple(
        Promise(
            tuple(_combined(specification, one)),
            _k_of(specification, one, rows),
            name=one.name,
            person=_person_of(specification, one),
        )
        for one in _list_quasi_identifiers(specification)
    )


def read_single_attribute_promises(specification: Specification, rows: int) -> tuple[Promise, ...]:
    """Return the promises of single attributes; k is 0 where none is asked for.

    These attributes are outside the combination, or ask for a larger k than it has.
    """
    return tuple(
        Promise((name,), k, name=one.name, person=_person_of(specification, one))
        for one in _list_quasi_identifiers(specification)
        for name in one.attributes
        for k in [_k_alone(specification, one, name, rows)]
        if _linking(specification, one, name) < 1 or k > _k_of(specification, one, rows)
    )


def _person_of(specification: Specification, one: QuasiIdentifierFields) -> str | None:
    """Return the column of the persons that the k of a quasi-identifier counts, if it does."""
    source = specification.source
    return one.respondent or (None if source is None else source.person_column)


def _list_quasi_identifiers(specification: Specification) -> tuple[QuasiIdentifierFields, ...]:
    """Return the quasi-identifiers; the one of all linkable columns, if none is named."""
    columns = specification.attributes.items()
    linkable = tuple(name for name, one in columns if one.role == "quasi-identifier")
    whole = QuasiIdentifierFields.model_construct(name=ONLY_QUASI_IDENTIFIER, attributes=linkable)
    return specification.quasi_identifiers or (whole,)


def _linking(specification: Specification, one: QuasiIdentifierFields, name: str) -> Decimal:
    """Return the likelihood that an attribute is used for linking."""
    return one.linking.get(name, specification.attributes[name].linking)


def _combined(specification: Specification, one: QuasiIdentifierFields) -> Iterator[str]:
    """Yield the attributes with linking 1, which are protected in combination."""
    for name in one.attributes:
        if _linking(specification, one, name) == 1:
            yield name


def _k_of(specification: Specification, one: QuasiIdentifierFields, rows: int) -> int:
    """Return the k of a quasi-identifier: its own, that of the release, or from anonymity."""
    for fields in (one, specification.release):
        if fields.k is not None:
            return fields.k
        if isinstance(fields, ReleaseFields) and fields.highest_risk is not None:
            return math.ceil(1 / Fraction(fields.highest_risk))
        if fields.anonymity is not None:
            return max(LEAST_K, _bin_size(specification, fields.anonymity, rows))
    levels = [specification.attributes[name].anonymity for name in _combined(specification, one)]
    own = [_bin_size(specification, level, rows) for level in levels if level is not None]
    if not own:
        raise InvalidInput("release.k is required: the minimum number of rows of each combination")
    return max(LEAST_K, *own)


def _k_alone(specification: Specification, one: QuasiIdentifierFields, name: str, rows: int) -> int:
    """Return the minimum number of rows of each value of one attribute; 0 if it is below 2."""
    level = specification.attributes[name].anonymity
    whole = (
        _k_of(specification, one, rows) if level is None else _bin_size(specification, level, rows)
    )
    k = math.ceil(Fraction(_linking(specification, one, name)) * whole)
    return k if k >= LEAST_K else 0


def _bin_size(specification: Specification, level: Decimal, rows: int) -> int:
    """Return the number of rows that a level of anonymity asks for, rounded up."""
    constant = specification.release.anonymity_constant
    return math.ceil(Fraction(level) * Fraction(constant) * rows)


def make_truth_claim(specification: Specification, certificate: Certificate) -> TruthClaim:
    """Return what must be true of a release: columns as specified, levels as certified."""
    columns = specification.attributes.items()
    answers = () if certificate.answers is None else certificate.answers.left_out
    return TruthClaim(
        hierarchies=specification.hierarchies(),
        levels={
            name: done.level if done.cells_by_level is None else tuple(done.cells_by_level)
            for name, done in certificate.generalized.items()
        },
        unchanged=[
            name
            for name, one in columns
            if one.role in ("sensitive", "other") and name not in answers
        ],
        blank=certificate.suppressed_rows == "blank",
        suppressed_label=specification.release.suppressed_label,
        cells=certificate.recoding == "cell level",
        pseudonym_keys={name: one.pseudonym.key() for name, one in columns if one.pseudonym},
    )


def read_answers(
    specification: Specification, promises: Sequence[Promise], released: Sequence[str]
) -> AnswersPromise | None:
    """Return what answers must leave of each class, if an attacker may know some of them.

    ``released``: the released columns in their order.
    """
    asked, columns = specification.release, specification.attributes
    if asked.knows_answers is None:
        return None
    [promise] = promises
    return AnswersPromise(
        attributes=promise.attributes,
        columns=tuple(name for name in released if columns[name].role == "other"),
        known=asked.knows_answers,
        k=promise.k if asked.k_answers is None else asked.k_answers,
        label=asked.suppressed_label,
    )


def read_certified_answers(certificate: Certificate) -> AnswersPromise:
    """Return what answers must leave of each class by a certificate that promises it."""
    known = certificate.answers
    if known is None:
        raise InternalError("a certificate promises nothing of answers")
    over, label = certificate.quasi_identifiers[0].attributes, certificate.suppressed_label
    return AnswersPromise(over, tuple(known.left_out), known.known, known.k, label)


def certify_answers(promise: AnswersPromise, verdict: AnswersVerdict) -> CertifiedAnswers:
    """Return what the certificate states of answers."""
    return CertifiedAnswers(promise.known, promise.k, verdict.fewest, verdict.left_out)


def read_protections(
    specification: Specification, promises: Sequence[Promise]
) -> tuple[ProtectionPromise, ...]:
    """Return the protections that every class over each quasi-identifier must satisfy."""
    return tuple(
        ProtectionPromise(promise.attributes, column, name, parameters, attribute.hierarchy)
        for promise in promises
        for column, attribute in specification.attributes.items()
        if attribute.protect is not None
        for name, parameters in attribute.protect.list_parameters().items()
    )


def certify_protection(
    promise: ProtectionPromise, verdict: ProtectionVerdict | None = None
) -> CertifiedProtection:
    """Return what the certificate states of a protection, before it is counted or after.

    A figure that compares a class with the private table is left out, because it is no count of
    the release.
    """
    private = FORMULAS[promise.protection].refers
    return CertifiedProtection(
        attributes=promise.attributes,
        column=promise.column,
        protection=promise.protection,
        parameters=dict(promise.parameters),
        reached=None if verdict is None or private else verdict.figure,
    )
