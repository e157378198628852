"""The two ways of HIPAA to de-identify health information: 45 CFR 164.514(b)."""

from lookalike.report.rules.measured import MeasuredFigures, name_columns
from lookalike.report.rules.rule import MET, NOT_DECIDED, NOT_MET, Rule, RuleVerdict

_ISSUER = "U.S. Department of Health and Human Services"
_TITLE = "HIPAA Privacy Rule, 45 CFR 164.514"


def _safe_harbor(what: str, asks: str, section: str) -> Rule:
    """Return a rule of Safe Harbor."""
    return Rule(f"HIPAA Safe Harbor: {what}", _ISSUER, asks, _TITLE, section, 2013)


_PARTS = {
    "places": (
        _safe_harbor(
            "places",
            "no place smaller than a state, but 3-digit ZIP areas of more than 20,000 people",
            "(b)(2)(i)(B)",
        ),
        "Check with current census data that each 3-digit ZIP area has more than 20,000 people, "
        "and write 000 for the others.",
    ),
    "dates": (
        _safe_harbor(
            "dates and ages",
            "no date finer than a year, and ages over 89 as one group",
            "(b)(2)(i)(C)",
        ),
        "Years that show an age over 89 must become one group, too.",
    ),
    "others": (
        _safe_harbor(
            "other identifiers",
            "no names, numbers, addresses, codes or images that identify a person",
            "(b)(2)(i)(A), (D) to (R)",
        ),
        "Free text can name people, and a code must not be derived from what it replaces, 45 CFR "
        "164.514(c).",
    ),
}
"""The rule of Safe Harbor on each group of identifiers, with what it leaves to people."""
_KNOWLEDGE = _safe_harbor(
    "actual knowledge", "no actual knowledge that the rest identifies anybody", "(b)(2)(ii)"
)
EXPERT = Rule(
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
    return (*(_judge_group(group, measured) for group in _PARTS), known)


def _judge_group(group: str, measured: MeasuredFigures) -> RuleVerdict:
    """Judge one group of identifiers: a column that shows one fails, an unclear one decides."""
    rule, remains = _PARTS[group]
    found = [one for one in measured.identifiers if one.group == group]
    shown = [one for one in found if one.state == "shown"]
    listed = "; ".join(f"{one.column} shows {one.shows}" for one in shown or found)
    words = listed or "no such column was recognized in the release"
    if shown:
        return rule.answer(words, NOT_MET, "Generalize these columns further, or leave them out.")
    if any(one.state == "unclear" for one in found):
        return rule.answer(words, NOT_DECIDED, remains)
    if measured.unrecognized:
        return rule.answer(
            words,
            NOT_DECIDED,
            "Columns are recognized by their names and values. These were not, so they must be "
            f"judged by people: {name_columns(measured.unrecognized)}.",
        )
    return rule.answer(
        words, MET, "All columns of the release were recognized, by their names and values."
    )
