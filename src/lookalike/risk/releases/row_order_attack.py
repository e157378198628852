"""Unsorted matching: rows in the same position of two releases (Model, section 4.1).

"This attack is based on the order in which tuples appear in the released table." If two
releases keep the order of their source, the rows of a position are of one person, and the
linked table has what both tell. An attacker who does not know that the order was kept sees it:
rows in the same position are compatible throughout, which hardly happens by chance.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Codes, Flags
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.compatible_blocks import Blocks
from lookalike.risk.releases.label_levels import LabelLevels

UNLIKELY = 0.01
"""A chance below this tells an attacker that the order of two releases is the same."""


@dataclass(frozen=True)
class RowOrderAttack:
    """What matching by position gives.

    Parameters
    ----------
    positions
        How many positions both releases have.
    compatible
        In how many of them the rows could be of one person.
    by_chance
        The probability that all are, if the order were random; about.
    k
        The size of the smallest class of the rows matched, if the attack works.
    rows_exposed
        How many rows are in classes below the k that was asked for.
    """

    positions: int
    compatible: int
    by_chance: float
    k: int | None = None
    rows_exposed: int = 0

    @property
    def works(self) -> bool:
        """Whether the position gives rows away."""
        return self.k is not None


def match_positions(
    left: tuple[Nodes, Codes, Codes],
    right: tuple[Nodes, Codes, Codes],
    blocks: Blocks,
    ladders: Sequence[LabelLevels],
    k: int,
) -> RowOrderAttack:
    """Match the rows of two releases by their position.

    Parameters
    ----------
    left, right
        The nodes of a release, the class of each over what the attacker knows, and the node of
        each row in the order of the file.
    blocks
        Which nodes are compatible.
    ladders
        The values of each column.
    k
        How large a class should be.
    """
    (ours, our_class, our_rows), (theirs, their_class, their_rows) = left, right
    positions = min(len(our_rows), len(their_rows))
    our_rows, their_rows = our_rows[:positions], their_rows[:positions]
    fits = are_compatible(ours.entries[:, our_rows], theirs.entries[:, their_rows], ladders)
    found = int(fits.sum())
    chance = _share(ours, theirs, blocks) ** positions
    if found < positions or not positions or chance >= UNLIKELY:
        return RowOrderAttack(positions, found, chance)
    pairs = our_class[our_rows].astype(np.int64) * (len(theirs) + 1) + their_class[their_rows]
    sizes = np.unique(pairs, return_counts=True)[1]
    return RowOrderAttack(positions, found, chance, int(sizes.min()), int(sizes[sizes < k].sum()))


def are_compatible(ours: Codes, theirs: Codes, ladders: Sequence[LabelLevels]) -> Flags:
    """Tell which pairs of rows are compatible, given as entries, one line a column."""
    fits = np.ones(ours.shape[1], dtype=bool)
    for one, two, ladder in zip(ours, theirs, ladders, strict=True):
        level = np.maximum(ladder.levels[one], ladder.levels[two])
        fits &= ladder.lifts[level, one] == ladder.lifts[level, two]
    return fits


def _share(left: Nodes, right: Nodes, blocks: Blocks) -> float:
    """Return the share of all pairs of rows that are compatible."""
    ours = np.bincount(blocks.left_block, left.counts[blocks.left], blocks.number)
    theirs = np.bincount(blocks.right_block, right.counts[blocks.right], blocks.number)
    return float(ours @ theirs) / max(left.rows * right.rows, 1)
