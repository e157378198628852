"""LinkedCertificate: what was done to linked tables to make a release, for its recipient.

It is ``certificate.json`` of a folder with several tables, and states nothing that cannot be
counted in these files, but the numbers of persons and rows before and what was asked for.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from lookalike.hierarchy.html_table import HtmlCell, write_html_notes, write_html_table
from lookalike.model.requirement import KnownRecords
from lookalike.publish.certificate import Certificate, name_software
from lookalike.publish.certified import GeneralizedAttribute, ReleasedFile
from lookalike.publish.written_certificate import LINKED_FORMAT, WrittenCertificate
from lookalike.spec.fields import PERSON_UNITS, PersonUnit, name_units, name_whose
from lookalike.spec.record_fields import describe_knows
from lookalike.tables.files.file_format import CERTIFICATE, REPORT


@dataclass(frozen=True)
class CertifiedTable:
    """One of the linked tables of a release.

    Parameters
    ----------
    name
        Its name.
    file
        The name of its file.
    link
        The column that holds the pseudonym of the person; None if the table shows no link.
    knows
        How many records of a person an attacker may know; None for the person table, whose row is
        known.
    at_most
        How many records of each person were kept at most, drawn at random; None if all were.
    generalized
        How each attribute of its quasi-identifier was generalized, by its name.
    released_as_they_are
        The columns that are released unchanged, outside the promise.
    columns
        All its columns, in their order.
    rows_in, rows_out
        The number of private and of released rows.
    rows_dropped
        The number of rows of released persons that are left out.
    precision
        Prec of this table; None without quasi-identifier.
    separator
        The text between the items of a set, if the rows are the items in a column of the person
        table; None for other tables.
    key
        The column to which other tables refer, with numbers drawn for this release.
    refers
        The column that refers to records of another table, and that table.
    distinct
        The protected columns, and how many different values those who share what may be known have.
    """

    name: str
    file: str
    link: str | None
    knows: KnownRecords | None
    at_most: int | None
    generalized: dict[str, GeneralizedAttribute]
    released_as_they_are: tuple[str, ...]
    columns: tuple[str, ...]
    rows_in: int
    rows_out: int
    precision: float | None
    separator: str | None = None
    key: str | None = None
    refers: tuple[str, str] | None = None
    distinct: dict[str, int] = field(default_factory=dict)
    rows_dropped: int = 0

    @property
    def is_apart(self) -> bool:
        """Whether it is a table of records that does not show whose they are."""
        return self.link is None and self.knows is not None and self.separator is None


@dataclass(frozen=True, kw_only=True)
class LinkedCertificate(WrittenCertificate):
    """What was done to linked tables to make a release of them.

    Parameters
    ----------
    statement
        What is promised and what is not, in sentences.
    format
        The version of this format.
    software
        The program and its version.
    k
        The least number of persons who share what may be known.
    k_reached
        The number of persons who share what fewest persons share.
    tables
        The tables, the person table first.
    persons_in, persons_out, persons_suppressed
        The number of persons before and after, and of those who were left out.
    max_suppressed
        The greatest number or fraction of persons that could be left out.
    suppressed_label
        The text that stands for a suppressed value.
    method
        The method that found the levels.
    constraints
        The constraints on levels.
    accepted
        The checks before publishing that found an error which the holder accepted.
    objective, optimality
        What the method optimized, if it does, and whether it is proved that no levels are better.
    precision
        Prec over the cells of all tables.
    files
        The released files, by their names within the folder.
    linked
        Whether a pseudonym links the rows of a person.
    one_row_each
        Whether each row of the person table is assumed to be a person, as no column identifies
        them.
    unit
        What a person is called.
    report
        The report for the recipient, if the folder has one.
    """

    statement: str
    format: Literal["lookalike linked certificate 1"] = LINKED_FORMAT
    software: str = field(default_factory=name_software)
    k: Annotated[int, Field(ge=2)]
    k_reached: int
    tables: Annotated[tuple[CertifiedTable, ...], Field(min_length=1)]
    persons_in: int
    persons_out: int
    persons_suppressed: int
    max_suppressed: str | None
    suppressed_label: str
    method: str
    constraints: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    objective: str | None
    optimality: Literal["proved", "not proved"]
    precision: float
    files: dict[str, ReleasedFile] = field(default_factory=dict)
    linked: bool = True
    one_row_each: bool = False
    unit: PersonUnit = "person"
    report: ReleasedFile | None = None

    def __str__(self) -> str:
        return self.statement

    def _repr_html_(self) -> str:
        lines: list[list[HtmlCell]] = [
            [table.name, name, one.hierarchy, one.level, one.height]
            for table in self.tables
            for name, one in table.generalized.items()
        ]
        headings = ["table", "attribute", "hierarchy", "level", "of"]
        table = write_html_table("Certificate: how values were generalized", headings, lines)
        return write_html_notes(self.statement) + table

    @property
    def units(self) -> str:
        """What persons are called where they are counted."""
        return name_units(self.unit)

    @property
    def people(self) -> str:
        """What persons are called where they are not counted."""
        return PERSON_UNITS[self.unit]

    @property
    def documents(self) -> dict[str, ReleasedFile]:
        """The files of the folder whose digests it states: the tables, and the report if any."""
        return self.files if self.report is None else {**self.files, REPORT: self.report}


def is_linked(folder: Path) -> bool:
    """Return whether the certificate of a folder says that it is one of linked tables."""
    try:
        return says_linked((folder / CERTIFICATE).read_bytes())
    except OSError:
        return False


def says_linked(text: bytes) -> bool:
    """Return whether the JSON of a certificate says that it is one of linked tables."""
    try:
        found = json.loads(text)
    except ValueError:
        return False
    return isinstance(found, dict) and found.get("format") == LINKED_FORMAT


def read_any(folder: Path) -> Certificate | LinkedCertificate:
    """Read the certificate of a release of one table, or of linked tables."""
    return LinkedCertificate.read(folder) if is_linked(folder) else Certificate.read(folder)


@dataclass(frozen=True)
class PromisedTable:
    """What is promised of one of several linked tables, as in :class:`CertifiedTable`."""

    name: str
    knows: KnownRecords | None
    generalized: Sequence[str]
    released_as_they_are: tuple[str, ...]
    is_apart: bool
    link: str | None
    separator: str | None = None
    refers: tuple[str, str] | None = None
    at_most: int | None = None
    distinct: dict[str, int] = field(default_factory=dict)
    rows_dropped: int = 0


StatedTable = CertifiedTable | PromisedTable


def write_linked_statement(
    k: int, tables: Sequence[StatedTable], *, linked: bool, assumed: bool, unit: PersonUnit
) -> str:
    """State the promise in words, and what it does not cover."""
    persons = [one for one in tables if one.knows is None]
    together = [one for one in tables if one.knows is not None and not one.is_apart]
    records = [one for one in tables if one.knows is not None]
    lines = _write_promises(k, persons, together, [one for one in records if one.is_apart], unit)
    people = PERSON_UNITS[unit]
    if assumed:
        lines.append(f"Each row is assumed to be one {unit}.")
    for one in records:
        shown = ", ".join(one.generalized) or "how many there are"
        if one.knows != 0 and one.separator is None:
            lines.append(f"Of {one.name}, what can be known is: {shown}.")
        if one.knows == 0:
            lines.append(f"Nothing of {one.name} is assumed to be known.")
        if one.refers is not None:
            lines.append(
                f"The column {one.refers[0]} shows which of {one.name} belong to which of "
                f"{one.refers[1]}; its values were drawn at random for this release."
            )
            lines += _write_known_references(one, records)
        if one.at_most is not None:
            lines.append(
                f"Of {one.name}, at most {one.at_most} of each {unit} are in the release, drawn "
                "at random."
            )
    dropped = [f"{one.rows_dropped:,} of {one.name}" for one in records if one.rows_dropped]
    if dropped:
        lines.append(
            f"Some records of {people} in the release are left out, because few others have the "
            f"like: {_join(dropped)}. An attacker who knows one of them finds nobody with all "
            f"that is known, or at least {k} {people}; the part of it that is released leaves at "
            f"least {k} {people}."
        )
    as_they_are = [f"{one.name}: {', '.join(one.released_as_they_are)}" for one in tables]
    as_they_are = [text for text in as_they_are if not text.endswith(": ")]
    if as_they_are:
        lines.append(f"Released as they are, outside the promise: {'; '.join(as_they_are)}.")
    return " ".join([*lines, _write_limits(records, unit, linked=linked)])


def _write_known_references(one: StatedTable, records: Sequence[StatedTable]) -> Iterator[str]:
    """State what of their references is known with records of a table that refers to another."""
    target = one.refers[1] if one.refers else ""
    if one.knows and any(other.name == target and other.knows for other in records):
        yield f"Whoever knows one of {one.name} also knows its row of {target}."
    known = [other.knows or 0 for other in records if other.refers and other.refers[1] == target]
    if one.knows and sum(several for several in known if several != "all") > 1:
        yield f"Whoever knows several knows whether they belong to the same row of {target}."


def _write_promises(
    k: int,
    persons: Sequence[StatedTable],
    together: Sequence[StatedTable],
    apart: Sequence[StatedTable],
    unit: PersonUnit,
) -> list[str]:
    """State what an attacker may know together, and then of each table that shows no link."""
    people = PERSON_UNITS[unit]
    somebody, their = "somebody's" if unit == "person" else f"a {unit}'s", name_whose(unit)
    known = [_join([*one.generalized], f"{somebody} ") for one in persons if one.generalized]
    whose = their if persons else somebody
    known += [f"{describe_knows(one.knows)} of {whose} {one.name}" for one in together if one.knows]
    lines = []
    if persons or together:
        assumed = f"An attacker who knows {_join(known)}" if known else "An attacker"
        lines.append(f"{assumed} is left with at least {k} {people}.")
    lines += [
        f"These {people} have at least {least} different values of {column}."
        for one in persons
        for column, least in one.distinct.items()
    ]
    lines += [
        f"An attacker who knows any one of {somebody} {one.name} is left with records of at "
        f"least {k} {people}."
        for one in apart
        if one.knows
    ]
    if apart:
        lines.append(
            f"The files do not show which records are those of one {unit}, so the data holder "
            f"counted these {people} before publishing; recipients can count records only."
        )
    return lines


def _write_limits(records: Sequence[StatedTable], unit: PersonUnit, *, linked: bool) -> str:
    """State what the promise does not cover."""
    has = "they have" if unit == "person" else "it has"
    numbers = "" if all(one.knows == "all" for one in records) else f"how many {has}, "
    if linked:
        more = f"who knows more records of a {unit} than that, "
        drawn = "Pseudonyms were drawn at random for this release. "
    else:
        more = f"who can tell by other columns which rows are those of one {unit}, "
        drawn = ""
    shown = drawn if any(one.link for one in records) else ""
    compares = f", or who compares what is known of several {PERSON_UNITS[unit]}"
    several = compares if can_compare(records, linked=linked) else ""
    return (
        f"The promise does not cover an attacker {more}{numbers}what a {unit} does not have, or "
        f"the order of records{several}. {shown}Other releases were not checked."
    )


def can_compare(tables: Sequence[StatedTable], *, linked: bool) -> bool:
    """Return whether knowledge of some persons narrows down who others are.

    Rows, or all records of a person, divide persons into classes, so that it does not.
    """
    return linked and any(one.knows not in (None, 0, "all") for one in tables)


def _join(names: Sequence[str], prefix: str = "") -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> _join(["age", "sex", "ZIP code"]), _join(["age"])
    ('age, sex and ZIP code', 'age')
    """
    *first, last = names
    return prefix + (f"{', '.join(first)} and {last}" if first else last)
