"""Decoys: show classes at levels that are drawn at random, where their joins are lower.

A class is released as its join, so a generalized cell proves that the rows of its class differ
there. With decoys it does not: for each class and attribute a level F is drawn, independently of
everything else, and the class shows the higher one of F and its join. F is drawn from the greatest
allowed level downwards, at each level with probability p, and is the least one if no level is
drawn. So P(F = s | F ≤ s) = p at every level s above the least one.

Theorem. Let a cell show a value v above the least level. Its rows lie below v; of what else they
may be, the shown level changes the odds "they agree below v, at some level : they do not" by a
factor between p and 1, for any prior and any choice of classes.

Proof. v is the label of a class at the levels lo … hi, usually one. If the join of the class is
below lo, v is shown if lo ≤ F ≤ hi; else if F ≤ hi. So every world has the likelihood P(F ≤ hi), or
that times 1 − (1 − p)^(hi − lo + 1), which is at least p; and where the rows agree at a level below
v, it is the latter. The ratio of two mixtures of these is within the same limits. ∎

`docs/design/decoys.md` has what follows from it, and what does not.
"""

from dataclasses import replace
from decimal import Decimal

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.types import Levels
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import Tuples
from lookalike.search.cells.classes import merge_tuples


def draw_decoys(
    frequency: FrequencyList, recoding: Recoding, lattice: Lattice, rate: Decimal
) -> Recoding:
    """Draw the decoys of a recoding once, from the entropy of the operating system.

    Classes that become equal are one class.

    ``rate``: the probability that a level is drawn if no higher one was; 0 returns the recoding as
    it is.
    """
    tuples = recoding.tuples
    if not rate or tuples is None:
        return recoding
    class_of, sizes = tuples.classes(frequency, frequency.attributes)
    floors = _draw_floors(lattice, len(sizes), rate)[:, class_of]
    levels = _raise_cells(frequency, tuples, floors)
    shown = merge_tuples(tuples.sequence, levels, tuples.counts)
    return replace(recoding, tuples=shown, before_decoys=tuples)


def _draw_floors(lattice: Lattice, classes: int, rate: Decimal) -> Levels:
    """Draw the least level that each class shows, by attribute."""
    bottom, top = np.array(lattice.bottom)[:, None], np.array(lattice.top)[:, None]
    drawn = np.random.default_rng().geometric(float(rate), (len(top), classes))
    floors: Levels = np.maximum(bottom, top + 1 - drawn).astype(np.int32)
    return floors


def _raise_cells(frequency: FrequencyList, tuples: Tuples, floors: Levels) -> Levels:
    """Return the levels of cells that show at least their floors.

    A level that adds nothing to the label of a cell is not charged to it. A missing value, for
    example, is missing at every level below the top.
    """
    levels = np.maximum(tuples.levels, floors)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        ground = frequency.codes[attribute, tuples.sequence]
        levels[attribute] = _list_first_levels(hierarchy)[levels[attribute], ground]
    raised: Levels = np.maximum(tuples.levels, levels)
    return raised


def _list_first_levels(hierarchy: BoundHierarchy) -> Levels:
    """Return for each level and ground code the lowest level from which the label is the same."""
    first = np.zeros((hierarchy.height + 1, len(hierarchy.levels[0])), dtype=np.int32)
    below = np.array(hierarchy.labels[0], dtype=object)[hierarchy.levels[0]]
    for level in range(1, hierarchy.height + 1):
        label = np.array(hierarchy.labels[level], dtype=object)[hierarchy.levels[level]]
        first[level] = np.where(label == below, first[level - 1], level)
        below = label
    return first
