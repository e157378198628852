"""Find columns that repeat another one: the same values, or a code for each of its values."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.flow.draft.write_toml import quote_toml
from lookalike.tables.count import count
from lookalike.tables.table import Frame

_LETTERS = 40


def drop_copies(frame: Frame, columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns, those dropped that have one value for each value of another.

    Parameters
    ----------
    frame
        The rows.
    columns
        The proposed columns. Of two that say the same, one that was recognized stays, or the first.
    """
    original: dict[str, str] = {}
    for alike in _group_by_counts(columns):
        for kept, other in combinations(alike, 2):
            if not {kept.name, other.name} & set(original) and _says_the_same(frame, kept, other):
                original[other.name] = kept.name
    return tuple(
        _drop(column, original[column.name]) if column.name in original else column
        for column in columns
    )


def _group_by_counts(columns: Sequence[ProposedColumn]) -> list[list[ProposedColumn]]:
    """Return the columns whose values occur equally often, recognized ones first."""
    groups: defaultdict[tuple[tuple[int, ...], int], list[ProposedColumn]] = defaultdict(list)
    for column in sorted(columns, key=lambda one: one.meaning is None):
        listed = len(column.profile.values) == column.profile.distinct > 1
        if listed and column.role not in ("identifier", "drop"):
            groups[column.profile.counts, column.profile.missing].append(column)
    return list(groups.values())


def _says_the_same(frame: Frame, one: ProposedColumn, other: ProposedColumn) -> bool:
    """Return whether each value of a column goes with one value of another."""
    first, second = count(frame, [one.name, other.name]).positions
    pairs = len({*zip(first.tolist(), second.tolist(), strict=True)})
    return pairs == len({*first.tolist()}) == len({*second.tolist()})


def _drop(column: ProposedColumn, original: str) -> ProposedColumn:
    """Return a column that is left out because another says the same."""
    reason = (
        f"has one value for each value of {quote_toml(original[:_LETTERS])}, which says the same"
    )
    return replace(column, role="drop", stricter="drop", reason=reason)
