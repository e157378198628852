"""Compare each attribute of the quasi-identifiers before and after."""

import numpy as np

from lookalike.flow.documents.holder.distribute import FEW_VALUES, distribute
from lookalike.flow.trace_values import rank_frequent
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.measures import kept_shares
from lookalike.model.tuples import Tuples
from lookalike.report.holder.attribute_facts import AttributeFacts, Distribution, LevelFacts
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

FEWEST_BINS = 3
"""A level with fewer values does not show how many values are distributed."""


def compare_attributes(specification: Specification, plan: Plan) -> tuple[AttributeFacts, ...]:
    """Compare the private and the released values of each attribute.

    Parameters
    ----------
    specification
        The specification, which names the hierarchies.
    plan
        The frequency list and the recoding.
    """
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
    shown = ~tuples.hidden(frequency, place)
    cells = np.bincount(
        tuples.levels[place, shown], tuples.counts[shown], hierarchy.height + 1
    ).astype(np.int64)
    most = rank_frequent(frequency, place)[0]
    return tuple(
        LevelFacts(
            level=level,
            values=int(np.count_nonzero(frequency.code_rows(place, level))),
            example=hierarchy.labels[level][hierarchy.lift(ground, level)[most]],
            cells=int(cells[level]),
        )
        for level in range(ground, hierarchy.height + 1)
    )
