"""The proof of how little a cell-level release can lose, as a file of the holder's dossier.

The proof is private, because the value of a sequence shows how hard its rows are to generalize.
:mod:`lookalike.verify.bound.optimality` checks it without using the search.
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
"""The prefix of the name of a proof whose release is not yet in its final place."""
PROOF_FORMAT: Literal["lookalike optimality 1"] = "lookalike optimality 1"

Natural = Annotated[int, Field(ge=1)]


@dataclass(frozen=True, kw_only=True)
class Proof(Discreet):
    """A bound on the cost of every release, and the numbers that prove it.

    ``format``, ``software``, ``method``: the file format, the software that wrote the proof, and
    the method that found it.
    ``release_sha256``: the digest of the released file.
    ``table_sha256``, ``hierarchies_sha256``: the digests of the private table and of its
    hierarchies (:func:`digest_table`, :func:`digest_hierarchies`).
    ``attributes``, ``heights``, ``weights``: the attributes of the quasi-identifier in order, with
    the heights of their hierarchies and their weights as decimals.
    ``k``, ``allowed``: the required k, and the number of rows that may be suppressed other than as
    a class (:func:`allow_suppression`).
    ``bottom``, ``top``: the least and the greatest level of each attribute that the constraints
    allow.
    ``scale``, ``price``, ``values``: the numbers of :class:`~lookalike.model.proved_bound.Duals`.
    The values belong to the distinct sequences of the private table in the order of
    :func:`~lookalike.model.frequency.list_frequencies`: by the first attribute, then the second and
    so on; texts by code point, missing last. They are written by :func:`encode_values`.
    ``objective``: what a cost measures: "precision", or "loss", whose costs are rounded down to
    whole units.
    ``cost``, ``precision``, ``loss``: the cost of the release in units, its Prec, and by the
    objective loss its loss.
    ``cost_before``, ``tuples_before``: if decoys were drawn: the cost of the release before them,
    and that release, written by :func:`encode_values`: for each tuple its sequence, its level of
    each attribute, and its number of rows.
    ``bound``: the least cost of any release within the requirement that the values prove.
    ``searched``: the least cost of any release that an exhaustive search proves, if it is higher;
    only another search can check it.
    ``precision_bound``, ``loss_bound``: the upper bound on Prec, or the lower bound on the loss,
    that follows from both.
    ``proved``: whether the bounds show that no release is better.
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
    objective: Literal["precision", "loss"] = "precision"
    cost: int
    precision: float
    loss: float | None = None
    cost_before: int | None = None
    tuples_before: str | None = None
    bound: int
    searched: int | None = None
    precision_bound: float | None
    loss_bound: float | None = None
    proved: bool
    values: str

    @property
    def states_objective(self) -> bool:
        """Whether a proof of the loss states it and its bound, and no bound on precision."""
        stated = None not in (self.loss, self.loss_bound) and self.precision_bound is None
        return stated or self.objective == "precision"

    def to_json(self) -> str:
        """Write the proof as JSON."""
        return json.dumps(asdict(self), indent=2, ensure_ascii=False) + "\n"

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a proof."""
        try:
            return TypeAdapter(cls).validate_json(path.read_bytes())
        except OSError as error:
            raise InvalidInput(f"{path} cannot be read: {error.strerror}") from None
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in first["loc"]) or "the file"
            raise InvalidInput(f"{path}: {place}: {first['msg']}") from None


def find_proof(dossier: Path, release_sha256: str) -> Proof:
    """Return the proof in a dossier that belongs to a release, or else the first proof there.

    A process that was interrupted after it published the release, and before it renamed the
    proof, left the proof under a temporary name; it is valid too.
    """
    place = dossier / OPTIMALITY
    proofs = [*([Proof.read(place)] if place.exists() else []), *_read_waiting(dossier)]
    if not proofs:
        raise InvalidInput(
            f"{dossier} has no {OPTIMALITY}; make the release with --dossier and a cell-level "
            "method that proves a bound"
        )
    return next((one for one in proofs if one.release_sha256 == release_sha256), proofs[0])


def _read_waiting(dossier: Path) -> Iterator[Proof]:
    """Yield the proofs under a temporary name; incomplete files are skipped."""
    for path in sorted(dossier.glob(f"{READY}*")):
        with suppress(InvalidInput):
            yield Proof.read(path)


def allow_suppression(max_suppressed: int, *, blank: bool, to_the_top: bool) -> int:
    """Return the number of suppressed rows that a proof must allow.

    Blank rows number at least k, so they are a class with every value suppressed. If all levels
    may reach the top, an ordinary class can be the same, so blank rows need no allowance.
    """
    return 0 if blank and to_the_top else max_suppressed


def encode_values(values: Counts) -> str:
    """Write integers as text: 64 bits each, little-endian, compressed by zlib, in base64.

    Examples
    --------
    >>> decode_values(encode_values(np.array([3, -1]))).tolist()
    [3, -1]
    """
    return base64.b64encode(zlib.compress(values.astype("<i8").tobytes(), 1)).decode("ascii")


def decode_values(text: str) -> Counts:
    """Read what :func:`encode_values` wrote."""
    try:
        content = zlib.decompress(base64.b64decode(text, validate=True))
        return np.frombuffer(content, dtype="<i8").astype(np.int64)
    except (binascii.Error, zlib.error, ValueError):
        raise InvalidInput(
            f"{OPTIMALITY}: values: not 64-bit integers in zlib and base64; the file was changed"
        ) from None


def digest_table(frequency: FrequencyList) -> str:
    """Return the SHA-256 digest of a table's distinct sequences and their counts.

    The digest covers, for each attribute, a JSON array of its name and its distinct values; then
    the position of each sequence's value there, 32 bits each, attribute by attribute; then the
    counts, 64 bits each. Numbers are little-endian.
    """
    digest = hashlib.sha256()
    for hierarchy in frequency.hierarchies:
        digest.update(_as_line([hierarchy.column, hierarchy.labels[0]]))
    digest.update(frequency.codes.astype("<i4").tobytes())
    digest.update(frequency.counts.astype("<i8").tobytes())
    return digest.hexdigest()


def digest_hierarchies(frequency: FrequencyList) -> str:
    """Return the SHA-256 digest of the generalized values of a table.

    The digest covers, for each attribute, a JSON array of its name and, level by level, the label
    of each distinct value.
    """
    digest = hashlib.sha256()
    for hierarchy in frequency.hierarchies:
        digest.update(_as_line([hierarchy.column, hierarchy.list_texts()]))
    return digest.hexdigest()


def _as_line(content: list[object]) -> bytes:
    """Write JSON in the form that the digest covers."""
    return json.dumps(content, separators=(",", ":"), ensure_ascii=True).encode("ascii") + b"\n"


def round_bound(bound: float | None, precision: float) -> float | None:
    """Return the bound on precision that a certificate states: four digits, rounded up.

    The rounded number is still an upper bound, also on the precision that was reached. More digits
    would reveal more about the private table than the quality of the release.

    Examples
    --------
    >>> round_bound(0.83341, 0.8), round_bound(0.8334, 0.8334), round_bound(0.99999, 0.5)
    (0.8335, 0.8334, 1.0)
    """
    if bound is None:
        return None
    largest = Decimal(str(max(bound, precision)))
    return float(largest.quantize(Decimal("0.0001"), ROUND_CEILING))
