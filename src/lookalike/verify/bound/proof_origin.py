"""Check that a proof of optimality belongs to this release and to its requirement."""

from collections.abc import Iterator
from decimal import Decimal

from lookalike.model.frequency import FrequencyList
from lookalike.verify.bound.claims import CertificateClaims
from lookalike.verify.bound.proof import Proof, digest_hierarchies, digest_table
from lookalike.verify.recount import Finding


def check_proof_origin(
    proof: Proof, told: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof is of this release, this private table and these hierarchies."""
    made = (told.release_sha256, told.software, told.method)
    yield _compare(
        "the proof of optimality is of this release",
        (proof.release_sha256, proof.software, proof.method) == made,
        "it is of another one",
    )
    yield _compare(
        "it is of this private table",
        proof.table_sha256 == digest_table(frequency),
        "the distinct sequences of values or their counts differ",
    )
    shape = (frequency.attributes, frequency.heights, digest_hierarchies(frequency))
    yield _compare(
        "it is of these hierarchies",
        (proof.attributes, proof.heights, proof.hierarchies_sha256) == shape,
        "the attributes, their heights or what becomes of their values differ",
    )


def check_proof_requirement(
    proof: Proof, told: CertificateClaims, frequency: FrequencyList
) -> Iterator[Finding]:
    """Check that a proof answers what was asked."""
    yield _compare(
        f"it is for k = {proof.k} over all attributes together",
        list(told.quasi_identifiers) == [(frequency.attributes, proof.k)],
        "the certificate says k = "
        + ", and ".join(f"{k} over {', '.join(names)}" for names, k in told.quasi_identifiers),
    )
    allowed = told.allowed(frequency)
    yield _compare(
        f"it is for at most {proof.allowed:,} suppressed rows",
        proof.allowed == allowed,
        f"the certificate allows {allowed:,}",
    )
    yield _compare(
        "it is for the weights of the certificate",
        [Decimal(text) for text in proof.weights]
        == [told.weights.get(name) for name in frequency.attributes],
        "they differ",
    )
    yield _compare(
        "it is for the levels that the constraints leave",
        (proof.bottom, proof.top) == (told.levels.bottom, told.levels.top),
        f"they leave {list(told.levels.bottom)} to {list(told.levels.top)}, the proof is for "
        f"{list(proof.bottom)} to {list(proof.top)}",
    )


def _compare(claim: str, holds: bool, otherwise: str) -> Finding:
    """Say that something is as it must be, or what it is instead."""
    return Finding(claim, holds, "it is" if holds else otherwise)
