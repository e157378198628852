"""Hierarchies: how a value becomes more general, level by level, up to one value.

This room knows text and nothing about tables, requirements or searches. Start reading at
:class:`Hierarchy`, the rule that generalizes one value. :meth:`Hierarchy.bind` applies the rule to
the values of a column and returns a :class:`BoundHierarchy`: arrays of integer codes, which is
all that a search sees.

===================  ======================================================================
hierarchy.py         `Hierarchy`, the base class of all kinds
bound.py             `BoundHierarchy`, a hierarchy as arrays of codes
mask.py              `Mask`: characters are replaced by asterisks
dates.py             `Dates`: day, month, year, spans of years
intervals.py         `Intervals`: numbers become intervals
rounding.py          `Rounding`: numbers become round numbers
decimal_text.py      exact decimal numbers as text, for `Intervals` and `Rounding`
listed.py            `Listed`, and the base class of kinds that list their ground domain
taxonomy.py          `Taxonomy`: a tree of categories
file.py              `File`: a hierarchy read from a text file; `write_hierarchy` writes one
suppress.py          `Suppress`: the value or ``*``
value_order.py       the order of numbers and dates that are written as text
discreet.py          `Discreet`, the base class of objects that hide private text
html_table.py        the HTML that notebooks show for results
draw_hierarchy.py    the HTML of hierarchies
===================  ======================================================================
"""

from typing import Annotated

from pydantic import Field

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.dates import Dates
from lookalike.hierarchy.file import File, write_hierarchy
from lookalike.hierarchy.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.intervals import Intervals
from lookalike.hierarchy.listed import Listed
from lookalike.hierarchy.mask import Mask
from lookalike.hierarchy.rounding import Rounding
from lookalike.hierarchy.suppress import Suppress
from lookalike.hierarchy.taxonomy import Taxonomy

HierarchyKind = Mask | Dates | Intervals | Rounding | Taxonomy | File | Suppress

"""The kinds of hierarchies that a specification can name."""

AnyHierarchy = Annotated[HierarchyKind, Field(discriminator="kind")]
"""The ``hierarchy`` table of a specification; its field ``kind`` selects the class."""

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
