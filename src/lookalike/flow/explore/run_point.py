"""Run one point of an exploration: search, and measure what the release would keep and lose."""

import math
import time
from dataclasses import dataclass, replace
from decimal import Decimal

from lookalike.describe.attributes import describe_attributes
from lookalike.describe.bound import state_release_bound
from lookalike.describe.frontier import TrialSetting, take_options, with_setting
from lookalike.errors import LookalikeError
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.explore.grid import Outcome, Point
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.sensitive import compare_classes
from lookalike.flow.release import search
from lookalike.flow.result import Release
from lookalike.flow.stopwatch import Stopwatch
from lookalike.model.clock import is_over
from lookalike.search.options import SearchOptions, SharedWork
from lookalike.spec.specification import Specification


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What the points of an exploration have in common.

    Parameters
    ----------
    specification
        What is asked for.
    counted
        The table.
    deadline
        When the exploration must end.
    repeats
        How often each search is run alone to time it; 0 to share work between searches.
    """

    specification: Specification
    counted: CountedTable | StoredTable
    deadline: float = math.inf
    repeats: int = 0

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return self.counted.frequency.rows


def run_point(around: Surroundings, setting: TrialSetting, shared: SharedWork) -> Point:
    """Search with a setting; a failure is a result, too."""
    if is_over(around.deadline):
        return Point(setting)
    try:
        made = [search_setting(around, setting, shared) for _ in range(max(1, around.repeats))]
        outcome = _measure(made[0], min(one.stopwatch.seconds["search"] for one in made))
    except LookalikeError as problem:
        return Point(setting, error=problem.discreet)
    return Point(setting) if is_over(around.deadline) else Point(setting, outcome)


def find_setting(specification: Specification, rows: int) -> TrialSetting:
    """Return the setting that a specification asks for, for a table of so many rows."""
    limit = specification.release.max_suppressed
    return TrialSetting(
        specification.release.method,
        specification.requirement(rows).k,
        Decimal("0.0") if limit is None else limit,
    )


def search_setting(around: Surroundings, setting: TrialSetting, shared: SharedWork) -> Release:
    """Let the method of a setting decide, within the time that is left.

    The parameters are those of :func:`run_point`.
    """
    asked = with_setting(around.specification, setting)
    return search(asked, around.counted, _options(around, asked, shared), Stopwatch())


def _options(around: Surroundings, asked: Specification, shared: SharedWork) -> SearchOptions:
    """Return the options of a search within the time that is left."""
    options = take_options(asked, around.counted.frequency)
    left = max(0.0, around.deadline - time.monotonic())
    limits = [limit for limit in (options.time_limit, left) if limit is not None]
    return replace(
        options,
        time_limit=None if min(limits) == math.inf else min(limits),
        shared=None if around.repeats else shared,
    )


def _measure(release: Release, seconds: float) -> Outcome:
    """Measure what a release would keep and lose."""
    plan, recoding = release.plan, release.recoding
    exposure = release.exposure
    flat = recoding.tuples is None
    return Outcome(
        rows_in=plan.frequency.rows,
        rows_lost=recoding.rows_suppressed + recoding.rows_complementary,
        levels=release.levels,
        figures=describe_attributes(release.specification, release.plan),
        measures=release.measures,
        mean_class=release.mean_class_size,
        precision_bound=recoding.precision_bound,
        stated_bound=_state_bound(release),
        optimal=release.is_optimal,
        k_minimal=recoding.k_minimal,
        one_value=_count_one_value(release),
        exposure=exposure.greatest_gain if exposure is not None else 0.0 if flat else None,
        certain_share=exposure.certain_share if exposure is not None else 0.0 if flat else None,
        seconds=seconds,
    )


def _state_bound(release: Release) -> str | None:
    """State what no release with a setting keeps, if the method proves it."""
    bound = release.recoding.precision_bound
    if bound is None:
        return None
    exceeds = f"keeps more than {100 * bound:.1f} %"
    return state_release_bound(
        release.specification, release.plan, exceeds, lambda kept: f"{100 * kept:.1f} %"
    )


def _count_one_value(release: Release) -> dict[str, int | None]:
    """Count the classes that share one value of each sensitive column."""
    plan = release.plan
    facts = Facts(release.specification, plan.table, plan.frequency, plan)
    return {
        name: max(one.classes for one in found) for name, found in compare_classes(facts).items()
    }
