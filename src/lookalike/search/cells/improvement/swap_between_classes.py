"""Improve classes by moving rows to near classes and by swapping rows of two classes."""

import math

import numpy as np

from lookalike.kernels.swaps import Board, set_up, swap_rows
from lookalike.kernels.types import Codes
from lookalike.model.clock import stopping_at
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.construction.ground_sequences import GroundSequences

PASSES = 40
"""The greatest number of passes; the classes are usually stable long before."""
ROOM = 1000
"""Room for further entries while rows move, in addition to a quarter of the entries."""


def swap_between_classes(
    ground: GroundSequences, classes: Classes, near: Codes, k: int, deadline: float = math.inf
) -> Classes:
    """Move and swap rows between near classes while that lowers the total cost.

    At the deadline the function returns the classes reached so far.
    """
    board = lay_board(ground, classes)
    with stopping_at(deadline) as stop:
        swap_rows(board, near, k, PASSES, stop)
    return read_board(board)


def lay_board(ground: GroundSequences, classes: Classes) -> Board:
    """Lay out classes with their costs, and with room for entries that are divided."""
    used, attributes = len(classes.counts), len(ground.bottom)
    entries = used + used // 4 + ROOM
    room = entries - used
    unused = np.concatenate([np.arange(used, entries), np.zeros(used), [room]]).astype(np.int32)
    board = Board(
        class_of=np.concatenate([classes.class_of, np.full(room, -1)]).astype(np.int32),
        sequence=np.concatenate([classes.sequence, np.zeros(room)]).astype(np.int32),
        rows=np.concatenate([classes.counts, np.zeros(room)]).astype(np.int64),
        follows=np.full(entries, -1, dtype=np.int32),
        rest_of=np.full(entries, -1, dtype=np.int32),
        rest=np.zeros((entries, attributes), dtype=np.int32),
        rest_cost=np.zeros(entries, dtype=np.int64),
        head=np.full(len(classes), -1, dtype=np.int32),
        sizes=np.zeros(len(classes), dtype=np.int64),
        levels=np.zeros((len(classes), attributes), dtype=np.int32),
        cost=np.zeros(len(classes), dtype=np.int64),
        where=np.full(len(ground.counts), -1, dtype=np.int32),
        unused=unused,
        bottom=ground.bottom,
        ancestors=ground.ancestors,
        prices=ground.prices,
    )
    set_up(board)
    return board


def read_board(board: Board) -> Classes:
    """Return the classes of a board."""
    used = board.class_of >= 0
    return merge_entries(Classes(board.class_of[used], board.sequence[used], board.rows[used]))
