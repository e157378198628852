"""Verify asked: whether a certificate tells what the holder's specification asks for."""

from collections.abc import Iterator, Mapping

from lookalike.flow.documents.certify import method_parameters, write_amount
from lookalike.flow.read_promises import read_promises, read_single_attribute_promises
from lookalike.publish.certificate import Certificate
from lookalike.spec.policies import BASED_ON
from lookalike.spec.specification import Specification
from lookalike.verify.recount import Finding

_Comparison = Mapping[str, tuple[object, object]]
"""For each field what a certificate tells, and what is asked for."""
_CELL_METHODS = ("mingen-cells", "k-similar", "mu-argus")
"""The methods that decide cell by cell."""


def check_against_specification(
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


def _list_differences(fields: _Comparison) -> str:
    """Name the fields in which a certificate differs from what is asked for."""
    return "; ".join(
        f"{name} is {told}, not {asked}" for name, (told, asked) in fields.items() if told != asked
    )


def _list_asked(specification: Specification, certificate: Certificate, rows: int) -> _Comparison:
    """Return for every field of the promise what the certificate tells, and what is asked for."""
    asked, based = specification.release, _is_based_on_earlier(certificate)
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


def _list_options(specification: Specification, certificate: Certificate) -> _Comparison:
    """Return for every option what the certificate tells, and what the specification says."""
    asked, based = specification.release, _is_based_on_earlier(certificate)
    told = certificate.earlier_releases
    wanted = {
        "method": asked.method,
        "parameters": method_parameters(asked),
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


def _list_attributes(specification: Specification, certificate: Certificate) -> _Comparison:
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


def _is_based_on_earlier(certificate: Certificate) -> bool:
    """Tell whether a release is based on earlier ones."""
    told = certificate.earlier_releases
    return not isinstance(told, str) and told.considered > 0 and told.policy == BASED_ON


def _list_protection(
    specification: Specification, certificate: Certificate, rows: int
) -> _Comparison:
    """Return what is told and asked of how well attributes are protected.

    A release may promise more: k on the command line, or what an earlier one promised.
    """
    told = [(one.name, one.attributes, one.k) for one in certificate.quasi_identifiers]
    known = {one.name: one.k for one in certificate.quasi_identifiers}
    promised = [
        (one.name, one.attributes, max(one.k, known.get(one.name, 0)))
        for one in read_promises(specification, rows)
    ]
    alone = read_single_attribute_promises(specification, rows)
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
    cells = any(told) if based else specification.release.method in _CELL_METHODS
    return "cell level" if cells else "attribute level"


def _objective(specification: Specification, *, based: bool) -> str | None:
    """Return what a method searches for the best of, if it does."""
    asked = specification.release
    if based or asked.method not in ("mingen", "mingen-cells", "k-similar"):
        return None
    if asked.method == "k-similar" and not asked.bound:
        return None
    return asked.objective if asked.method == "mingen" else "precision"
