"""Cell suppression (Achieving, Figure 11, step 6), and the repair that makes it k-anonymous."""

import math
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.break_combinations import break_combinations
from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import stop_if_over
from lookalike.model.complementary_suppression import spread_over_sequences, suppress_complementary
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.membership import Membership
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples, add_blank
from lookalike.search.argus.combinations import IDENTIFYING, Tested

_SEQUENCES_PER_BLOCK = 1024
"""The number of sequences that are suppressed between two checks of the deadline."""


class Precedence:
    """The order in which cells are suppressed, and the cost of suppressing one of each attribute.

    The most identifying attribute comes first, then the first of the table; those that are not
    identifying come last. The paper leaves ties open; this order gives its table MT of Figure 15.
    """

    def __init__(self, identification: Sequence[int], costs: Sequence[int]) -> None:
        places = range(len(identification))
        ranked = sorted(places, key=lambda place: identification[place] or IDENTIFYING + 1)
        self.order, self.costs = (np.array(one, dtype=np.int64) for one in (ranked, costs))


def suppress_unsafe(tested: Tested, first: Precedence, deadline: float = math.inf) -> Flags:
    """Suppress a value in each rare combination of every sequence, as few as the rule finds.

    `OutOfTime` is raised at the deadline.

    Returns: whether each cell is suppressed, one row per tested sequence and one column per
    attribute.
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
    classes: FrequencyList, suppressed: Flags, k: int, first: Precedence, deadline: float = math.inf
) -> Flags:
    """Suppress further cells until every tuple occurs k times or is fully suppressed.

    A suppressed cell counts as a value: tuples are equal only if the same cells are suppressed.
    In each round, every tuple that occurs fewer than k times loses one more value: the one
    without which most rows could be equal, up to k, then the cheapest. So there are at most as
    many rounds as attributes. `OutOfTime` is raised at the deadline.
    """
    suppressed = suppressed.copy()
    while True:
        shown = _show(classes, suppressed)
        class_of, sizes = number_columns(shown, classes.counts)
        small = np.flatnonzero((sizes[class_of] < k) & shown.any(axis=0))
        if not len(small):
            return suppressed
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
        suppressed[small, chosen] = True


def _show(classes: FrequencyList, suppressed: Flags) -> Codes:
    """Return the code of every released cell, one row per attribute; 0 is suppressed."""
    hidden = suppressed.T | classes.suppressed_cells()
    return np.where(hidden, 0, classes.codes + 1).astype(np.int32)


def blank_enough(classes: FrequencyList, suppressed: Flags, k: int) -> Counts:
    """Return the rows of each sequence to blank, so that blank rows number 0 or at least k."""
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
    """Return the released tuples after cell suppression."""
    class_of, classes = frequency.classify(vector)
    levels = np.where(suppressed.T, SUPPRESSED_CELL, np.array(vector)[:, None]).astype(np.int32)
    given = spread_over_sequences(frequency.counts, class_of, classes.counts, blank)
    kept = np.flatnonzero(given < frequency.counts).astype(np.int32)
    shown = Tuples(
        sequence=kept, levels=levels[:, class_of[kept]], counts=(frequency.counts - given)[kept]
    )
    return add_blank(shown, given)
