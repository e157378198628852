"""Check the columns released as they are: rows that they single out, and free text."""

from collections.abc import Iterator

import numpy as np

from lookalike.draft.toml_text import quote_key
from lookalike.flow.preflight.facts import MOST_ROWS, Facts
from lookalike.kernels.types import Codes
from lookalike.risk.finding import PreflightFinding, Severity, count_share, grade
from lookalike.risk.table.as_is import FEW_COLUMNS, AsIs, SingledOut, count_known_pairs, single_out
from lookalike.risk.table.coarser_numbers import find_coarser_numbers
from lookalike.risk.table.sequences import Sequences
from lookalike.shown_text import count_rows
from lookalike.spec.preflight_names import (
    AS_IS_UNIQUE,
    AS_IS_UNIQUE_IN_CLASS,
    FREE_TEXT,
    NOT_CHECKED,
)

MANY_WORDS = 4
"""The mean number of words from which the values of a column are sentences."""
OWN_VALUES = 0.5
"""The share of different values from which most rows have a text of their own."""
MOST_NAMED = 4

_COARSEN = (
    "give the columns that others may know the role quasi-identifier, write them less precisely "
    "(months instead of dates), or leave them out (role drop)"
)


def check_unique(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether the columns released as they are single out rows together."""
    columns = facts.as_is_unbounded
    if columns != facts.as_is:
        yield _describe_bounded(facts)
    if not columns:
        return
    found = facts.singled_out if columns == facts.as_is else facts.single_out(columns)
    if found is None:
        yield _not_checked("whether the columns released as they are single out rows")
    elif found.jointly.rows:
        severity = _grade_columns(found.jointly.rows, found.rows, len(columns))
        describe = _describe_in_engine if facts.is_large else _describe_unique
        many = severity != "note" and grade(found.jointly.rows, found.rows) == "error"
        fewer = _advise_rounding(facts, found.jointly.rows) if many else ""
        remedy = f"{_COARSEN}{fewer}"
        yield PreflightFinding(AS_IS_UNIQUE, severity, describe(found), remedy, share=found.share)


def _describe_bounded(facts: Facts) -> PreflightFinding:
    """Say what is assumed of those who know answers, and whom all columns single out together."""
    known, found = facts.specification.release.knows_answers, facts.singled_out
    answers = len(facts.as_is) - len(facts.as_is_unbounded)
    more = "may find a row"
    if found is not None:
        together = count_rows(found.jointly.rows)
        more += f": before any is left out, all {len(facts.as_is):,} single out {together}"
    return PreflightFinding(
        AS_IS_UNIQUE,
        "note",
        f"Whoever knows any {known} of the {answers:,} columns of answers with the "
        "quasi-identifier is left with several rows. Who knows more of the columns released as "
        f"they are {more}.",
        "raise knows_answers if more may be known, which leaves out more answers",
        share=None if found is None else found.share,
    )


def _advise_rounding(facts: Facts, unique: int) -> str:
    """Say how far numbers must be rounded, and how many rows are then unique, if it helps."""
    names = facts.as_is_unbounded
    sequences = None if facts.is_large else facts.sequences(names)
    found = None if sequences is None else find_coarser_numbers(sequences, names)
    if found is None or found.unique >= unique:
        return ""
    listed = "; ".join(
        f"round = {one.round}, top = {one.top} under [attributes.{quote_key(name)}]"
        for name, one in found.columns.items()
    )
    about = "about " if found.is_estimated else ""
    left = f"{about}{count_share(found.unique, found.rows)} would still be unique"
    if found.is_enough:
        return f"; or release numbers less precisely: with {listed}, {left}"
    return f"; less precise numbers are not enough: with {listed}, {left}"


def _grade_columns(concerned: int, rows: int, columns: int) -> Severity:
    """Return the severity of rows that some columns single out."""
    if columns == 1:
        return "note"
    severity = grade(concerned, rows)
    return "warning" if severity == "error" and columns <= FEW_COLUMNS else severity


def _describe_unique(found: AsIs) -> str:
    """Describe what the columns single out, and which fewer columns single out the most."""
    columns = found.jointly.columns
    fewer = [one for one in found.by_size if one.rows and len(one.columns) < len(columns)]
    over = f"the {len(columns):,} columns released as they are"
    if len(columns) == 1:
        over = f"{_name(found.jointly)}, which is released as it is"
    about = "About " if found.jointly.is_estimated else ""
    sentence = f"{about}{count_share(found.jointly.rows, found.rows)} are unique over {over}"
    if fewer:
        most = max(fewer, key=lambda one: one.rows)
        sentence += f"; {_name(most)} alone single{_plural(most)} out {most.rows:,}"
    return f"{sentence}."


def _name(found: SingledOut) -> str:
    """Name columns."""
    return ", ".join(repr(name) for name in found.columns)


def _plural(found: SingledOut) -> str:
    """Return the ending of the verb."""
    return "s" if len(found.columns) == 1 else ""


def _describe_in_engine(found: AsIs) -> str:
    """Describe what all columns single out in a private table that is too large for memory."""
    bounds = [100 * one / found.rows for one in found.jointly.between or ()]
    about = "About " if bounds else ""
    estimated = ", estimated from a sample: {:.1f} % to {:.1f} % with 99.9 % confidence"
    return (
        f"{about}{count_share(found.jointly.rows, found.rows)} of the private table are unique "
        f"over the {len(found.jointly.columns):,} columns released as they are"
        f"{estimated.format(*bounds) if bounds else ''}; subsets were not counted beyond "
        f"{MOST_ROWS:,} rows."
    )


def check_unique_in_class(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether some of these columns single out rows of a class, so that others are learned.

    The largest share among the quasi-identifiers counts. All columns but one are compared at most,
    since whoever knows all of them learns nothing. Of a large table, whole classes are drawn.
    """
    if len(facts.as_is_unbounded) < 2 or facts.plan is None:
        return
    found = []
    for one in facts.requirement.protected(facts.frequency.attributes):
        compared = facts.compare_in_classes(one.attributes)
        if compared is None:
            yield _not_checked(f"what single rows show in classes of more than {MOST_ROWS:,} rows")
        else:
            single = single_out(*compared, size=len(facts.as_is_unbounded) - 1)
            found.append((single, compared, one.k))
    if not found:
        return
    worst, (sequences, _, class_of), k = max(
        found, key=lambda one: one[0].smallest.rows / one[0].rows
    )
    if grade(worst.smallest.rows, worst.rows) != "error":
        return
    share = count_share(worst.smallest.rows, worst.rows)
    drawn = " of classes drawn at random" if worst.rows < facts.rows else ""
    yield PreflightFinding(
        AS_IS_UNIQUE_IN_CLASS,
        "warning",
        f"{share}{drawn} are unique within their class by {_name(worst.smallest)}: whoever knows a "
        "person's class and that finds the row, and learns the other columns."
        f"{_describe_pairs(sequences, class_of, k)}",
        _COARSEN,
        share=worst.smallest.rows / worst.rows,
    )


def _describe_pairs(sequences: Sequences, class_of: Codes, k: int) -> str:
    """Describe what is left of k for somebody who knows the class and any two of the columns."""
    if len(sequences.values) == FEW_COLUMNS:
        return ""
    fewer, all_compared = count_known_pairs(sequences, class_of, k)
    least = "" if all_compared else "at least "
    rows = int(sequences.counts.sum())
    return (
        f" In {least}{count_share(fewer, rows)}, some two of the {len(sequences.values):,} columns "
        f"with the class leave fewer than k = {k:,} rows."
    )


def check_free_text(facts: Facts) -> Iterator[PreflightFinding]:
    """Check whether a column released as it is holds sentences, which may name people."""
    for name in facts.as_is:
        if _are_sentences(_list_own_texts(facts, name)):
            yield PreflightFinding(
                FREE_TEXT,
                grade(facts.rows, facts.rows),
                f"column {name!r} looks like free text, which may name people.",
                'leave it out (role = "drop"), or replace the texts by codes',
            )


def _list_own_texts(facts: Facts, name: str) -> list[str]:
    """Return values of a column if most rows have one of their own, else nothing."""
    if facts.is_large:
        different, rows = facts.distinct[name]
        return facts.some_texts(name) if different > OWN_VALUES * rows else []
    values = facts.sequences([name])
    if values is None:
        return []
    texts = [value for value in values.values[0] if value is not None]
    known = np.array([value is not None for value in values.values[0]], dtype=np.bool_)
    rows = int(values.counts[known[values.codes[0]]].sum())
    return texts if len(texts) > OWN_VALUES * rows else []


def _are_sentences(texts: list[str]) -> bool:
    """Return whether texts have several words on average."""
    words = sum(len(text.split()) for text in texts)
    return bool(texts) and words >= MANY_WORDS * len(texts)


def list_incomparable(facts: Facts) -> Iterator[PreflightFinding]:
    """Name the columns whose values cannot be compared."""
    if facts.incomparable:
        some = ", ".join(repr(name) for name in facts.incomparable[:MOST_NAMED])
        more = len(facts.incomparable) - MOST_NAMED
        yield _not_checked(
            f"what {some}{f' and {more:,} more columns' if more > 0 else ''} single out: lists, "
            "structures and bytes are not compared"
        )


def _not_checked(what: str) -> PreflightFinding:
    """Say that a check was not made."""
    return PreflightFinding(
        NOT_CHECKED,
        "note",
        f"Not checked: {what}.",
        f"check a part of the table, with at most {MOST_ROWS:,} rows and plain columns",
    )
