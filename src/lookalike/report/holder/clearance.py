"""Clearance: whether a release may go out, to whom and under which conditions, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.report.rules.measured import write_count
from lookalike.report.rules.rule import NOT_MET, RuleVerdict
from lookalike.shown_text import show_text
from lookalike.spec import preflight_names as names
from lookalike.spec.record_fields import describe_knows

_MOST_NAMED = 8
"""The most columns that a condition names."""
FindingRecord = Mapping[str, Any]
Tile = tuple[str, float | None, str]
"""A risk: its name, its share of the rows or None if it was not counted, and what it is of."""
ROWS_CONCERNED: Mapping[str, str] = {
    names.AS_IS_UNIQUE_IN_CLASS: "rows that columns released as they are single out in their class",
    names.DERIVED_COLUMN: "rows whose other columns give a finer value",
    names.ONE_SENSITIVE_VALUE: "rows whose class shares a sensitive value, or nearly",
}
"""What the share of a finding is of; that of columns released as they are is counted apart."""
PERSONS_CONCERNED: Mapping[str, str] = {
    names.AS_IS_UNIQUE: "persons with a row whose columns released as they are nobody else has",
    names.DERIVED_COLUMN: ROWS_CONCERNED[names.DERIVED_COLUMN],
    names.RECORD_NUMBERS: "persons with a rare number of records",
    names.ONE_SENSITIVE_VALUE: "persons whose sensitive value follows from what may be known",
}
"""The same for linked tables, most of whose findings are about persons."""


@dataclass(frozen=True)
class Clearance:
    """The answer for the data protection officer.

    ``mark``: the class of the answer in the style sheet.
    """

    mark: Literal["stop", "read", "go"]
    answer: str
    reason: str
    recipient: str
    conditions: tuple[str, ...]


def clear_release(
    certificate: Certificate, preflight: PreflightRecord, rules: Sequence[RuleVerdict]
) -> Clearance:
    """Return whether a release may go out, to whom and under which conditions."""
    below = sum(one.rows_below_k for one in certificate.quasi_identifiers)
    conditions = [*_list_conditions(certificate), *_list_further(certificate, preflight)]
    return _clear(preflight, rules, conditions, below)


def clear_linked(certificate: LinkedCertificate, preflight: PreflightRecord) -> Clearance:
    """Return whether a release of linked tables may go out, and under which conditions."""
    conditions = [*_list_linked_conditions(certificate), *_list_further(certificate, preflight)]
    return _clear(preflight, (), conditions)


def _clear(
    preflight: PreflightRecord,
    rules: Sequence[RuleVerdict],
    conditions: Sequence[str],
    below: int = 0,
) -> Clearance:
    """Return the answer; ``below``: the rows in classes that are too small."""
    mark, answer, reason = _answer(preflight, below)
    recipient = " ".join(_describe_recipient(preflight, rules))
    return Clearance(mark, answer, reason, recipient, tuple(conditions))


def _answer(
    preflight: PreflightRecord, below: int
) -> tuple[Literal["stop", "read", "go"], str, str]:
    """Return the answer and its reason."""
    accepted = [one for one in preflight.findings if one["severity"] == "error"]
    if below:
        rows = write_count(below, "row")
        return "stop", "No", f"k-anonymity does not hold: {rows} are in classes that are too small."
    if accepted:
        errors = write_count(len(accepted), "error")
        named = ", ".join(dict.fromkeys(one["name"] for one in accepted))
        by = _name_acceptors(preflight, accepted)
        found = f"The checks found {errors} that would have stopped it ({named}), accepted by {by}."
        return "read", "Only under the conditions below", found
    if any(one["severity"] == "warning" for one in preflight.findings):
        return "read", "Only under the conditions below", "The checks warn, and do not stop it."
    return "go", "Yes, under the conditions below", "The checks found nothing that would stop it."


def _name_acceptors(preflight: PreflightRecord, accepted: Sequence[FindingRecord]) -> str:
    """Return who accepted errors: the specification, a reviewer or both."""
    review = preflight.review
    reviewed = [
        review is not None and review.find(one["name"], one["sentence"]) for one in accepted
    ]
    by = [] if all(reviewed) else ["the specification"]
    if review is not None and any(reviewed):
        by.append(f"{show_text(review.reviewer)} on {review.reviewed}")
    return " and ".join(by)


def _describe_recipient(preflight: PreflightRecord, rules: Sequence[RuleVerdict]) -> Iterator[str]:
    """Yield whom a release is for, for what, and which rules it does not reach."""
    if preflight.recipient is None:
        yield "The specification names no recipient: judge the release as one to the public."
    else:
        yield f"{show_text(preflight.recipient)}, and nobody else."
    if preflight.purpose is not None:
        yield f"Purpose: {show_text(preflight.purpose, 500)}."
    failed = list(dict.fromkeys(one.rule for one in rules if one.verdict == NOT_MET))
    if failed:
        yield f"It does not reach what these rules ask for: {', '.join(failed)}."


def _list_conditions(certificate: Certificate) -> Iterator[str]:
    """Yield what must be true for the promise to protect people."""
    for one in certificate.quasi_identifiers:
        known, answers = ", ".join(map(show_text, one.attributes)), certificate.answers
        known += "" if answers is None else f"; and of answers, no more than {answers.describe()}"
        yield f"The recipient knows of a person no more than the quasi-identifier: {known}."
    if certificate.released_as_they_are:
        yield _close_columns(certificate.released_as_they_are)
    if any(one.counts == "rows" for one in certificate.quasi_identifiers):
        yield "Each person has one row, because rows were counted and not persons."


def _list_linked_conditions(certificate: LinkedCertificate) -> Iterator[str]:
    """Yield what must be true for the promise about linked tables to protect people."""
    for one in certificate.tables:
        columns = ", ".join(map(show_text, one.generalized)) or "how many there are"
        known = "" if one.knows in (None, "all") else describe_knows(one.knows)
        few = f", and no more than {known} of them" if known else ""
        if one.knows is None and one.generalized:
            yield f"The recipient knows of a {certificate.unit} no more than {columns}."
        elif one.knows == 0:
            yield f"The recipient knows nothing of somebody's {one.name}."
        elif one.separator is not None and known:
            yield f"The recipient knows no more than {known} of somebody's {one.name}."
        elif one.knows is not None and one.separator is None:
            yield f"The recipient knows of somebody's {one.name} only {columns}{few}."
    open_columns = [
        name if one.knows is None else f"{one.name}.{name}"
        for one in certificate.tables
        for name in one.released_as_they_are
    ]
    if open_columns:
        yield _close_columns(open_columns, certificate.unit)
    if any(one.knows not in (None, "all") for one in certificate.tables):
        yield f"The recipient does not know how many records a {certificate.unit} has."
    if certificate.one_row_each:
        unit = certificate.unit
        yield f"Each row is one {unit}, because no column identifies {certificate.units}."


def _close_columns(names: Sequence[str], unit: str = "person") -> str:
    """State that nothing may be known of columns that are released as they are."""
    named, more = ", ".join(map(show_text, names[:_MOST_NAMED])), len(names) - _MOST_NAMED
    return (
        "In particular, the recipient knows nothing that the columns released as they are show "
        f"of a {unit}: {named}{f' and {more:,} more' if more > 0 else ''}."
    )


def _list_further(
    certificate: Certificate | LinkedCertificate, preflight: PreflightRecord
) -> Iterator[str]:
    """Yield what must be true of other releases, and of who reads the findings."""
    people = certificate.people if isinstance(certificate, LinkedCertificate) else "people"
    if isinstance(certificate, LinkedCertificate) or certificate.earlier_considered is None:
        yield f"No other release shows these {people}: earlier releases were not checked."
    warned = sum(one["severity"] == "warning" for one in preflight.findings)
    if warned:
        yield f"Somebody has read the {write_count(warned, 'warning')} below."


def order_risks(
    counted: Sequence[Tile],
    preflight: PreflightRecord,
    concerned: Mapping[str, str] = ROWS_CONCERNED,
) -> list[Tile]:
    """Return the risks with those of the findings, the worst first; one not counted before it.

    So no smaller figure stands above that of an error or a warning.
    """
    worst: dict[str, FindingRecord] = {}
    for one in preflight.findings:
        is_shown = one["share"] is not None and one["severity"] != "note"
        if is_shown and one["name"] in concerned:
            known = worst.setdefault(one["name"], one)
            worst[one["name"]] = max(known, one, key=lambda each: each["share"])
    found = [(concerned[name], one["share"], _describe_state(one)) for name, one in worst.items()]
    return sorted(
        [*counted, *found], key=lambda one: 2.0 if one[1] is None else one[1], reverse=True
    )


def _describe_state(one: FindingRecord) -> str:
    """Describe how serious a finding is, and whether it was accepted."""
    return f"{one['severity']} {one['name']}{', accepted' if one['accepted'] else ''}"
