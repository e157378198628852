"""Improve classes: exchange rows between them by annealing, or by moves and swaps that gain.

Every step keeps at least k rows in each class. Annealing is guided by the values of the bound.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from lookalike.kernels.annealing import anneal
from lookalike.kernels.annealing_state import MOST_CLASSES, Packing, Schedule, Setting, Trial
from lookalike.kernels.lower_bound import measure_slack
from lookalike.kernels.swaps import Board, set_up, swap_rows
from lookalike.kernels.types import Codes, Flags
from lookalike.model.clock import stopping_at
from lookalike.search.cells.bound import RaisedValues
from lookalike.search.cells.budget import UNLIMITED, Budget
from lookalike.search.cells.classes import Classes, merge_entries
from lookalike.search.cells.clustering import GroundSequences
from lookalike.search.cells.problem import Problem

HOT, COLD = 1.5, 0.15
"""The temperature at the start and at the end, in units of cost."""
PARTS = 2
"""The number of parts of the classes that are improved in parallel; they change each turn."""
FEWEST = 1000
"""Fewer classes than this are not divided into parts."""
PASSES = 40
"""The greatest number of passes; the classes are usually stable long before."""
SORTED = 10
"""The work of sorting a member of a group."""
ROOM = 1000
"""Room for further entries while rows move, in addition to a quarter of the entries."""


def anneal_classes(
    problem: Problem,
    classes: Classes,
    raised: RaisedValues,
    tries: int,
    turns: int,
    budget: Budget = UNLIMITED,
) -> Iterator[Classes]:
    """Anneal classes of k to 2 k - 1 rows; yield the classes after each turn."""
    budget.spend(SORTED * len(raised.pool.members), "improving the classes")
    setting = _lay_out(problem, raised)
    parts = PARTS if len(classes) >= FEWEST else 1
    with ThreadPoolExecutor(parts) as threads:
        for turn in range(turns):
            hot, cold = (HOT * (COLD / HOT) ** (part / turns) for part in (turn, turn + 1))

            schedule = Schedule(tries // parts, hot, cold, turn)
            budget.spend(0, "improving the classes")
            with stopping_at(budget.deadline) as stop:
                run = partial(_anneal, problem, setting, schedule, stop)
                first, *others = threads.map(run, _part(problem, classes, parts, turn))
            for part in others:
                first = first.extended(len(first) + part.class_of, part.sequence, part.counts)
            classes = first
            yield classes


def _part(problem: Problem, classes: Classes, parts: int, turn: int) -> list[Classes]:
    """Divide classes into parts of similar rows, by another attribute in each turn."""
    member = np.zeros(len(classes), dtype=np.int32)
    member[classes.class_of] = classes.sequence
    attributes = len(problem.bottom)
    by_attribute = [
        problem.cells.ancestors[member, (turn + place) % attributes] for place in range(attributes)
    ]
    order = np.lexsort(np.hstack(by_attribute[::-1]).T)
    part_of = np.empty(len(classes), dtype=np.int64)
    part_of[order] = np.arange(len(classes)) * parts // len(classes)
    return [classes.only(part_of == part) for part in range(parts)]


def _anneal(
    problem: Problem, setting: Setting, schedule: Schedule, stop: Flags, classes: Classes
) -> Classes:
    """Anneal the classes of one part."""
    order = np.argsort(classes.sequence, kind="stable")
    sequence_of = np.repeat(classes.sequence[order], classes.counts[order])
    counts = np.bincount(sequence_of, minlength=len(problem.counts))
    here = setting._replace(
        counts=counts, first_row=np.cumsum(counts) - counts, sequence_of=sequence_of
    )
    class_of = np.repeat(classes.class_of[order], classes.counts[order])
    packing = _pack(problem, here, classes, class_of)
    trial = _make_room(problem.k, len(setting.cells.bottom), len(sequence_of))
    anneal(here, packing, trial, schedule, stop)
    ones = np.ones(len(packing.class_of), dtype=np.int64)
    return merge_entries(Classes(packing.class_of, here.sequence_of, ones))


def _lay_out(problem: Problem, raised: RaisedValues) -> Setting:
    """Sort the groups of each sequence by slack, and the members of each group by value."""
    pool = raised.pool
    slack = measure_slack(raised.values, problem.counts, pool, problem.k)
    begin_of, groups = pool.groups_of(len(problem.counts), slack)
    group = np.repeat(np.arange(len(slack)), np.diff(pool.offsets))
    nothing = np.empty(0, dtype=np.int64)
    return Setting(
        k=problem.k,
        unit=float(problem.unit),
        cells=problem.cells,
        values=raised.values,
        counts=nothing,
        first_row=nothing,
        sequence_of=nothing.astype(np.int32),
        offsets=pool.offsets,
        members=pool.members[np.lexsort((-raised.values[pool.members], group))],
        begin_of=begin_of,
        groups=groups,
    )


def _pack(problem: Problem, setting: Setting, classes: Classes, class_of: Codes) -> Packing:
    """Lay out the rows of each class, with room for the greatest possible number of classes."""
    k, sizes = problem.k, classes.sizes()
    room = len(class_of) // k + 1  # every class has k rows, so there are never more
    by_class = np.argsort(class_of, kind="stable").astype(np.int32)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    place = np.arange(len(by_class)) - begin[class_of[by_class]]
    packing = Packing(
        class_of=class_of,
        rows_of=np.zeros((room, 2 * k), dtype=np.int32),
        sizes=np.zeros(room, dtype=np.int32),
        costs=np.zeros(room, dtype=np.int64),
        excess=np.zeros(room, dtype=np.float64),
        spare=np.arange(2 * room, dtype=np.int32),
        spares=np.array([room - len(sizes)], dtype=np.int32),
    )
    packing.rows_of[class_of[by_class], place] = by_class
    packing.sizes[: len(sizes)] = sizes
    packing.costs[: len(sizes)] = problem.row_costs(classes)
    worth = np.bincount(class_of, setting.values[setting.sequence_of], minlength=len(sizes))
    packing.excess[: len(sizes)] = packing.costs[: len(sizes)] * sizes - worth
    packing.spare[: room - len(sizes)] = np.arange(len(sizes), room)
    return packing


def _make_room(k: int, attributes: int, rows: int) -> Trial:
    """Return the working arrays of a trial."""
    return Trial(
        state=np.zeros(rows, dtype=np.int64),
        used=np.empty(MOST_CLASSES, dtype=np.int32),
        loose=np.empty(MOST_CLASSES * 2 * k, dtype=np.int32),
        rows=np.empty((2 * MOST_CLASSES, 2 * k), dtype=np.int32),
        sizes=np.empty(2 * MOST_CLASSES, dtype=np.int32),
        costs=np.empty(2 * MOST_CLASSES, dtype=np.int64),
        levels=np.empty((2 * MOST_CLASSES, attributes), dtype=np.int32),
        chosen=np.empty(k, dtype=np.int32),
        score=np.empty(k, dtype=np.float64),
        near=np.empty(2 * k, dtype=np.int32),
        fit=np.empty(2 * k, dtype=np.float64),
        numbers=np.zeros(3, dtype=np.int64),
        sums=np.zeros(3, dtype=np.float64),
    )


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
    used, attributes = len(classes.counts), len(ground.cells.bottom)
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
        cells=ground.cells,
    )
    set_up(board)
    return board


def read_board(board: Board) -> Classes:
    """Return the classes of a board."""
    used = board.class_of >= 0
    return merge_entries(Classes(board.class_of[used], board.sequence[used], board.rows[used]))
