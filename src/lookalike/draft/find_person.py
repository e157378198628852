"""Find out who is a person: a column, each row, or a question to the holder of the table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lookalike.draft.find_person_keys import (
    PERSONAL,
    PersonsFound,
    describe_sharing,
    find_person_keys,
)
from lookalike.draft.proposed_column import ProposedColumn
from lookalike.risk.table.person_keys import KeyEvidence
from lookalike.tables.sample import Sample
from lookalike.tables.source import EACH_ROW, UNDECIDED
from lookalike.tables.table import Role

LEAST_REPEATS = 0.01
"""The share of repeated rows from which a column is taken for that of persons with several rows:
a few people may have one name, or a row may be there twice."""
NEARLY_AS_MANY = 1.1
"""Columns with so many times the values of the coarsest may be keys of the same persons."""


@dataclass(frozen=True)
class ProposedPerson:
    """Who is a person, as it is proposed.

    Parameters
    ----------
    person
        A column, ``"row"``, or ``"?"``.
    reason
        Why, in words; it shows no value.
    keys
        The columns whose values behave like keys of persons, so that none may be released.
    """

    person: str
    reason: str
    keys: tuple[str, ...] = ()


def find_person(samples: Sequence[Sample], columns: Sequence[ProposedColumn]) -> ProposedPerson:
    """Propose who is a person."""
    roles: dict[str, Role] = {column.name: column.stricter for column in columns}
    linkable = [name for name, role in roles.items() if role == "quasi-identifier"]
    meanings = {column.name: column.meaning for column in columns}
    found = find_person_keys(samples, roles, linkable, meanings=meanings)
    often = [one for one in found.keys if one.repeated >= LEAST_REPEATS]
    certain = [one for one in often if one.is_person]
    if certain:
        best, keys = _choose(certain, columns), tuple(one.column for one in certain)
        return ProposedPerson(best.column, f"{describe_sharing(best)}: k counts persons", keys)
    return _ask(found, often)


def _choose(certain: Sequence[KeyEvidence], columns: Sequence[ProposedColumn]) -> KeyEvidence:
    """Choose among keys of persons and of their visits: the fewest values are the persons."""
    known = {column.name: column for column in columns}
    most = max(one.repeated for one in certain)
    fewest = 1 - most
    alike = [one for one in certain if 1 - one.repeated <= NEARLY_AS_MANY * fewest]
    return min(alike, key=lambda one: (_rank(known[one.column]), -one.repeated))


def _ask(found: PersonsFound, often: Sequence[KeyEvidence]) -> ProposedPerson:
    """Propose an identifier that repeats, if it is the only one; otherwise ask if in doubt."""
    if len(often) == 1 and not often[0].differ:
        reason = f"{describe_sharing(often[0])}: k counts persons"
        return ProposedPerson(often[0].column, reason)
    if often:
        names = ", ".join(one.column for one in often)
        return ProposedPerson(
            UNDECIDED, f"decide who is a person: values of {names} repeat, which may be persons"
        )
    if found.repeats:
        return ProposedPerson(
            UNDECIDED,
            "decide who is a person: rows look like several rows of the same people, and no "
            "column says whose they are",
        )
    return ProposedPerson(
        EACH_ROW, "each row is taken for one person; nothing repeats as if people had several rows"
    )


def find_row_key(columns: Sequence[ProposedColumn]) -> ProposedColumn | None:
    """Return an identifier with a different value in every row, or nothing."""
    for column in columns:
        if column.role == "identifier" and column.figures.distinct == column.profile.rows > 1:
            return column
    return None


def hide_keys(
    columns: Sequence[ProposedColumn], proposed: ProposedPerson
) -> tuple[ProposedColumn, ...]:
    """Return the columns with those as identifiers whose values behave like keys of persons."""
    hidden = {proposed.person, *proposed.keys}
    return tuple(
        replace(
            column,
            role="identifier",
            stricter="identifier",
            reason=f"{column.reason}; its values behave like keys of persons",
        )
        if column.name in hidden and column.role != "identifier"
        else column
        for column in columns
    )


def _rank(column: ProposedColumn) -> int:
    """Return the place of a column's meaning among those that stand for persons."""
    name = "identifying number" if column.meaning is None else column.meaning.name
    return PERSONAL.index(name) if name in PERSONAL else len(PERSONAL)
