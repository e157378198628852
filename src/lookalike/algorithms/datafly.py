"""Datafly, the core algorithm (Achieving, Figure 8)."""

from lookalike.frequency import FrequencyList
from lookalike.lattice import raise_level
from lookalike.recoding import Recoding, Step, recode_at, with_steps
from lookalike.requirement import Requirement


def datafly(frequency: FrequencyList, requirement: Requirement) -> Recoding:
    """Generalize the attribute with most distinct values until few rows are outliers.

    Step 1 of the figure is the frequency list itself. Step 2 loops while the sequences that
    occur fewer than k times "account for more than k tuples", or more than MaxSup where that
    is given; the attribute with most distinct values goes up one level, the first of several.
    Steps 3 and 4, suppression, are common to all methods (:func:`~lookalike.recoding.recode_at`).

    The answer satisfies k but need not be k-minimal: the figure's heuristic can generalize
    more than needed (Achieving, section 4.1; Samarati, section 7).
    """
    requirement.check_feasible(frequency.rows)
    allowance = requirement.allowance(frequency.rows, default=requirement.k)
    rolled = frequency
    steps = [_describe(rolled, requirement.k)]
    while steps[-1].outliers > allowance:
        distinct = steps[-1].distinct
        attribute = distinct.index(max(distinct))
        rolled = rolled.roll_up(raise_level(rolled.vector, attribute))
        steps.append(_describe(rolled, requirement.k))
    return with_steps(recode_at(frequency, rolled.vector, requirement, allowance), steps)


def _describe(rolled: FrequencyList, k: int) -> Step:
    """Record the state of freq, as Figure 9 prints it."""
    return Step(
        vector=rolled.vector,
        distinct=rolled.distinct(rolled.vector),
        sequences=len(rolled),
        outliers=rolled.outliers(rolled.vector, k),
    )
