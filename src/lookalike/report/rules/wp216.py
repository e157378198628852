"""The three questions of the Article 29 Working Party: singling out, linkability, inference.

The opinion names no figures. A measurement can show that a criterion fails. Except for singling
out, it cannot show that it holds: that depends on what others know.
"""

from lookalike.report.rules.measured import (
    MeasuredFigures,
    SensitiveColumn,
    name_columns,
    write_count,
    write_smallest,
)
from lookalike.report.rules.rule import MET, NOT_DECIDED, NOT_MET, Rule, RuleAnswer, RuleVerdict


def _ask(what: str, asks: str, section: str) -> Rule:
    """Return one of the three questions."""
    issuer = "Article 29 Data Protection Working Party (EU)"
    title = "Opinion 05/2014 on Anonymisation Techniques, WP216"
    return Rule(f"GDPR: {what}", issuer, asks, title, f"sections 3 and {section}", 2014)


_SINGLING_OUT = _ask("singling out", "no record of an individual can be isolated", "3.2.1")
_LINKABILITY = _ask(
    "linkability", "no two records of an individual or a group can be linked", "3.2.1"
)
_INFERENCE = _ask("inference", "no value can be deduced with significant probability", "3.2.2")


def judge_singling_out(measured: MeasuredFigures) -> RuleVerdict:
    """Judge whether a row is unique over the columns of the release, all or some of them."""
    return _SINGLING_OUT.answer(_write_unique(measured), *_decide_singling_out(measured))


def _write_unique(measured: MeasuredFigures) -> str:
    """Write how many rows are unique."""
    counted = [write_smallest(measured)]
    if measured.as_is:
        counted += [
            f"{_count(measured.unique_as_is)} unique over the columns released as they are",
            f"{_count(measured.unique_rows)} over all columns",
        ]
    return "; ".join(counted)


def _count(rows: int | None) -> str:
    """Write a number of rows that may not have been counted."""
    return "rows were not counted that are" if rows is None else write_count(rows, "row")


def _decide_singling_out(measured: MeasuredFigures) -> tuple[RuleAnswer, str]:
    """Decide by the fewest columns over which a row is unique."""
    if measured.least.size == 1 or measured.smallest_together == 1:
        return NOT_MET, "A row is unique over the quasi-identifier columns."
    if measured.unique_as_is:
        return NOT_MET, (
            "Rows are unique over the columns released as they are: whoever knows these values of "
            "a person finds the row. Give the columns that others may know the role "
            "quasi-identifier, write them less precisely, or leave them out."
        )
    if measured.unique_rows == 0:
        return MET, "No row is unique, even over all columns of the release together."
    return NOT_DECIDED, (
        "No row is unique over the quasi-identifier. Within a class, columns released as they "
        "are can distinguish rows: whether anybody knows them is for people to judge."
    )


def judge_linkability(measured: MeasuredFigures) -> RuleVerdict:
    """Judge whether the release itself links records; other data are unknown."""
    pseudonyms = f"pseudonyms in {name_columns(measured.pseudonyms)}"
    earlier = "earlier releases not checked"
    if measured.earlier_releases is not None:
        earlier = f"{write_count(measured.earlier_releases, 'earlier release')} considered"
    words = f"{pseudonyms if measured.pseudonyms else 'no pseudonyms'}; {earlier}"
    if measured.pseudonyms:
        return _LINKABILITY.answer(
            words,
            NOT_MET,
            "A pseudonym links all rows of a person, here and in every release with the same key.",
        )
    return _LINKABILITY.answer(
        words,
        NOT_DECIDED,
        "k-anonymity does not prevent that the classes of two data sets are linked, as the opinion "
        "notes. Which other data exist is for people to judge; `lookalike link` and "
        "`lookalike attack` try given ones.",
    )


def judge_inference(measured: MeasuredFigures) -> RuleVerdict:
    """Judge whether classes share one sensitive value, which is then certain."""
    columns = measured.sensitive
    if not columns:
        why = (
            "No column has the role sensitive, so nothing was measured. Whether others are "
            "sensitive is for people to judge."
        )
        return _INFERENCE.answer("no sensitive columns", NOT_DECIDED, why)
    words = "; ".join(_write_alike(one) for one in columns)
    if any(one.alike_rows for one in columns):
        return _INFERENCE.answer(
            words,
            NOT_MET,
            "Whoever knows that a person is in such a class knows the value. Protect the column, "
            "such as protect = { distinct = 2 }.",
        )
    return _INFERENCE.answer(
        words,
        NOT_DECIDED,
        "No value is certain. Which probability is significant is for people to judge; "
        "`lookalike risk` shows how far the values of each class are from those of the table.",
    )


def _write_alike(one: SensitiveColumn) -> str:
    """Write how many rows share one sensitive value with their class."""
    protected = ", which is protected" if one.protected else ""
    column = f"{one.column}{protected}"
    if one.alike_rows is None or one.alike_classes is None:
        return f"classes with one value of {column} were not counted"
    classes = write_count(one.alike_classes, "class")
    rows = f" ({write_count(one.alike_rows, 'row')})" if one.alike_rows else ""
    return f"{classes}{rows} with one value of {column}"
