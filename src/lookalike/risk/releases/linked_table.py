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
"""The class of somebody without a row in a release."""


@dataclass(frozen=True, eq=False)
class Exposed:
    """The sequences of a linked table that are left with fewer than k rows.

    Parameters
    ----------
    left, right
        A node of the class on either side, or ``ABSENT``.
    left_rows, right_rows
        How many rows of either class remain possible; 0 if absent.
    certain
        Whether every world has somebody there.
    decided
        Whether that is known: in large releases some of it is too much work to find out.
    """

    left: Codes
    right: Codes
    left_rows: Counts
    right_rows: Counts
    certain: Flags
    decided: Flags

    def __len__(self) -> int:
        return len(self.left)

    def swap(self) -> "Exposed":
        """Return the same with left and right exchanged."""
        rows = self.right_rows, self.left_rows
        return Exposed(self.right, self.left, *rows, self.certain, self.decided)

    @property
    def rows(self) -> Counts:
        """How many rows each is left with."""
        ours = np.where(self.left == NO_CLASS, self.right_rows, self.left_rows)
        theirs = np.where(self.right == NO_CLASS, self.left_rows, self.right_rows)
        least: Counts = np.minimum(ours, theirs)
        return least


@dataclass(frozen=True, eq=False)
class LinkedTable:
    """What linking two releases leaves.

    Parameters
    ----------
    known
        What the attacker knows, and how many rows should remain possible.
    k
        How many rows the sequence with the fewest is left with; nothing without rows.
    sequences
        The number of sequences.
    exposed
        Those with fewer than k rows.
    left_exposed, right_exposed
        How many rows of either release are among fewer than k that remain possible for somebody.
    """

    known: AttackerKnowledge
    k: int | None
    sequences: int
    exposed: Exposed
    left_exposed: int
    right_exposed: int

    @property
    def certain_k(self) -> int | None:
        """The fewest rows that somebody is left with in every world, if they are below k."""
        rows = self.exposed.rows[self.exposed.certain]
        return int(rows.min()) if len(rows) else None
