"""Improve classes by simulated annealing, guided by the values of rows."""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from lookalike.kernels.annealing import anneal
from lookalike.kernels.annealing_state import MOST_CLASSES, Packing, Setting, Trial
from lookalike.kernels.subgradient import measure_slack
from lookalike.kernels.types import Codes, Flags
from lookalike.model.clock import stopping_at
from lookalike.search.cells.bound.row_values import RaisedValues
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.problem import Problem

HOT, COLD = 1.5, 0.15
"""The temperature at the start and at the end, in units of cost."""
PARTS = 2
"""The number of parts of the classes that are improved in parallel; they change each turn."""
FEWEST = 1000
"""Fewer classes than this are not divided into parts."""


def anneal_classes(
    problem: Problem,
    classes: Classes,
    raised: RaisedValues,
    tries: int,
    turns: int,
    deadline: float = math.inf,
) -> Iterator[Classes]:
    """Anneal classes of k to 2 k - 1 rows; yield the classes after each turn.

    ``problem``: the problem; no cell below the top may be written as the suppressed value.
    """
    setting = _lay_out(problem, raised)
    parts = PARTS if len(classes) >= FEWEST else 1
    with ThreadPoolExecutor(parts) as threads:
        for turn in range(turns):
            hot, cold = (HOT * (COLD / HOT) ** (part / turns) for part in (turn, turn + 1))

            def anneal_part(
                part: Classes, hot: float = hot, cold: float = cold, seed: int = turn
            ) -> Classes:
                return _anneal(problem, setting, part, tries // parts, hot, cold, seed, stop)

            with stopping_at(deadline) as stop:
                classes = _unite(
                    list(threads.map(anneal_part, _part(problem, classes, parts, turn)))
                )
            yield classes


def _part(problem: Problem, classes: Classes, parts: int, turn: int) -> list[Classes]:
    """Divide classes into parts of similar rows, by another attribute in each turn."""
    member = np.zeros(len(classes), dtype=np.int32)
    member[classes.class_of] = classes.sequence
    attributes = len(problem.bottom)
    by_attribute = [
        problem.ancestors[member, (turn + place) % attributes] for place in range(attributes)
    ]
    order = np.lexsort(np.hstack(by_attribute[::-1]).T)
    part_of = np.empty(len(classes), dtype=np.int64)
    part_of[order] = np.arange(len(classes)) * parts // len(classes)
    return [classes.only(part_of == part) for part in range(parts)]


def _unite(parts: list[Classes]) -> Classes:
    """Return the classes of all parts together."""
    number = np.cumsum([0, *(len(part) for part in parts)])
    return Classes(
        np.concatenate(
            [part.class_of + begin for part, begin in zip(parts, number, strict=False)]
        ).astype(np.int32),
        np.concatenate([part.sequence for part in parts]),
        np.concatenate([part.counts for part in parts]),
    )


def _anneal(
    problem: Problem,
    setting: Setting,
    classes: Classes,
    tries: int,
    hot: float,
    cold: float,
    seed: int,
    stop: Flags,
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
    trial = _make_room(problem.k, len(setting.bottom), len(sequence_of))
    unit = float(problem.unit)
    anneal(here, packing, trial, problem.k, tries, hot * unit, cold * unit, unit, seed, stop)
    return _read_classes(here, packing)


def _lay_out(problem: Problem, raised: RaisedValues) -> Setting:
    """Sort the groups of each sequence by slack, and the members of each group by value."""
    pool = raised.pool
    slack = measure_slack(
        raised.values, problem.counts, pool.offsets, pool.members, pool.costs, problem.k
    )
    begin_of, groups = pool.groups_of(len(problem.counts), slack)
    group = np.repeat(np.arange(len(pool)), np.diff(pool.offsets))
    nothing = np.empty(0, dtype=np.int64)
    return Setting(
        ancestors=problem.ancestors,
        steps=problem.steps,
        bottom=problem.bottom,
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
    room = len(class_of) // k + 1
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
    packing.costs[: len(sizes)] = problem.step_costs(problem.join(classes))
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


def _read_classes(setting: Setting, packing: Packing) -> Classes:
    """Return the current classes."""
    ones = np.ones(len(packing.class_of), dtype=np.int64)
    return merge_entries(Classes(packing.class_of, setting.sequence_of, ones))
