"""Look closer at one setting: what other weights keep, and which steps block a lower vector."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from lookalike.describe.attributes import kept_by_attribute
from lookalike.describe.frontier import TrialSetting, with_setting
from lookalike.errors import LookalikeError
from lookalike.flow.explore.grid import Outcome
from lookalike.flow.explore.run_point import Surroundings, search_setting
from lookalike.flow.result import Release
from lookalike.json_result import JsonResult
from lookalike.model.clock import is_over
from lookalike.model.progress import Announce
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods import TAKES
from lookalike.search.options import SharedWork
from lookalike.spec.specification import Specification

FACTOR = 3
"""By what the weight of an attribute is multiplied."""


@dataclass(frozen=True)
class WeightEffect:
    """What changes if the weight of one attribute is tripled.

    ``kept`` is the share that is kept of each attribute then, and ``change`` its difference from
    that with the weights as they are, by which Prec is measured. ``levels`` is None at the cell
    level.
    """

    attribute: str
    weight: Decimal
    kept: dict[str, float]
    change: dict[str, float]
    levels: dict[str, int] | None
    precision: float
    precision_change: float


def uses_weights(method: str) -> bool:
    """Return whether the search of a method depends on weights."""
    return TAKES[method].optimizes or TAKES[method].decoys


def triple_weights(
    around: Surroundings,
    setting: TrialSetting,
    base: Outcome,
    shared: SharedWork,
    announce: Announce,
) -> Iterator[WeightEffect]:
    """Yield for each attribute what its tripled weight changes, if that can be found out."""
    weights = {name: around.specification.attributes[name].weight for name in base.kept}
    for number, (name, weight) in enumerate(weights.items(), 1):
        announce(f"weight {number:,} of {len(weights):,}")
        tripled = replace(around, specification=_with_weight(around.specification, name), repeats=0)
        release = _try(tripled, setting, shared) if weight else None
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


@dataclass(frozen=True)
class LowerStep(JsonResult):
    """What one level less of one attribute would require.

    ``rows`` would have to be suppressed at the level below; ``allowed`` may be.
    """

    json_names = "method attribute level rows allowed blocked=is_blocked"

    method: str
    attribute: str
    level: int
    rows: int
    allowed: int

    @property
    def is_blocked(self) -> bool:
        """Whether more rows would have to be suppressed than may be."""
        return self.rows > self.allowed


def find_lower_steps(
    around: Surroundings, setting: TrialSetting, outcome: Outcome
) -> tuple[LowerStep, ...]:
    """Evaluate each vector one step below that of a release."""
    asked = with_setting(around.specification, setting)
    frequency, requirement = around.counted.frequency, asked.requirement(around.rows)
    lattice, _ = asked.options().lattice_of(frequency)
    rollups = RollUps(frequency, requirement)
    vector = tuple((outcome.levels or {}).values())
    return tuple(
        LowerStep(
            method=setting.method,
            attribute=frequency.attributes[place],
            level=level,
            rows=rollups.suppressed((*vector[:place], level - 1, *vector[place + 1 :])),
            allowed=requirement.allowance(around.rows),
        )
        for place, level in enumerate(vector)
        if level > lattice.bottom[place]
    )
