"""Check that a proof of optimality belongs to this release and to its requirement."""

from collections.abc import Iterator
from decimal import Decimal

from lookalike.model.frequency import FrequencyList
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.proof import Proof, digest_hierarchies, digest_table
from lookalike.verify.recount import Finding


def check_proof_origin(
    proof: Proof, claims: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof belongs to this release, this private table and these hierarchies."""
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


def check_proof_requirement(
    proof: Proof, claims: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof is for the requirement in the certificate."""
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
