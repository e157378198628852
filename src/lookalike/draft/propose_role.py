"""Propose a role for a column, from its meaning and its figures."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from lookalike.draft.column import NEARLY_UNIQUE, ColumnFigures, ColumnProfile, measure_column
from lookalike.draft.meaning import Meaning, Shape, find_shape
from lookalike.draft.meanings import SURVEY_WEIGHT, hold_years
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.profile import TableProfile, count_as_missing, replace_values
from lookalike.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.draft.recognize import find_evidence, find_kind_of_hierarchy, recognize_column
from lookalike.shown_text import count_rows
from lookalike.tables.source import UNDECIDED
from lookalike.tables.table import Role

LEAST_ITEMS = 5
"""How many neighbouring columns with the same scale are a questionnaire."""
MOST_RECOGNIZED = 0.2
"""The share of items whose names may resemble demographics, such as a taste for country music."""
SCALE = (4, 11)
"""How many answers a scale has."""


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
_ITEM = Meaning("answer on the same scale as its neighbours", "other")
_ROW_NUMBER = Meaning("number of the row", "identifier", kind="code")
_AMOUNTS = ("income", "amount of money")


@dataclass(frozen=True)
class ProposedRole:
    """A role and its reason.

    ``stricter``: the role, or the one for an undecided column if nobody decides.
    ``reason``: why, in words.
    """

    stricter: Role
    reason: str
    undecided: bool = False

    @property
    def role(self) -> DraftedRole:
        """The proposed role."""
        return UNDECIDED if self.undecided else self.stricter


def propose_columns(profile: TableProfile, k: int) -> list[ProposedColumn]:
    """Propose a role for every column of a table by itself."""
    items, proposed = find_items(profile.columns), []
    for place, column in enumerate(profile.columns):
        incomparable = column.name in profile.incomparable
        known = _ITEM if column.name in items else None
        if not place and _numbers_rows(column):
            known = _ROW_NUMBER
        found = propose_column(column, k, incomparable=incomparable, known=known)
        markers = profile.own_markers.get(column.name)
        if own := [one for one in found.profile.markers if one not in column.markers]:
            markers = (*(profile.markers if markers is None else markers), *own)
        proposed.append(replace(found, missing=markers))
    return proposed


def propose_column(
    column: ColumnProfile, k: int, *, incomparable: bool = False, known: Meaning | None = None
) -> ProposedColumn:
    """Propose a role for a column.

    ``known``: what the other columns or its place show that it is about, if they do.
    """
    meaning, evidence = (known, "") if known is not None else find_evidence(column)
    repaired, zero_pad = restore_zeros(column, meaning)
    figures = measure_column(repaired)
    if incomparable:
        found = ProposedRole("drop", "lists, structures or bytes, which cannot be compared")
    else:
        found = _judge(repaired, figures, meaning, k)
    chance = _chance_of_one_value(repaired, figures, k)
    return ProposedColumn(
        profile=repaired,
        figures=figures,
        meaning=meaning,
        kind=find_kind_of_hierarchy(repaired, meaning),
        role=found.role,
        stricter=found.stricter,
        reason="; ".join(
            (found.reason, *filter(None, [evidence]), *_list_flaws(repaired, zero_pad))
        ),
        protect=chance >= LIKELY,
        zero_pad=zero_pad,
    )


def _list_flaws(column: ColumnProfile, zero_pad: int | None) -> Iterator[str]:
    """Yield what is wrong with how the values of a column are written."""
    if zero_pad is not None:
        yield "some lost their leading zero"
    if find_shape(column) == "written number":
        yield "numbers written as text, with separators or units"


def _judge(
    column: ColumnProfile, figures: ColumnFigures, meaning: Meaning | None, k: int
) -> ProposedRole:
    """Return the role of a column."""
    if not figures.distinct:
        return ProposedRole("drop", "no row has a value")
    if meaning is not None and meaning.name == SURVEY_WEIGHT:
        reason = "survey weight, which can give away the strata and demographics it is made of"
        return ProposedRole("drop", reason, undecided=True)
    if meaning is not None and meaning.role in ("identifier", "drop"):
        return ProposedRole(meaning.role, describe_meaning(meaning))
    if figures.distinct == 1 and not column.missing:
        return ProposedRole("drop", "the same value in every row")
    if meaning is None:
        return _judge_unknown(column, figures, k)
    if meaning.role == "quasi-identifier":
        return ProposedRole(meaning.role, describe_meaning(meaning))
    if hold_years(column) or (meaning.role == "other" and figures.alone_share >= SINGLES_OUT):
        return _judge_unknown(column, figures, k)
    if meaning.role == "other":
        return ProposedRole(meaning.role, describe_meaning(meaning))
    return _judge_sensitive(column, figures, meaning)


def describe_meaning(meaning: Meaning) -> str:
    """Write a meaning, and the identifiers of HIPAA Safe Harbor that it belongs to."""
    if not meaning.safe_harbor:
        return meaning.name
    return f"{meaning.name} (HIPAA Safe Harbor: {meaning.safe_harbor})"


def _judge_sensitive(
    column: ColumnProfile, figures: ColumnFigures, meaning: Meaning
) -> ProposedRole:
    """Return the role of a column that is sensitive by its name."""
    amount = meaning.name in _AMOUNTS and find_shape(column) in _NUMBERS
    if amount and figures.alone_share >= SINGLES_OUT:
        return ProposedRole("quasi-identifier", f"{meaning.name}; {_single_out(figures)}")
    if figures.distinct_share > NEARLY_UNIQUE and figures.distinct > 1:
        reason = f"{meaning.name}, but nearly every row has a value of its own"
        return ProposedRole("quasi-identifier", reason, undecided=True)
    if figures.largest_share > NEARLY_ALWAYS and not column.missing:
        reason = (
            f"{meaning.name}, but one value has more than {100 * NEARLY_ALWAYS:.0f} % of the rows: "
            "most classes would share it"
        )
        return ProposedRole("drop", reason, undecided=True)
    return ProposedRole("sensitive", meaning.name)


def _judge_unknown(column: ColumnProfile, figures: ColumnFigures, k: int) -> ProposedRole:
    """Return the role of a column whose name and values show no meaning."""
    number = find_shape(column) in _NUMBERS
    if number and figures.distinct_share <= NEARLY_UNIQUE and figures.alone_share >= SINGLES_OUT:
        return ProposedRole("quasi-identifier", f"number; {_single_out(figures)}")
    if figures.distinct_share > NEARLY_UNIQUE and figures.distinct > 1:
        return _judge_unique(column)
    rare = sum(count for count in column.counts if count < k) + (
        column.distinct - len(column.counts)
    )
    if hold_years(column):
        return ProposedRole("quasi-identifier", "years; whose is not known", undecided=True)
    shown = f"rare values in {count_rows(rare)}" if rare else "no rare value"
    many = not number and figures.distinct_share > MOSTLY_OWN
    role: Role = "drop" if many else "quasi-identifier"
    return ProposedRole(role, f"not recognized; {shown}", undecided=True)


def _judge_unique(column: ColumnProfile) -> ProposedRole:
    """Return the role of an unknown column in which nearly every row has its own value."""
    shape = find_shape(column)
    if shape in ("decimal", "written number") or (shape == "integer" and not _counts(column)):
        return ProposedRole("quasi-identifier", "number; nearly every row has its own")
    return ProposedRole(
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


def _chance_of_one_value(column: ColumnProfile, figures: ColumnFigures, k: int) -> float:
    """Return the chance that k rows drawn at random share one value."""
    shares = [count / max(1, column.rows) for count in (*column.counts, column.missing)]
    chance = sum(share**k for share in shares)
    return chance if figures.distinct + (column.missing > 0) > 1 else 0.0


def leave_undecided(column: ProposedColumn, reason: str, stricter: Role) -> ProposedColumn:
    """Return a column whose role the holder must decide on."""
    return replace(column, role=UNDECIDED, stricter=stricter, reason=reason, hierarchy=None)


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
    rows = dict(zip(column.values, column.counts, strict=True))
    whole = sum(count for value, count in rows.items() if _ZIP.fullmatch(value))
    lost = sum(count for value, count in rows.items() if _LOST.fullmatch(value))
    if not lost or lost > whole:
        return column, None
    padded: dict[str, int] = {}
    for value, count in rows.items():
        text = value.zfill(ZIP_LENGTH) if _LOST.fullmatch(value) else value
        padded[text] = padded.get(text, 0) + count
    return replace_values(column, padded), ZIP_LENGTH


def find_items(columns: Sequence[ColumnProfile]) -> frozenset[str]:
    """Return the columns whose values are answers on the scale of their neighbours.

    Examples
    --------
    >>> names = ["pop", "rock", "country", "jazz", "opera", "sex"]
    >>> scales = [ColumnProfile(name, 25, tuple("12345"), (5,) * 5, 5) for name in names]
    >>> sorted(find_items(scales))
    ['country', 'jazz', 'opera', 'pop', 'rock']
    """
    return frozenset(name for items in _find_runs(columns) for name in _trim_demographics(items))


def _find_runs(columns: Sequence[ColumnProfile]) -> Iterator[list[ColumnProfile]]:
    """Yield neighbouring columns whose values are the same few whole numbers."""
    for scale, run in groupby(columns, key=_read_scale):
        if scale is not None:
            yield list(run)


def _read_scale(column: ColumnProfile) -> tuple[str, ...] | None:
    """Return the answers of a column in order, if they are whole numbers one after another."""
    if not SCALE[0] <= column.distinct <= SCALE[1] or column.value_labels:
        return None
    expected = {str(number) for number in range(SCALE[1] + 1)}
    if not expected.issuperset(column.values):
        return None
    numbers = sorted(map(int, column.values))
    whole = numbers == list(range(numbers[0], numbers[0] + len(numbers))) and numbers[0] <= 1
    return tuple(map(str, numbers)) if whole else None


def _trim_demographics(run: Sequence[ColumnProfile]) -> list[str]:
    """Return the items of a run: demographics may stand before and after them."""
    linkable = [_is_linkable(column) for column in run]
    if False not in linkable:
        return []
    first, last = linkable.index(False), len(run) - linkable[::-1].index(False)
    resembling = sum(linkable[first:last])
    enough = last - first >= LEAST_ITEMS and resembling <= MOST_RECOGNIZED * (last - first)
    return [column.name for column in run[first:last]] if enough else []


def _is_linkable(column: ColumnProfile) -> bool:
    """Return whether the name of a column resembles demographics."""
    meaning = recognize_column(column)
    return meaning is not None and meaning.role == "quasi-identifier"
