"""Protections of sensitive values: what each class of a release must satisfy beside k.

Each protection is a frozen value with the same four functions
(:class:`~lookalike.model.protections.protection.Protection`). It judges classes by the counts of
their values alone, so that a search can ask it at every vector. The formulas are the published
ones, compiled in :mod:`lookalike.kernels.class_values` and
:mod:`lookalike.kernels.class_distances`. Start reading at ``protection.py``.

================  =========================================================================
protection.py     `Protection`: what every protection offers
class_values.py   `ClassValues`: how often each value occurs in each class
diversity.py      `Distinct`, `Entropy` and `Recursive`: l-diversity
closeness.py      `Closeness`: t-closeness, with three distances
likeness.py       `Likeness`: basic and enhanced β-likeness
disclosure.py     `Disclosure`: δ-disclosure privacy
share.py          `Share`: the largest share of a value
================  =========================================================================
"""

from lookalike.model.protections.class_values import ClassValues, count_values
from lookalike.model.protections.closeness import Closeness
from lookalike.model.protections.disclosure import Disclosure
from lookalike.model.protections.diversity import Distinct, Entropy, Recursive
from lookalike.model.protections.likeness import Likeness
from lookalike.model.protections.protection import SLACK, Protection
from lookalike.model.protections.share import Share

__all__ = [
    "SLACK",
    "ClassValues",
    "Closeness",
    "Disclosure",
    "Distinct",
    "Entropy",
    "Likeness",
    "Protection",
    "Recursive",
    "Share",
    "count_values",
]
