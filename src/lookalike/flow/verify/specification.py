"""Verify asked: whether a certificate tells what the holder's specification asks for."""

from collections.abc import Iterator, Mapping

from lookalike.flow.documents.certify import parameters_of, write_amount
from lookalike.flow.promises import promises_alone, promises_of
from lookalike.publish.certificate import Certificate
from lookalike.search.methods import TAKES
from lookalike.spec.policies import BASED_ON
from lookalike.spec.specification import Specification
from lookalike.verify.recount import Finding

Fields = Mapping[str, tuple[object, object]]
"""For each field what a certificate tells, and what is asked for."""


def check_asked(
    specification: Specification, certificate: Certificate, rows: int
) -> Iterator[Finding]:
    """Compare a certificate with a specification, field by field.

    Options of the method may have been given on the command line, so a difference there is
    reported and not judged.

    Parameters
    ----------
    specification
        The holder's.
    certificate
        The certificate.
    rows
        The rows of the private table.
    """
    wrong = _list_differences(_list_asked(specification, certificate, rows))
    yield Finding(
        "the certificate tells what the specification asks for", not wrong, wrong or "it does"
    )
    other = _list_differences(_list_options(specification, certificate))
    yield Finding(
        "the certificate names the options of the specification",
        True,
        f"{other}; was it given on the command line?" if other else "it does",
        checked=not other,
    )


def _list_differences(fields: Fields) -> str:
    """Name the fields in which a certificate differs from what is asked for."""
    return "; ".join(
        f"{name} is {told}, not {asked}" for name, (told, asked) in fields.items() if told != asked
    )


def _list_asked(specification: Specification, certificate: Certificate, rows: int) -> Fields:
    """Return for every field of the promise what the certificate tells, and what is asked for."""
    asked, based = specification.release, is_based(certificate)
    shown = {n for n, one in specification.attributes.items() if one.role in ("sensitive", "other")}
    wanted = {
        "rows_in": rows,
        "released_as_they_are": tuple(name for name in certificate.columns if name in shown),
        "pseudonyms": tuple(n for n, one in specification.attributes.items() if one.pseudonym),
        "recipient": asked.recipient,
        "suppressed_label": asked.suppressed_label,
        "suppressed_rows": "drop" if based else asked.suppressed_rows,
    }
    return {
        **{name: (getattr(certificate, name), value) for name, value in wanted.items()},
        **_list_protection(specification, certificate, rows),
        **_list_attributes(specification, certificate),
    }


def _list_options(specification: Specification, certificate: Certificate) -> Fields:
    """Return for every option what the certificate tells, and what the specification says."""
    asked, based = specification.release, is_based(certificate)
    told = certificate.earlier_releases
    wanted = {
        "method": asked.method,
        "parameters": parameters_of(asked),
        "max_suppressed": write_amount(asked.max_suppressed),
        "prefer": asked.prefer,
        "constraints": asked.constraints,
        "order": "kept" if asked.keep_order else "randomized",
        "recoding": _recoding(specification, certificate, based=based),
        "objective": _objective(specification, based=based),
    }
    return {
        **{name: (getattr(certificate, name), value) for name, value in wanted.items()},
        "earlier_releases": (
            told if isinstance(told, str) else told.policy,
            "not checked" if asked.ledger is None else asked.policy,
        ),
    }


def _list_attributes(specification: Specification, certificate: Certificate) -> Fields:
    """Return what is told and asked of every attribute of the quasi-identifier."""
    rules = specification.hierarchies()
    return {
        f"generalized.{name}": (
            (done.hierarchy, done.weight, done.tolerance),
            (
                rules[name].name,
                str(specification.attributes[name].weight),
                str(specification.tolerance(name)),
            ),
        )
        for name, done in certificate.generalized.items()
    }


def is_based(certificate: Certificate) -> bool:
    """Tell whether a release is based on earlier ones."""
    told = certificate.earlier_releases
    return not isinstance(told, str) and told.considered > 0 and told.policy == BASED_ON


def _list_protection(specification: Specification, certificate: Certificate, rows: int) -> Fields:
    """Return what is told and asked of how well attributes are protected.

    A release may promise more: k on the command line, or what an earlier one promised.
    """
    told = [(one.name, one.attributes, one.k) for one in certificate.quasi_identifiers]
    known = {one.name: one.k for one in certificate.quasi_identifiers}
    promised = [
        (one.name, one.attributes, max(one.k, known.get(one.name, 0)))
        for one in promises_of(specification, rows)
    ]
    alone = promises_alone(specification, rows)
    linking = [f"{one.linking:f}" for one in specification.alone(rows)]
    return {
        "quasi_identifiers": (told, promised),
        "alone": (
            [(o.quasi_identifier, o.attribute, o.linking, o.k) for o in certificate.alone],
            [(p.name, p.attributes[0], link, p.k) for p, link in zip(alone, linking, strict=True)],
        ),
    }


def _recoding(specification: Specification, certificate: Certificate, *, based: bool) -> str:
    """Return whether levels differ from cell to cell; rows that join others may differ in them."""
    told = [one.cells_by_level is not None for one in certificate.generalized.values()]
    cells = any(told) if based else TAKES[specification.release.method].cells
    return "cell level" if cells else "attribute level"


def _objective(specification: Specification, *, based: bool) -> str | None:
    """Return the measure that the method optimizes or bounds, if there is one."""
    asked = specification.release
    if based:
        return None
    return TAKES[asked.method].objective_of(asked.objective, bound=asked.bound)
