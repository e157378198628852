"""Improve classes by moving rows to another class and by swapping rows of two classes."""

from typing import NamedTuple

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.joins import UNREACHED, Cells, join_cost, raise_to_join
from lookalike.kernels.types import Codes, Counts, Flags

MOST_SWAPS = 32
"""The number of entries of another class with which a swap of an entry is tried."""


class Board(NamedTuple):
    """Classes as lists of entries; an entry is a number of rows of a sequence.

    ``class_of``, ``sequence``, ``rows``: the class, sequence and number of rows of each entry; an
    unused entry has class -1.
    ``follows``: the next entry of the same class; -1 after the last.
    ``rest_of``, ``rest``, ``rest_cost``: for each entry: another sequence of its class (-1 if there
    is none), the join of the class without the entry, and the cost of a row there.
    ``head``, ``sizes``, ``levels``, ``cost``: for each class: its first entry, its number of rows,
    its join, and the cost of a row.
    ``where``: for each sequence, a class with rows of it; -1 if there is none.
    ``unused``: a stack of unused entries; its last element is their number.
    """

    class_of: Codes
    sequence: Codes
    rows: Counts
    follows: Codes
    rest_of: Codes
    rest: Codes
    rest_cost: Counts
    head: Codes
    sizes: Counts
    levels: Codes
    cost: Counts
    where: Codes
    unused: Codes
    cells: Cells


@compiled
def set_up(board: Board) -> None:
    """Link the entries of each class, and compute its join and its cost."""
    for entry in range(len(board.rows) - 1, -1, -1):
        if board.class_of[entry] >= 0:
            _link_entry(board, entry, board.class_of[entry])
            board.sizes[board.class_of[entry]] += board.rows[entry]
    for one in range(len(board.head)):
        _refresh(board, one)


@compiled
def swap_rows(board: Board, near: Codes, k: int, passes: int, stop: Flags) -> None:
    """Move or swap rows of each entry where that lowers the total cost most, until nothing does.

    Rows of an entry move to a class that has a near sequence, if their own class keeps k rows,
    or swap with as many rows of that class. A pair of classes is tried again only if one of
    them has changed.

    ``board``: the classes, set up.
    ``near``: the near sequences, filled up with -1, one row per sequence.
    ``k``: the least size of a class; only a class of identical rows may grow to 2 k.
    ``passes``: the greatest number of passes over the entries.
    ``stop``: set by another thread to end before the next entry.
    """
    changed = np.ones(len(board.head), dtype=np.int64)
    seen = np.zeros(len(board.head), dtype=np.int64)
    examined = np.zeros(len(board.rows), dtype=np.int64)
    clock = 1
    for _ in range(passes):
        begin = clock
        for entry in range(len(board.rows)):
            source = board.class_of[entry]
            if source < 0:
                continue
            if stop[0]:
                return
            since, examined[entry] = examined[entry], clock
            clock += 1
            gain, chosen, partner, number = 0, -1, -1, 0
            for neighbour in near[board.sequence[entry]]:
                if neighbour < 0:
                    break
                target = board.where[neighbour]
                if target < 0 or target == source or seen[target] == clock:
                    continue
                seen[target] = clock
                if max(changed[source], changed[target]) <= since:
                    continue  # neither has changed since the entry was examined
                found, other, rows = _best_deal(board, entry, target, k, gain)
                if found > gain:
                    gain, chosen, partner, number = found, target, other, rows
            if gain > 0:
                _deal(board, entry, chosen, partner, number)
                changed[source], changed[chosen] = clock, clock
        if changed.max() <= begin:
            break


@compiled
def _best_deal(board: Board, entry: int, target: int, k: int, least: int) -> tuple[int, int, int]:
    """Find the move or swap of an entry with a class that lowers the cost most.

    Returns
    -------
    gain, partner, number
        The gain, which is `least` if none is greater; the entry to swap with, -1 for a move;
        the number of rows.
    """
    source, mine = board.class_of[entry], board.sequence[entry]
    first = board.sequence[board.head[target]]
    joined = _join(board, first, board.levels[target], mine)
    now = board.sizes[source] * board.cost[source] + board.sizes[target] * board.cost[target]
    gain, partner, number = least, -1, 0
    rows = min(board.rows[entry], board.sizes[source] - k)
    if first != mine or board.follows[board.head[target]] >= 0:
        rows = min(rows, 2 * k - 1 - board.sizes[target])
    if rows > 0 and (rows == board.rows[entry] or board.unused[-1]):
        left = board.rest_cost[entry] if rows == board.rows[entry] else board.cost[source]
        then = (board.sizes[source] - rows) * left + (board.sizes[target] + rows) * joined
        if now - then > gain:
            gain, number = now - then, rows
    # Its class would gain nothing; what the other class can gain is tried from its own entries.
    if board.rest_cost[entry] >= board.cost[source]:
        return gain, partner, number
    other, tried = board.head[target], 0
    while other >= 0 and tried < MOST_SWAPS:
        rows = min(board.rows[entry], board.rows[other])
        whole = board.rows[entry] == board.rows[other]
        if board.sequence[other] != mine and (whole or board.unused[-1]):
            then = board.sizes[source] * _cost_after(board, entry, rows, board.sequence[other])
            if now - then > gain:
                then += board.sizes[target] * _cost_after(board, other, rows, mine)
            if now - then > gain:
                gain, partner, number = now - then, other, rows
        other, tried = board.follows[other], tried + 1
    return gain, partner, number


@compiled
def _join(board: Board, first: int, levels: Codes, second: int) -> int:
    """Return the cost of a row where a sequence joins a generalized tuple."""
    return join_cost(board.cells, first, levels, second, board.cells.bottom, UNREACHED)


@compiled
def _cost_after(board: Board, entry: int, rows: int, newcomer: int) -> int:
    """Return the cost of a row of a class when a newcomer replaces some rows of an entry."""
    if rows < board.rows[entry]:
        levels = board.levels[board.class_of[entry]]
        return _join(board, board.sequence[entry], levels, newcomer)
    if board.rest_of[entry] < 0:
        return _join(board, newcomer, board.cells.bottom, newcomer)
    return _join(board, board.rest_of[entry], board.rest[entry], newcomer)


@compiled
def _deal(board: Board, entry: int, target: int, partner: int, rows: int) -> None:
    """Move rows of an entry to a class, and rows of a partner, if any, the other way."""
    source = board.class_of[entry]
    if partner >= 0:
        _give(board, partner, rows, source)
    _give(board, entry, rows, target)
    _refresh(board, source)
    _refresh(board, target)


@compiled
def _give(board: Board, entry: int, rows: int, target: int) -> None:
    """Move some rows of an entry to another class, into its entry of the same sequence."""
    source, mine = board.class_of[entry], board.sequence[entry]
    board.sizes[source] -= rows
    board.sizes[target] += rows
    same = board.head[target]
    while same >= 0 and board.sequence[same] != mine:
        same = board.follows[same]
    board.rows[entry] -= rows
    if board.rows[entry] == 0:
        _unlink_entry(board, entry)
        board.unused[board.unused[-1]] = entry
        board.unused[-1] += 1
    if same < 0:
        board.unused[-1] -= 1
        same = board.unused[board.unused[-1]]
        board.sequence[same] = mine
        _link_entry(board, same, target)
    board.rows[same] += rows
    board.where[mine] = target


@compiled
def _link_entry(board: Board, entry: int, one: int) -> None:
    """Put an entry first in the list of a class."""
    board.class_of[entry] = one
    board.follows[entry] = board.head[one]
    board.head[one] = entry
    board.where[board.sequence[entry]] = one


@compiled
def _unlink_entry(board: Board, entry: int) -> None:
    """Take an entry out of the list of its class."""
    one = board.class_of[entry]
    board.class_of[entry] = -1
    if board.head[one] == entry:
        board.head[one] = board.follows[entry]
        return
    before = board.head[one]
    while board.follows[before] != entry:
        before = board.follows[before]
    board.follows[before] = board.follows[entry]


@compiled
def _refresh(board: Board, one: int) -> None:
    """Compute the join of a class, and its join without each of its entries.

    The join without an entry is the join of the entries before it and of those after it.
    """
    members = [board.head[one]]
    while board.follows[members[-1]] >= 0:
        members.append(board.follows[members[-1]])
    first, last = board.sequence[members[0]], board.sequence[members[-1]]
    bottom = board.cells.bottom
    reached = bottom.copy()
    for member in members:
        board.rest_of[member] = first
        board.rest[member] = reached
        raise_to_join(board.cells, first, reached, board.sequence[member], bottom)
    board.levels[one] = reached
    board.cost[one] = _join(board, first, reached, first)
    reached[:] = bottom
    for member in members[:0:-1]:
        if member != members[-1]:
            raise_to_join(board.cells, first, board.rest[member], last, reached)
        board.rest_cost[member] = _join(board, first, board.rest[member], first)
        raise_to_join(board.cells, last, reached, board.sequence[member], bottom)
    board.rest_of[members[0]] = last if len(members) > 1 else -1
    board.rest[members[0]] = reached
    board.rest_cost[members[0]] = _join(board, last, reached, last)
