"""Read from a specification the protections that a release must satisfy, for verification only.

As :mod:`lookalike.flow.read_promises` does for k, this reads the fields a second time, so that a
fault on the way to the search cannot weaken what is verified.
"""

from collections.abc import Sequence

from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import CertifiedProtection
from lookalike.spec.specification import Specification
from lookalike.verify.protections import FORMULAS, ProtectionPromise, ProtectionVerdict
from lookalike.verify.recount import Promise


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


def certify_protections(
    promises: Sequence[ProtectionPromise], verdicts: Sequence[ProtectionVerdict]
) -> tuple[CertifiedProtection, ...]:
    """Return what the certificate states of each protection.

    A figure that compares a class with the private table is left out, because it is no count of
    the release.
    """
    return tuple(
        CertifiedProtection(
            attributes=promise.attributes,
            column=promise.column,
            protection=promise.protection,
            parameters=dict(promise.parameters),
            reached=None if FORMULAS[promise.protection].refers else verdict.figure,
        )
        for promise, verdict in zip(promises, verdicts, strict=True)
    )


def restore_promises(
    certificate: Certificate, specification: Specification | None = None
) -> tuple[ProtectionPromise, ...]:
    """Return the promises that a certificate states; the holder adds hierarchies of columns."""
    columns = {} if specification is None else specification.attributes
    return tuple(
        ProtectionPromise(
            one.attributes,
            one.column,
            one.protection,
            one.parameters,
            columns[one.column].hierarchy if one.column in columns else None,
        )
        for one in certificate.protections
    )
