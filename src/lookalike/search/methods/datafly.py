"""Datafly: the core algorithm (Achieving, Figure 8), with its linking weights and tolerances."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import raise_level
from lookalike.model.recoding import Recoding, check_found, describe_step, recode_at
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.takes import Takes, method


@method(
    "datafly",
    Takes.of(
        "several apart tolerance persons protections average_risk registers",
        result="one level for each column, quick, generalizes more than needed",
        meaning="Generalizes the column with the most values, step by step. Quick, but keeps less.",
    ),
)
def datafly(
    frequency: Frequencies, requirement: Requirement, options: SearchOptions = DEFAULTS
) -> Recoding:
    """Generalize the attribute with the most distinct values until few rows are outliers.

    Step 1 of the figure is the frequency list. Step 2 loops while the sequences that occur fewer
    than k times "account for more than k tuples", or more than MaxSup if it is given. Each turn
    raises the attribute with the most distinct values by one level, the first one in a tie. The
    number of distinct values is multiplied by the tolerance, so attributes that the recipient
    wants unchanged are generalized late, and those with tolerance 0 last. An attribute that
    cannot help is skipped: one with a single value left, or one in no quasi-identifier that has
    outliers. With a register, attributes with a single value are raised last. Steps 3 and 4,
    suppression, are common to all methods at the attribute level
    (:func:`~lookalike.model.recoding.recode_at`).

    At the time limit everything is generalized to the top.

    The result satisfies k but need not be k-minimal: the heuristic can generalize more than
    needed (Achieving, section 4.1; Samarati, section 7).
    """
    deadline = deadline_after(options.time_limit)
    requirement.check_feasible(frequency.rows)
    allowance = requirement.allowance(frequency.rows, default=requirement.k)
    tolerances = options.tolerances_of(frequency)
    rolled: Frequencies = frequency
    steps = [describe_step(rolled, requirement)]
    while steps[-1].outliers > allowance:
        if is_over(deadline):
            top = recode_at(frequency, frequency.heights, requirement, allowance, None, deadline)
            return replace(top, steps=tuple(steps), in_time=False)
        attribute = _choose(rolled, steps[-1].distinct, requirement, tolerances)
        rolled = rolled.roll_up(raise_level(rolled.vector, attribute))
        steps.append(describe_step(rolled, requirement))
    recoding = recode_at(frequency, rolled.vector, requirement, allowance, None, deadline)
    return replace(recoding, steps=tuple(steps))


def _choose(
    rolled: Frequencies,
    distinct: Sequence[int],
    requirement: Requirement,
    tolerances: Sequence[Decimal],
) -> int:
    """Return the attribute to generalize next (step 2.1)."""
    lacking = everything = requirement.protected(rolled.attributes)
    if len(everything) > 1:
        lacking = requirement.unsatisfied(rolled, rolled.vector) or everything
    helpful = {name for one in lacking for name in one.attributes}
    candidates = [
        attribute
        for attribute, name in enumerate(rolled.attributes)
        if name in helpful and distinct[attribute] > 1
    ]
    if not candidates and requirement.registers:
        tops = zip(rolled.vector, rolled.heights, strict=True)
        candidates = [attribute for attribute, (level, top) in enumerate(tops) if level < top]
    check_found(bool(candidates), complete=True)
    # Attributes with tolerance 0 rank last, by their distinct values.
    ranks = {
        one: (distinct[one] * Fraction(tolerances[one]), 0 if tolerances[one] else distinct[one])
        for one in candidates
    }
    return max(ranks, key=lambda one: ranks[one])
