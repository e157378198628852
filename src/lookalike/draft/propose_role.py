"""Propose a role for a column, from its meaning and its figures."""

import re
from dataclasses import replace

from lookalike.draft.column import NEARLY_UNIQUE, ColumnFigures, ColumnProfile, measure_column
from lookalike.draft.find_answers import find_answers
from lookalike.draft.meaning import Meaning, Shape, find_shape
from lookalike.draft.meanings import SURVEY_WEIGHT, hold_years
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.profile import TableProfile, count_as_missing, rewrite_values
from lookalike.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.draft.recognize import find_evidence, find_kind_of_hierarchy, recognize_column
from lookalike.draft.unify_spellings import unify_spellings
from lookalike.shown_text import count_rows
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

ZIP_LENGTH = 5
"""ZIP codes of the United States, and postal codes of Germany, France and Spain."""
_ZIP = re.compile(r"[0-9]{5}(?:-[0-9]{4})?")
_NONE = re.compile(r"0+(?:-0+)?|99999")
"""What stands for a missing code: no country has such a one."""
_LOST = re.compile(r"[1-9][0-9]{2,3}")


SINGLES_OUT = 0.05
"""The share of rows with a value of their own from which an amount singles out rows."""
NEARLY_ALWAYS = 0.9
"""The share of one value from which a protection of the others would cost most of the table."""
LIKELY = 0.01
"""The chance that k rows share one value from which a sensitive column is protected."""
MOSTLY_OWN = 0.5
"""The distinct texts per row from which nothing can be kept of an unknown column."""
OWN_NUMBERS = 0.5
"""The share of the whole numbers of a range from which they are counted up."""
_NUMBERS: tuple[Shape, ...] = ("integer", "decimal", "written number")
_ROW_NUMBER = Meaning("number of the row", "identifier", kind="code")
_AMOUNTS = ("income", "amount of money")


_Judged = tuple[DraftedRole, Role, str]
"""The proposed role, the one if nobody decides, and why."""


def _decide(role: Role, reason: str) -> _Judged:
    """Propose a role."""
    return role, role, reason


def _ask(stricter: Role, reason: str) -> _Judged:
    """Leave the role to the holder."""
    return UNDECIDED, stricter, reason


def propose_columns(profile: TableProfile, k: int) -> list[ProposedColumn]:
    """Propose a role for every column of a table by itself."""
    blocks, proposed = find_answers(profile.columns), []
    for place, column in enumerate(profile.columns):
        incomparable = column.name in profile.incomparable
        block = blocks.get(column.name)
        known = None if block is None else block.meaning
        if not place and _numbers_rows(column):
            known = _ROW_NUMBER
        found = propose_column(column, k, incomparable=incomparable, known=known)
        markers = profile.own_markers.get(column.name)
        if own := [one for one in found.profile.markers if one not in column.markers]:
            markers = (*(profile.markers if markers is None else markers), *own)
        inside = block if found.role == "other" and found.map is None else None
        proposed.append(replace(found, missing=markers, block=inside))
    return proposed


def propose_column(
    column: ColumnProfile, k: int, *, incomparable: bool = False, known: Meaning | None = None
) -> ProposedColumn:
    """Propose a role for a column.

    ``known``: what the other columns or its place show that it is about, if they do.
    """
    meaning, evidence = (known, "") if known is not None else find_evidence(column)
    restored, zero_pad = restore_zeros(column, meaning)
    repaired, unified = unify_spellings(restored, meaning)
    figures = measure_column(repaired)
    if incomparable:
        judged = _decide("drop", "lists, structures or bytes, which cannot be compared")
    else:
        judged = _judge(repaired, figures, meaning, k)
    role, stricter, reason = judged
    reasons = [reason, evidence]
    if zero_pad is not None:
        short = [n for one, n in zip(column.values, column.counts, strict=True) if _lost_zero(one)]
        reasons.append(f"{count_rows(sum(short))} lost a leading zero")
    if role in ("identifier", "drop"):
        repaired, unified, figures = restored, None, measure_column(restored)
    if unified is not None:
        reasons.append(unified.summary)
    if find_shape(repaired) == "written number":
        reasons.append("numbers written as text, with separators or units")
    shares = [count / max(1, column.rows) for count in (*repaired.counts, repaired.missing)]
    several = figures.distinct + (repaired.missing > 0) > 1
    return ProposedColumn(
        profile=repaired,
        figures=figures,
        meaning=meaning,
        kind=find_kind_of_hierarchy(repaired, meaning),
        role=role,
        stricter=stricter,
        reason="; ".join(filter(None, reasons)),
        protect=several and sum(share**k for share in shares) >= LIKELY,
        zero_pad=zero_pad,
        map=unified,
    )


def _judge(
    column: ColumnProfile, figures: ColumnFigures, meaning: Meaning | None, k: int
) -> _Judged:
    """Return the role of a column."""
    if not figures.distinct:
        return _decide("drop", "no row has a value")
    if meaning is not None and meaning.name == SURVEY_WEIGHT:
        reason = "survey weight, which can give away the strata and demographics it is made of"
        return _ask("drop", reason)
    if meaning is not None and meaning.role in ("identifier", "drop"):
        return _decide(meaning.role, describe_meaning(meaning))
    if figures.distinct == 1 and not column.missing:
        return _decide("drop", "the same value in every row")
    if meaning is None:
        return _judge_unknown(column, figures, k)
    if meaning.role == "quasi-identifier":
        return _decide(meaning.role, describe_meaning(meaning))
    if hold_years(column) or (meaning.role == "other" and figures.alone_share >= SINGLES_OUT):
        return _judge_unknown(column, figures, k)
    if meaning.role == "other":
        return _decide(meaning.role, describe_meaning(meaning))
    return _judge_sensitive(column, figures, meaning)


def describe_meaning(meaning: Meaning) -> str:
    """Write a meaning, and the identifiers of HIPAA Safe Harbor that it belongs to."""
    if not meaning.safe_harbor:
        return meaning.name
    return f"{meaning.name} (HIPAA Safe Harbor: {meaning.safe_harbor})"


def _judge_sensitive(column: ColumnProfile, figures: ColumnFigures, meaning: Meaning) -> _Judged:
    """Return the role of a column that is sensitive by its name."""
    amount = meaning.name in _AMOUNTS and find_shape(column) in _NUMBERS
    if amount and figures.alone_share >= SINGLES_OUT:
        return _decide("quasi-identifier", f"{meaning.name}; {_single_out(figures)}")
    if figures.distinct_share > NEARLY_UNIQUE and figures.distinct > 1:
        reason = f"{meaning.name}, but nearly every row has a value of its own"
        return _ask("quasi-identifier", reason)
    if figures.largest_share > NEARLY_ALWAYS and not column.missing:
        reason = (
            f"{meaning.name}, but one value has more than {100 * NEARLY_ALWAYS:.0f} % of the rows: "
            "most classes would share it"
        )
        return _ask("drop", reason)
    return _decide("sensitive", meaning.name)


def _judge_unknown(column: ColumnProfile, figures: ColumnFigures, k: int) -> _Judged:
    """Return the role of a column whose name and values show no meaning."""
    number = find_shape(column) in _NUMBERS
    if number and figures.distinct_share <= NEARLY_UNIQUE and figures.alone_share >= SINGLES_OUT:
        return _decide("quasi-identifier", f"number; {_single_out(figures)}")
    if figures.distinct_share > NEARLY_UNIQUE and figures.distinct > 1:
        return _judge_unique(column)
    rare = sum(count for count in column.counts if count < k) + (
        column.distinct - len(column.counts)
    )
    if hold_years(column):
        return _ask("quasi-identifier", "years; whose is not known")
    shown = f"rare values in {count_rows(rare)}" if rare else "no rare value"
    many = not number and figures.distinct_share > MOSTLY_OWN
    role: Role = "drop" if many else "quasi-identifier"
    return _ask(role, f"not recognized; {shown}")


def _judge_unique(column: ColumnProfile) -> _Judged:
    """Return the role of an unknown column in which nearly every row has its own value."""
    shape = find_shape(column)
    if shape in ("decimal", "written number") or (shape == "integer" and not _counts(column)):
        return _decide("quasi-identifier", "number; nearly every row has its own")
    return _decide(
        "identifier",
        "nearly every row has a value of its own "
        "(HIPAA Safe Harbor: any other unique identifying number)",
    )


def _numbers_rows(column: ColumnProfile) -> bool:
    """Return whether every row of an unknown first column has a whole number of its own."""
    own = column.distinct == column.rows > 1 and find_shape(column) == "integer"
    return own and recognize_column(column) is None


def _counts(column: ColumnProfile) -> bool:
    """Return whether whole numbers look like a key: equally long, or without large gaps."""
    numbers = read_column_numbers(column)
    if len({len(value) for value in column.values}) == 1 or not numbers.units:
        return True
    return len(numbers.units) > OWN_NUMBERS * (numbers.units[-1] - numbers.units[0])


def _single_out(figures: ColumnFigures) -> str:
    """Write how many rows the values single out."""
    return f"its values single out {count_rows(figures.alone)} ({100 * figures.alone_share:.1f} %)"


def restore_zeros(
    column: ColumnProfile, meaning: Meaning | None
) -> tuple[ColumnProfile, int | None]:
    """Return a column of postal codes with their zeros, and the length to which they are padded.

    Zeros only and 99999 count as missing. Codes lost their zeros if most rows have five digits and
    some have three or four. A column of four-digit codes, as in Switzerland, stays as it is.

    Examples
    --------
    >>> codes = ColumnProfile("zip", 4, ("94110", "2138"), (3, 1), 2)
    >>> padded, length = restore_zeros(codes, Meaning("postal code", "quasi-identifier"))
    >>> padded.values, length
    (('94110', '02138'), 5)
    """
    if meaning is None or meaning.name != "postal code":
        return column, None
    column = count_as_missing(column, [value for value in column.values if _NONE.fullmatch(value)])
    rows = list(zip(column.values, column.counts, strict=True))
    whole = sum(count for value, count in rows if _ZIP.fullmatch(value))
    lost = sum(count for value, count in rows if _lost_zero(value))
    if not lost or lost > whole:
        return column, None
    padded = rewrite_values(
        column, lambda value: value.zfill(ZIP_LENGTH) if _lost_zero(value) else value
    )
    return padded, ZIP_LENGTH


def _lost_zero(code: str) -> bool:
    """Return whether a code may be one of five digits that begins with zeros."""
    return _LOST.fullmatch(code) is not None
