"""Triple the weight of each attribute in turn, and see what that keeps of it and of the others."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from lookalike.flow.explore.grid import TrialSetting
from lookalike.flow.explore.point import Outcome
from lookalike.flow.explore.run_point import Surroundings, run_point
from lookalike.search.methods import TAKES
from lookalike.search.shared_work import SharedWork
from lookalike.spec.specification import Specification

FACTOR = 3
"""By what the weight of an attribute is multiplied."""


@dataclass(frozen=True)
class WeightEffect:
    """What changes if the weight of one attribute is tripled.

    Parameters
    ----------
    attribute
        The attribute.
    weight
        Its tripled weight.
    kept
        The share that is kept of each attribute then.
    change
        By how much each share differs from that with the weights as they are.
    levels
        The level of each attribute then; None at the cell level.
    precision, precision_change
        Prec by the weights as they are, and by how much it differs.
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
    around: Surroundings, setting: TrialSetting, base: Outcome, shared: SharedWork
) -> Iterator[WeightEffect | None]:
    """Yield for each attribute what its tripled weight changes; None if that is not known.

    Parameters
    ----------
    around
        The table and what is asked for.
    setting
        The method, k, and how many rows may be suppressed.
    base
        The outcome with the weights as they are.
    shared
        Work of earlier searches of the table.
    """
    weights = {name: around.specification.attributes[name].weight for name in base.kept}
    for name, weight in weights.items():
        tripled = _with_weight(around.specification, name, FACTOR * weight)
        point = run_point(replace(around, specification=tripled, repeats=0), setting, shared)
        if point.outcome is None or not weight:
            yield None
        else:
            yield _compare(name, FACTOR * weight, base, point.outcome, weights)


def _with_weight(specification: Specification, name: str, weight: Decimal) -> Specification:
    """Return a specification with another weight of one attribute."""
    attribute = specification.attributes[name].model_copy(update={"weight": weight})
    attributes = {**specification.attributes, name: attribute}
    return specification.model_copy(update={"attributes": attributes})


def _compare(
    name: str,
    weight: Decimal,
    base: Outcome,
    outcome: Outcome,
    weights: Mapping[str, Decimal],
) -> WeightEffect:
    """Compare what is kept with what is kept by the weights as they are."""
    kept = outcome.kept
    whole = float(sum(weights.values()))
    precision = sum(float(weights[one]) * share for one, share in kept.items()) / whole
    return WeightEffect(
        attribute=name,
        weight=weight,
        kept=kept,
        change={one: share - base.kept[one] for one, share in kept.items()},
        levels=outcome.levels,
        precision=precision,
        precision_change=precision - base.precision,
    )
