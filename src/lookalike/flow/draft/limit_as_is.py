"""Limit what the columns released as they are single out together."""

from collections.abc import Sequence

from lookalike.flow.draft.propose_role import leave_undecided
from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.flow.preflight.as_is import FEW_COLUMNS
from lookalike.tables.count import count_unique
from lookalike.tables.table import Frame

MOST_ALONE = 0.15
"""The share of rows that these columns may single out together; the check before publishing stops
from 20 % on, and suppressed rows raise the share a little."""

BITS = 1.0
"""By so many bits of entropy a sensitive column may exceed another one and still be preferred."""


def limit_as_is(frame: Frame, columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns with fewer of them released as they are, until few rows are alone.

    The column whose values distinguish most goes first, a sensitive one only if it distinguishes
    much more than the others. Its role is left to the holder; the stricter choice is a
    quasi-identifier.

    Parameters
    ----------
    frame
        The rows.
    columns
        The proposed columns.
    """
    found = {column.name: column for column in columns}
    while True:
        unchanged = [column for column in found.values() if column.unchanged]
        if len(unchanged) <= FEW_COLUMNS:
            break
        rows = unchanged[0].profile.rows
        alone = count_unique(frame, [column.name for column in unchanged])
        if alone < MOST_ALONE * rows:
            break
        worst = max(unchanged, key=lambda one: one.figures.entropy + BITS * (one.role == "other"))
        found[worst.name] = leave_undecided(worst, _explain(worst, alone, rows), "quasi-identifier")
    return tuple(found.values())


def _explain(column: ProposedColumn, alone: int, rows: int) -> str:
    """Explain why a column is not proposed to be released as it is."""
    about = "not recognized" if column.meaning is None else column.meaning.name
    return (
        f"{about}; with the other columns released as they are, it singles out "
        f"{100 * alone / rows:.1f} % of the rows"
    )
