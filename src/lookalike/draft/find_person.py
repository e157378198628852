"""Find out who is a person: a column, each row, or a question to the holder of the table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import Meaning
from lookalike.draft.recognize import recognize_column
from lookalike.errors import InvalidInput
from lookalike.risk.table.person_keys import (
    KeyEvidence,
    find_repeated_people,
    judge_columns,
    repeats_people,
)
from lookalike.spec.specification import Specification
from lookalike.tables.count import number_of_rows
from lookalike.tables.sample import NO_VALUE, Sample, sample_columns
from lookalike.tables.source import EACH_ROW, UNDECIDED
from lookalike.tables.table import Role, Table

if TYPE_CHECKING:
    from lookalike.draft.proposed_column import Proposed, ProposedColumn  # imports the draft

PERSONAL = (
    "medical record number",
    "health plan number",
    "social security number",
    "identifying number",
    "account number",
    "e-mail address",
    "name of a person",
)
"""The meanings of columns that stand for persons, the best first."""
CERTAIN = PERSONAL[:3]
"""Those that nobody shares: where rows of one number differ, somebody must look at them."""
LASTING = ("sex", "birth date", "year of birth", "race or ethnicity")
"""The meanings of what people keep for life, so that it tells whether rows are of one person."""
_EXAMINED = 2000
"""How many values of a column are examined for its meaning."""


@dataclass(frozen=True)
class PersonsFound:
    """What speaks for persons with several rows.

    ``keys``: the columns whose values may stand for persons, those with the most repeated rows
    first.
    ``repeats``: whether rows look like several rows of the same people, whatever their key is.
    """

    keys: tuple[KeyEvidence, ...]
    repeats: bool


def find_person_keys(
    samples: Sequence[Sample],
    roles: Mapping[str, Role],
    linkable: Sequence[str],
    person: str | None = None,
    meanings: Mapping[str, Meaning | None] | None = None,
) -> PersonsFound:
    """Find the columns whose values may stand for persons who have several rows.

    A column that identifies persons by its meaning stands for them unless its groups are visibly
    of several people; so does an identifier that is not recognized. Any other column does only
    if its groups share what is known of a person, and so does every column where it is said by
    which one persons are counted.
    """
    if meanings is None:
        meanings = {name: _recognize(one, name) for one in samples for name in one.in_groups}
    lasting = [name for name in linkable if _is_called(meanings.get(name), LASTING)]
    found = [*judge_columns(samples, linkable, lasting, person)]
    roles_of = {name: one.role for name, one in meanings.items() if one is not None}
    known = [name for name in linkable if roles_of.get(name) == "quasi-identifier"]
    possible = [one for one in found if one.column not in known]
    keys = [one for one in possible if one.is_person]
    if person is None:
        keys = [one for one in possible if one.is_person or _may_be(one, meanings, roles)]
    attributes = known if len(known) > 1 else linkable
    repeats = person is None and (
        any(one.is_person for one in found)
        or (bool(attributes) and repeats_people(find_repeated_people(samples, attributes)))
    )
    return PersonsFound(tuple(sorted(keys, key=lambda one: -one.repeated)), repeats)


def _recognize(sample: Sample, name: str) -> Meaning | None:
    """Recognize what a column is about, from its name and some of its values."""
    codes, values = sample.codes[name], sample.values[name]
    counts = np.bincount(codes[codes != NO_VALUE], minlength=len(values))
    examined = values[:_EXAMINED], tuple(counts[:_EXAMINED].tolist())
    missing = int((codes == NO_VALUE).sum())
    return recognize_column(ColumnProfile(name, len(codes), *examined, len(counts), missing))


def _may_be(
    key: KeyEvidence, meanings: Mapping[str, Meaning | None], roles: Mapping[str, Role]
) -> bool:
    """Return whether the values of a column may stand for persons, by its name and role."""
    meaning = meanings[key.column]
    if _is_called(meaning, CERTAIN):
        return True
    unknown = meaning is None and roles[key.column] == "identifier"
    return (unknown or _is_called(meaning, PERSONAL)) and not key.differ


def _is_called(meaning: Meaning | None, names: Sequence[str]) -> bool:
    """Return whether a column has one of some meanings."""
    return meaning is not None and meaning.name in names


def describe_sharing(key: KeyEvidence) -> str:
    """Describe what the rows with one value of a column share."""
    if key.is_person:
        return f"rows with the same value of {key.column!r} share {', '.join(key.shared)}"
    return f"values of {key.column!r} repeat, and nothing shows that they are not persons"


def refuse_undecided_person(specification: Specification, table: Table) -> None:
    """Raise if it is not decided who is a person, with what the table shows of it."""
    source = specification.source
    if source is None or not source.is_person_undecided:
        return
    rows = number_of_rows(table.frame)
    samples = sample_columns(table.frame, table.quasi_identifier, rows)
    found = find_person_keys(samples, table.roles, table.quasi_identifier)
    if found.keys:
        key = found.keys[0]
        evidence, name = describe_sharing(key), key.column
    elif found.repeats:
        evidence = "combinations of values repeat as if people had several rows, without a key"
        name = "COLUMN"
    else:
        evidence, name = "no column repeats as if people had several rows", "COLUMN"
    raise InvalidInput(
        f'[source] person = "?" is to be decided before anything is released: {evidence}. Write '
        f'person = "{name}" if that column identifies persons, a list of columns if several do '
        'together, or person = "row" if each row is a person'
    )


LEAST_REPEATS = 0.01
"""The share of repeated rows from which a column is taken for that of persons with several rows:
a few people may have one name, or a row may be there twice."""
NEARLY_AS_MANY = 1.1
"""Columns with so many times the values of the coarsest may be keys of the same persons."""


@dataclass(frozen=True)
class ProposedPerson:
    """Who is a person, as it is proposed.

    ``person``: a column, ``"row"``, or ``"?"``.
    ``reason``: why, in words; it shows no value.
    ``keys``: the columns whose values behave like keys of persons, so that none may be released.
    """

    person: str
    reason: str
    keys: tuple[str, ...] = ()


def find_person(
    samples: Sequence[Sample], columns: "Proposed", given: str | None
) -> ProposedPerson:
    """Propose who is a person."""
    if given is not None:
        return ProposedPerson(given, "as given")
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


def _choose(certain: Sequence[KeyEvidence], columns: "Proposed") -> KeyEvidence:
    """Choose among keys of persons and of their visits: the fewest values are the persons."""
    known = {column.name: column for column in columns}
    fewest = 1 - max(one.repeated for one in certain)
    alike = [one for one in certain if 1 - one.repeated <= NEARLY_AS_MANY * fewest]
    return min(alike, key=lambda one: (_rank(known[one.column]), -one.repeated))


def _ask(found: PersonsFound, often: Sequence[KeyEvidence]) -> ProposedPerson:
    """Propose an identifier that repeats, if it is the only one; otherwise ask if in doubt."""
    if len(often) == 1 and not often[0].differ:
        reason = f"{describe_sharing(often[0])}: k counts persons"
        return ProposedPerson(often[0].column, reason)
    if often:
        names = ", ".join(one.column for one in often)
        evidence = f"values of {names} repeat, which may be persons"
    elif found.repeats:
        evidence = (
            "rows look like several rows of the same people, and no column says whose they are"
        )
    else:
        reason = "each row is taken for one person; nothing repeats as if people had several rows"
        return ProposedPerson(EACH_ROW, reason)
    return ProposedPerson(UNDECIDED, f"decide who is a person: {evidence}")


def hide_keys(columns: "Proposed", proposed: ProposedPerson) -> "Proposed":
    """Return the columns with those as identifiers whose values behave like keys of persons."""
    hidden = {proposed.person, *proposed.keys}
    return tuple(
        column.decide("identifier", f"{column.reason}; its values behave like keys of persons")
        if column.name in hidden and column.role != "identifier"
        else column
        for column in columns
    )


def _rank(column: "ProposedColumn") -> int:
    """Return the place of a column's meaning among those that stand for persons."""
    name = "identifying number" if column.meaning is None else column.meaning.name
    return PERSONAL.index(name) if name in PERSONAL else len(PERSONAL)
