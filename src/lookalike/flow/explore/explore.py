"""Explore: run every point of a grid on one counted table, and say what follows from it."""

import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Unpack

import numpy as np

from lookalike.describe.attributes import trace_frequent
from lookalike.describe.frontier import TrialSetting
from lookalike.errors import LookalikeError
from lookalike.flow.explore.advise import Findings, advise
from lookalike.flow.explore.exploration import Exploration
from lookalike.flow.explore.grid import Grid, Outcome, Point
from lookalike.flow.explore.look_closer import (
    LowerStep,
    WeightEffect,
    find_lower_steps,
    triple_weights,
    uses_weights,
)
from lookalike.flow.explore.run_point import Surroundings, find_setting, run_point
from lookalike.flow.settle_method import settle_method
from lookalike.flow.source import describe_table, read_or_store
from lookalike.flow.stopwatch import Stopwatch
from lookalike.hierarchy.bound import LabelPath
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.progress import Announce
from lookalike.model.requirement import LEAST_K, Requirement
from lookalike.search.methods import ALGORITHMS
from lookalike.search.options import SharedWork
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options
from lookalike.tables.table import Frame

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
        at more closely than the rest of the grid. ``time_limit`` is that of the exploration: the
        points that are left after so many seconds are listed.
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
    >>> found = tried.find(TrialSetting("mingen", 4, 0))
    >>> found.levels, found.kept
    ({'zip': 2}, {'zip': 0.6})
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
) -> Exploration:
    """Explore what releases of the table of a specification would keep and lose.

    The parameters are those of :func:`explore`; `time_limit` is in seconds, and `frame` holds the
    eligible rows, by default they are read from the source of the specification.
    """
    began, deadline = time.perf_counter(), deadline_after(time_limit)
    specification = settle_columns(specification, frame)
    intake = Stopwatch(announce)
    counted = read_or_store(specification, intake, frame)
    intake.begin(None)
    settled, _ = settle_method(specification, counted)
    around = Surroundings(settled, counted, deadline, repeats)
    chosen = grid.choose(find_setting(settled, around.rows))
    progress = _Progress(announce, grid.settings(chosen))
    _compile(around, progress.settings)
    points = tuple(_run_all(around, progress))
    weights = tuple(_weigh(around, chosen, points, announce))
    return Exploration(
        rows=around.rows,
        sequences=counted.sequences,
        attributes=counted.frequency.attributes,
        chosen=chosen,
        points=points,
        weights=weights,
        steps=_find_steps(around, chosen, points),
        advice=advise(Findings(chosen, points, weights, settled.hierarchies())),
        examples=_find_examples(around),
        seconds=round(time.perf_counter() - began, 6),
        frame=frame,
    )


def _find_examples(around: Surroundings) -> dict[str, tuple[LabelPath, ...]]:
    """Return for each attribute what a few frequent values become, level by level."""
    frequency = around.counted.frequency
    names = frequency.attributes
    return {name: trace_frequent(frequency, place) for place, name in enumerate(names)}


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


def _run_all(around: Surroundings, progress: _Progress) -> Iterator[Point]:
    """Run every point; those with the same k share their work."""
    shared, k = SharedWork(around.counted.frequency), None
    for setting in progress:
        if setting.k != k:
            shared, k = SharedWork(around.counted.frequency), setting.k
        yield run_point(around, setting, shared)


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


def _outcome(points: Sequence[Point], setting: TrialSetting) -> Outcome | None:
    """Return the outcome of a setting, if there is one."""
    return next((one.outcome for one in points if one.setting == setting), None)


def _weigh(
    around: Surroundings, chosen: TrialSetting, points: Sequence[Point], announce: Announce
) -> Iterator[WeightEffect]:
    """Triple the weights at the chosen setting, if its method uses weights."""
    base = _outcome(points, chosen)
    if base is not None and uses_weights(chosen.method) and len(base.kept) > 1:
        shared = SharedWork(around.counted.frequency)
        yield from triple_weights(around, chosen, base, shared, announce)


def _find_steps(
    around: Surroundings, chosen: TrialSetting, points: Sequence[Point]
) -> tuple[LowerStep, ...]:
    """Find the steps that keep a vector from being lower, at the chosen k and limit.

    The vector is that of the chosen method, or else the best one.
    """
    flat = [
        (point.outcome.precision, point.setting, point.outcome)
        for point in points
        if point.outcome is not None
        and point.outcome.levels is not None
        and not point.outcome.measures.rows_below_k
        and replace(point.setting, method=chosen.method) == chosen
    ]
    own = [one for one in flat if one[1].method == chosen.method]
    if not flat:
        return ()
    _, setting, outcome = max(own or flat, key=lambda one: one[0])
    return find_lower_steps(replace(around, deadline=math.inf), setting, outcome)
