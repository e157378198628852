"""Verify asked: whether a certificate tells what the holder's specification asks for."""

from collections.abc import Iterator
from dataclasses import replace

from lookalike.asked import promise, promise_alone
from lookalike.certificate import Certificate
from lookalike.certify import parameters_of, write_amount
from lookalike.ledger.policy import BASED_ON
from lookalike.spec import Specification
from lookalike.verify import Finding

AT_CELLS = ("mingen-cells", "k-similar", "mu-argus")
"""The methods that decide cell by cell."""


def check_asked(
    specification: Specification, certificate: Certificate, rows: int
) -> Iterator[Finding]:
    """Compare a certificate with a specification, field by field.

    Parameters
    ----------
    specification
        The holder's.
    certificate
        The certificate.
    rows
        The rows of the private table.
    """
    asked, attributes = specification.release, specification.attributes
    based = is_based(certificate)
    yield _compare("rows_in", certificate.rows_in, rows)
    yield from _check_protection(specification, certificate, rows, based=based)
    for name, done in certificate.generalized.items():
        rule, attribute = specification.hierarchies()[name], attributes[name]
        yield _compare(f"hierarchy of {name}", done.hierarchy, rule.name)
        yield _compare(f"weight of {name}", done.weight, str(attribute.weight))
        yield _compare(f"tolerance of {name}", done.tolerance, str(specification.tolerance(name)))
    shown = {name for name, one in attributes.items() if one.role in ("sensitive", "other")}
    hashed = tuple(name for name, one in attributes.items() if one.pseudonym is not None)
    fields = {
        "released_as_they_are": tuple(name for name in certificate.columns if name in shown),
        "pseudonyms": hashed,
        "recipient": asked.recipient,
        "method": asked.method,
        "parameters": parameters_of(asked),
        "max_suppressed": write_amount(asked.max_suppressed),
        "prefer": asked.prefer,
        "constraints": asked.constraints,
        "suppressed_label": asked.suppressed_label,
        "suppressed_rows": "drop" if based else asked.suppressed_rows,
        "order": "kept" if asked.keep_order else "randomized",
        "recoding": _recoding(specification, certificate, based=based),
        "objective": _objective(specification, based=based),
    }
    for name, wanted in fields.items():
        yield _compare(name, getattr(certificate, name), wanted)
    told = certificate.earlier_releases
    yield _compare(
        "earlier_releases",
        told if isinstance(told, str) else told.policy,
        "not checked" if asked.ledger is None else asked.policy,
    )


def is_based(certificate: Certificate) -> bool:
    """Tell whether a release is based on earlier ones."""
    told = certificate.earlier_releases
    return not isinstance(told, str) and told.considered > 0 and told.policy == BASED_ON


def _check_protection(
    specification: Specification, certificate: Certificate, rows: int, *, based: bool
) -> Iterator[Finding]:
    """Compare what is protected, and how well."""
    told = [(one.name, one.attributes, one.k) for one in certificate.quasi_identifiers]
    promised = promise(specification, rows)
    if based:
        greater = max((one.k for one in certificate.quasi_identifiers), default=0)
        promised = tuple(replace(one, k=max(one.k, greater)) for one in promised)
    yield _compare("quasi_identifiers", told, [(p.name, p.attributes, p.k) for p in promised])
    alone = promise_alone(specification, rows)
    linking = [f"{one.linking:f}" for one in specification.alone(rows)]
    yield _compare(
        "alone",
        [(one.quasi_identifier, one.attribute, one.linking, one.k) for one in certificate.alone],
        [(p.name, p.attributes[0], link, p.k) for p, link in zip(alone, linking, strict=True)],
    )


def _recoding(specification: Specification, certificate: Certificate, *, based: bool) -> str:
    """Return whether levels differ from cell to cell; rows that join others may differ in them."""
    told = [one.cells_by_level is not None for one in certificate.generalized.values()]
    cells = any(told) if based else specification.release.method in AT_CELLS
    return "cell level" if cells else "attribute level"


def _objective(specification: Specification, *, based: bool) -> str | None:
    """Return what a method searches for the best of, if it does."""
    asked = specification.release
    if based or asked.method not in ("mingen", "mingen-cells", "k-similar"):
        return None
    if asked.method == "k-similar" and not asked.bound:
        return None
    return asked.objective if asked.method == "mingen" else "precision"


def _compare(field: str, told: object, asked: object) -> Finding:
    """Compare a field of the certificate with what is asked for."""
    found = "it is" if told == asked else f"the certificate says {told}, it must be {asked}"
    return Finding(f"{field} is as the specification asks", told == asked, found)
