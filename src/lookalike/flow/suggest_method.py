"""Suggest another method after a release that keeps little, if it would keep much more."""

from dataclasses import dataclass, replace

from lookalike.errors import LookalikeError
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.release import search
from lookalike.flow.result import Release
from lookalike.flow.settle_method import settle_method
from lookalike.flow.stopwatch import Stopwatch
from lookalike.search.methods import TAKES
from lookalike.spec.choose_method import DEFAULT_METHODS, with_default_method

LITTLE = 0.5
"""Only after a release of less precision is another method tried."""
MUCH_MORE = 0.1
"""The gain of precision that is worth a suggestion."""
MOST_TRIED_SEQUENCES = 100_000
"""Only up to so many distinct sequences is another method tried."""
SECONDS = 3.0
"""The time limit of its search."""


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
    """Try the default method for a few seconds, if a release by another method keeps little."""
    plan, now = release.plan, release.measures.precision
    few = len(plan.frequency) < MOST_TRIED_SEQUENCES and plan.frequency.coarsened is None
    if now >= LITTLE or release.levels is None or release.basis is not None or not few:
        return None
    counted = CountedTable(plan.table, plan.counted, plan.sequence_of, plan.frequency)
    unnamed = with_default_method(release.specification, DEFAULT_METHODS[0])
    asked, _ = settle_method(unnamed, counted)
    if not TAKES[asked.release.method].cells:
        return None
    options = replace(asked.options(), time_limit=SECONDS)
    try:
        found = search(asked, counted, options, Stopwatch()).measures.precision
    except LookalikeError:
        return None
    return Suggestion(asked.release.method, found, now) if found >= now + MUCH_MORE else None
