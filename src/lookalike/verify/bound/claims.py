"""The statements of a certificate, and the check that a proof of optimality agrees with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.verify.bound.proof import Proof, allow_suppression, digest_hierarchies, digest_table
from lookalike.verify.recount import Finding


@dataclass(frozen=True)
class CertificateClaims:
    """What the certificate of a release states about the requirement and the result.

    ``software``, ``method``, ``release_sha256``: the software and the method that made the release,
    and the digest of its file.
    ``objective``: the objective of the method.
    ``weights``: the weight of each attribute.
    ``quasi_identifiers``: the attributes of each quasi-identifier, and its k.
    ``max_suppressed``: the number or the fraction of rows that may be suppressed; None means 0.
    ``levels``: the least and the greatest vector of levels that the constraints allow.
    ``blank``: whether suppressed rows are kept as blank rows.
    ``suppressed_label``: the label of a suppressed value.
    ``precision``, ``precision_bound``, ``proved``: the Prec of the release, an upper bound on it,
    and whether the release is proved optimal.
    ``decoys``: whether decoys were drawn; then `proved` is about the release before them.
    ``stricter``: what the release satisfies beyond the classes of k rows that the bound is of.
    """

    software: str
    method: str
    objective: str | None
    release_sha256: str
    weights: Mapping[str, Decimal]
    quasi_identifiers: Sequence[tuple[tuple[str, ...], int]]
    max_suppressed: int | Decimal | None
    levels: Lattice
    blank: bool
    suppressed_label: str
    precision: float
    precision_bound: float | None
    proved: bool
    decoys: bool = False
    stricter: str = ""

    def allowed(self, frequency: FrequencyList) -> int:
        """Return how many rows of a table may be suppressed other than as a class."""
        limit = self.max_suppressed or 0
        most = limit if isinstance(limit, int) else int(limit * frequency.rows)
        to_the_top = self.levels.top == frequency.heights
        return allow_suppression(most, blank=self.blank, to_the_top=to_the_top)


def check_proof(
    proof: Proof, claims: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof belongs to this release, table and hierarchies, and its requirement."""
    made = (claims.release_sha256, claims.software, claims.method)
    yield _compare(
        "the proof of optimality belongs to this release",
        (proof.release_sha256, proof.software, proof.method) == made,
        "it belongs to another release",
    )
    yield _compare(
        "the proof belongs to this private table",
        proof.table_sha256 == digest_table(frequency),
        "the distinct sequences of values or their counts differ",
    )
    shape = (frequency.attributes, frequency.heights, digest_hierarchies(frequency))
    yield _compare(
        "the proof belongs to these hierarchies",
        (proof.attributes, proof.heights, proof.hierarchies_sha256) == shape,
        "the attributes, their heights or their generalized values differ",
    )
    yield from _check_requirement(proof, claims, frequency)


def _check_requirement(
    proof: Proof, claims: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof is for the requirement in the certificate."""
    yield _compare(
        f"the proof is for the objective {proof.objective}",
        proof.objective == claims.objective and proof.states_objective,
        f"the certificate states {claims.objective}, or the numbers of the proof are for another",
    )
    yield _compare(
        f"the proof is for k = {proof.k} over all attributes together",
        list(claims.quasi_identifiers) == [(frequency.attributes, proof.k)],
        "the certificate states k = "
        + ", and ".join(f"{k} over {', '.join(names)}" for names, k in claims.quasi_identifiers),
    )
    allowed = claims.allowed(frequency)
    yield _compare(
        f"the proof is for at most {proof.allowed:,} suppressed rows",
        proof.allowed == allowed,
        f"the certificate allows {allowed:,}",
    )
    yield _compare(
        "the proof is for the weights of the certificate",
        [Decimal(text) for text in proof.weights]
        == [claims.weights.get(name) for name in frequency.attributes],
        "they differ",
    )
    yield _compare(
        "the proof is for the levels that the constraints allow",
        (proof.bottom, proof.top) == (claims.levels.bottom, claims.levels.top),
        f"the constraints allow {list(claims.levels.bottom)} to {list(claims.levels.top)}, but "
        f"the proof is for {list(proof.bottom)} to {list(proof.top)}",
    )


def _compare(claim: str, holds: bool, otherwise: str) -> Finding:
    """Return a finding that is confirmed, or that states what differs."""
    return Finding(claim, holds, "confirmed" if holds else otherwise)
