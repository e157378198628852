"""Hierarchies: how a value becomes less specific, level by level, up to one value.

A :class:`Hierarchy` is a rule; :meth:`Hierarchy.bind` lays it over the values of a column and
gives a :class:`BoundHierarchy`, arrays of codes that a search can count with.
"""

from typing import Annotated

from pydantic import Field

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.dates import Dates
from lookalike.hierarchy.file import File
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.intervals import Intervals
from lookalike.hierarchy.listed import Listed
from lookalike.hierarchy.mask import Mask
from lookalike.hierarchy.rounding import Rounding
from lookalike.hierarchy.suppress import Suppress
from lookalike.hierarchy.taxonomy import Taxonomy
from lookalike.hierarchy.write import write_hierarchy

HierarchyKind = Mask | Dates | Intervals | Rounding | Taxonomy | File | Suppress

AnyHierarchy = Annotated[HierarchyKind, Field(discriminator="kind")]
"""The ``hierarchy`` table of a specification: its ``kind`` chooses among the rules."""

__all__ = [
    "SUPPRESSED",
    "AnyHierarchy",
    "BoundHierarchy",
    "Dates",
    "File",
    "Hierarchy",
    "Intervals",
    "Listed",
    "Mask",
    "Rounding",
    "Suppress",
    "Taxonomy",
    "write_hierarchy",
]
