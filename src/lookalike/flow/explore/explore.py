"""Explore: run every point of a grid on one counted table, and say what follows from it."""

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from os import PathLike
from typing import Any, Unpack

import numpy as np

from lookalike.describe.attributes import kept_by_attribute, trace_frequent
from lookalike.describe.frontier import TrialSetting, with_setting
from lookalike.errors import LookalikeError
from lookalike.flow.explore.advise import advise
from lookalike.flow.explore.exploration import Exploration, Grid, LowerStep, Outcome, WeightEffect
from lookalike.flow.explore.run_settings import Surroundings, read_setting, run_all, search_setting
from lookalike.flow.method import settle_method
from lookalike.flow.result import Release
from lookalike.flow.source import describe_table, read_or_store
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.progress import Announce, Stopwatch
from lookalike.model.requirement import LEAST_K, Requirement
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
    around, frequency = Surroundings(settled, counted, deadline, repeats), counted.frequency
    chosen = grid.choose(read_setting(settled, around.rows))
    progress = _Progress(announce, grid.settings(chosen))
    _compile(around, progress.settings)
    found = Exploration(
        rows=around.rows,
        sequences=counted.sequences,
        attributes=frequency.attributes,
        chosen=chosen,
        points=tuple(run_all(around, progress)),
        examples={
            name: trace_frequent(frequency, place)
            for place, name in enumerate(frequency.attributes)
        },
        frame=frame,
    )
    weights, steps = tuple(_triple_weights(around, found, announce)), _find_lower(around, found)
    found = replace(found, weights=weights, steps=steps)
    advice = advise(found, settled.hierarchies())
    return replace(found, advice=advice, seconds=round(time.perf_counter() - began, 6))


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
    specification, shared = around.specification, SharedWork(around.counted.frequency)
    weights = {name: specification.attributes[name].weight for name in base.kept}
    for number, (name, weight) in enumerate(weights.items(), 1):
        announce(f"weight {number:,} of {len(weights):,}")
        tripled = replace(around, specification=_with_weight(specification, name), repeats=0)
        release = _try(tripled, found.chosen, shared) if weight else None
        if release is not None:
            yield _compare(name, base, release, weights)


def _try(around: Surroundings, setting: TrialSetting, shared: SharedWork) -> Release | None:
    """Return the release of a setting; None if there is none, or if the time is over."""
    if is_over(around.deadline):
        return None
    try:
        found = search_setting(around, setting, shared)
    except LookalikeError:
        return None
    return None if is_over(around.deadline) else found


def _with_weight(specification: Specification, name: str) -> Specification:
    """Return a specification in which the weight of one attribute is tripled."""
    before = specification.attributes[name]
    attribute = before.model_copy(update={"weight": FACTOR * before.weight})
    attributes = {**specification.attributes, name: attribute}
    return specification.model_copy(update={"attributes": attributes})


def _compare(
    name: str, base: Outcome, release: Release, weights: Mapping[str, Decimal]
) -> WeightEffect:
    """Compare what is kept with what is kept by the weights as they are."""
    kept = kept_by_attribute(release.plan)
    whole = float(sum(weights.values()))
    precision = sum(float(weights[one]) * share for one, share in kept.items()) / whole
    return WeightEffect(
        attribute=name,
        weight=FACTOR * weights[name],
        kept=kept,
        change={one: share - base.kept[one] for one, share in kept.items()},
        levels=release.levels,
        precision=precision,
        precision_change=precision - base.precision,
    )


def _find_lower(around: Surroundings, found: Exploration) -> tuple[LowerStep, ...]:
    """Evaluate each vector one step below that of a release at the chosen k and limit.

    The release is that of the chosen method, or else the best one.
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
        return ()
    method = chosen.method if chosen.method in flat else max(flat, key=lambda one: flat[one][0])
    asked = with_setting(around.specification, replace(chosen, method=method))
    frequency, requirement = around.counted.frequency, asked.requirement(around.rows)
    lattice, _ = asked.options().lattice_of(frequency)
    rollups = RollUps(frequency, requirement)
    vector = tuple(flat[method][1].values())
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
