"""Requirement: what a release must satisfy, and what is an outlier."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from lookalike.errors import Infeasible, InvalidInput
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList


@dataclass(frozen=True)
class QuasiIdentifier:
    """Attributes that could be linked together, and how well they must be protected.

    A table may have several, one for each kind of respondent, such as the patient and the
    doctor (Samarati, section 2); all must hold.

    Parameters
    ----------
    name
        What to call it.
    attributes
        Its attributes.
    k
        How often each sequence of their values must occur.
    respondent
        The column that says who the respondent is, if rows a person must be counted.
    alone
        Whether it stands for one attribute that is protected by itself, without the others
        that it could be linked with (:mod:`lookalike.model.binsize`).
    """

    name: str
    attributes: tuple[str, ...]
    k: int
    respondent: str | None = None
    alone: bool = False

    def __post_init__(self) -> None:
        if self.k < 2:
            raise InvalidInput(f"k must be at least 2 for a release, not {self.k}")


@dataclass(frozen=True, eq=False)
class Membership:
    """The class of each sequence over one quasi-identifier, and how large a class must be."""

    class_of: Codes
    k: int

    def sizes(self, counts: Counts) -> Counts:
        """Return for each sequence the size of its class, if so many rows of each are left."""
        return np.bincount(self.class_of, weights=counts).astype(np.int64)[self.class_of]


def remove_small(counts: Counts, memberships: Sequence[Membership]) -> Counts:
    """Return what is left of each sequence when every class below k is removed.

    Removing rows for one quasi-identifier makes classes of another smaller, so it is done
    until nothing changes: the least fixed point.
    """
    left = counts.copy()
    changed = True
    while changed:
        changed = False
        for membership in memberships:
            small = (membership.sizes(left) < membership.k) & (left > 0)
            left[small] = 0
            changed |= bool(small.any()) and len(memberships) > 1
    return left


@dataclass(frozen=True)
class Requirement:
    """k-anonymity within an allowance of suppressed rows.

    Parameters
    ----------
    k
        Every sequence of quasi-identifier values must occur at least k times (Achieving,
        Definition 2).
    max_suppressed
        Samarati's MaxSup: an integer is a number of rows, a decimal 0.0 … 1.0 a fraction of
        them. Nothing leaves the allowance to the method.
    suppressed_rows
        Whether suppressed rows are left out (``"drop"``) or kept with every quasi-identifier
        value suppressed (``"blank"``). Blank rows are a class of the release like any other,
        so they must number 0 or at least k.
    quasi_identifiers
        Where there are several, or one over some of the attributes only. If none is named,
        all attributes together are the quasi-identifier.
    """

    k: int
    max_suppressed: int | Decimal | None = None
    suppressed_rows: Literal["drop", "blank"] = "drop"
    quasi_identifiers: tuple[QuasiIdentifier, ...] = ()

    def __post_init__(self) -> None:
        if self.k < 2:
            raise InvalidInput(f"k must be at least 2 for a release, not {self.k}")
        limit = self.max_suppressed
        if isinstance(limit, Decimal) and not 0 <= limit <= 1:
            raise InvalidInput(
                f"max_suppressed = {limit} is a decimal, so a fraction of the rows, and must lie "
                "between 0.0 and 1.0; write an integer for a number of rows"
            )
        if limit is not None and limit < 0:
            raise InvalidInput(f"max_suppressed must not be negative, but is {limit}")

    @property
    def largest_k(self) -> int:
        """The greatest k that is asked for, which blank rows must reach."""
        return max((protected.k for protected in self.quasi_identifiers), default=self.k)

    def needs_complement(self, outliers: int) -> bool:
        """Tell whether further rows must be suppressed, so that blank ones number k."""
        return self.suppressed_rows == "blank" and 0 < outliers < self.largest_k

    def allowance(self, rows: int, default: int = 0) -> int:
        """Return how many rows may be suppressed.

        Examples
        --------
        >>> Requirement(2, Decimal("0.29")).allowance(100)
        29
        """
        if self.max_suppressed is None:
            return default
        if isinstance(self.max_suppressed, Decimal):
            return int(Fraction(self.max_suppressed) * rows)
        return self.max_suppressed

    def protected(self, attributes: Sequence[str]) -> tuple[QuasiIdentifier, ...]:
        """Return all that must hold of a table with these linkable attributes."""
        everything = QuasiIdentifier("quasi-identifier", tuple(attributes), self.k)
        return self.quasi_identifiers or (everything,)

    def combined(self, attributes: Sequence[str]) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers, without attributes that are protected by themselves."""
        return tuple(one for one in self.protected(attributes) if not one.alone)

    def unsatisfied(
        self, frequency: FrequencyList, vector: Sequence[int]
    ) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers that some sequence occurs too rarely over at a vector."""
        return tuple(
            one
            for one in self.protected(frequency.attributes)
            if _sizes(frequency, vector, one.attributes).min(initial=one.k) < one.k
        )

    def outlying(self, frequency: FrequencyList, vector: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Mark the sequences that must be suppressed at a vector.

        A sequence that occurs fewer than k times over a quasi-identifier is suppressed. That
        lowers the counts of other quasi-identifiers, so it is done until nothing changes:
        the least fixed point, which is the minimal required suppression (Samarati,
        Definition 4.2) of all quasi-identifiers together.
        """
        left = remove_small(frequency.counts, self.memberships(frequency, vector))
        gone: npt.NDArray[np.bool_] = left == 0
        return gone

    def memberships(
        self, frequency: FrequencyList, vector: Sequence[int]
    ) -> tuple[Membership, ...]:
        """Return, for each quasi-identifier, the class of every sequence at a vector."""
        return tuple(
            Membership(frequency.class_of(vector, _positions(frequency, one.attributes)), one.k)
            for one in self.protected(frequency.attributes)
        )

    def outliers(self, frequency: FrequencyList, vector: Sequence[int]) -> int:
        """Count the rows that must be suppressed at a vector."""
        one, *others = self.protected(frequency.attributes)
        if not others and one.attributes == frequency.attributes:
            return frequency.outliers(vector, one.k)
        return int(frequency.counts[self.outlying(frequency, vector)].sum())

    def check_feasible(self, rows: int) -> None:
        """Refuse a table with fewer than k rows, of which no generalization satisfies k."""
        if rows < self.largest_k:
            raise Infeasible(
                f"the table has {rows:,} eligible rows, fewer than k = {self.largest_k}: no "
                f"release of it can be {self.largest_k}-anonymous; lower k or collect more rows"
            )


def _positions(frequency: FrequencyList, attributes: Sequence[str]) -> list[int]:
    """Return the places of some attributes among those of a frequency list."""
    return [frequency.attributes.index(attribute) for attribute in attributes]


def _sizes(frequency: FrequencyList, vector: Sequence[int], attributes: Sequence[str]) -> Counts:
    """Return how many rows each class over some attributes has at a vector."""
    class_of = frequency.class_of(vector, _positions(frequency, attributes))
    return np.bincount(class_of, weights=frequency.counts).astype(np.int64)
