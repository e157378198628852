"""Balance: keep as much as possible of the attribute of which least is kept.

A search that must keep a share of every attribute is repeated with other shares, halving the
interval between one that a release was found for and one that none was found for. The greatest
share with a release is the answer. That a release exists for every lower share is certain; that a
search at the cell level finds it is not, so the answer need not be the greatest that there is.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from lookalike.errors import Infeasible
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.options import SearchOptions

TWENTIETHS = 20
"""The shares that are asked for are multiples of 1 ∕ 20."""

KeepingSearch = Callable[[FrequencyList, Requirement, SearchOptions], Recoding]


def balance(
    search: KeepingSearch,
    frequency: FrequencyList,
    requirement: Requirement,
    options: SearchOptions,
) -> Recoding:
    """Return a release that keeps the greatest share of every attribute that was found.

    What an attribute must keep by itself (``options.keep``) is kept, too. A release with one level
    for each attribute is not stated to be optimal: it is so only among those that keep the share.
    """
    deadline = deadline_after(options.time_limit)
    plain = replace(options, balanced=False)
    best, low, high = None, 0, TWENTIETHS + 1

    def find(step: int, asked: SearchOptions) -> Recoding | None:
        options.announce(f"keep {100 * step // TWENTIETHS} % of every attribute")
        return _try(search, frequency, requirement, _keep(asked, frequency, step, deadline))

    while high - low > 1 and not is_over(deadline):
        middle = (low + high) // 2
        found = find(middle, replace(plain, effort="quick"))
        best, low, high = (best, low, middle) if found is None else (found, middle, high)
    if best is None:
        return search(frequency, requirement, plain)
    if options.effort != "quick" and not is_over(deadline):
        best = find(low, plain) or best
    return best if best.vector is None else replace(best, optimality=None)


def _keep(
    options: SearchOptions, frequency: FrequencyList, step: int, deadline: float
) -> SearchOptions:
    """Return the options of a search that must keep so many steps of every attribute."""
    own = options.keep or (Decimal(0),) * len(frequency.attributes)
    share = Decimal(step) / TWENTIETHS
    left = max(deadline - time.monotonic(), 0.0)
    limit = None if options.time_limit is None else left / 2
    return replace(options, keep=tuple(max(one, share) for one in own), time_limit=limit)


def _try(
    search: KeepingSearch,
    frequency: FrequencyList,
    requirement: Requirement,
    options: SearchOptions,
) -> Recoding | None:
    """Return the release of a search; None if none was found."""
    try:
        return search(frequency, requirement, options)
    except Infeasible:
        return None
