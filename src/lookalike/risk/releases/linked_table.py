"""The linked table of two releases, and the k that it leaves (Model, Figure 4).

The attacker knows a person's quasi-identifier and that the person is in the source. So the attacker
knows the person's class in each release, or that the release has no row of this person. Such a pair
of classes is a *sequence* of the linked table. The smaller number of rows that remain possible in
either class is the k of the sequence; the k of the linked table is the smallest over its sequences.
:mod:`lookalike.risk.releases.link_classes` computes it.
"""

from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.seen_release import AttackerKnowledge

NO_CLASS = -1
"""The class of a person without a row in a release."""


@dataclass(frozen=True, eq=False)
class Exposed:
    """The sequences of a linked table for which fewer than k rows remain possible.

    Parameters
    ----------
    left, right
        A node of the class on either side, or ``NO_CLASS``.
    left_rows, right_rows
        The number of rows of either class that remain possible; 0 without a class.
    certain
        Whether every world has a person there.
    decided
        Whether `certain` is known; in large releases this can be too much work.
    """

    left: Codes
    right: Codes
    left_rows: Counts
    right_rows: Counts
    certain: Flags
    decided: Flags

    def __len__(self) -> int:
        return len(self.left)

    @property
    def number_certain(self) -> int:
        """The number of sequences that belong to somebody for certain."""
        return int(self.certain.sum())

    @property
    def number_undecided(self) -> int:
        """The number of sequences for which that is not decided."""
        return int((~self.decided).sum())

    def swap(self) -> "Exposed":
        """Return the same sequences with left and right exchanged."""
        rows = self.right_rows, self.left_rows
        return Exposed(self.right, self.left, *rows, self.certain, self.decided)

    @property
    def rows(self) -> Counts:
        """The number of rows that remain possible for each sequence."""
        ours = np.where(self.left == NO_CLASS, self.right_rows, self.left_rows)
        theirs = np.where(self.right == NO_CLASS, self.left_rows, self.right_rows)
        least: Counts = np.minimum(ours, theirs)
        return least


@dataclass(frozen=True, eq=False)
class LinkedTable:
    """The rows that remain possible after linking two releases.

    Parameters
    ----------
    known
        What the attacker knows, and how many rows should remain possible.
    k
        The fewest rows that remain possible for a sequence; None if there are no rows.
    sequences
        The number of sequences.
    exposed
        The sequences with fewer than k rows.
    left_exposed, right_exposed
        The number of rows of either release that remain possible for an exposed sequence.
    """

    known: AttackerKnowledge
    k: int | None
    sequences: int
    exposed: Exposed
    left_exposed: int
    right_exposed: int

    @property
    def certain_k(self) -> int | None:
        """The fewest rows of an exposed sequence with a person in every world, if any."""
        rows = self.exposed.rows[self.exposed.certain]
        return int(rows.min()) if len(rows) else None
