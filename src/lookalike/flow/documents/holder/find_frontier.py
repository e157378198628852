"""Find what is kept with other k, by the best releases at the attribute level."""

import time
from dataclasses import replace

from lookalike.errors import LookalikeError
from lookalike.flow.documents.holder.walk_lattice import find_allowance
from lookalike.flow.explore.grid import KS, TrialSetting
from lookalike.flow.explore.run_point import with_setting
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.measures.precision import precision
from lookalike.report.holder.lattice_facts import Frontier, FrontierPoint
from lookalike.search.methods.mingen import mingen
from lookalike.search.takes import find_untaken, keep_taken
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

FRONTIER_SECONDS = 1.0
"""The time that all searches together have."""
_METHOD = "mingen"


def find_frontier(specification: Specification, plan: Plan, reached: float) -> Frontier | None:
    """Search the best release at the attribute level for each usual k, the greatest k first.

    None if the search does not take what the specification asks for.

    Parameters
    ----------
    specification
        The specification.
    plan
        The frequency list, and the recoding of the release.
    reached
        The precision of the release.
    """
    frequency, requirement = plan.frequency, plan.requirement
    options = keep_taken(_METHOD, frequency.attributes, requirement, specification.options())
    if find_untaken(_METHOD, frequency.attributes, requirement, options) is not None:
        return None
    deadline = deadline_after(FRONTIER_SECONDS)
    asked = sorted({*KS, requirement.largest_k}, reverse=True)
    searched = [(k, _find_point(specification, plan, k, deadline)) for k in asked]
    found = dict(reversed(searched))
    return Frontier(
        release=FrontierPoint(requirement.largest_k, reached, int(plan.recoding.suppressed.sum())),
        points=tuple(one for one in found.values() if isinstance(one, FrontierPoint)),
        impossible=tuple(k for k, one in found.items() if one == "impossible"),
        unfinished=tuple(k for k, one in found.items() if one == "unfinished"),
        seconds=FRONTIER_SECONDS,
    )


def _find_point(
    specification: Specification, plan: Plan, k: int, deadline: float
) -> FrontierPoint | str:
    """Search the best release with one k. A result counts only if it is proved to be the best."""
    if is_over(deadline):
        return "unfinished"
    frequency = plan.frequency
    asked = with_setting(specification, TrialSetting(_METHOD, k, find_allowance(plan)))
    requirement = asked.requirement(frequency.rows)
    options = keep_taken(_METHOD, frequency.attributes, requirement, asked.options())
    left = deadline - time.monotonic()
    try:
        found = mingen(frequency, requirement, replace(options, time_limit=left))
    except LookalikeError:
        return "unfinished" if is_over(deadline) else "impossible"
    if found.optimality is None or not found.optimality.proved:
        return "unfinished"
    kept = precision(frequency, found, options.weights_of(frequency))
    return FrontierPoint(k, kept, int(found.suppressed.sum()))
