"""Limit what the columns released as they are single out together."""

from collections.abc import Sequence

from lookalike.flow.draft.propose_role import leave_undecided
from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.flow.preflight.as_is import FEW_COLUMNS
from lookalike.tables.count import count_unique
from lookalike.tables.table import Frame, Role

MOST_ALONE = 0.15
"""The share of rows that these columns may single out together; the check before publishing stops
from 20 % on, and suppressed rows raise the share a little."""


def limit_as_is(frame: Frame, columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with fewer of them released as they are, until few rows are alone.

    Sensitive columns are what a release is made for, so the others make room for them: first the
    sensitive columns alone are considered, then all. Of several, the one whose values distinguish
    most goes first. Its role is left to the holder; the stricter choice is a quasi-identifier.

    Parameters
    ----------
    frame
        The rows.
    columns
        The proposed columns.
    """
    alone = _limit(frame, columns, among=("sensitive",), leave="sensitive")
    return _limit(frame, alone, among=("sensitive", "other"), leave="other")


def _limit(
    frame: Frame, columns: Sequence[ProposedColumn], *, among: tuple[Role, ...], leave: Role
) -> tuple[ProposedColumn, ...]:
    """Leave columns of one role undecided until few rows are alone over those of some roles."""
    found = {column.name: column for column in columns}
    while True:
        unchanged = [column for column in found.values() if column.role in among]
        possible = [column for column in unchanged if column.role == leave]
        if len(unchanged) <= FEW_COLUMNS or not possible:
            return tuple(found.values())
        alone = count_unique(frame, [column.name for column in unchanged])
        share = alone / unchanged[0].profile.rows
        if share < MOST_ALONE:
            return tuple(found.values())
        worst = max(possible, key=lambda column: column.figures.entropy)
        found[worst.name] = leave_undecided(worst, _explain(worst, share), "quasi-identifier")


def _explain(column: ProposedColumn, share: float) -> str:
    """Explain why a column is not proposed to be released as it is."""
    about = "not recognized" if column.meaning is None else column.meaning.name
    return (
        f"{about}; with the other columns released as they are, it singles out "
        f"{100 * share:.1f} % of the rows"
    )
