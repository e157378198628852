"""Measures: everything that is measured of one recoding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from lookalike.frequency import FrequencyList
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
    class_of, classes = frequency.classify(recoding.vector)
    gone = np.zeros_like(classes.counts)
    np.add.at(gone, class_of, recoding.suppressed)
    sizes = classes.counts - gone
    sizes = sizes[sizes > 0]
    suppressed = int(recoding.suppressed.sum())
    blank = suppressed and requirement.suppressed_rows == "blank"
    visible = np.append(sizes, suppressed) if blank else sizes
    return Measures(
        precision=precision(frequency, recoding, weights),
        absolute_distance=absolute_distance(recoding.vector),
        relative_distance=float(relative_distance(recoding.vector, frequency.heights)),
        accuracy=accuracy(recoding.vector, frequency.heights),
        completeness=completeness(frequency.rows, suppressed),
        classes=len(visible),
        smallest_class=int(visible.min()),
        average_class=average_class(visible, requirement.k),
        discernibility=discernibility(sizes, frequency.rows, suppressed),
        loss=loss(frequency, recoding),
        entropy=entropy(frequency, recoding),
    )
