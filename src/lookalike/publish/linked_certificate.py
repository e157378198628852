"""LinkedCertificate: what was done to linked tables to make a release, for its recipient.

It is ``certificate.json`` of a folder with several tables, and states nothing that cannot be
counted in these files, but the numbers of persons and rows before and what was asked for.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput
from lookalike.json_result import JsonResult
from lookalike.model.linked import KnownRecords
from lookalike.publish.certificate import LINKED_FORMAT, name_software
from lookalike.publish.certified import GeneralizedColumn, ReleasedFile
from lookalike.spec.record_fields import describe_knows
from lookalike.tables.files.file_format import CERTIFICATE

_FORMAT: Literal["lookalike linked certificate 1"] = LINKED_FORMAT


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
    generalized: dict[str, GeneralizedColumn]
    released_as_they_are: tuple[str, ...]
    columns: tuple[str, ...]
    rows_in: int
    rows_out: int
    precision: float | None
    separator: str | None = None
    key: str | None = None
    refers: tuple[str, str] | None = None
    distinct: dict[str, int] = field(default_factory=dict)

    @property
    def is_apart(self) -> bool:
        """Whether it is a table of records that does not show whose they are."""
        return self.link is None and self.knows is not None and self.separator is None


@dataclass(frozen=True, kw_only=True)
class LinkedCertificate(JsonResult):
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
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    statement: str
    format: Literal["lookalike linked certificate 1"] = _FORMAT
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
    objective: str | None
    optimality: Literal["proved", "not proved"]
    precision: float
    files: dict[str, ReleasedFile] = field(default_factory=dict)
    linked: bool = True
    one_row_each: bool = False

    def __str__(self) -> str:
        return self.statement

    @property
    def documents(self) -> dict[str, ReleasedFile]:
        """The files of the folder whose digests it states."""
        return self.files

    def to_json(self) -> str:
        """Write the certificate as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> "LinkedCertificate":
        """Read the certificate of a published release of linked tables.

        Raises
        ------
        InvalidInput
            If the folder is no such release, or its certificate is not valid.
        """
        path = folder / CERTIFICATE
        if not path.is_file():
            raise InvalidInput(f"{folder} is not a release: it has no {CERTIFICATE}")
        try:
            return _reader().validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{path}: {place}: {first['msg']}") from None


def is_linked(folder: Path) -> bool:
    """Return whether the certificate of a folder says that it is one of linked tables."""
    try:
        found = json.loads((folder / CERTIFICATE).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == _FORMAT


@cache
def _reader() -> TypeAdapter[LinkedCertificate]:
    """Return the validator of certificates, which is slow to build and therefore cached."""
    return TypeAdapter(LinkedCertificate)


def write_linked_statement(
    k: int, tables: Sequence[CertifiedTable], *, linked: bool, assumed: bool
) -> str:
    """State the promise in words, and what it does not cover."""
    persons = [one for one in tables if one.knows is None]
    together = [one for one in tables if one.knows is not None and not one.is_apart]
    records = [one for one in tables if one.knows is not None]
    lines = _write_promises(k, persons, together, [one for one in records if one.is_apart])
    if assumed:
        lines.append("Each row is assumed to be one person.")
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
        if one.at_most is not None:
            lines.append(
                f"Of {one.name}, at most {one.at_most} of each person are in the release, drawn "
                "at random."
            )
    as_they_are = [f"{one.name}: {', '.join(one.released_as_they_are)}" for one in tables]
    as_they_are = [text for text in as_they_are if not text.endswith(": ")]
    if as_they_are:
        lines.append(f"Released as they are, outside the promise: {'; '.join(as_they_are)}.")
    return " ".join([*lines, _write_limits(records, linked=linked)])


def _write_promises(
    k: int,
    persons: Sequence[CertifiedTable],
    together: Sequence[CertifiedTable],
    apart: Sequence[CertifiedTable],
) -> list[str]:
    """State what an attacker may know together, and then of each table that shows no link."""
    known = [_join([*one.generalized], "somebody's ") for one in persons if one.generalized]
    whose = "their" if persons else "somebody's"
    known += [f"{describe_knows(one.knows)} of {whose} {one.name}" for one in together if one.knows]
    lines = []
    if persons or together:
        assumed = f"An attacker who knows {_join(known)}" if known else "An attacker"
        lines.append(f"{assumed} is left with at least {k} people.")
    lines += [
        f"These people have at least {least} different values of {column}."
        for one in persons
        for column, least in one.distinct.items()
    ]
    lines += [
        f"An attacker who knows any one of somebody's {one.name} is left with records of at least "
        f"{k} people."
        for one in apart
        if one.knows
    ]
    if apart:
        lines.append(
            "The files do not show which records are those of one person, so the data holder "
            "counted these people before publishing; recipients can count records only."
        )
    return lines


def _write_limits(records: Sequence[CertifiedTable], *, linked: bool) -> str:
    """State what the promise does not cover."""
    numbers = "" if all(one.knows == "all" for one in records) else "how many they have, "
    if linked:
        more = "who knows more records of a person than that, "
        drawn = "Pseudonyms were drawn at random for this release. "
    else:
        more = "who can tell by other columns which rows are those of one person, "
        drawn = ""
    shown = drawn if any(one.link for one in records) else ""
    return (
        f"The promise does not cover an attacker {more}{numbers}what a person does not have, or "
        f"the order of records. {shown}Other releases were not checked."
    )


def _join(names: Sequence[str], prefix: str = "") -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> _join(["age", "sex", "ZIP code"]), _join(["age"])
    ('age, sex and ZIP code', 'age')
    """
    *first, last = names
    return prefix + (f"{', '.join(first)} and {last}" if first else last)
