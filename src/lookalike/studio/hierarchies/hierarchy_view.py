"""HierarchyView: what each level of a hierarchy makes of a column, with its frequent labels."""

from dataclasses import dataclass, replace

from lookalike.draft.check_hierarchies import HierarchyFinding, judge_bound
from lookalike.draft.column import ColumnProfile
from lookalike.draft.preview_hierarchy import (
    LevelFigures,
    bind_column,
    count_label_rows,
    preview_bound,
)
from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.studio.hierarchies.column_rule import ColumnRule

LABELS_COUNTED = 80_000
"""How many labels a page counts: those of all levels of all previewed values of a column."""
MOST_LEVELS = 1_000
"""A hierarchy with more levels is not previewed."""
LABELS_SHOWN = 12
"""How many labels of a level a page shows, the most frequent ones."""


@dataclass(frozen=True)
class LevelView(Discreet):
    """A level of a hierarchy.

    Parameters
    ----------
    figures
        The number of its labels, and how many rows they have.
    labels
        The most frequent labels with their rows; `None` is missing.
    labels_left, rows_left
        The number of the other labels, and of their rows.
    """

    figures: LevelFigures
    labels: tuple[tuple[str | None, int], ...]
    labels_left: int
    rows_left: int


@dataclass(frozen=True)
class HierarchyView(Discreet):
    """What each level of a hierarchy makes of a column.

    Parameters
    ----------
    levels
        The levels, from the values themselves to the top; none if there is an error.
    findings
        What is wrong, or may be, with the remedy.
    rows
        The number of rows that were counted.
    previewed, distinct
        The number of values that were looked at, and of all values.
    """

    levels: tuple[LevelView, ...]
    findings: tuple[HierarchyFinding, ...]
    rows: int
    previewed: int
    distinct: int

    @property
    def is_partial(self) -> bool:
        """Whether only the most frequent values were looked at."""
        return self.previewed < self.distinct

    @property
    def height(self) -> int:
        """The number of steps to the top."""
        return len(self.levels) - 1


def view_hierarchy(
    profile: ColumnProfile, column: ColumnRule, labels: int = LABELS_COUNTED
) -> HierarchyView:
    """Bind a hierarchy to the values of a column and count the rows of its labels.

    ``labels``: how many labels may be counted; of a column that has more, the most frequent values
    are looked at.
    """
    levels: tuple[LevelView, ...] = ()
    seen = profile
    try:
        seen = _take_most_frequent(profile, column, labels)
        bound = bind_column(seen, column.rule, column.suppressed)
        findings = tuple(judge_bound(column.specification, seen, column.rule, bound))
        levels = _view_levels(seen, bound, column)
    except InvalidInput as problem:
        findings = (HierarchyFinding("error", str(problem), problem.named),)
    rows = sum(seen.counts) + seen.missing
    return HierarchyView(levels, findings, rows, len(seen.values), profile.distinct)


def _take_most_frequent(profile: ColumnProfile, column: ColumnRule, labels: int) -> ColumnProfile:
    """Return a column with as many of its values as can be looked at."""
    try:
        height = column.rule.fit(profile.values).height
    except InvalidInput as problem:
        raise InvalidInput(f"column {profile.name!r}: {problem}") from None
    if height > MOST_LEVELS:
        raise InvalidInput(
            f"column {profile.name!r}: the hierarchy has {height:,} levels, too many to preview; "
            "give fewer steps"
        )
    most = labels // (height + 1)
    return replace(profile, values=profile.values[:most], counts=profile.counts[:most])


def _view_levels(
    profile: ColumnProfile, bound: BoundHierarchy, column: ColumnRule
) -> tuple[LevelView, ...]:
    """Return every level with its most frequent labels."""
    preview = preview_bound(profile, bound, column.rule.name, column.k)
    return tuple(_view_level(profile, bound, figures) for figures in preview.levels)


def _view_level(profile: ColumnProfile, bound: BoundHierarchy, figures: LevelFigures) -> LevelView:
    """Return a level with its most frequent labels."""
    rows = count_label_rows(profile, bound, figures.level)
    order = (-rows).argsort(kind="stable")[: min(LABELS_SHOWN, figures.values)]
    labels = bound.labels[figures.level]
    shown = tuple((labels[place], int(rows[place])) for place in order.tolist())
    left = int(rows.sum()) - sum(count for _, count in shown)
    return LevelView(figures, shown, figures.values - len(shown), left)
