"""Propose a hierarchy for a column of dates: months, years, spans of years."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from lookalike.draft.column import ColumnProfile
from lookalike.draft.date_layouts import KNOWN_SHARE, find_layouts
from lookalike.draft.proposed_hierarchy import (
    ProposedHierarchy,
    find_useful_levels,
    note_lost,
    propose_rule,
)
from lookalike.errors import UnknownValue
from lookalike.hierarchy import Dates, Suppress

_LONG = 15
"""From so many years on, steps are as for birth dates (Achieving, Figure 6)."""
_LONG_STEPS = ("month", "year", "5 years", "10 years")
_SHORT_STEPS = ("month", "quarter", "year", "5 years")
_STEPS = ("month", "quarter", "year", "5 years", "10 years")


def propose_dates(column: ColumnProfile) -> ProposedHierarchy | None:
    """Propose calendar spans, or nothing if the values are not dates.

    Examples
    --------
    >>> days = ("13.02.1965", "20.02.1965", "01.12.1965", "23.10.1944")
    >>> propose_dates(ColumnProfile("birth", 4, days, (1, 1, 1, 1), 4)).table
    '{ kind = "dates", steps = ["month", "year"], formats = ["%d.%m.%Y"] }'
    """
    layouts = find_layouts(column)
    if not layouts:
        return None
    short = any("%y" in layout for layout in layouts)
    dates = Dates(_STEPS, layouts, century=_first_year() if short else None)
    paths = _climb_known(dates, column.values)
    rows = sum(n for value, n in zip(column.values, column.counts, strict=True) if value in paths)
    if rows < KNOWN_SHARE * sum(column.counts):
        return None
    return _propose_steps(dates, list(paths.values()), len(column.values) - len(paths))


def _propose_steps(
    dates: Dates, paths: Sequence[tuple[str, ...]], unread: int
) -> ProposedHierarchy:
    """Propose the steps that merge dates."""
    years = {int(path[1][:4]) for path in paths}
    usual = _LONG_STEPS if max(years) - min(years) >= _LONG else _SHORT_STEPS
    levels = [0, *(dates.steps.index(step) + 1 for step in usual), dates.height]
    useful = find_useful_levels([[path[level] for level in levels] for path in paths])
    if not useful:
        return propose_rule(Suppress(), "No calendar span merges only some of the dates.")
    steps = tuple(usual[level - 1] for level in useful)
    dates = replace(dates, steps=steps, unknown="suppress" if unread else "error")
    written = ", ".join(dates.formats)
    lost = note_lost(unread, "cannot be read as dates and would be suppressed")
    return propose_rule(dates, f"Dates written as {written}{_note_century(dates.century)}{lost}.")


def _note_century(first: int | None) -> str:
    """State which years two digits stand for."""
    return "" if first is None else f", with years from {first} to {first + 99}"


def _first_year() -> int:
    """Return the first of the hundred years up to now."""
    return datetime.now(UTC).year - 99


def _climb_known(dates: Dates, values: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the labels at every level of each value that is a date."""
    paths = {}
    for value in values:
        try:
            paths[value] = dates.ancestors(value)
        except UnknownValue:
            continue
    return paths
