"""Checks on the certificates of all releases of a source: roles, quasi-identifiers, greatest k."""

from collections.abc import Iterable, Sequence

from lookalike.errors import InvalidInput
from lookalike.publish.certificate import Certificate
from lookalike.spec.policies import ALL_RELEASED


def greatest_k(certificates: Iterable[Certificate]) -> int:
    """Return the greatest k that some releases promise."""
    return max(one.k for certificate in certificates for one in certificate.quasi_identifiers)


def refuse_several(certificates: Iterable[Certificate]) -> None:
    """Refuse releases with several quasi-identifiers, in which a row has no single class."""
    for certificate in certificates:
        if len(certificate.quasi_identifiers) > 1 or certificate.alone:
            raise InvalidInput(
                "the policy based-on supports a single quasi-identifier over all linkable "
                "attributes, but an earlier release of this source has several, or attributes that "
                'are protected alone; use policy = "check-only"'
            )


def refuse_other_roles(certificates: Sequence[Certificate]) -> None:
    """Refuse a column that is a quasi-identifier in one release and unchanged in another.

    An attacker is assumed to know the values of a quasi-identifier, and finds rows by them in the
    release that shows them unchanged. A column that only joined the quasi-identifier under the
    policy all-released-attributes is not assumed to be known.
    """
    known: set[str] = set()
    shown: set[str] = set()
    for certificate in certificates:
        known.update(set(certificate.generalized) - (shown if _is_widened(certificate) else set()))
        shown.update(certificate.released_as_they_are)
    for name in sorted(known & shown):
        raise InvalidInput(
            f"column {name!r} is a quasi-identifier in one release of this source and is released "
            "as it is in another, where anyone who knows its values can find rows; give it the "
            'same role in both, or use policy = "all-released-attributes"'
        )


def _is_widened(certificate: Certificate) -> bool:
    """Return whether released columns joined the quasi-identifier of a release."""
    earlier = certificate.earlier_releases
    return not isinstance(earlier, str) and earlier.policy == ALL_RELEASED
