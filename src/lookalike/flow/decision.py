"""Decision: what a method decided for a counted table, alone or based on earlier releases."""

from dataclasses import dataclass

from lookalike.flow.counted_table import CountedTable
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement


@dataclass(frozen=True)
class Basis:
    """How many rows a release that is based on earlier ones keeps, renews, adds and leaves out.

    Parameters
    ----------
    considered
        Number of earlier releases.
    rows_kept
        Rows that are shown as before.
    rows_outdated
        Kept rows with new values that are not shown yet.
    rows_renewed
        Rows that stay in their class and show new values.
    rows_partly_renewed
        Renewed rows with further new values that are not shown yet.
    rows_joined
        Rows in new classes.
    rows_waiting
        Rows that are not shown.
    rows_withdrawn
        Waiting rows that the last release showed.
    """

    considered: int
    rows_kept: int
    rows_outdated: int
    rows_renewed: int
    rows_partly_renewed: int
    rows_joined: int
    rows_waiting: int
    rows_withdrawn: int


@dataclass(frozen=True, eq=False)
class Decision(Discreet):
    """What a method decided.

    Parameters
    ----------
    counted
        The table; based on earlier releases, with its rows tagged and counted by tag.
    recoding
        The recoding of the table.
    requirement
        The requirement that the release satisfies.
    basis
        How many rows are kept, renewed, added and left out; `None` without earlier releases.
    """

    counted: CountedTable
    recoding: Recoding
    requirement: Requirement
    basis: Basis | None = None
