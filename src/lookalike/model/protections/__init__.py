"""Protections of sensitive values: what each class of a release must satisfy beside k.

Each protection is one class, a frozen value that declares all that the package knows of it
(:class:`~lookalike.model.protections.protection.Protection`): its parameters with their ranges, its
formula and bounds, the sentence of the certificate, and what forms and the reference say. It judges
classes by the counts of their values alone, so that a search can ask it at every vector. The
formulas are the published ones, compiled in :mod:`lookalike.kernels.class_values` and
:mod:`lookalike.kernels.class_distances`. To add a protection, write its class, add it to
:data:`PROTECTIONS`, and write its formula a second time for the verifier
(:data:`lookalike.verify.protections.FORMULAS`). Start reading at ``protection.py``.

================  =========================================================================
protection.py     `Protection` and `Parameter`: what every protection declares
class_values.py   `ClassValues`: how often each value occurs in each class
diversity.py      `Distinct`, `Entropy` and `Recursive` l-diversity; `Share`, the largest share
closeness.py      `Closeness`: t-closeness, with three distances
likeness.py       `Likeness`: β-likeness; `Disclosure`: δ-disclosure privacy
================  =========================================================================
"""

from lookalike.model.protections.class_values import ClassValues, count_values
from lookalike.model.protections.closeness import Closeness
from lookalike.model.protections.diversity import Distinct, Entropy, Recursive, Share
from lookalike.model.protections.likeness import Disclosure, Likeness
from lookalike.model.protections.protection import SLACK, Parameter, Protection, list_parameters

PROTECTIONS: dict[str, type[Protection]] = {
    one.name: one for one in (Distinct, Entropy, Recursive, Closeness, Likeness, Disclosure, Share)
}
"""The protections by name, in the order in which certificates state them."""

__all__ = [
    "PROTECTIONS",
    "SLACK",
    "ClassValues",
    "Closeness",
    "Disclosure",
    "Distinct",
    "Entropy",
    "Likeness",
    "Parameter",
    "Protection",
    "Recursive",
    "Share",
    "count_values",
    "list_parameters",
]
