"""Leave rows out of classes: outliers, rows that cost too much, and rows that fill up k."""

import math
from dataclasses import replace

import numpy as np

from lookalike.kernels.swaps import Board
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import is_over
from lookalike.model.complementary_suppression import spread_over_sequences, suppress_complementary
from lookalike.model.membership import Membership
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.ground_sequences import GroundSequences
from lookalike.search.cells.improvement.swap_between_classes import (
    lay_board,
    read_board,
    swap_between_classes,
)


def set_outliers_aside(ground: GroundSequences, k: int) -> GroundSequences:
    """Leave out the rows of zones with fewer than k rows: outliers at the highest levels."""
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
    """Leave out rows where that lowers the total cost, and improve the remaining classes.

    A suppressed row costs as much as a fully generalized one. All rows of a sequence leave their
    class if it keeps k rows and the total cost falls. The sequences with the greatest gain per
    row leave first, one per class at a time.

    Parameters
    ----------
    ground, classes, near, k
        The classes, and the inputs that they were made from.
    allowance
        The number of rows that may be left out.
    deadline
        When to stop with the classes reached so far.
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
    """Choose the entries to leave out: those of greatest gain per row, at most one per class."""
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
    """Leave out further rows, drawn at random, so that the blank rows number at least k.

    A class gives rows while k remain, otherwise all of them
    (:mod:`lookalike.model.complementary_suppression`).
    """
    sizes = classes.sizes()
    alone = Membership(np.arange(len(sizes), dtype=np.int32), k)
    given = suppress_complementary(sizes, np.zeros_like(sizes), [alone], needed)
    taken = spread_over_sequences(classes.counts, classes.class_of, sizes, given)
    return merge_entries(replace(classes, counts=classes.counts - taken))
