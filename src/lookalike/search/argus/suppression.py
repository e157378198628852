"""Cell suppression, record by record (Achieving, Figure 11, step 6), and its repair."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.kernels.break_combinations import break_combinations
from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import stop_if_over
from lookalike.model.complement import spread_over_sequences, suppress_complementary
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.requirement import Membership
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.argus.combinations import IDENTIFYING, Tested

_SEQUENCES_PER_BLOCK = 1024
"""So many sequences are suppressed in between two looks at the clock."""


@dataclass(frozen=True, eq=False)
class Precedence:
    """Which cells are suppressed rather than others.

    Parameters
    ----------
    order
        The attributes, the one to suppress first first.
    costs
        For each attribute, what suppressing one of its cells costs.
    """

    order: Counts
    costs: Counts


def precedence(identification: Sequence[int], costs: Sequence[int]) -> Precedence:
    """Put the more identifying attribute first, then the first of the table.

    The paper leaves ties open; this gives the table MT of its Figure 15. What is not
    identifying comes last.
    """
    ranked = sorted(
        range(len(identification)), key=lambda place: identification[place] or IDENTIFYING + 1
    )
    return Precedence(np.array(ranked, dtype=np.int64), np.array(costs, dtype=np.int64))


def suppress_unsafe(tested: Tested, first: Precedence, deadline: float = math.inf) -> Flags:
    """Suppress a value in each rare combination of every sequence, as few as the rule finds.

    It stops with `OutOfTime` at the deadline.

    Returns
    -------
    suppressed
        One line a sequence of the tested list, one column an attribute.
    """
    attributes = len(first.order)
    members = np.zeros((len(tested.combinations), attributes), dtype=np.bool_)
    for line, combination in enumerate(tested.combinations):
        members[line, list(combination)] = True
    suppressed = np.zeros((len(tested.classes), attributes), dtype=np.bool_)
    found = np.flatnonzero(tested.unsafe.any(axis=1))
    for begin in range(0, len(found), _SEQUENCES_PER_BLOCK):
        stop_if_over(deadline)
        some = found[begin : begin + _SEQUENCES_PER_BLOCK]
        suppressed[some] = break_combinations(
            tested.unsafe[some], members, first.order, first.costs
        )
    return suppressed


def repair(
    classes: FrequencyList,
    suppressed: Flags,
    k: int,
    first: Precedence,
    deadline: float = math.inf,
) -> Flags:
    """Go on suppressing until every tuple occurs k times, or has nothing left to suppress.

    A suppressed cell counts as a value: tuples are alike only if the same cells are
    suppressed. Each tuple that occurs fewer than k times gives up one more value at a time:
    the one without which most rows could be alike, up to k, then the cheapest. So no tuple
    takes more rounds than it has cells. It stops with `OutOfTime` at the deadline.
    """
    suppressed = suppressed.copy()
    while True:
        shown = _show(classes, suppressed)
        class_of, sizes = number_columns(shown, classes.counts)
        small = np.flatnonzero((sizes[class_of] < k) & shown.any(axis=0))
        if not len(small):
            return suppressed
        suppressed[small, _choose_next(classes, shown, small, k, first, deadline)] = True


def _choose_next(
    classes: FrequencyList,
    shown: Codes,
    small: npt.NDArray[np.intp],
    k: int,
    first: Precedence,
    deadline: float,
) -> Counts:
    """Choose the cell that each of some small tuples gives up next."""
    movable = np.zeros(shown.shape[1], dtype=np.bool_)
    movable[small] = True
    chosen = np.full(len(small), -1, dtype=np.int64)
    most = np.zeros(len(small), dtype=np.int64)
    for attribute in sorted(first.order.tolist(), key=lambda place: first.costs[place]):
        stop_if_over(deadline)
        without = shown.copy()
        without[attribute] = 0
        could_join = movable | (shown[attribute] == 0)
        class_of, sizes = number_columns(without, np.where(could_join, classes.counts, 0))
        alike = np.minimum(sizes[class_of[small]], k)
        better = (alike > most) & (shown[attribute, small] != 0)
        chosen[better], most[better] = attribute, alike[better]
    return chosen


def _show(classes: FrequencyList, suppressed: Flags) -> Codes:
    """Return what every tuple shows, one line an attribute; 0 is a suppressed value."""
    lines = [
        np.where(flags | hierarchy.hidden[level][codes], 0, codes + 1)
        for hierarchy, level, codes, flags in zip(
            classes.hierarchies, classes.vector, classes.codes, suppressed.T, strict=True
        )
    ]
    return np.array(lines, dtype=np.int32)


def blank_enough(classes: FrequencyList, suppressed: Flags, k: int) -> Counts:
    """Say how many rows of each sequence lose all values, so that such rows number 0 or k."""
    shown = _show(classes, suppressed)
    class_of, sizes = number_columns(shown, classes.counts)
    given = np.zeros(len(sizes), dtype=np.int64)
    blank = class_of[~shown.any(axis=0)]
    given[blank] = sizes[blank]
    if 0 < given.sum() < k:
        alone = Membership(np.arange(len(sizes), dtype=np.int32), k)
        given = suppress_complementary(sizes, given, [alone], k)
    return spread_over_sequences(classes.counts, class_of, sizes, given)


def show_tuples(
    frequency: FrequencyList, vector: Vector, suppressed: Flags, blank: Counts
) -> Tuples:
    """Return the released tuples of rows that keep all values but the suppressed ones.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    vector
        The levels of the release.
    suppressed
        For each sequence of the list at that vector, which cells are suppressed.
    blank
        For each of them, how many of its rows lose all values.
    """
    class_of, classes = frequency.classify(vector)
    levels = np.where(suppressed.T, SUPPRESSED_CELL, np.array(vector)[:, None])
    given = spread_over_sequences(frequency.counts, class_of, classes.counts, blank)
    kept, gone = np.flatnonzero(given < frequency.counts), np.flatnonzero(given)
    nothing = np.full((len(vector), len(gone)), SUPPRESSED_CELL)
    sequence = np.concatenate([kept, gone]).astype(np.int32)
    order = np.argsort(sequence, kind="stable")
    return Tuples(
        sequence=sequence[order],
        levels=np.hstack([levels[:, class_of[kept]], nothing]).astype(np.int32)[:, order],
        counts=np.concatenate([(frequency.counts - given)[kept], given[gone]])[order],
    )
