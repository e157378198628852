"""Rows that are left out of classes: those that fit nowhere, and those that cost too much."""

import math
from dataclasses import replace

import numpy as np

from lookalike.kernels.swaps import Board
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import is_over
from lookalike.model.complement import spread_over_sequences, suppress_complementary
from lookalike.model.requirement import Membership
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.ground_sequences import GroundSequences
from lookalike.search.cells.improvement.swap_between_classes import (
    lay_board,
    read_board,
    swap_between_classes,
)


def set_outliers_aside(ground: GroundSequences, k: int) -> GroundSequences:
    """Leave out the rows of zones with fewer than k: they are outliers at the greatest levels."""
    rows = np.bincount(ground.zones, ground.counts)
    return replace(ground, counts=np.where(rows[ground.zones] < k, 0, ground.counts))


def suppress_costly(
    ground: GroundSequences,
    classes: Classes,
    near: Codes,
    k: int,
    allowance: int,
    deadline: float = math.inf,
) -> Classes:
    """Leave out rows where that lowers the total cost, and improve what is left.

    A suppressed row costs as much as one that shows nothing. All rows of a sequence leave a
    class that keeps k, if the others then become so much cheaper; those that gain most for a
    row go first, one sequence of a class at a time.

    Parameters
    ----------
    ground, classes, near, k
        The classes, and what they were made of.
    allowance
        How many rows may be left out.
    deadline
        When to stop with what was reached.
    """
    while not is_over(deadline):
        board = lay_board(ground, classes)
        leaving = _choose_leaving(board, ground.suppressed, k, allowance)
        if not len(leaving):
            break
        allowance -= int(board.rows[leaving].sum())
        board.rows[leaving] = 0
        classes = swap_between_classes(ground, read_board(board), near, k, deadline)
    return classes


def _choose_leaving(board: Board, suppressed: int, k: int, allowance: int) -> Counts:
    """Choose entries to be left out: those that gain most for a row, one of a class."""
    used = np.flatnonzero(board.class_of >= 0)
    class_of, rows = board.class_of[used], board.rows[used]
    left = board.sizes[class_of] - rows
    then = left * board.rest_cost[used] + rows * suppressed
    gain = board.sizes[class_of] * board.cost[class_of] - then
    order = np.lexsort((used, -gain / rows))
    order = order[(gain[order] > 0) & (left[order] >= k)]
    order = order[np.sort(np.unique(class_of[order], return_index=True)[1])]
    return used[order[np.cumsum(rows[order]) <= allowance]]


def fill_up(classes: Classes, k: int, needed: int) -> Classes:
    """Leave out some more rows of classes, drawn at random, so that blank ones number k.

    A class gives rows while k remain, else all of them (:mod:`lookalike.model.complement`).
    """
    sizes = classes.sizes()
    alone = Membership(np.arange(len(sizes), dtype=np.int32), k)
    given = suppress_complementary(sizes, np.zeros_like(sizes), [alone], needed)
    taken = spread_over_sequences(classes.counts, classes.class_of, sizes, given)
    return merge_entries(replace(classes, counts=classes.counts - taken))
