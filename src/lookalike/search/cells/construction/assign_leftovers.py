"""Assign rows that are in no class, and divide classes that are larger than necessary."""

import math

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.fix_classes import join_nearest
from lookalike.kernels.types import Codes, Counts, Reals
from lookalike.model.clock import OutOfTime, stopping_at
from lookalike.search.cells.classes import Classes
from lookalike.search.cells.problem import FORBIDDEN, Problem


def assign_leftovers(
    problem: Problem,
    classes: Classes,
    left: Counts,
    values: Reals,
    deadline: float = math.inf,
) -> tuple[Classes, Counts]:
    """Assign rows that are in no class to the class where they cost least, or suppress them.

    Rows of the largest values come first, because they are the hardest to place. A row is
    suppressed if releasing it costs more and rows may still be suppressed.
    """
    suppressed = np.zeros(len(left), dtype=np.int64)
    sequences = np.repeat(np.arange(len(left), dtype=np.int32), left)
    if not len(sequences):
        return classes, suppressed
    sequences = sequences[np.argsort(-values[sequences], kind="stable")]
    suppressible = min(problem.allowance, len(sequences))
    most_added = problem.costs.suppressed if suppressible else FORBIDDEN
    joined = _join(problem, classes, sequences, most_added, deadline)
    unplaced = np.flatnonzero(joined < 0)
    if len(unplaced) > suppressible:
        coverable = _join(problem, classes, sequences[unplaced], FORBIDDEN, deadline) >= 0
        obliged = unplaced[np.argsort(coverable, kind="stable")][suppressible:]
        joined[obliged] = _join(problem, classes, sequences[obliged], FORBIDDEN, deadline)
        unplaced = np.flatnonzero(joined < 0)
    if len(unplaced) > suppressible:
        raise Infeasible(
            f"{len(unplaced) - suppressible:,} rows cannot be put into a class of k = {problem.k} "
            "within the constraints; loosen them, or allow more suppressed rows (max_suppressed)"
        )
    np.add.at(suppressed, sequences[unplaced], 1)
    placed = np.flatnonzero(joined >= 0)
    return _extend(classes, joined[placed], sequences[placed]), suppressed


def _join(
    problem: Problem, classes: Classes, sequences: Codes, most_added: int, deadline: float
) -> Codes:
    """Choose the class of each row; -1 if every class costs too much."""
    levels = problem.join(classes)
    with stopping_at(deadline) as stop:
        joined = join_nearest(
            problem.ancestors,
            problem.steps,
            classes.first_sequences(),
            np.ascontiguousarray(levels.T.astype(np.int32)),
            classes.sizes(),
            problem.step_costs(levels),
            sequences,
            min(most_added, FORBIDDEN - 1),
            stop,
        )
        if stop[0]:
            raise OutOfTime("the time is up")
    return joined


def _extend(classes: Classes, joined: Codes, sequences: Codes) -> Classes:
    """Add single rows to classes."""
    return Classes(
        np.concatenate([classes.class_of, joined]).astype(np.int32),
        np.concatenate([classes.sequence, sequences]).astype(np.int32),
        np.concatenate([classes.counts, np.ones(len(joined), dtype=np.int64)]),
    )


def divide_large(classes: Classes, k: int) -> Classes:
    """Divide every class of 2 k rows or more into classes of k up to 2 k - 1.

    The join of each part is at or below the join of the whole, so it costs no more. Rows of one
    sequence stay together where possible.
    """
    order = np.lexsort((classes.sequence, classes.class_of))
    class_of, counts = classes.class_of[order], classes.counts[order]
    rows = np.repeat(np.arange(len(order)), counts)
    begin = np.concatenate([[0], np.cumsum(classes.sizes())])
    place = np.arange(len(rows)) - begin[class_of[rows]]
    sizes = classes.sizes()[class_of[rows]]
    part = np.minimum(place // k, sizes // k - 1)
    key = class_of[rows].astype(np.int64) * (len(rows) + 1) + part
    first = np.ones(len(rows), dtype=np.bool_)
    first[1:] = (key[1:] != key[:-1]) | (rows[1:] != rows[:-1])
    start = np.flatnonzero(first)
    new_class = np.zeros(len(rows), dtype=np.int64)
    new_class[1:] = np.cumsum(key[1:] != key[:-1])
    return Classes(
        class_of=new_class[start].astype(np.int32),
        sequence=classes.sequence[order][rows[start]].astype(np.int32),
        counts=np.diff(np.append(start, len(rows))).astype(np.int64),
    )
