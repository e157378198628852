"""Certificate: what the recipient of a release is told.

"A recipient of the data can be told what was done to the data. This allows results drawn
from released data to be properly interpreted" (Achieving, section 1). It holds only what can
be counted in the release, what was done, and how many rows went in and were suppressed;
nothing of the private table's distribution.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput
from lookalike.tables.read import (
    CERTIFICATE as CERTIFICATE,  # the name of its file, known to readers
)

_FORMAT: Literal["lookalike certificate 1"] = "lookalike certificate 1"


@dataclass(frozen=True)
class CertifiedQuasiIdentifier:
    """A quasi-identifier and how well it is protected."""

    name: str
    attributes: tuple[str, ...]
    k: int
    k_reached: int
    classes: int
    rows_below_k: int = 0


@dataclass(frozen=True)
class CertifiedAlone:
    """An attribute that is protected by itself, and how often its rarest value occurs.

    Parameters
    ----------
    quasi_identifier
        The quasi-identifier that it belongs to.
    attribute
        Its name.
    linking
        The likelihood of its being used for linking that the holder assumed; below 1 it is
        not protected in combination with the other attributes.
    k
        How often each of its values had to occur; 0 if nothing was asked of it.
    k_reached
        How often its rarest value occurs.
    """

    quasi_identifier: str
    attribute: str
    linking: Annotated[str, Field(pattern=r"^[01](\.[0-9]+)?$")]
    k: int
    k_reached: int

    @property
    def apart(self) -> bool:
        """Whether it is outside of the combination that is protected."""
        return Decimal(self.linking) < 1


@dataclass(frozen=True)
class GeneralizedColumn:
    """How one attribute of a quasi-identifier was generalized.

    Where rows differ in its level, `level` is nothing and `cells_by_level` tells how many
    values are at which; suppressed ones are apart. `cells_suppressed` tells how many values of
    rows that are not suppressed are written as the suppressed value, at whatever level.
    """

    hierarchy: str
    height: int
    level: int | None
    weight: str = "1"
    tolerance: str = "1"
    cells_by_level: dict[int, int] | None = None
    cells_suppressed: int = 0


@dataclass(frozen=True)
class ReleasedFile:
    """A file of the release."""

    sha256: str
    bytes: int


@dataclass(frozen=True)
class EarlierReleases:
    """What a release was checked against before it was published.

    Parameters
    ----------
    policy
        The policy that held.
    considered
        How many earlier releases of the same source have rows of this one.
    new_people
        Whether its holder said that people whom the ledger did not know are in no earlier release.
    """

    policy: str
    considered: int
    new_people: bool = False


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What was done to a private table to make a release of it."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    statement: str
    format: Literal["lookalike certificate 1"] = _FORMAT
    software: str = field(default_factory=lambda: f"lookalike {version('lookalike')}")
    recipient: str | None = None
    quasi_identifiers: tuple[CertifiedQuasiIdentifier, ...]
    alone: tuple[CertifiedAlone, ...] = ()
    k_over_all: int | None = None
    recoding: Literal["attribute level", "cell level"] = "attribute level"
    generalized: dict[str, GeneralizedColumn]
    released_as_they_are: tuple[str, ...]
    pseudonyms: tuple[str, ...]
    columns: tuple[str, ...]
    rows_in: int
    rows_out: int
    rows_suppressed: int
    rows_complementary: int
    suppressed_rows: Literal["drop", "blank"]
    suppressed_label: str
    method: str
    parameters: dict[str, str] = field(default_factory=dict)
    max_suppressed: str | None
    prefer: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    precision: float
    accuracy: float
    completeness: float
    objective: str | None = None
    optimality: Literal["proved", "not proved"] = "not proved"
    precision_bound: float | None = None
    order: Literal["randomized", "kept"]
    earlier_releases: Literal["not checked"] | EarlierReleases = "not checked"
    files: dict[str, ReleasedFile] = field(default_factory=dict)

    @property
    def rows_shown(self) -> int:
        """The number of rows that are not suppressed."""
        return self.rows_in - self.rows_suppressed - self.rows_complementary

    def to_json(self) -> str:
        """Write the certificate as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> "Certificate":
        """Read the certificate of a published release.

        Raises
        ------
        InvalidInput
            If the folder is not a release, or its certificate is not one that we wrote.
        """
        path = folder / CERTIFICATE
        if not path.is_file():
            raise InvalidInput(f"{folder} is not a release: it has no {CERTIFICATE}")
        return cls.from_json(path.read_bytes(), str(path))

    @classmethod
    def from_json(cls, text: str | bytes, place: str) -> "Certificate":
        """Read a certificate that we wrote.

        Raises
        ------
        InvalidInput
            If it is none; the message names the place and the field.
        """
        try:
            return _reader().validate_json(text)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{place}: {field}: {first['msg']}") from None


@cache
def _reader() -> TypeAdapter[Certificate]:
    """Return what reads certificates; it takes long to make."""
    return TypeAdapter(Certificate)


def describe_file(path: Path) -> ReleasedFile:
    """Return the digest and size of a file."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return ReleasedFile(sha256=digest, bytes=path.stat().st_size)


def find_released_file(folder: Path, certificate: Certificate) -> Path:
    """Return the file of a release, which is in its folder and no link to another place.

    Raises
    ------
    InvalidInput
        If the certificate names none, or one that is not.
    """
    if not certificate.files:
        raise InvalidInput(f"{folder}: the certificate names no file, so nothing is released")
    if len(certificate.files) > 1:
        raise InvalidInput(f"{folder}: the certificate names several files; a release has one")
    [name] = certificate.files
    if Path(name).name != name or name == "..":
        raise InvalidInput(
            f"{folder}: the certificate names the file {name!r}, which is outside of the folder of "
            "the release; the certificate was changed"
        )
    if (folder / name).is_symlink():
        raise InvalidInput(f"{folder / name} is a link to another file; a release holds its file")
    return folder / name
