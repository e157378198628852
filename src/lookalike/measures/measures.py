"""Measures: everything that is measured of one recoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from lookalike.frequency import FrequencyList
from lookalike.kernels.grouping import Counts
from lookalike.measures.classes import average_class, discernibility
from lookalike.measures.distance import absolute_distance, accuracy, completeness, relative_distance
from lookalike.measures.information import entropy, loss
from lookalike.measures.precision import precision
from lookalike.recoding import Recoding
from lookalike.requirement import Requirement


@dataclass(frozen=True)
class Measures:
    """The measures of a release; each is defined where it is computed, in this room."""

    precision: float
    absolute_distance: int
    relative_distance: float
    accuracy: float
    completeness: float
    classes: int
    smallest_class: int
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
    suppressed = int(recoding.suppressed.sum())
    left = frequency.counts - recoding.suppressed
    sizes = _sizes_of_released(frequency, recoding, left, frequency.attributes)
    smallest = min(
        int(_sizes_of_released(frequency, recoding, left, one.attributes).min())
        for one in requirement.protected(frequency.attributes)
    )
    blank = suppressed and requirement.suppressed_rows == "blank"
    visible = np.append(sizes, suppressed) if blank else sizes
    return Measures(
        precision=precision(frequency, recoding, weights),
        absolute_distance=absolute_distance(recoding.vector),
        relative_distance=float(relative_distance(recoding.vector, frequency.heights)),
        accuracy=accuracy(recoding.vector, frequency.heights),
        completeness=completeness(frequency.rows, suppressed),
        classes=len(visible),
        smallest_class=min(smallest, suppressed) if blank else smallest,
        average_class=average_class(visible, requirement.k),
        discernibility=discernibility(sizes, frequency.rows, suppressed),
        loss=loss(frequency, recoding),
        entropy=entropy(frequency, recoding),
    )


def _sizes_of_released(
    frequency: FrequencyList, recoding: Recoding, left: Counts, attributes: Sequence[str]
) -> Counts:
    """Return the sizes of the classes over some attributes, without what is suppressed."""
    places = [frequency.attributes.index(attribute) for attribute in attributes]
    class_of = frequency.class_of(recoding.vector, places)
    sizes = np.bincount(class_of, weights=left).astype(np.int64)
    return sizes[sizes > 0]
