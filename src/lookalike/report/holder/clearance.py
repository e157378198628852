"""Clearance: whether a release may go out, to whom and under which conditions, in words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.rules.measured import write_count
from lookalike.report.rules.rule import NOT_MET, RuleVerdict
from lookalike.shown_text import show_text
from lookalike.spec import preflight_names as names

_MOST_NAMED = 8
"""The most columns that a condition names."""
FindingRecord = Mapping[str, Any]
Tile = tuple[str, float | None, str]
"""A risk: its name, its share of the rows or None if it was not counted, and what it is of."""
_CONCERNED: Mapping[str, str] = {
    names.AS_IS_UNIQUE_IN_CLASS: "rows that such columns single out within their class",
    names.DERIVED_COLUMN: "rows whose other columns give a finer value",
    names.ONE_SENSITIVE_VALUE: "rows whose class shares a sensitive value, or nearly",
}
"""What the share of a finding is of; that of columns released as they are is counted apart."""


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
    mark, answer, reason = _answer(certificate, preflight)
    return Clearance(
        mark,
        answer,
        reason,
        recipient=" ".join(_describe_recipient(preflight, rules)),
        conditions=tuple(_list_conditions(certificate, preflight)),
    )


def _answer(
    certificate: Certificate, preflight: PreflightRecord
) -> tuple[Literal["stop", "read", "go"], str, str]:
    """Return the answer and its reason."""
    below = sum(one.rows_below_k for one in certificate.quasi_identifiers)
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


def _list_conditions(certificate: Certificate, preflight: PreflightRecord) -> Iterator[str]:
    """Yield what must be true for the promise to protect people."""
    for one in certificate.quasi_identifiers:
        columns = ", ".join(map(show_text, one.attributes))
        yield f"The recipient knows of a person no more than the quasi-identifier: {columns}."
    open_columns = certificate.released_as_they_are
    if open_columns:
        named = ", ".join(map(show_text, open_columns[:_MOST_NAMED]))
        more = len(open_columns) - _MOST_NAMED
        yield (
            "In particular, the recipient knows nothing that the columns released as they are show "
            f"of a person: {named}{f' and {more:,} more' if more > 0 else ''}."
        )
    if any(one.counts == "rows" for one in certificate.quasi_identifiers):
        yield "Each person has one row, because rows were counted and not persons."
    if certificate.earlier_considered is None:
        yield "No other release shows these people: earlier releases were not checked."
    warned = sum(one["severity"] == "warning" for one in preflight.findings)
    if warned:
        yield f"Somebody has read the {write_count(warned, 'warning')} below."


def order_risks(counted: Sequence[Tile], preflight: PreflightRecord) -> list[Tile]:
    """Return the risks with those of the findings, the worst first; one not counted before it.

    So no smaller figure stands above that of an error or a warning.
    """
    worst: dict[str, FindingRecord] = {}
    for one in preflight.findings:
        concerned = one["share"] is not None and one["severity"] != "note"
        if concerned and one["name"] in _CONCERNED:
            known = worst.setdefault(one["name"], one)
            worst[one["name"]] = max(known, one, key=lambda each: each["share"])
    found = [(_CONCERNED[name], one["share"], _describe_state(one)) for name, one in worst.items()]
    return sorted(
        [*counted, *found], key=lambda one: 2.0 if one[1] is None else one[1], reverse=True
    )


def _describe_state(one: FindingRecord) -> str:
    """Describe how serious a finding is, and whether it was accepted."""
    return f"{one['severity']} {one['name']}{', accepted' if one['accepted'] else ''}"
