"""Proof: what proves how little a release at the cell level can lose, as its holder keeps it.

It is a file of the holder's dossier and private: a value tells how hard the rows of a sequence
are to hide. :mod:`lookalike.verify.bound.optimality` checks it without anything of the search.
"""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from decimal import ROUND_CEILING, Decimal
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.model.frequency import FrequencyList

OPTIMALITY = "optimality.json"
READY = f".{OPTIMALITY}.lookalike-ready-"
"""The start of the name of a proof that waits for its release to take its place."""
PROOF_FORMAT: Literal["lookalike optimality 1"] = "lookalike optimality 1"

Natural = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, kw_only=True)
class Proof(Discreet):
    """A bound on what a release must lose, and what proves it.

    Parameters
    ----------
    format, software, method
        What wrote it, and which method found it.
    release_sha256
        The digest of the released file.
    table_sha256, hierarchies_sha256
        The digests of the private table and of its hierarchies (:func:`digest_table`,
        :func:`digest_hierarchies`).
    attributes, heights, weights
        The attributes of the quasi-identifier in order, with the heights of their hierarchies
        and their weights as decimals.
    k, allowed
        How many lookalikes were asked for, and how many rows could be suppressed other than
        as a class (:func:`allow_suppression`).
    bottom, top
        The least and the greatest level of each attribute that constraints leave.
    scale, price, values
        The numbers of :class:`~lookalike.model.duals.Duals`. The values belong to the distinct
        sequences of the private table in the order of
        :func:`~lookalike.model.frequency.list_frequencies`: by the first attribute, then the second
        and so on; texts by code point, missing last. They are written by
        :func:`encode_values`.
    cost, precision
        What the release costs in units, and its Prec.
    bound
        What every release within the requirement costs at least, as the values prove.
    searched
        What every release costs at least by a search of all, if that is more; nothing but
        another search can check it.
    precision_bound
        The Prec that no release exceeds, by both.
    proved
        Whether the bound says that no release is better.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    format: Literal["lookalike optimality 1"] = PROOF_FORMAT
    software: str = field(default_factory=lambda: f"lookalike {version('lookalike')}")
    method: str
    release_sha256: str
    table_sha256: str
    hierarchies_sha256: str
    attributes: tuple[str, ...]
    heights: tuple[int, ...]
    weights: tuple[Annotated[str, Field(pattern=r"^[0-9]+(\.[0-9]+)?$")], ...]
    k: Natural
    allowed: Annotated[int, Field(ge=0)]
    bottom: tuple[int, ...]
    top: tuple[int, ...]
    scale: Natural
    price: int
    cost: int
    precision: float
    bound: int
    searched: int | None = None
    precision_bound: float | None
    proved: bool
    values: str

    def to_json(self) -> str:
        """Write the proof as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a proof.

        Raises
        ------
        InvalidInput
            If the file is not there, or not one that we wrote.
        """
        try:
            return TypeAdapter(cls).validate_json(path.read_bytes())
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{path}: {place}: {first['msg']}") from None


def find_proof(dossier: Path, release_sha256: str) -> Proof:
    """Return the proof of a release in a dossier; of several, the one that is the release's.

    A process that died after its release took its place, and before the proof did, left it
    waiting: it is as good.

    Raises
    ------
    InvalidInput
        If there is none.
    """
    place = dossier / OPTIMALITY
    proofs = [*([Proof.read(place)] if place.exists() else []), *_read_waiting(dossier)]
    if not proofs:
        raise InvalidInput(
            f"{dossier} holds no {OPTIMALITY}; a release that is made with --dossier by a method "
            "that bounds precision at the cell level puts one there"
        )
    return next((one for one in proofs if one.release_sha256 == release_sha256), proofs[0])


def _read_waiting(dossier: Path) -> Iterator[Proof]:
    """Read the proofs that wait; one that was not written whole is none."""
    for path in sorted(dossier.glob(f"{READY}*")):
        with suppress(InvalidInput):
            yield Proof.read(path)


def allow_suppression(max_suppressed: int, *, blank: bool, to_the_top: bool) -> int:
    """Return how many rows a proof must let be suppressed.

    Rows that stay blank number at least k, so they are a class that shows nothing. Where
    levels may reach the top a class can show as little, and nothing is gained by them.
    """
    return 0 if blank and to_the_top else max_suppressed


def encode_values(values: Counts) -> str:
    """Write integers as text: 64 bits each, the lowest byte first, by zlib and base64.

    Examples
    --------
    >>> decode_values(encode_values(np.array([3, -1]))).tolist()
    [3, -1]
    """
    return base64.b64encode(zlib.compress(values.astype("<i8").tobytes(), 1)).decode("ascii")


def decode_values(text: str) -> Counts:
    """Read what :func:`encode_values` wrote.

    Raises
    ------
    InvalidInput
        If it was not that.
    """
    try:
        content = zlib.decompress(base64.b64decode(text, validate=True))
        return np.frombuffer(content, dtype="<i8").astype(np.int64)
    except (binascii.Error, zlib.error, ValueError):
        raise InvalidInput(
            f"{OPTIMALITY}: values: not 64-bit integers by zlib and base64; the file was changed"
        ) from None


def digest_table(frequency: FrequencyList) -> str:
    """Return the digest of a table's distinct sequences and their counts, SHA-256.

    It goes over a JSON array for each attribute, of its name and its distinct values, then the
    place of each sequence's value there, 32 bits each and attribute by attribute, then the
    counts, 64 bits each; the lowest byte comes first.
    """
    digest = hashlib.sha256()
    for hierarchy in frequency.hierarchies:
        digest.update(_as_line([hierarchy.column, hierarchy.labels[0]]))
    digest.update(frequency.codes.astype("<i4").tobytes())
    digest.update(frequency.counts.astype("<i8").tobytes())
    return digest.hexdigest()


def digest_hierarchies(frequency: FrequencyList) -> str:
    """Return the digest of what the hierarchies make of a table's values, SHA-256.

    It goes over a JSON array for each attribute, of its name and, level by level, what each
    distinct value becomes.
    """
    digest = hashlib.sha256()
    for hierarchy in frequency.hierarchies:
        becomes = [
            [labels[code] for code in codes.tolist()]
            for labels, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
        ]
        digest.update(_as_line([hierarchy.column, becomes]))
    return digest.hexdigest()


def _as_line(content: list[object]) -> bytes:
    """Write JSON in the one way that a digest goes over."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True).encode("ascii") + b"\n"


def round_bound(bound: float | None, precision: float) -> float | None:
    """Return the bound on precision that a certificate shows: four digits, rounded upwards.

    It stays an upper bound, also on the precision that was reached. More digits would tell a
    recipient more of the private table than how good the release is.

    Examples
    --------
    >>> round_bound(0.83341, 0.8), round_bound(0.8334, 0.8334), round_bound(0.99999, 0.5)
    (0.8335, 0.8334, 1.0)
    """
    if bound is None:
        return None
    largest = Decimal(str(max(bound, precision)))
    return float(largest.quantize(Decimal("0.0001"), ROUND_CEILING))
