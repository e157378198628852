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
        The column that holds the pseudonym of the person.
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
    """

    name: str
    file: str
    link: str
    knows: KnownRecords | None
    at_most: int | None
    generalized: dict[str, GeneralizedColumn]
    released_as_they_are: tuple[str, ...]
    columns: tuple[str, ...]
    rows_in: int
    rows_out: int
    precision: float | None


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
        What the method optimized, and whether it is proved that no levels are better.
    precision
        Prec over the cells of all tables.
    files
        The released files, by their names within the folder.
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
    objective: str
    optimality: Literal["proved", "not proved"]
    precision: float
    files: dict[str, ReleasedFile] = field(default_factory=dict)

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


def write_linked_statement(k: int, tables: Sequence[CertifiedTable]) -> str:
    """State the promise in words, and what it does not cover."""
    persons, *records = tables
    known = [_join([*persons.generalized], "somebody's ")] if persons.generalized else []
    known += [
        f"{describe_knows(one.knows)} of their {one.name}"
        for one in records
        if one.knows not in (0, None)
    ]
    assumed = f"An attacker who knows {_join(known)}" if known else "An attacker"
    lines = [f"{assumed} is left with at least {k} people."]
    for one in records:
        shown = ", ".join(one.generalized) or "how many there are"
        if one.knows not in (0, None):
            lines.append(f"Of {one.name}, what can be known is: {shown}.")
        if one.knows == 0:
            lines.append(f"Nothing of {one.name} is assumed to be known.")
        if one.at_most is not None:
            lines.append(
                f"Of {one.name}, at most {one.at_most} of each person are in the release, drawn "
                "at random."
            )
    as_they_are = [f"{one.name}: {', '.join(one.released_as_they_are)}" for one in tables]
    as_they_are = [text for text in as_they_are if not text.endswith(": ")]
    if as_they_are:
        lines.append(f"Released as they are, outside the promise: {'; '.join(as_they_are)}.")
    numbers = "" if all(one.knows == "all" for one in records) else "how many they have, "
    lines.append(
        "The promise does not cover an attacker who knows more records of a person than that, "
        f"{numbers}what a person does not have, or the order of records. Pseudonyms were drawn at "
        "random for this release. Other releases were not checked."
    )
    return " ".join(lines)


def _join(names: Sequence[str], prefix: str = "") -> str:
    """Join names as a sentence does.

    Examples
    --------
    >>> _join(["age", "sex", "ZIP code"]), _join(["age"])
    ('age, sex and ZIP code', 'age')
    """
    *first, last = names
    return prefix + (f"{', '.join(first)} and {last}" if first else last)
