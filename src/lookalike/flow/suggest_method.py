"""Suggest the default method where it would keep much more than the one that a release used."""

from dataclasses import dataclass, replace

from lookalike.errors import LookalikeError
from lookalike.flow import method
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.result import Release
from lookalike.model.measures import precision
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.spec.choose_method import DEFAULT_METHODS, with_default_method

LITTLE = 0.5
"""Only after a release of less precision is another method suggested."""
MUCH_MORE = 0.1
"""The gain of precision that is worth a suggestion."""
MOST_TRIED_SEQUENCES = 100_000
"""Only up to so many distinct sequences is another method tried."""
MOST_SEARCHED_CELLS = 2_000_000
"""Up to so many sequences times vectors it is run whole, for some hundredths of a second."""


@dataclass(frozen=True)
class Suggestion:
    """A method that would keep much more.

    Parameters
    ----------
    method
        The method.
    precision, precision_now
        Prec that it would reach at least, and Prec of the release.
    """

    method: str
    precision: float
    precision_now: float


def suggest_method(release: Release) -> Suggestion | None:
    """Ask what the default method would keep at least, if a release by another keeps little.

    On a large table its search has no time, so that it only divides the sequences in their order.
    """
    plan, now = release.plan, release.measures.precision
    frequency = plan.frequency
    few = len(frequency) < MOST_TRIED_SEQUENCES and frequency.coarsened is None
    bounded = release.specification.release.max_exposure is not None
    if now >= LITTLE or release.levels is None or release.basis is not None or bounded or not few:
        return None
    counted = CountedTable(plan.table, plan.counted, plan.sequence_of, frequency)
    unnamed = with_default_method(release.specification, DEFAULT_METHODS[0])
    asked, _ = method.settle_method(unnamed, counted)
    if not TAKES[asked.release.method].cells:
        return None
    options = asked.options()
    lattice, _ = options.lattice_of(frequency)
    if lattice.size * len(frequency) > MOST_SEARCHED_CELLS:
        options = replace(options, time_limit=0)
    try:
        name, requirement = asked.release.method, asked.requirement(frequency.rows)
        recoding = ALGORITHMS[name](frequency, requirement, options)
    except LookalikeError:
        return None
    found = precision(frequency, recoding, options.weights)
    return Suggestion(name, found, now) if found >= now + MUCH_MORE else None
