"""Datafly, the core algorithm (Achieving, Figure 8)."""

from dataclasses import replace

from lookalike.errors import InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.lattice import raise_level
from lookalike.recoding import Recoding, Step, recode_at
from lookalike.requirement import Requirement
from lookalike.search.options import DEFAULTS, SearchOptions


def datafly(
    frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Generalize the attribute with most distinct values until few rows are outliers.

    Step 1 of the figure is the frequency list itself. Step 2 loops while the sequences that
    occur fewer than k times "account for more than k tuples", or more than MaxSup where that
    is given; the attribute with most distinct values goes up one level, the first of several.
    Steps 3 and 4, suppression, are common to all methods (:func:`~lookalike.recoding.recode_at`).

    The answer satisfies k but need not be k-minimal: the figure's heuristic can generalize
    more than needed (Achieving, section 4.1; Samarati, section 7).
    """
    if options.constraints or options.prefer:
        raise InvalidInput(
            "datafly goes its own way through the lattice and takes neither constraints nor "
            "prefer; use samarati or mingen"
        )
    requirement.check_feasible(frequency.rows)
    allowance = requirement.allowance(frequency.rows, default=requirement.k)
    rolled = frequency
    steps = [_describe(rolled, requirement)]
    while steps[-1].outliers > allowance:
        distinct = steps[-1].distinct
        attribute = distinct.index(max(distinct))
        rolled = rolled.roll_up(raise_level(rolled.vector, attribute))
        steps.append(_describe(rolled, requirement))
    recoding = recode_at(frequency, rolled.vector, requirement, allowance)
    return replace(recoding, steps=tuple(steps))


def _describe(rolled: FrequencyList, requirement: Requirement) -> Step:
    """Record the state of freq, as Figure 9 prints it."""
    return Step(
        vector=rolled.vector,
        distinct=rolled.distinct(rolled.vector),
        sequences=len(rolled),
        outliers=requirement.outliers(rolled, rolled.vector),
    )
