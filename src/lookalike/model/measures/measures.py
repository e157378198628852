"""Measures: all measures of one recoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from lookalike.model.frequency import FrequencyList
from lookalike.model.measures.classes import average_class, discernibility
from lookalike.model.measures.distance import (
    absolute_distance,
    completeness,
    mean_accuracy,
    relative_distance,
)
from lookalike.model.measures.information import entropy, loss
from lookalike.model.measures.precision import precision
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples


@dataclass(frozen=True)
class Measures:
    """The measures of a release; the function that computes each measure defines it.

    Blank rows count as released rows and form one class. Only `cells_suppressed` excludes them:
    it counts suppressed cells of rows that are not suppressed as a whole. The distances are None
    at the cell level, where rows have different vectors.
    """

    precision: float
    absolute_distance: int | None
    relative_distance: float | None
    accuracy: float
    completeness: float
    classes: int
    smallest_class: int
    rows_below_k: int
    cells_suppressed: int
    average_class: float
    discernibility: int
    loss: float
    entropy: float


def measure(
    frequency: FrequencyList,
    recoding: Recoding,
    requirement: Requirement,
    weights: Sequence[Decimal] | None = None,
) -> Measures:
    """Measure a recoding of a frequency list."""
    vector, visible = recoding.vector, recoding.visible(frequency, requirement)
    left_out = frequency.rows - int(visible.counts.sum())
    sizes = visible.classes(frequency, frequency.attributes)[1]
    smallest, below = _least_protected(frequency, visible, requirement)
    return Measures(
        precision=precision(frequency, recoding, weights),
        absolute_distance=None if vector is None else absolute_distance(vector),
        relative_distance=None
        if vector is None
        else float(relative_distance(vector, frequency.heights)),
        accuracy=mean_accuracy(frequency, visible),
        completeness=completeness(frequency.rows, left_out),
        classes=len(sizes),
        smallest_class=smallest,
        rows_below_k=below,
        cells_suppressed=_count_suppressed_cells(frequency, recoding.released(frequency)),
        average_class=average_class(sizes, requirement.k),
        discernibility=discernibility(sizes, frequency.rows, left_out),
        loss=loss(frequency, recoding),
        entropy=entropy(frequency, recoding),
    )


def _least_protected(
    frequency: FrequencyList, tuples: Tuples, requirement: Requirement
) -> tuple[int, int]:
    """Return the size of the smallest class, and the number of rows in classes below k."""
    below = np.zeros(len(tuples), dtype=np.bool_)
    smallest = frequency.rows
    for one in requirement.combined(frequency.attributes):
        class_of, sizes = tuples.classes(frequency, one.attributes)
        below |= sizes[class_of] < one.k
        smallest = min(smallest, int(sizes.min()))
    return smallest, int(tuples.counts[below].sum())


def _count_suppressed_cells(frequency: FrequencyList, tuples: Tuples) -> int:
    """Count the cells of released rows that are written as the suppressed value."""
    return sum(
        int(tuples.counts[tuples.hidden(frequency, attribute)].sum())
        for attribute in range(len(frequency.hierarchies))
    )
