"""What a certificate must state of a specification, and the comparison of both by field."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from lookalike.examine import promises
from lookalike.examine.people import certify_registers
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import state_decoys
from lookalike.publish.certified import CertifiedDecoys
from lookalike.search.methods import TAKES
from lookalike.spec.release_fields import ReleaseFields
from lookalike.spec.specification import Specification
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.files.file_format import format_of
from lookalike.verify.recount import Finding, Promise

_Comparison = Mapping[str, tuple[object, object]]
"""For each field its value in the certificate and the value that the specification implies."""
_OPTIONS = ("method", "parameters", "max_suppressed", "prefer", "constraints", "order")
"""The requested fields that may have been given on the command line instead."""


def check_against_specification(
    specification: Specification, certificate: Certificate, rows: int
) -> Iterator[Finding]:
    """Compare a certificate with a specification, field by field.

    Options of the method may have been given on the command line, so a difference there is
    reported as unchecked and not as a failure.
    """
    wrong = describe_differences(_compare_promises(specification, certificate, rows))
    yield Finding("the certificate matches the specification", not wrong, wrong or "it does")
    other = describe_differences(_compare_options(specification, certificate))
    yield Finding(
        "the certificate names the options of the specification",
        True,
        f"{other}; was it given on the command line?" if other else "it does",
        checked=not other,
    )


def describe_differences(fields: _Comparison) -> str:
    """Name the fields in which a certificate differs from the specification."""
    return "; ".join(
        f"{name} is {certified}, not {asked}"
        for name, (certified, asked) in fields.items()
        if certified != asked
    )


def _compare_promises(
    specification: Specification, certificate: Certificate, rows: int
) -> _Comparison:
    """Compare the fields that say what is promised, and for which rows and columns."""
    asked = specification.release
    based = certificate.is_based_on_earlier or certificate.shares_classes
    shown = {n for n, one in specification.attributes.items() if one.role in ("sensitive", "other")}
    answers = () if certificate.answers is None else certificate.answers.left_out
    expected = {
        "rows_in": rows,
        "released_as_they_are": tuple(
            name for name in certificate.columns if name in shown and name not in answers
        ),
        "pseudonyms": tuple(n for n, one in specification.attributes.items() if one.pseudonym),
        "recipient": asked.recipient,
        "registers": certify_registers(specification),
        "coarsened": certify_coarsening(specification, certificate.columns),
        "suppressed_label": asked.suppressed_label,
        "suppressed_rows": "drop" if based else asked.suppressed_rows,
    }
    mapped = {n for n, one in specification.attributes.items() if one.map is not None}
    return {
        **{name: (getattr(certificate, name), value) for name, value in expected.items()},
        "mapped": ({*certificate.mapped}, mapped & {*certificate.columns}),
        **_compare_protection(specification, certificate, rows),
        **_compare_attributes(specification, certificate),
    }


def _compare_options(specification: Specification, certificate: Certificate) -> _Comparison:
    """Compare the options of the method and of the release."""
    asked = specification.release
    based = certificate.is_based_on_earlier or certificate.shares_classes
    earlier, source = certificate.earlier_releases, specification.source
    declared = source is not None and source.new_people
    takes = TAKES[asked.method]
    by_cell = any(one.cells_by_level is not None for one in certificate.generalized.values())
    cells = by_cell if based else takes.cells  # one that is based on others may differ by cell
    requested = list_requested(asked)
    expected = {name: requested[name] for name in _OPTIONS} | {
        "formulas": certify_formulas(asked, certificate.files),
        "decoys": certify_decoys(asked.decoys),
        "recoding": "cell level" if cells else "attribute level",
        "objective": None if based else takes.objective_of(asked.objective, bound=asked.bound),
    }
    return {
        **{name: (getattr(certificate, name), value) for name, value in expected.items()},
        "earlier_releases": (
            earlier if isinstance(earlier, str) else earlier.policy,
            "not checked" if asked.ledger is None else asked.policy,
        ),
        "earlier_releases.leavers": (
            earlier.leavers
            if not isinstance(earlier, str) and earlier.considered
            else asked.leavers,
            asked.leavers,
        ),
        "earlier_releases.new_people": (
            declared if isinstance(earlier, str) else earlier.new_people,
            declared,
        ),
    }


def _compare_attributes(specification: Specification, certificate: Certificate) -> _Comparison:
    """Compare what was asked of every attribute of the quasi-identifier."""
    rules, compared = specification.hierarchies(), {}
    for name, done in certificate.generalized.items():
        column, tolerance = specification.attributes[name], specification.tolerance(name)
        stated = done.hierarchy, done.weight, done.tolerance, done.keep
        asked = rules[name].name, str(column.weight), str(tolerance), str(column.keep or 0)
        compared[f"generalized.{name}"] = stated, asked
    return compared


def _compare_protection(
    specification: Specification, certificate: Certificate, rows: int
) -> _Comparison:
    """Compare each k of the certificate with the k that the specification asks for.

    A release may promise more: k on the command line, or the k of an earlier release.
    """
    several, asked = certificate.quasi_identifiers, promises.read_promises(specification, rows)
    known = {one.name: one.k for one in several}
    counts = {one.name: "rows" if one.person is None else "persons" for one in asked}
    alone = promises.read_single_attribute_promises(specification, rows)
    linking = [f"{one.linking:f}" for one in specification.alone(rows)]
    protections = promises.read_protections(specification, asked)
    return {
        "answers": _compare_answers(specification, certificate, asked),
        "quasi_identifiers": (
            [(o.name, o.attributes, o.k, o.counts or "rows") for o in several],
            [(p.name, p.attributes, max(p.k, known.get(p.name, 0)), counts[p.name]) for p in asked],
        ),
        "protections": (
            [(o.attributes, o.column, o.protection, o.parameters) for o in certificate.protections],
            [(p.attributes, p.column, p.protection, p.parameters) for p in protections],
        ),
        "average_risk": (
            certificate.average_risk,
            _write_amount(specification.release.average_risk),
        ),
        "alone": (
            [(o.quasi_identifier, o.attribute, o.linking, o.k) for o in certificate.alone],
            [(p.name, p.attributes[0], link, p.k) for p, link in zip(alone, linking, strict=True)],
        ),
    }


def _compare_answers(
    specification: Specification, certificate: Certificate, asked: Sequence[Promise]
) -> tuple[object, object]:
    """Compare what answers leave of a class; a release may promise more, on the command line."""
    stated = certificate.answers
    promised = promises.read_answers(specification, asked, certificate.columns)
    if promised is None:
        return None, None
    if stated is None:
        return None, (promised.known, promised.k, promised.columns)
    own = max(stated.known, promised.known), max(stated.k, promised.k), promised.columns
    return (stated.known, stated.k, tuple(stated.left_out)), own


def certify_formulas(
    asked: ReleaseFields, files: Iterable[str]
) -> Literal["as they are", "neutralized"]:
    """Return how cells are written that a spreadsheet would take for formulas.

    Only text files with delimiters have such cells.
    """
    formats = [format_of(Path(name)) for name in files]
    delimited = any(one is not None and one.kind == "csv" for one in formats)
    return "neutralized" if asked.neutralize_formulas and delimited else "as they are"


def certify_coarsening(
    specification: Specification, columns: Sequence[str]
) -> dict[str, NumberCoarsening]:
    """Return how the numbers of released columns were rounded and cut."""
    return {
        name: one.coarsening
        for name, one in specification.attributes.items()
        if name in columns and one.coarsening.is_asked
    }


def certify_decoys(rate: Decimal) -> CertifiedDecoys | None:
    """Return the rate of decoys and what they protect from, if there are any."""
    return CertifiedDecoys(f"{rate:f}", state_decoys(rate)) if rate else None


def list_requested(asked: ReleaseFields) -> dict[str, Any]:
    """Return the fields of a certificate that state what was asked for."""
    return {
        "recipient": asked.recipient,
        "suppressed_label": asked.suppressed_label,
        "method": asked.method,
        "parameters": _list_parameters(asked),
        "max_suppressed": _write_amount(asked.max_suppressed),
        "prefer": asked.prefer,
        "constraints": asked.constraints,
        "average_risk": _write_amount(asked.average_risk),
        "order": "kept" if asked.keep_order else "randomized",
    }


def _write_amount(amount: int | Decimal | None) -> str | None:
    """Write a number of rows without a decimal point, and a fraction of the rows with one."""
    if amount is None:
        return None
    return f"{amount:f}" if isinstance(amount, Decimal) else str(amount)


def _list_parameters(asked: ReleaseFields) -> dict[str, str]:
    """Return the parameters that a certificate lists: of µ-Argus, highest risk, preset, keep."""
    names = ["combinations", "dimension", "suppress_by", "repair"]
    shown = {name: str(getattr(asked, name)).lower() for name in names}
    risk = {} if asked.highest_risk is None else {"highest_risk": f"{asked.highest_risk:f}"}
    preset = {} if asked.preset is None else {"preset": asked.preset}
    keep = {} if asked.keep is None else {"keep": asked.keep}
    return (shown if asked.method == "mu-argus" else {}) | risk | preset | keep
