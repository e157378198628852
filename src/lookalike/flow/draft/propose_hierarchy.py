"""Propose a hierarchy for a column."""

from dataclasses import dataclass

from lookalike.flow.draft.column import ColumnProfile
from lookalike.hierarchy import Dates, Hierarchy, Mask, Rounding, Suppress


@dataclass(frozen=True)
class ProposedHierarchy:
    """A hierarchy for a column, why, and how a specification writes it."""

    hierarchy: Hierarchy
    reason: str
    table: str
    path: str = ""
    file_text: str = ""


def propose_hierarchy(column: ColumnProfile, kind: str) -> ProposedHierarchy:
    """Propose a hierarchy for a column of a kind."""
    del column
    if kind == "date":
        formats = ["%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%d %H:%M:%S"]
        listed = ", ".join(f'"{one}"' for one in formats)
        table = f'{{ kind = "dates", formats = [{listed}] }}'
        return ProposedHierarchy(Dates(formats=formats), "days, months, years", table)
    if kind in ("age", "year", "number", "amount"):
        table = '{ kind = "rounding", bases = [10, 100, 1000] }'
        return ProposedHierarchy(Rounding([10, 100, 1000]), "round numbers", table)
    if kind in ("postal code", "code"):
        return ProposedHierarchy(Mask(), "leading characters", '{ kind = "mask" }')
    return ProposedHierarchy(Suppress(), "the value or *", '{ kind = "suppress" }')
