"""Limit the number of quasi-identifiers: over very many columns, no two people are alike."""

from collections.abc import Sequence
from dataclasses import replace

from lookalike.flow.draft.attribute_meanings import DEMOGRAPHICS
from lookalike.flow.draft.meanings import DATES
from lookalike.flow.draft.propose_role import leave_undecided
from lookalike.flow.draft.proposed_column import ProposedColumn

MOST_LINKABLE = 8
"""With more quasi-identifiers, hardly anything but suppressed values would be released."""
_PLAIN_DATE = "date"
_KNOWN = [one.name for one in (*DATES, *DEMOGRAPHICS) if one.name != _PLAIN_DATE]
"""Meanings that others know of a person, the best known first."""


def limit_linkable(columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with at most so many quasi-identifiers.

    Demographics come first, then dates, then what only its figures suggest, then columns that are
    undecided. The rest is left to the holder; the stricter choice is to drop it.
    """
    linkable = [column for column in columns if column.stricter == "quasi-identifier"]
    beyond = {column.name for column in sorted(linkable, key=_rank)[MOST_LINKABLE:]}
    return tuple(
        _leave(column, len(linkable)) if column.name in beyond else column for column in columns
    )


def _rank(column: ProposedColumn) -> int:
    """Return the place of a column among those that others may know."""
    if column.undecided:
        return len(_KNOWN) + 2
    name = "" if column.meaning is None else column.meaning.name
    if name in _KNOWN:
        return _KNOWN.index(name)
    return len(_KNOWN) + (name != _PLAIN_DATE)


def _leave(column: ProposedColumn, linkable: int) -> ProposedColumn:
    """Leave a column to the holder, who may drop it."""
    if column.undecided:
        return replace(column, stricter="drop")
    reason = (
        f"{column.reason}; one of {linkable:,} linkable columns, too many to keep values in all"
    )
    return leave_undecided(column, reason, "drop")
