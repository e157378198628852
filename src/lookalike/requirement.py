"""Requirement: what a release must satisfy, and what is an outlier."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from lookalike.errors import Infeasible, InvalidInput


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
    """

    k: int
    max_suppressed: int | Decimal | None = None
    suppressed_rows: Literal["drop", "blank"] = "drop"

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
            return int(self.max_suppressed * rows)
        return self.max_suppressed

    def check_feasible(self, rows: int) -> None:
        """Refuse a table with fewer than k rows, of which no generalization satisfies k."""
        if rows < self.k:
            raise Infeasible(
                f"the table has {rows:,} eligible rows, fewer than k = {self.k}: no release of it "
                f"can be {self.k}-anonymous; lower k or collect more rows"
            )
