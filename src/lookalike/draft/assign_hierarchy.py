"""Give a quasi-identifier its hierarchy, or leave the column to the holder if none can be found."""

from dataclasses import replace

from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.draft.propose_role import leave_undecided
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.errors import InvalidInput


def assign_hierarchy(column: ProposedColumn) -> ProposedColumn:
    """Return a column with a hierarchy if it is a quasi-identifier.

    Where no hierarchy can be proposed, as for dates whose day and month cannot be distinguished,
    the role is left to the holder.
    """
    if column.role != "quasi-identifier":
        return replace(column, hierarchy=None)
    try:
        return replace(column, hierarchy=propose_hierarchy(column.profile, column.kind))
    except InvalidInput as problem:
        return leave_undecided(column, f"{column.reason}; {problem}", "drop")
