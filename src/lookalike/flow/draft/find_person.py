"""Find the column that identifies persons, if some of them have several rows."""

from collections.abc import Sequence
from dataclasses import replace

from lookalike.flow.draft.proposed_column import ProposedColumn
from lookalike.flow.preflight.persons import MOST_ROWS_OF_A_PERSON

LEAST_REPEATS = 0.01
"""The share of rows from which repeated full names mean persons with several rows: two people may
have one name."""
_ORDER = (
    "medical record number",
    "health plan number",
    "social security number",
    "identifying number",
    "account number",
    "e-mail address",
    "name of a person",
)
"""The meanings that can stand for persons, the best first."""


def find_person(columns: Sequence[ProposedColumn]) -> ProposedColumn | None:
    """Return the column that identifies persons who have several rows, or nothing."""
    repeated = [column for column in columns if column.role == "identifier" and _repeats(column)]
    possible = [column for column in repeated if _rank(column) < len(_ORDER)]
    return min(possible, key=lambda column: (_rank(column), column.figures.distinct), default=None)


def find_row_key(columns: Sequence[ProposedColumn]) -> ProposedColumn | None:
    """Return an identifier with a different value in every row, or nothing."""
    for column in columns:
        if column.role == "identifier" and column.figures.distinct == column.profile.rows > 1:
            return column
    return None


def drop_repeated(columns: Sequence[ProposedColumn]) -> tuple[ProposedColumn, ...]:
    """Return the columns of a table without persons: an identifier that repeats is dropped.

    Persons are concluded from an identifier, but two people may share a name or an address.
    """
    return tuple(
        replace(column, role="drop", stricter="drop", reason=f"{column.reason}; values repeat")
        if column.role == "identifier" and column.figures.distinct < column.figures.present
        else column
        for column in columns
    )


def _rank(column: ProposedColumn) -> int:
    """Return the place of a column's meaning among those that stand for persons."""
    name = "identifying number" if column.meaning is None else column.meaning.name
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _repeats(column: ProposedColumn) -> bool:
    """Return whether values repeat, as those of persons with several rows do."""
    figures = column.figures
    repeats = figures.present - figures.distinct
    if not repeats > 0 or figures.present > MOST_ROWS_OF_A_PERSON * figures.distinct:
        return False
    full_name = column.meaning is not None and column.meaning.name == "name of a person"
    return not full_name or repeats >= LEAST_REPEATS * figures.present
