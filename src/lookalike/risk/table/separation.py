"""Separation: how well columns tell rows apart, by Motwani and Xu (2008), as ARX shows it."""

from dataclasses import dataclass

from lookalike.kernels.types import Counts


@dataclass(frozen=True)
class Separation:
    """How well columns tell rows apart.

    ``rows``: the rows; ``classes``: the distinct sequences of values that they have; ``unique``:
    the rows with a sequence that no other row has; ``joined``: the pairs of rows with one sequence.
    """

    rows: int
    classes: int
    unique: int
    joined: int

    @property
    def distinction(self) -> float:
        """The distinct sequences, as a share of the rows: 1 if the columns are a key."""
        return self.classes / self.rows if self.rows else 0.0

    @property
    def separation(self) -> float:
        """The pairs of rows that differ in some column, as a share of all pairs."""
        pairs = self.rows * (self.rows - 1) // 2
        return 1 - self.joined / pairs if pairs else 0.0


def measure_separation(sizes: Counts) -> Separation:
    """Measure how well columns tell rows apart, from the rows of each sequence of their values.

    Examples
    --------
    >>> import numpy as np
    >>> found = measure_separation(np.array([1, 1, 2]))
    >>> found.unique, found.distinction, round(found.separation, 4)
    (2, 0.75, 0.8333)
    """
    present = sizes[sizes > 0]
    joined = int((present * (present - 1) // 2).sum())
    return Separation(int(present.sum()), len(present), int((present == 1).sum()), joined)
