"""Propose a role for a column, from its meaning and its figures."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lookalike.flow.draft.column import ColumnProfile
from lookalike.flow.draft.figures import ColumnFigures, measure_column
from lookalike.flow.draft.meaning import Meaning
from lookalike.flow.draft.profile import TableProfile
from lookalike.flow.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.flow.draft.recognize import find_kind_of_hierarchy, recognize_column
from lookalike.flow.draft.restore_zeros import restore_zeros
from lookalike.flow.draft.shape import Shape, find_shape
from lookalike.flow.source import NEARLY_UNIQUE
from lookalike.shown_text import count_rows
from lookalike.spec.fields import UNDECIDED
from lookalike.tables.table import Role

SINGLES_OUT = 0.05
"""The share of rows with a value of their own from which an amount singles out rows."""
RARE = 0.01
"""The share of rows with rare values up to which an unknown column is released as it is."""
NEARLY_ALWAYS = 0.9
"""The share of one value from which a protection of the others would cost most of the table."""
LIKELY = 0.01
"""The chance that k rows share one value from which a sensitive column is protected."""
_NUMBERS: tuple[Shape, ...] = ("integer", "decimal", "written number")
_AMOUNTS = ("income", "amount of money")


@dataclass(frozen=True)
class ProposedRole:
    """A role and its reason.

    Parameters
    ----------
    stricter
        The role, or the one for an undecided column if nobody decides.
    reason
        Why, in words.
    undecided
        Whether the holder must decide.
    """

    stricter: Role
    reason: str
    undecided: bool = False

    @property
    def role(self) -> DraftedRole:
        """The proposed role."""
        return UNDECIDED if self.undecided else self.stricter


def propose_columns(profile: TableProfile, k: int) -> list[ProposedColumn]:
    """Propose a role for every column of a table by itself.

    Parameters
    ----------
    profile
        The columns.
    k
        Values that occur less often are rare.
    """
    proposed = (
        propose_column(column, k, incomparable=column.name in profile.incomparable)
        for column in profile.columns
    )
    return [replace(one, missing=profile.own_markers.get(one.name)) for one in proposed]


def propose_column(column: ColumnProfile, k: int, *, incomparable: bool = False) -> ProposedColumn:
    """Propose a role for a column.

    Parameters
    ----------
    column
        Its values.
    k
        Values that occur less often are rare.
    incomparable
        Whether its values are lists, structures or bytes.
    """
    meaning = recognize_column(column)
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
        reason="; ".join((found.reason, *_list_flaws(repaired, zero_pad))),
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
    if meaning is not None and meaning.role in ("identifier", "drop"):
        return ProposedRole(meaning.role, describe_meaning(meaning))
    if figures.distinct == 1 and not column.missing:
        return ProposedRole("drop", "the same value in every row")
    if meaning is None:
        return _judge_unknown(column, figures, k)
    if meaning.role == "quasi-identifier":
        return ProposedRole("quasi-identifier", describe_meaning(meaning))
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
    reason = f"not recognized; {f'rare values in {count_rows(rare)}' if rare else 'no rare value'}"
    if rare < RARE * column.rows:
        return ProposedRole("other", reason)
    many = not number and figures.distinct_share > 0.5
    return ProposedRole("drop" if many else "quasi-identifier", reason, undecided=True)


def _judge_unique(column: ColumnProfile) -> ProposedRole:
    """Return the role of an unknown column in which nearly every row has its own value."""
    if find_shape(column) in ("decimal", "written number"):
        return ProposedRole("quasi-identifier", "number; nearly every row has its own")
    return ProposedRole(
        "identifier",
        "nearly every row has a value of its own "
        "(HIPAA Safe Harbor: any other unique identifying number)",
    )


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
