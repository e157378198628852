"""Run settings on one counted table: search, and measure what a release would keep and lose."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from lookalike.describe.attributes import describe_attributes
from lookalike.describe.bound import state_release_bound
from lookalike.describe.frontier import TrialSetting, take_options, with_setting
from lookalike.errors import LookalikeError
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.explore.exploration import Outcome, Point
from lookalike.flow.preflight.facts import Facts
from lookalike.flow.preflight.sensitive import compare_classes
from lookalike.flow.release import search
from lookalike.flow.result import Release
from lookalike.model.clock import is_over
from lookalike.model.progress import Stopwatch
from lookalike.risk.table.budget import measure_bits
from lookalike.search.options import SharedWork
from lookalike.spec.specification import Specification


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What the points of an exploration have in common.

    ``specification``: what is asked for.
    ``counted``: the table.
    ``deadline``: when the exploration must end.
    ``repeats``: how often each search is run alone to time it; 0 to share work between searches.
    """

    specification: Specification
    counted: CountedTable | StoredTable
    deadline: float = math.inf
    repeats: int = 0

    @property
    def rows(self) -> int:
        """The number of rows of the table."""
        return self.counted.frequency.rows


def run_all(
    around: Surroundings,
    settings: Iterable[TrialSetting],
    is_enough: Callable[[], bool] = lambda: False,
) -> Iterator[Point]:
    """Run every point until it is enough; all share their work."""
    shared = SharedWork()
    for setting in settings:
        yield Point(setting) if is_enough() else run_point(around, setting, shared)


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


def read_setting(specification: Specification, rows: int) -> TrialSetting:
    """Return the setting that a specification asks for, for a table of so many rows."""
    limit = specification.release.max_suppressed
    return TrialSetting(
        specification.release.method,
        specification.requirement(rows).k,
        Decimal("0.0") if limit is None else limit,
    )


def search_within(
    asked: Specification,
    counted: CountedTable | StoredTable,
    stopwatch: Stopwatch,
    deadline: float = math.inf,
    shared: SharedWork | None = None,
) -> Release:
    """Let the method decide until a deadline; what it does not take of the options is left out.

    ``shared``: the work that searches on the same table have in common.
    """
    options = take_options(asked, counted.frequency, stopwatch.report)
    if deadline < math.inf:
        left = max(0.0, deadline - time.monotonic())
        limit = left if options.time_limit is None else min(options.time_limit, left)
        options = replace(options, time_limit=limit)
    return search(asked, counted, replace(options, shared=shared), stopwatch)


def search_setting(around: Surroundings, setting: TrialSetting, shared: SharedWork) -> Release:
    """Let the method of a setting decide, within the time that is left."""
    asked, used = with_setting(around.specification, setting), None if around.repeats else shared
    return search_within(asked, around.counted, Stopwatch(), around.deadline, used)


def _measure(release: Release, seconds: float) -> Outcome:
    """Measure what a release would keep and lose."""
    plan, recoding, asked = release.plan, release.recoding, release.specification
    exposure, bound, stated = release.exposure, recoding.precision_bound, None
    flat = recoding.tuples is None
    if bound is not None:
        exceeds = f"keeps more than {100 * bound:.1f} %"
        stated = state_release_bound(asked, plan, exceeds, lambda kept: f"{100 * kept:.1f} %")
    shown = recoding.visible(plan.frequency, plan.requirement)
    alike = compare_classes(Facts(asked, plan.table, plan.frequency, plan))
    return Outcome(
        rows_in=plan.frequency.rows,
        rows_lost=recoding.rows_suppressed + recoding.rows_complementary,
        levels=release.levels,
        figures=describe_attributes(asked, plan),
        measures=release.measures,
        mean_class=release.mean_class_size,
        bits=measure_bits(shown.classes(plan.frequency, plan.frequency.attributes)[1]),
        precision_bound=bound,
        stated_bound=stated,
        optimal=release.is_optimal,
        k_minimal=recoding.k_minimal,
        one_value={name: max(one.classes for one in found) for name, found in alike.items()},
        exposure=exposure.greatest_gain if exposure is not None else 0.0 if flat else None,
        certain_share=exposure.certain_share if exposure is not None else 0.0 if flat else None,
        seconds=seconds,
    )
