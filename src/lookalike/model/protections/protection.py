"""Protection: what each class of a release must satisfy in one sensitive column."""

from typing import ClassVar, Protocol

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.protections.class_values import ClassValues

SLACK = 1e-9
"""Figures that differ by less count as equal, so that rounding decides no comparison."""


class Protection(Protocol):
    """What each class of a release must satisfy in one sensitive column.

    The classes of a release that satisfies a protection can be united without losing it, for
    every protection of this room. Only some protections stay true when a class grows by any
    rows (`grows`); of the others, a search may use the consequences that do: the fewest distinct
    values and the fewest rows of a class that satisfies it.

    A class without rows has the figure nan and does not fail.
    """

    name: ClassVar[str]
    grows: ClassVar[bool]

    def measure(self, values: ClassValues) -> Reals:
        """Return the figure of each class that the protection compares with its parameter."""
        ...

    def failing(self, values: ClassValues) -> Flags:
        """Return which classes do not satisfy the protection."""
        ...

    def bound(self, levels: Codes) -> "Protection":  # noqa: ARG002
        """Return the protection of a column with a hierarchy: the ancestors of its values."""
        return self

    def least_distinct(self, reference: Counts) -> int:
        """Return the fewest distinct values of a class that satisfies the protection.

        Every such class has at least this number of values, but not every class with this number
        satisfies it.
        """
        ...

    def least_rows(self, reference: Counts) -> int:
        """Return the fewest rows of a class that satisfies the protection: one for each value."""
        return self.least_distinct(reference)

    def keeps_at_most(self, values: ClassValues) -> Reals:
        """Bound how many rows of each class can be kept in parts that satisfy the protection.

        No division of a class keeps more rows, so the bound holds at every vector below. Without
        a sharper formula, a class keeps all rows or, with too few values or rows, none.
        """
        distinct, rows = np.diff(values.starts), values.sizes
        enough = distinct >= self.least_distinct(values.reference)
        enough &= rows >= self.least_rows(values.reference)
        return np.where(enough, rows, 0).astype(np.float64)


def check_parameter(valid: bool, protection: str, field: str, must: str, given: float) -> None:
    """Raise if a parameter of a protection is not valid.

    Examples
    --------
    >>> check_parameter(False, "share", "alpha", "lie above 0 and at most 1", 2)
    Traceback (most recent call last):
    ...
    lookalike.errors.InvalidInput: share: alpha must lie above 0 and at most 1, not 2
    """
    if not valid:
        raise InvalidInput(f"{protection}: {field} must {must}, not {given}")


def count_until(largest: Reals, enough: float) -> int:
    """Return how many of the largest parts are needed to reach a sum, at least 1.

    Examples
    --------
    >>> count_until(np.array([0.5, 0.8, 1.0]), 0.8)
    2
    """
    return 1 + int(np.count_nonzero(largest[:-1] < enough))
