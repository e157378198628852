"""Measures of a release: Prec and others, computed from the frequency list alone.

Start reading at ``measures.py``, which computes all of them for a recoding.

===============  ==========================================================================
measures.py      `Measures` and `measure`: all measures of one recoding
precision.py     Prec (Achieving, Definition 5), whole and of each attribute
distance.py      Samarati's distances, accuracy and completeness
information.py   loss and non-uniform entropy
classes.py       average class size and discernibility
===============  ==========================================================================
"""

from lookalike.model.measures.classes import average_class, discernibility
from lookalike.model.measures.distance import (
    absolute_distance,
    accuracy,
    completeness,
    relative_distance,
)
from lookalike.model.measures.information import entropy, loss
from lookalike.model.measures.measures import Measures, measure
from lookalike.model.measures.precision import kept_shares, precision

__all__ = [
    "Measures",
    "absolute_distance",
    "accuracy",
    "average_class",
    "completeness",
    "discernibility",
    "entropy",
    "kept_shares",
    "loss",
    "measure",
    "precision",
    "relative_distance",
]
