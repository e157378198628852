"""Requirement: what a release must satisfy, and which rows must be suppressed for it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal

import numpy as np
import numpy.typing as npt

from lookalike.errors import Infeasible, InvalidInput
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.model.stored_list import Frequencies, StoredList

LEAST_K = 2
"""The least k of a release."""
ONLY_QUASI_IDENTIFIER = "quasi-identifier"
"""The name of the quasi-identifier if a release has only one, of all linkable attributes."""


@dataclass(frozen=True)
class QuasiIdentifier:
    """Attributes that can be linked together, and the k that protects them.

    A table may have several quasi-identifiers, one for each kind of respondent, such as the
    patient and the doctor (Samarati, section 2); all must satisfy their k.

    Parameters
    ----------
    name
        Name of the quasi-identifier.
    attributes
        Names of its attributes.
    k
        Minimum number of rows with each sequence of values.
    respondent
        Column that identifies the respondent, if k counts persons.
    alone
        Whether it is a single attribute that is protected by itself
        (:mod:`lookalike.model.binsize`).
    """

    name: str
    attributes: tuple[str, ...]
    k: int
    respondent: str | None = None
    alone: bool = False

    def __post_init__(self) -> None:
        check_k(self.k)


def check_k(k: int) -> None:
    """Raise if k is too small for a release."""
    if k < LEAST_K:
        raise InvalidInput(f"k must be at least {LEAST_K} for a release, not {k}")


@dataclass(frozen=True, eq=False)
class Membership:
    """The class of each sequence over one quasi-identifier, and the least size of a class."""

    class_of: Codes
    k: int

    def sizes(self, counts: Counts) -> Counts:
        """Return the size of each sequence's class, given the rows left of each sequence."""
        return np.bincount(self.class_of, weights=counts).astype(np.int64)[self.class_of]


def remove_small(counts: Counts, memberships: Sequence[Membership]) -> Counts:
    """Return the rows left of each sequence after every class below k is removed.

    Removing rows for one quasi-identifier makes classes of another smaller, so removal is
    repeated until nothing changes: the least fixed point.
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
    """k-anonymity with a maximum number of suppressed rows.

    Parameters
    ----------
    k
        Every sequence of quasi-identifier values must occur at least k times (Achieving,
        Definition 2).
    max_suppressed
        Samarati's MaxSup: an integer is a number of rows, a decimal 0.0 … 1.0 a fraction of
        the rows. None leaves the default to the method.
    suppressed_rows
        Whether suppressed rows are left out (``"drop"``) or kept with every quasi-identifier
        value suppressed (``"blank"``). Blank rows are a class of the release like any other,
        so they must number 0 or at least k.
    quasi_identifiers
        The quasi-identifiers, if there are several or one does not have all attributes. If
        empty, all attributes together are the quasi-identifier.
    """

    k: int
    max_suppressed: int | Decimal | None = None
    suppressed_rows: Literal["drop", "blank"] = "drop"
    quasi_identifiers: tuple[QuasiIdentifier, ...] = ()

    def __post_init__(self) -> None:
        check_k(self.k)
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
        """The greatest k of all quasi-identifiers, which blank rows must reach."""
        return max((protected.k for protected in self.quasi_identifiers), default=self.k)

    def needs_complement(self, outliers: int) -> bool:
        """Return whether further rows must be suppressed so that the blank rows number k."""
        return self.suppressed_rows == "blank" and 0 < outliers < self.largest_k

    def allowance(self, rows: int, default: int = 0) -> int:
        """Return the number of rows that may be suppressed.

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
        """Return every quasi-identifier of a table with these linkable attributes."""
        everything = QuasiIdentifier(ONLY_QUASI_IDENTIFIER, tuple(attributes), self.k)
        return self.quasi_identifiers or (everything,)

    def combined(self, attributes: Sequence[str]) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers without the attributes that are protected alone."""
        return tuple(one for one in self.protected(attributes) if not one.alone)

    def unsatisfied(
        self, frequency: Frequencies, vector: Sequence[int]
    ) -> tuple[QuasiIdentifier, ...]:
        """Return the quasi-identifiers that have a class below k at a vector."""
        held = frequency.held(vector)
        return tuple(
            one
            for one in self.protected(frequency.attributes)
            if _sizes(held, vector, one.attributes).min(initial=one.k) < one.k
        )

    def outlying(self, frequency: FrequencyList, vector: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Mark the sequences that must be suppressed at a vector.

        A sequence that occurs fewer than k times over a quasi-identifier is suppressed. That
        lowers the counts of other quasi-identifiers, so it is repeated until nothing changes.
        The least fixed point is the minimal required suppression (Samarati, Definition 4.2)
        of all quasi-identifiers together.
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

    def outliers(self, frequency: Frequencies, vector: Sequence[int]) -> int:
        """Count the rows that must be suppressed at a vector."""
        if self.is_single(frequency.attributes):
            return frequency.outliers(vector, self.largest_k)
        held = frequency.held(vector)
        return int(held.counts[self.outlying(held, vector)].sum())

    def outlying_rows(self, frequency: Frequencies, vector: Sequence[int]) -> tuple[Counts, ...]:
        """Count the rows that must be suppressed by their code at a vector, for each attribute."""
        if isinstance(frequency, StoredList) and self.is_single(frequency.attributes):
            return frequency.outlying_rows(vector, self.largest_k)
        held = frequency.held(vector)
        gone = np.flatnonzero(self.outlying(held, vector))
        some = replace(held, codes=held.codes[:, gone], counts=held.counts[gone])
        return tuple(some.code_rows(attribute, level) for attribute, level in enumerate(vector))

    def is_single(self, attributes: Sequence[str]) -> bool:
        """Return whether all attributes together are the only quasi-identifier."""
        one, *others = self.protected(attributes)
        return not others and one.attributes == tuple(attributes)

    def check_feasible(self, rows: int) -> None:
        """Raise if the table has fewer than k rows, so that no release satisfies k."""
        if rows < self.largest_k:
            raise Infeasible(
                f"the table has {rows:,} eligible rows, fewer than k = {self.largest_k}: no "
                f"release of it can be {self.largest_k}-anonymous; lower k or collect more rows"
            )


def check_most_general(outliers: int, allowance: int) -> None:
    """Raise if even the most general vector leaves more rows below k than may be suppressed."""
    if outliers > allowance:
        raise Infeasible(
            f"even the most general vector that is allowed leaves {outliers:,} rows below k, more "
            f"than the {allowance:,} that may be suppressed; loosen the constraints on levels, or "
            "allow more suppressed rows"
        )


def _positions(frequency: FrequencyList, attributes: Sequence[str]) -> list[int]:
    """Return the positions of some attributes in a frequency list."""
    return [frequency.attributes.index(attribute) for attribute in attributes]


def _sizes(frequency: FrequencyList, vector: Sequence[int], attributes: Sequence[str]) -> Counts:
    """Return the number of rows of each class over some attributes at a vector."""
    class_of = frequency.class_of(vector, _positions(frequency, attributes))
    return np.bincount(class_of, weights=frequency.counts).astype(np.int64)
