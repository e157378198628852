"""Link two releases by the position of their rows: unsorted matching (Model, section 4.1).

"This attack is based on the order in which tuples appear in the released table." If two releases
keep the order of their source, rows in the same position belong to the same person. An attacker who
does not know whether the order was kept can find out: rows in the same position are then compatible
throughout, which is unlikely in a random order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Flags
from lookalike.risk.releases.comparable_releases import Blocks, Nodes
from lookalike.risk.releases.label_levels import LabelLevels

UNLIKELY = 0.01
"""Below this probability, an attacker concludes that two releases have the same order."""


@dataclass(frozen=True)
class RowOrderAttack(JsonResult):
    """The result of linking two releases by position.

    ``positions``: the number of positions that both releases have.
    ``compatible``: the number of positions whose rows could belong to one person.
    ``by_chance``: the approximate probability that all are compatible in a random order.
    ``k``: the size of the smallest class of linked rows; None if the attack does not work.
    ``rows_exposed``: the number of rows in classes smaller than the k that was asked for.
    """

    json_names = "positions compatible by_chance k rows_exposed works"

    positions: int
    compatible: int
    by_chance: float
    k: int | None = None
    rows_exposed: int = 0

    @property
    def works(self) -> bool:
        """Whether rows can be linked by position."""
        return self.k is not None


def match_positions(
    left: tuple[Nodes, Codes, Codes],
    right: tuple[Nodes, Codes, Codes],
    blocks: Blocks,
    columns: Sequence[LabelLevels],
    k: int,
) -> RowOrderAttack:
    """Link the rows of two releases by their position.

    ``left, right``: the nodes of a release, the class of each node over what the attacker knows,
    and the node of each row in the order of the file.
    """
    (ours, our_class, our_rows), (theirs, their_class, their_rows) = left, right
    positions = min(len(our_rows), len(their_rows))
    our_rows, their_rows = our_rows[:positions], their_rows[:positions]
    fits = are_compatible(ours.entries[:, our_rows], theirs.entries[:, their_rows], columns)
    found = int(fits.sum())
    chance = _share(ours, theirs, blocks) ** positions
    if found < positions or not positions or chance >= UNLIKELY:
        return RowOrderAttack(positions, found, chance)
    pairs = our_class[our_rows].astype(np.int64) * (len(theirs) + 1) + their_class[their_rows]
    sizes = np.unique(pairs, return_counts=True)[1]
    return RowOrderAttack(positions, found, chance, int(sizes.min()), int(sizes[sizes < k].sum()))


def are_compatible(ours: Codes, theirs: Codes, columns: Sequence[LabelLevels]) -> Flags:
    """Return which pairs of rows are compatible; rows are entries, one line per column."""
    fits = np.ones(ours.shape[1], dtype=bool)
    for one, two, column in zip(ours, theirs, columns, strict=True):
        level = np.maximum(column.levels[one], column.levels[two])
        fits &= column.lifts[level, one] == column.lifts[level, two]
    return fits


def _share(left: Nodes, right: Nodes, blocks: Blocks) -> float:
    """Return the share of compatible pairs among all pairs of rows."""
    ours = np.bincount(blocks.left_block, left.counts[blocks.left], blocks.number)
    theirs = np.bincount(blocks.right_block, right.counts[blocks.right], blocks.number)
    return float(ours @ theirs) / max(left.rows * right.rows, 1)
