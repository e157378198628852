"""Certificate: what the recipient of a release is told.

"A recipient of the data can be told what was done to the data. This allows results drawn
from released data to be properly interpreted" (Achieving, section 1). It holds only what can
be counted in the release, what was done, and how many rows went in and were suppressed;
nothing of the private table's distribution.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar, Literal, Self

from pydantic import ConfigDict, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput

CERTIFICATE = "certificate.json"
FORMAT: Literal["lookalike certificate 1"] = "lookalike certificate 1"


@dataclass(frozen=True)
class QuasiIdentifier:
    """A quasi-identifier and how well it is protected."""

    name: str
    attributes: tuple[str, ...]
    k: int
    k_reached: int
    classes: int


@dataclass(frozen=True)
class Generalized:
    """How one attribute of a quasi-identifier was generalized."""

    hierarchy: str
    height: int
    level: int
    weight: str = "1"


@dataclass(frozen=True)
class ReleasedFile:
    """A file of the release."""

    sha256: str
    bytes: int


@dataclass(frozen=True, kw_only=True)
class Certificate:
    """What was done to a private table to make a release of it."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    statement: str
    format: Literal["lookalike certificate 1"] = FORMAT
    software: str = field(default_factory=lambda: f"lookalike {version('lookalike')}")
    quasi_identifiers: tuple[QuasiIdentifier, ...]
    generalized: dict[str, Generalized]
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
    earlier_releases: Literal["not checked"] = "not checked"
    files: dict[str, ReleasedFile] = field(default_factory=dict)

    def to_json(self) -> str:
        """Write the certificate as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, folder: Path) -> Self:
        """Read the certificate of a published release.

        Raises
        ------
        InvalidInput
            If the folder is not a release, or its certificate is not one that we wrote.
        """
        path = folder / CERTIFICATE
        if not path.is_file():
            raise InvalidInput(f"{folder} is not a release: it has no {CERTIFICATE}")
        try:
            return TypeAdapter(cls).validate_json(path.read_bytes())
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{path}: {place}: {first['msg']}") from None


def describe_file(path: Path) -> ReleasedFile:
    """Return the digest and size of a file."""
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return ReleasedFile(sha256=digest, bytes=path.stat().st_size)


def state(promised: QuasiIdentifier) -> str:
    """Put into one sentence what a release promises."""
    return (
        f"Every combination of {_and(promised.attributes)} in this release occurs at least "
        f"{promised.k_reached} times, so the release is {promised.k}-anonymous over them."
    )


def _and(names: tuple[str, ...]) -> str:
    """Join names as in a sentence."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def in_words(certificate: Certificate) -> list[str]:
    """Tell a recipient, in sentences, what was done."""
    lines = [certificate.statement]
    raised = {n: g for n, g in certificate.generalized.items() if g.level}
    for name, done in raised.items():
        lines.append(
            f"{name} was generalized {done.level} of {done.height} steps ({done.hierarchy})."
        )
    same = [name for name in certificate.generalized if name not in raised]
    if same:
        lines.append(f"{_and(tuple(same))} {'is' if len(same) == 1 else 'are'} not generalized.")
    lines.append(_suppression_in_words(certificate))
    if certificate.objective is not None:
        lines.append(_optimality_in_words(certificate))
    lines.append(
        f"Precision {certificate.precision:.4f} (1 is the private table, 0 tells nothing), by "
        f"{certificate.method}; the order of rows was {certificate.order}; earlier releases: "
        f"{certificate.earlier_releases}."
    )
    return lines


def _optimality_in_words(certificate: Certificate) -> str:
    """Tell whether a better release could exist."""
    if certificate.optimality == "proved":
        return f"No release of this kind is better by {certificate.objective}: that is proved."
    if certificate.precision_bound is None:
        return f"The search for the best {certificate.objective} was stopped before it was proved."
    return (
        "The search for the best precision was stopped; none is better than "
        f"{certificate.precision_bound:.4f}."
    )


def _suppression_in_words(certificate: Certificate) -> str:
    """Tell how many rows were suppressed, and what that means."""
    gone = certificate.rows_suppressed + certificate.rows_complementary
    how = {
        "drop": "left out",
        "blank": f"kept with {certificate.suppressed_label!r} for every linkable value",
    }[certificate.suppressed_rows]
    return f"{gone:,} of {certificate.rows_in:,} rows were suppressed ({how})."
