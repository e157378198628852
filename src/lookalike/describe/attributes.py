"""Describe each attribute of the quasi-identifiers: what is kept, its values before and after."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts, Levels
from lookalike.model.frequency import FrequencyList
from lookalike.model.kept import kept_shares
from lookalike.model.stored_list import Frequencies
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

MOST_FREQUENT = 10
"""How many values are listed if there are more than :data:`FEW_VALUES`."""
FEW_VALUES = 12
"""Up to so many values are all listed."""
_BEGINS_WITH_NUMBER = re.compile(r"\W{0,3}?(-?\d+(?:\.\d+)?)")
FEWEST_BINS = 3
"""A level with fewer values does not show how many values are distributed."""
MOST_TRACED = 3
"""How many values of an attribute are shown as examples."""


@dataclass(frozen=True)
class AttributeFigures:
    """What a release does to one attribute of the quasi-identifier.

    ``kept`` is as :func:`~lookalike.model.kept.kept_shares` defines it. ``levels`` are the lowest
    and the highest level of its cells; ``None`` if all of them are suppressed. ``cells_suppressed``
    is ``None`` if no cell is suppressed by itself. Blank rows are left out.
    """

    attribute: str
    hierarchy: str
    kept: float
    height: int
    levels: tuple[int, int] | None
    values_before: int
    values_after: int
    cells_suppressed: int | None


@dataclass(frozen=True)
class ValueRows(Discreet):
    """A value, or an interval of values, and the number of rows that have it; None is missing.

    ``of_rows``: the rows that the value has in the whole table, if `rows` are some of them.
    """

    label: str | None
    rows: int
    of_rows: int | None = None


@dataclass(frozen=True)
class Distribution(Discreet):
    """How rows are distributed over the values of an attribute. Missing is a value, too.

    The most frequent values are listed; or all values, in their order, if they are few or
    intervals. The others are counted, and the rows that have them.
    """

    listed: tuple[ValueRows, ...]
    other_values: int = 0
    other_rows: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(one.rows for one in self.listed) + self.other_rows

    @property
    def values(self) -> int:
        """The number of different values."""
        return len(self.listed) + self.other_values


@dataclass(frozen=True)
class LevelFacts(Discreet):
    """One level of a hierarchy, and the cells of the release that are on it.

    ``level``: the level; 0 is the ground domain.
    ``values``: the number of values on the level that the private table has.
    ``example``: what the most frequent private value becomes on this level; None if all are
    missing.
    ``cells``: the number of released cells on the level that are not suppressed.
    ``hidden``: the number of cells that are written as the suppressed value because of this level:
    a top level may have no other label.
    """

    level: int
    values: int
    example: str | None
    cells: int
    hidden: int = 0


@dataclass(frozen=True)
class AttributeFacts(Discreet):
    """The values of one attribute before and after, and the levels of its cells.

    Blank rows are rows of the release, so their suppressed cells and values count, unlike in the
    figures.

    ``before``, ``after``: the distribution of the private values and of the released values.
    ``before_level``: the level of the hierarchy that `before` shows; above 0 if there are many
    values.
    ``levels``: the levels of its hierarchy, from the finest that was counted to the top.
    ``suppressed``: the private values of the suppressed rows.
    """

    figures: AttributeFigures
    before: Distribution
    before_level: int
    after: Distribution
    levels: tuple[LevelFacts, ...]
    cells_suppressed: int
    suppressed: Distribution

    @property
    def cells(self) -> int:
        """The number of released cells."""
        return sum(one.cells for one in self.levels) + self.cells_suppressed


def describe_attributes(specification: Specification, plan: Plan) -> tuple[AttributeFigures, ...]:
    """Return the figures of each attribute of the quasi-identifier."""
    frequency, recoding = plan.frequency, plan.recoding
    tuples = recoding.released(frequency)
    hidden = _count_hidden(frequency, tuples, always=recoding.tuples is not None)
    rules, before = specification.hierarchies(), frequency.ground_distinct
    kept = kept_shares(frequency, recoding)
    return tuple(
        AttributeFigures(
            attribute=name,
            hierarchy=rules[name].name,
            kept=kept[place],
            height=frequency.heights[place],
            levels=_find_range(tuples.levels[place]),
            values_before=before[place],
            values_after=len(np.unique(tuples.shown(frequency, place)[1])),
            cells_suppressed=hidden[place] if hidden else None,
        )
        for place, name in enumerate(frequency.attributes)
    )


def kept_by_attribute(plan: Plan) -> dict[str, float]:
    """Return the share of the detail of each attribute that is kept."""
    kept = kept_shares(plan.frequency, plan.recoding)
    return dict(zip(plan.frequency.attributes, kept, strict=True))


def _count_hidden(frequency: FrequencyList, tuples: Tuples, *, always: bool) -> list[int]:
    """Count the suppressed cells of each attribute, always or if one is below the top."""
    hidden = [tuples.hidden(frequency, place) for place in range(len(frequency.heights))]
    below = np.array(
        [line < height for line, height in zip(tuples.levels, frequency.heights, strict=True)]
    )
    if not always and not (np.array(hidden) & below).any():
        return []
    return [int(tuples.counts[cells].sum()) for cells in hidden]


def _find_range(levels: Levels) -> tuple[int, int] | None:
    """Return the lowest and the highest level; suppressed cells have none."""
    levels = levels[levels != SUPPRESSED_CELL]
    return (int(levels.min()), int(levels.max())) if len(levels) else None


def compare_attributes(specification: Specification, plan: Plan) -> tuple[AttributeFacts, ...]:
    """Compare the private and the released values of each attribute."""
    tuples = plan.recoding.visible(plan.frequency, plan.requirement)
    return tuple(
        _compare(plan, tuples, place, figures)
        for place, figures in enumerate(describe_attributes(specification, plan))
    )


def _compare(plan: Plan, tuples: Tuples, place: int, figures: AttributeFigures) -> AttributeFacts:
    """Compare one attribute."""
    frequency = plan.frequency
    labels, shown = tuples.shown(frequency, place)
    bound, level = frequency.hierarchies[place], _find_level(frequency, place)
    released = np.bincount(shown, tuples.counts, len(labels)).astype(np.int64)
    return AttributeFacts(
        figures=figures,
        before=distribute(bound.labels[level], frequency.code_rows(place, level)),
        before_level=level,
        after=distribute(labels, released),
        levels=_describe_levels(frequency, tuples, place),
        cells_suppressed=int(tuples.counts[tuples.hidden(frequency, place)].sum()),
        suppressed=_distribute_suppressed(frequency, plan.recoding.suppressed, place),
    )


def _find_level(frequency: FrequencyList, place: int) -> int:
    """Return the first level with few values, or the lowest one if there is none."""
    ground = frequency.vector[place]
    for level in range(ground, frequency.heights[place]):
        if FEWEST_BINS <= np.count_nonzero(frequency.code_rows(place, level)) <= FEW_VALUES:
            return level
    return ground


def _distribute_suppressed(frequency: FrequencyList, gone: Counts, place: int) -> Distribution:
    """Distribute the suppressed rows over their private values."""
    level, hierarchy = frequency.vector[place], frequency.hierarchies[place]
    rows = np.bincount(frequency.codes[place], gone, hierarchy.size(level)).astype(np.int64)
    return distribute(hierarchy.labels[level], rows, frequency.code_rows(place, level))


def _describe_levels(
    frequency: FrequencyList, tuples: Tuples, place: int
) -> tuple[LevelFacts, ...]:
    """Describe every level from the finest that was counted, with its released cells."""
    ground, hierarchy = frequency.vector[place], frequency.hierarchies[place]
    gone = tuples.hidden(frequency, place)
    at_level = tuples.levels[place] != SUPPRESSED_CELL
    cells, hidden = (
        np.bincount(tuples.levels[place, some], tuples.counts[some], hierarchy.height + 1)
        for some in (~gone, gone & at_level)
    )
    most = rank_frequent(frequency, place)[0]
    return tuple(
        LevelFacts(
            level=level,
            values=int(np.count_nonzero(frequency.code_rows(place, level))),
            example=hierarchy.labels[level][hierarchy.lift(ground, level)[most]],
            cells=int(cells[level]),
            hidden=int(hidden[level]),
        )
        for level in range(ground, hierarchy.height + 1)
    )


def distribute(
    labels: Sequence[str | None], rows: Counts, of_rows: Counts | None = None
) -> Distribution:
    """List the values of an attribute with their numbers of rows.

    Few values are all listed: in the order of the numbers that they begin with, or the most
    frequent first. Of many values, the most frequent are listed. Missing is a value, too.

    ``of_rows``: the number of rows that each value has in the whole table, if `rows` are some of
    them.

    Examples
    --------
    >>> ages = distribute(["30-39", "20-29", None, "40-49"], np.array([5, 2, 1, 0]))
    >>> [(one.label, one.rows) for one in ages.listed], ages.rows
    ([('20-29', 2), ('30-39', 5), (None, 1)], 8)
    """
    present = np.flatnonzero(rows)
    order = present[np.argsort(-rows[present], kind="stable")].tolist()
    few = len(order) <= FEW_VALUES
    listed = _in_order(labels, order) if few else order[:MOST_FREQUENT]
    totals = None if of_rows is None else of_rows.tolist()
    return Distribution(
        tuple(
            ValueRows(labels[one], int(rows[one]), None if totals is None else totals[one])
            for one in listed
        ),
        other_values=len(order) - len(listed),
        other_rows=int(rows.sum()) - int(rows[listed].sum()),
    )


def _in_order(labels: Sequence[str | None], listed: list[int]) -> list[int]:
    """Order values by the numbers that they begin with, if all do; missing comes last."""
    found = {one: _BEGINS_WITH_NUMBER.match(labels[one] or "") for one in listed}
    if any(found[one] is None for one in listed if labels[one] is not None):
        return listed
    numbers = {one: float("inf") if at is None else float(at[1]) for one, at in found.items()}
    return sorted(listed, key=lambda one: numbers[one])


def rank_frequent(frequency: Frequencies, place: int) -> list[int]:
    """Return the codes of the values of an attribute, the most frequent first, missing last."""
    ground = frequency.vector[place]
    missing = np.array([label is None for label in frequency.hierarchies[place].labels[ground]])
    ranked: list[int] = np.lexsort((-frequency.code_rows(place, ground), missing)).tolist()
    return ranked


def trace_frequent(frequency: Frequencies, place: int) -> tuple[LabelPath, ...]:
    """Return the labels of a few frequent values at every level, from the ground to the top.

    Below the level at which a list begins, values have the label of that level.
    """
    ground, hierarchy = frequency.vector[place], frequency.hierarchies[place]
    levels = [max(ground, level) for level in range(hierarchy.height + 1)]
    return tuple(
        tuple(hierarchy.labels[level][hierarchy.lift(ground, level)[code]] for level in levels)
        for code in islice(rank_frequent(frequency, place), MOST_TRACED)
    )
