"""Decoys: show cells one level more general than needed, by lot.

A class is released as its join, so a generalized cell proves that the rows of its class differ
there. With decoys it proves nothing: each class is shown one level higher in each attribute below
the top, independently with probability p. What a shown level adds to the odds "the rows agree one
level below : they do not" is then a factor p ∕ (1 − p), and p where no higher level is allowed,
for any method and any prior.
"""

import functools
from dataclasses import replace
from decimal import Decimal

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Codes, Flags, Levels
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import Tuples
from lookalike.search.cells.classes import merge_tuples
from lookalike.search.cells.satisfy.satisfy import CellSearch
from lookalike.search.options import DEFAULTS, SearchOptions


def decoyed(search: CellSearch) -> CellSearch:
    """Let the classes of a method of the cell level have decoys, after all else is decided."""

    @functools.wraps(search)
    def run(
        frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
    ) -> Recoding:
        recoding = search(frequency, requirement, options)
        lattice, _ = options.lattice_of(frequency)
        return draw_decoys(frequency, recoding, lattice, options.decoys)

    return run


def draw_decoys(
    frequency: FrequencyList, recoding: Recoding, lattice: Lattice, rate: Decimal
) -> Recoding:
    """Draw the decoys of a recoding once, from the entropy of the operating system.

    Classes that become equal are one class. A cell at the greatest level that the constraints
    allow gets no decoy.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    recoding
        The recoding, at the cell level.
    lattice
        The allowed levels.
    rate
        The probability of a decoy; 0 returns the recoding as it is.
    """
    tuples = recoding.tuples
    if not rate or tuples is None:
        return recoding
    class_of, sizes = tuples.classes(frequency, frequency.attributes)
    coins = _toss(len(tuples.levels), len(sizes), rate)
    higher = _list_higher_levels(frequency, tuples)
    allowed = higher <= np.array(lattice.top)[:, None]
    levels = np.where(coins[:, class_of] & allowed, higher, tuples.levels).astype(np.int32)
    shown = merge_tuples(tuples.sequence, levels, tuples.counts)
    return replace(recoding, tuples=shown, before_decoys=tuples)


def _toss(attributes: int, classes: int, rate: Decimal) -> Flags:
    """Toss a coin for each attribute and class."""
    coins: Flags = np.random.default_rng().random((attributes, classes)) < float(rate)
    return coins


def _list_higher_levels(frequency: FrequencyList, tuples: Tuples) -> Levels:
    """Return for each cell the lowest level at which it shows another value."""
    higher = np.empty_like(tuples.levels)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        ground = frequency.codes[attribute, tuples.sequence]
        steps = _list_next_levels(hierarchy)
        higher[attribute] = steps[tuples.levels[attribute], ground]
    return higher


def _list_next_levels(hierarchy: BoundHierarchy) -> Codes:
    """Return for each level and ground code the lowest higher level with another label.

    A missing value, for example, is missing at every level below the top. Above the top the
    answer is one more than the height.
    """
    numbers: dict[str | None, int] = {}
    shown = np.array(
        [
            np.array([numbers.setdefault(text, len(numbers)) for text in labels])[codes]
            for labels, codes in zip(hierarchy.labels, hierarchy.levels, strict=True)
        ]
    )
    following = np.full(shown.shape, hierarchy.height + 1, dtype=np.int32)
    for level in range(hierarchy.height - 1, -1, -1):
        same = shown[level] == shown[level + 1]
        following[level] = np.where(same, following[level + 1], level + 1)
    return following
