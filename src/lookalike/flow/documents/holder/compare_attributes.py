"""Compare each attribute of the quasi-identifiers before and after."""

import re
from collections.abc import Sequence

import numpy as np

from lookalike.flow.trace_values import rank_frequent
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import kept_shares
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.report.holder.attribute_facts import (
    AttributeFacts,
    Distribution,
    LevelFacts,
    ValueRows,
)
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

MOST_FREQUENT = 10
"""How many values are listed if there are more than :data:`FEW_VALUES`."""
FEW_VALUES = 12
"""Up to so many values are all listed."""
_BEGINS_WITH_NUMBER = re.compile(r"\W{0,3}?(-?\d+(?:\.\d+)?)")


FEWEST_BINS = 3
"""A level with fewer values does not show how many values are distributed."""


def compare_attributes(specification: Specification, plan: Plan) -> tuple[AttributeFacts, ...]:
    """Compare the private and the released values of each attribute."""
    frequency, recoding = plan.frequency, plan.recoding
    tuples = recoding.visible(frequency, plan.requirement)
    kept, rules = kept_shares(frequency, recoding), specification.hierarchies()
    return tuple(
        _compare(frequency, tuples, recoding.suppressed, place, rules[name].name, kept[place])
        for place, name in enumerate(frequency.attributes)
    )


def _compare(
    frequency: FrequencyList,
    tuples: Tuples,
    suppressed: Counts,
    place: int,
    hierarchy: str,
    kept: float,
) -> AttributeFacts:
    """Compare one attribute."""
    labels, shown = tuples.shown(frequency, place)
    bound, level = frequency.hierarchies[place], _find_level(frequency, place)
    released = np.bincount(shown, tuples.counts, len(labels)).astype(np.int64)
    return AttributeFacts(
        attribute=frequency.attributes[place],
        hierarchy=hierarchy,
        kept=kept,
        values_before=frequency.ground_distinct[place],
        values_after=int(np.count_nonzero(released)),
        before=distribute(bound.labels[level], frequency.code_rows(place, level)),
        before_level=level,
        after=distribute(labels, released),
        levels=_describe_levels(frequency, tuples, place),
        cells_suppressed=int(tuples.counts[tuples.hidden(frequency, place)].sum()),
        suppressed=_distribute_suppressed(frequency, suppressed, place),
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
    listed = order if len(order) <= FEW_VALUES else order[:MOST_FREQUENT]
    if len(order) <= FEW_VALUES:
        listed = _in_order(labels, listed)
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
