"""The two ways of HIPAA to de-identify health information: 45 CFR 164.514(b)."""

from collections.abc import Sequence
from dataclasses import dataclass

from lookalike.report.rules.measured import (
    IdentifierGroup,
    MeasuredFigures,
    RecognizedIdentifier,
    name_columns,
    write_risk,
)
from lookalike.report.rules.rule import MET, NOT_DECIDED, NOT_MET, Rule, RuleVerdict

_ISSUER = "U.S. Department of Health and Human Services"
_TITLE = "HIPAA Privacy Rule, 45 CFR 164.514"


def _safe_harbor(what: str, asks: str, section: str) -> Rule:
    """Return a rule of Safe Harbor."""
    return Rule(f"HIPAA Safe Harbor: {what}", _ISSUER, asks, _TITLE, section, 2013)


@dataclass(frozen=True)
class _SafeHarborPart:
    """A rule of Safe Harbor on a group of identifiers, with what it leaves to people."""

    rule: Rule
    group: IdentifierGroup
    remains: str


_PARTS = (
    _SafeHarborPart(
        _safe_harbor(
            "places",
            "no place smaller than a state, but 3-digit ZIP areas of more than 20,000 people",
            "(b)(2)(i)(B)",
        ),
        "places",
        "Check with current census data that each 3-digit ZIP area has more than 20,000 people, "
        "and write 000 for the others.",
    ),
    _SafeHarborPart(
        _safe_harbor(
            "dates and ages",
            "no date finer than a year, and ages over 89 as one group",
            "(b)(2)(i)(C)",
        ),
        "dates",
        "Years that show an age over 89 must become one group, too.",
    ),
    _SafeHarborPart(
        _safe_harbor(
            "other identifiers",
            "no names, numbers, addresses, codes or images that identify a person",
            "(b)(2)(i)(A), (D) to (R)",
        ),
        "others",
        "Free text can name people, and a code must not be derived from what it replaces, 45 CFR "
        "164.514(c).",
    ),
)
_KNOWLEDGE = _safe_harbor(
    "actual knowledge", "no actual knowledge that the rest identifies anybody", "(b)(2)(ii)"
)
_EXPERT = Rule(
    "HIPAA Expert Determination",
    _ISSUER,
    "an expert determines and documents that the risk is very small",
    _TITLE,
    "(b)(1)",
    2013,
)


def judge_safe_harbor(measured: MeasuredFigures) -> tuple[RuleVerdict, ...]:
    """Judge the eighteen identifiers in three groups, and the holder's knowledge."""
    known = _KNOWLEDGE.answer(
        "nothing",
        NOT_DECIDED,
        "Whether the holder knows how to identify somebody cannot be measured.",
    )
    return (*(_judge_part(part, measured) for part in _PARTS), known)


def judge_expert(measured: MeasuredFigures) -> RuleVerdict:
    """Show the measured risk to the expert."""
    return _EXPERT.answer(
        write_risk(measured),
        NOT_DECIDED,
        "The rule names no figure: the expert decides, and considers who receives the release and "
        "what they know.",
    )


def _judge_part(part: _SafeHarborPart, measured: MeasuredFigures) -> RuleVerdict:
    """Judge one group of identifiers: a column that shows one fails, an unclear one decides."""
    found = [one for one in measured.identifiers if one.group == part.group]
    shown = [one for one in found if one.state == "shown"]
    unclear = [one for one in found if one.state == "unclear"]
    words = _write_found(shown or found)
    if shown:
        return part.rule.answer(
            words, NOT_MET, "Generalize these columns further, or leave them out."
        )
    if unclear:
        return part.rule.answer(words, NOT_DECIDED, part.remains)
    if measured.unrecognized:
        return part.rule.answer(
            words,
            NOT_DECIDED,
            "Columns are recognized by their names and values. These were not, so they must be "
            f"judged by people: {name_columns(measured.unrecognized)}.",
        )
    return part.rule.answer(
        words, MET, "All columns of the release were recognized, by their names and values."
    )


def _write_found(found: Sequence[RecognizedIdentifier]) -> str:
    """Write what the columns of the release show."""
    if not found:
        return "no such column was recognized in the release"
    return "; ".join(f"{one.column} shows {one.shows}" for one in found)
