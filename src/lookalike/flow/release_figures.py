"""Figures of a release for display: levels and values of each attribute, and what is possible."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lookalike.flow.result import Release
from lookalike.kernels.types import Levels
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.measures import kept_shares
from lookalike.model.proved_bound import name_stricter, state_bound
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples


def state_release_bound(release: Release, exceeds: str, write: Callable[[float], str]) -> str:
    """State that no release exceeds the bound, and what else makes the distance to it."""
    known, requirement = release.recoding.optimality, release.plan.requirement
    if release.recoding.tuples is None:
        return state_bound(f"at the attribute level {exceeds}", requirement.k)
    alone = None if known is None else known.reached_alone
    if known is not None and (alone is None or alone == known.reached):
        return state_bound(exceeds, requirement.k)
    reached = None if alone is None else write(alone)
    return state_bound(exceeds, requirement.k, name_beyond_rows(release), reached)


def name_beyond_rows(release: Release) -> str:
    """Name what a release at the cell level satisfies beyond classes of k rows."""
    if release.recoding.tuples is None:
        return ""
    requirement = release.plan.requirement
    merged = bool(requirement.protections) and requirement.secrecy != "blind"
    return name_stricter(persons=bool(release.specification.persons), protections=merged)


@dataclass(frozen=True)
class AttributeFigures:
    """What a release does to one attribute of the quasi-identifier.

    Parameters
    ----------
    attribute
        The attribute.
    hierarchy
        The kind of its hierarchy.
    kept
        The share of its detail that is kept: Prec of this attribute alone.
    height
        The height of its hierarchy.
    levels
        The lowest and the highest level of its cells; ``None`` if all of them are suppressed.
    values_before, values_after
        The number of distinct values in the source and in the release.
    cells_suppressed
        The number of suppressed cells; ``None`` if no cell is suppressed by itself.
    """

    attribute: str
    hierarchy: str
    kept: float
    height: int
    levels: tuple[int, int] | None
    values_before: int
    values_after: int
    cells_suppressed: int | None


def describe_attributes(release: Release) -> tuple[AttributeFigures, ...]:
    """Return the figures of each attribute of the quasi-identifier."""
    frequency = release.plan.frequency
    tuples = release.recoding.released(frequency)
    hidden = _count_hidden(frequency, tuples, always=release.recoding.tuples is not None)
    rules, before = release.specification.hierarchies(), frequency.ground_distinct
    kept = kept_shares(frequency, release.recoding)
    return tuple(
        AttributeFigures(
            attribute=name,
            hierarchy=rules[name].name,
            kept=kept[place],
            height=frequency.heights[place],
            levels=_find_range(tuples.levels[place]),
            values_before=before[place],
            values_after=len(np.unique(tuples.shown(frequency, place)[1])),
            cells_suppressed=hidden[place] if hidden else None,
        )
        for place, name in enumerate(frequency.attributes)
    )


def kept_by_attribute(release: Release) -> dict[str, float]:
    """Return the share of the detail of each attribute that is kept."""
    frequency = release.plan.frequency
    kept = kept_shares(frequency, release.recoding)
    return dict(zip(frequency.attributes, kept, strict=True))


def _count_hidden(frequency: FrequencyList, tuples: Tuples, *, always: bool) -> list[int]:
    """Count the suppressed cells of each attribute, always or if one is below the top."""
    hidden = [tuples.hidden(frequency, place) for place in range(len(frequency.heights))]
    below = np.array(
        [line < height for line, height in zip(tuples.levels, frequency.heights, strict=True)]
    )
    if not always and not (np.array(hidden) & below).any():
        return []
    return [int(tuples.counts[cells].sum()) for cells in hidden]


def _find_range(levels: Levels) -> tuple[int, int] | None:
    """Return the lowest and the highest level; suppressed cells have none."""
    levels = levels[levels != SUPPRESSED_CELL]
    return (int(levels.min()), int(levels.max())) if len(levels) else None


def count_possible(release: Release) -> tuple[int | None, float]:
    """Count the generalizations of the table cell by cell (Achieving, Equation 2)."""
    frequency = release.plan.frequency
    lattice = Lattice.of_heights(frequency.heights)
    digits = frequency.rows * math.log10(lattice.size)
    return lattice.count_generalizations(frequency.rows) if digits < 6 else None, digits
