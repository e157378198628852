"""µ-Argus: find rare combinations of attributes, generalize on request, suppress cells."""

from dataclasses import replace

import numpy as np

from lookalike.kernels.types import Counts, Flags
from lookalike.model.clock import OutOfTime, deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.recoding import Recoding, Step, describe_step
from lookalike.model.requirement import Requirement
from lookalike.search.argus import suppression
from lookalike.search.argus.combinations import Tested, find_unsafe
from lookalike.search.argus.options import UNDO, describe_rare, raise_as_decided
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method(
    "mu-argus",
    Takes.of(
        "argus cells",
        result="you decide step by step; need not satisfy k",
        meaning="Suppresses rare combinations. Not k-anonymous unless the release is repaired.",
    ),
)
def mu_argus(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Follow Achieving, Figure 11; the result need not satisfy k.

    Step 1 is the frequency list. Each attribute is generalized until each of its values occurs
    k times (step 2). Combinations of values that are rare are found (step 3), the data holder
    decides what to generalize (steps 4 and 5), and cells of the remaining rare combinations are
    suppressed (step 6). Combinations of more attributes than were tested can still be unique,
    and a combination with a suppressed cell is not counted; the paper shows both. With `repair`,
    suppression continues until every tuple occurs k times, where a suppressed cell counts as a
    value.

    No row is left out, so MaxSup has no effect. At the time limit everything is generalized to
    the top.
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    try:
        return _follow(frequency, requirement, options, deadline)
    except OutOfTime:
        # At the top all rows are equal, so nothing is suppressed there.
        no_cell, no_row = np.zeros((1, len(frequency.heights)), np.bool_), np.zeros(1, np.int64)
        return replace(_recode(frequency, frequency.heights, no_cell, no_row), in_time=False)


def _follow(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions, deadline: float
) -> Recoding:
    """Run the steps of the figure; raise `OutOfTime` at the deadline."""
    tested, steps = _generalize(frequency, requirement, options, deadline)
    classes, argus, k = tested.classes, options.argus, requirement.largest_k
    first = suppression.Precedence(
        argus.identification_of(frequency), argus.costs_of(classes, options.weights_of(frequency))
    )
    suppressed = suppression.suppress_unsafe(tested, first, deadline)
    blank = np.zeros(len(classes), dtype=np.int64)
    if argus.repair:
        suppressed = suppression.repair(classes, suppressed, k, first, deadline)
        blank = suppression.blank_enough(classes, suppressed, k)
    return replace(_recode(frequency, classes.vector, suppressed, blank), steps=steps)


def _recode(frequency: FrequencyList, vector: Vector, suppressed: Flags, blank: Counts) -> Recoding:
    """Return the recoding at a vector with suppressed cells and blank rows; no row is left out."""
    return Recoding(
        vector=vector,
        suppressed=np.zeros(len(frequency), dtype=np.int64),
        rows_suppressed=0,
        tuples=suppression.show_tuples(frequency, vector, suppressed, blank),
    )


def _generalize(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions, deadline: float
) -> tuple[Tested, tuple[Step, ...]]:
    """Run steps 2 to 5: generalize what must be, and what the data holder decides."""
    combinations = options.argus.combinations_of(frequency)
    # Step 2: each value of an identifying attribute must occur k times by itself.
    identification = options.argus.identification_of(frequency)
    alone = (
        _lowest_level(frequency, attribute, requirement.largest_k) if level else 0
        for attribute, level in enumerate(identification)
    )
    path = [tuple(alone)]
    while True:
        rolled = frequency.roll_up(path[-1])
        tested = find_unsafe(rolled, combinations, requirement.largest_k, deadline)
        unsafe = describe_rare(tested, requirement.largest_k)
        decision = None if options.decide is None else options.decide(unsafe)
        if decision is None:
            steps = tuple(describe_step(frequency.roll_up(v), requirement) for v in path)
            return tested, steps
        if decision == UNDO:
            del path[max(len(path) - 1, 1) :]
        else:
            path.append(raise_as_decided(path[-1], unsafe, decision))


def _lowest_level(frequency: FrequencyList, attribute: int, k: int) -> int:
    """Return the lowest level at which every value of an attribute occurs k times."""
    hierarchy, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    for level in range(hierarchy.height):
        rows = np.bincount(hierarchy.levels[level][codes], weights=frequency.counts)
        if np.all((rows >= k) | (rows == 0) | hierarchy.hidden[level][: len(rows)]):
            return level
    return hierarchy.height
