"""What a release costs: Prec and the other measures, from the frequency list alone."""

from lookalike.model.measures.classes import average_class, discernibility
from lookalike.model.measures.distance import (
    absolute_distance,
    accuracy,
    completeness,
    relative_distance,
)
from lookalike.model.measures.information import entropy, loss
from lookalike.model.measures.measures import Measures, measure
from lookalike.model.measures.precision import precision

__all__ = [
    "Measures",
    "absolute_distance",
    "accuracy",
    "average_class",
    "completeness",
    "discernibility",
    "entropy",
    "loss",
    "measure",
    "precision",
    "relative_distance",
]
