"""Explore: run every point of a grid on one counted table, and say what follows from it."""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from os import PathLike
from typing import Any, Unpack

import numpy as np

from lookalike.describe.attributes import kept_by_attribute, trace_frequent
from lookalike.describe.frontier import TrialSetting, with_setting
from lookalike.errors import LookalikeError
from lookalike.flow.explore.advise import advise
from lookalike.flow.explore.exploration import (
    Exploration,
    Grid,
    KeepStep,
    LowerStep,
    Outcome,
    Point,
    WeightEffect,
)
from lookalike.flow.explore.run_settings import (
    Surroundings,
    read_setting,
    run_all,
    run_point,
    search_setting,
)
from lookalike.flow.method import settle_method
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table, read_or_store
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.measures import precision
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import LEAST_K, Requirement
from lookalike.risk.table.budget import BitBudget, measure_budget
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.options import SharedWork
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.table import Frame

FACTOR = 3
"""By what the weight of an attribute is multiplied."""
BUDGET_SECONDS = 60
"""How long an exploration takes at most, unless it is asked for another time."""
KEPT_SHARES = (Decimal("0.2"), Decimal("0.4"), Decimal("0.6"), Decimal("0.8"))
"""The shares of every attribute that are asked for, one after the other."""
FEW_SEQUENCES = 64
"""The number of sequences of the list on which the kernels of a method are compiled first."""


@name_options
def explore(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    source: Mapping[str, Any] | None = None,
    grid: Grid | None = None,
    repeats: int = 0,
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> Exploration:
    """Explore what releases of a private table would keep and lose.

    Parameters
    ----------
    table, spec, source, **changes
        As for :func:`lookalike.release`. The method, ``k`` and ``max_suppressed`` are looked
        at more closely than the rest of the grid. ``time_limit`` is that of the exploration, by
        default 60 s: the points that are left after so many seconds are listed.
    grid
        The values of k, ``max_suppressed`` and the methods to try; default: the usual ones.
    repeats
        How often each search is run alone, to time it: the least time counts. By default
        searches share work, and a point takes less time than its search would take alone.
    announce
        Callback that receives the progress.

    Returns
    -------
    Exploration
        Its figures are for the data holder.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02139", "02141", "02142"], "ill": [*"abab"]})
    >>> roles = {
    ...     "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}},
    ...     "ill": {"role": "sensitive"},
    ... }
    >>> tried = explore(people, attributes=roles, k=2, grid=Grid(ks=(2, 4), limits=(0,)))
    >>> found = tried.find(TrialSetting("mingen", 2, 0))
    >>> found.levels, round(found.kept["zip"], 2)
    ({'zip': 1}, 0.67)
    """
    time_limit = changes.pop("time_limit", None)
    specification, frame = describe_table(table, spec, source, changes)
    return explore_specification(
        specification,
        grid or Grid(),
        time_limit=time_limit,
        repeats=repeats,
        announce=announce,
        frame=frame,
    )


def explore_specification(
    specification: Specification,
    grid: Grid,
    *,
    time_limit: float | None = None,
    repeats: int = 0,
    announce: Announce = lambda _: None,
    frame: Frame | None = None,
    show: Callable[[Exploration], None] = lambda _: None,
    is_enough: Callable[[], bool] = lambda: False,
) -> Exploration:
    """Explore what releases of the table of a specification would keep and lose.

    The parameters are those of :func:`explore`; `time_limit` is in seconds, and `frame` holds the
    eligible rows, by default they are read from the source of the specification. `show` receives
    the exploration after each point, and `is_enough` is asked before each whether to leave out the
    rest.
    """
    began = time.perf_counter()
    deadline = deadline_after(BUDGET_SECONDS if time_limit is None else time_limit)
    specification = settle_columns(specification, frame)
    intake = Stopwatch(announce)
    counted = read_or_store(specification, intake, frame)
    intake.begin(None)
    settled, _ = settle_method(specification, counted)
    around, frequency = Surroundings(settled, counted, deadline, repeats), counted.frequency
    chosen = grid.choose(read_setting(settled, around.rows))
    progress = _Progress(announce, grid.settings(chosen))
    _compile(around, progress.settings)
    found = Exploration(
        rows=around.rows,
        sequences=counted.sequences,
        attributes=frequency.attributes,
        chosen=chosen,
        points=tuple(map(Point, progress.settings)),
        examples={
            name: trace_frequent(frequency, one) for one, name in enumerate(frequency.attributes)
        },
        frame=frame,
    )
    for place, point in enumerate(run_all(around, progress, is_enough)):
        points = (*found.points[:place], point, *found.points[place + 1 :])
        found = replace(found, points=points)
        show(found)
    if is_enough():
        around = replace(around, deadline=-math.inf)  # nothing that takes a search follows
    return _finish(around, found, announce, began)


def _finish(
    around: Surroundings, found: Exploration, announce: Announce, began: float
) -> Exploration:
    """Look at the chosen setting closely, and say what follows."""
    found = replace(
        found,
        budgets=_measure_budgets(around, found),
        weights=tuple(_triple_weights(around, found, announce)),
        keeps=tuple(_raise_keep(around, found, announce)),
        steps=_find_lower(around, found),
    )
    seconds = round(time.perf_counter() - began, 6)
    return replace(found, advice=advise(found, around.specification.hierarchies()), seconds=seconds)


class _Progress:
    """Announces each point, how many there are, and how long the others will take."""

    def __init__(self, announce: Announce, settings: Sequence[TrialSetting]) -> None:
        self._announce, self.settings = announce, settings
        self._seconds: defaultdict[str, list[float]] = defaultdict(list)

    def __iter__(self) -> Iterator[TrialSetting]:
        """Yield each setting, and note how long it takes."""
        for number, setting in enumerate(self.settings):
            left = self._estimate(self.settings[number:])
            self._announce(
                f"point {number + 1:,} of {len(self.settings):,}: {setting.method}, "
                f"k = {setting.k}, {setting.limit} suppressed{left}"
            )
            began = time.perf_counter()
            yield setting
            self._seconds[setting.method].append(time.perf_counter() - began)

    def _estimate(self, ahead: Sequence[TrialSetting]) -> str:
        """Estimate the time that is left from the mean of each method so far."""
        if any(not self._seconds[one.method] for one in ahead):
            return ""
        means = {name: sum(some) / len(some) for name, some in self._seconds.items() if some}
        return f"; about {sum(means[one.method] for one in ahead):.0f} s left"


def _compile(around: Surroundings, settings: Sequence[TrialSetting]) -> None:
    """Run each method on a few sequences, so that no point includes the time to compile it."""
    frequency = around.counted.frequency
    if not isinstance(frequency, FrequencyList):
        return
    few = np.arange(min(FEW_SEQUENCES, len(frequency)), dtype=np.int32)
    small = frequency.taken(few, frequency.counts[few])
    for name in dict.fromkeys(setting.method for setting in settings):
        try:
            ALGORITHMS[name](small, Requirement(LEAST_K))
        except LookalikeError:
            continue


def _triple_weights(
    around: Surroundings, found: Exploration, announce: Announce
) -> Iterator[WeightEffect]:
    """Yield for each attribute what its tripled weight changes at the chosen setting.

    Nothing if the method uses no weights, or where it cannot be found out in time.
    """
    base, takes = found.find(found.chosen), TAKES[found.chosen.method]
    if base is None or len(base.kept) < 2 or not (takes.optimizes or takes.decoys):
        return
    specification, shared = around.specification, SharedWork()
    weights = {name: specification.attributes[name].weight for name in base.kept}
    for number, (name, weight) in enumerate(weights.items(), 1):
        announce(f"weight {number:,} of {len(weights):,}")
        attribute = specification.attributes[name].model_copy(update={"weight": FACTOR * weight})
        attributes = {**specification.attributes, name: attribute}
        asked = specification.model_copy(update={"attributes": attributes})
        tripled = replace(around, specification=asked, repeats=0)
        release = _try(tripled, found.chosen, shared) if weight else None
        if release is not None:
            yield _compare(name, base, release, weights)


def _raise_keep(around: Surroundings, found: Exploration, announce: Announce) -> Iterator[KeepStep]:
    """Ask for a rising share of every attribute at the chosen setting, until there is no release.

    Shares that the release keeps anyway are left out, and those that the time does not allow.
    """
    base = found.find(found.chosen)
    if base is None or not base.kept or not TAKES[found.chosen.method].keep:
        return
    specification, lowest = around.specification, min(base.kept.values())
    for share in (one for one in KEPT_SHARES if one > lowest):
        announce(f"keep {share} of every attribute")
        attributes = dict(specification.attributes)
        for name in base.kept:
            least = max(share, attributes[name].keep)
            attributes[name] = attributes[name].model_copy(update={"keep": least})
        asked = specification.model_copy(update={"attributes": attributes})
        demanding = replace(around, specification=asked, repeats=0)
        point = run_point(demanding, found.chosen, SharedWork())
        if point.is_reached:
            yield _state_step(float(share), point)
        if point.outcome is None:
            return


def _state_step(share: float, point: Point) -> KeepStep:
    """Return what a release keeps of which a share of every attribute was asked for."""
    made = point.outcome
    if made is None:
        return KeepStep(share, why=point.error)
    return KeepStep(share, made.kept, made.rows_lost, made.precision)


def _try(around: Surroundings, setting: TrialSetting, shared: SharedWork) -> Release | None:
    """Return the release of a setting; None if there is none, or if the time is over."""
    if is_over(around.deadline):
        return None
    try:
        found = search_setting(around, setting, shared)
    except LookalikeError:
        return None
    return None if is_over(around.deadline) else found


def _compare(
    name: str, base: Outcome, release: Release, weights: Mapping[str, Decimal]
) -> WeightEffect:
    """Compare what is kept with what is kept by the weights as they are."""
    kept, plan = kept_by_attribute(release.plan), release.plan
    reached = precision(plan.frequency, plan.recoding, [weights[one] for one in kept])
    return WeightEffect(
        attribute=name,
        weight=FACTOR * weights[name],
        kept=kept,
        change={one: share - base.kept[one] for one, share in kept.items()},
        levels=release.levels,
        precision=reached,
        precision_change=reached - base.precision,
    )


def _choose_levels(found: Exploration) -> tuple[str, Vector] | None:
    """Return the levels of a release at the chosen k and limit, and its method.

    The release is that of the chosen method, or else the best one that has levels.
    """
    chosen = found.chosen
    flat = {
        point.setting.method: (point.outcome.precision, point.outcome.levels)
        for point in found.points
        if point.outcome is not None
        and point.outcome.levels is not None
        and not point.outcome.measures.rows_below_k
        and replace(point.setting, method=chosen.method) == chosen
    }
    if not flat:
        return None
    method = chosen.method if chosen.method in flat else max(flat, key=lambda one: flat[one][0])
    return method, tuple(flat[method][1].values())


def _measure_budgets(around: Surroundings, found: Exploration) -> tuple[BitBudget, ...]:
    """Measure what the attributes of each quasi-identifier cost; on disk only if there is time."""
    levels, frequency = _choose_levels(found), around.counted.frequency
    if not isinstance(frequency, FrequencyList) and is_over(around.deadline):
        return ()
    requirement = with_setting(around.specification, found.chosen).requirement(around.rows)
    vector = None if levels is None else levels[1]
    return tuple(
        measure_budget(frequency, one, vector) for one in requirement.combined(found.attributes)
    )


def _find_lower(around: Surroundings, found: Exploration) -> tuple[LowerStep, ...]:
    """Evaluate each vector one step below the levels of a release at the chosen k and limit."""
    levels = _choose_levels(found)
    if levels is None:
        return ()
    method, vector = levels
    asked = with_setting(around.specification, replace(found.chosen, method=method))
    frequency, requirement = around.counted.frequency, asked.requirement(around.rows)
    lattice, _ = asked.options().lattice_of(frequency)
    rollups = RollUps(frequency, requirement)
    return tuple(
        LowerStep(
            method=method,
            attribute=frequency.attributes[place],
            level=level,
            rows=rollups.suppressed((*vector[:place], level - 1, *vector[place + 1 :])),
            allowed=requirement.allowance(around.rows),
        )
        for place, level in enumerate(vector)
        if level > lattice.bottom[place]
    )
