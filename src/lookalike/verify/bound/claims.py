"""The statements of a certificate that a proof of optimality must agree with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.verify.bound.proof import allow_suppression


@dataclass(frozen=True)
class CertificateClaims:
    """What the certificate of a release states about the requirement and the result.

    Parameters
    ----------
    software, method, release_sha256
        The software and the method that made the release, and the digest of its file.
    weights
        The weight of each attribute.
    quasi_identifiers
        The attributes of each quasi-identifier, and its k.
    max_suppressed
        The number or the fraction of rows that may be suppressed; None means 0.
    levels
        The least and the greatest vector of levels that the constraints allow.
    blank
        Whether suppressed rows are kept as blank rows.
    suppressed_label
        The label of a suppressed value.
    precision, precision_bound, proved
        The Prec of the release, an upper bound on it, and whether the release is proved optimal.
    decoys
        Whether decoys were drawn; then `proved` is about the release before them.
    stricter
        What the release satisfies beyond the classes of k rows that the bound is of.
    """

    software: str
    method: str
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
