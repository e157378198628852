"""Exposure: what a release shows beyond its values to a reader who knows the method.

The classes of a cell-level release are exact joins (:mod:`lookalike.risk.table.released_column`).
A reader who knows that still has at least k candidates for every row, each of them with at most
1 ∕ k, but learns that the rows of a class differ in every generalized cell. The exposure is the
greatest rise of a belief about a value of a row; without decoys it is at most 1 ∕ k. At the
attribute level the level of a cell does not depend on its class, so a class shows nothing beyond
its values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.json_result import JsonResult
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.risk.table.presence import Presence
from lookalike.risk.table.released_column import (
    ReleasedColumn,
    list_released_columns,
    update_beliefs,
)
from lookalike.risk.table.sequences import Sequences

MOST_ANNOUNCEMENTS = 10
"""How many announcements JSON shows."""
CHILDREN_OF_CERTAIN = 2
"""If a value has two children, and the rows of a class differ in it, a row has each of them."""


@dataclass(frozen=True)
class Announcement(Discreet):
    """A released value that makes a rarer value below it more likely.

    Parameters
    ----------
    attribute
        The attribute.
    value
        The released value.
    child
        The value one level below that gains most.
    share
        The share of the child among the private rows below the released value.
    gain
        How much more likely a row of a class has the child, at most.
    classes
        The number of classes that show the value and make this child the most likely to gain.
    certain
        Whether some row of each of these classes certainly has the child.
    """

    attribute: str
    value: str | None
    child: str | None
    share: float
    gain: float
    classes: int
    certain: bool


@dataclass(frozen=True)
class Exposure(Discreet, JsonResult):
    """What a release shows beyond its values to a reader who knows the method.

    Parameters
    ----------
    cells
        The number of generalized cells of rows, above the least level that constraints allow.
    certain_cells
        Those in which a finer value is certain for some row of the class: their value has two
        children in the hierarchy, and no lot can show it to rows that agree on one of them.
    mean_gain
        The mean over these cells of the greatest rise of a belief.
    bits
        What classes show beyond their values, in bits per generalized row.
    announcements
        The released values by the greatest gain that they cause, the greatest first.
    decoys
        The probability of decoys that was taken into account.
    presence
        How likely the people of a population are in the table, if there is a population.
    """

    json_names = (
        "cells certain_share greatest_gain mean_gain bits decoys announcements=most_announcing "
        "presence"
    )

    cells: int
    certain_cells: int
    mean_gain: float
    bits: float
    announcements: tuple[Announcement, ...]
    decoys: float = 0.0
    presence: Presence | None = None

    @property
    def most_announcing(self) -> tuple[Announcement, ...]:
        """The released values that cause the greatest gains."""
        return self.announcements[:MOST_ANNOUNCEMENTS]

    @property
    def greatest_gain(self) -> float:
        """The exposure: the greatest rise of the belief that a row has a value."""
        return self.announcements[0].gain if self.announcements else 0.0

    @property
    def certain_share(self) -> float:
        """The share of the generalized cells in which a finer value is certain for some row."""
        return self.certain_cells / self.cells if self.cells else 0.0


def measure_exposure(
    classes: Sequences,
    frequency: FrequencyList,
    rules: Mapping[str, Hierarchy],
    allowed: Lattice,
    decoys: float = 0.0,
) -> Exposure:
    """Measure what classes show beyond their values.

    ``frequency``: the frequency list of the private table: it has the share of every value.
    ``allowed``: the least and the greatest levels of cells. A cell at its least level need not be a
    join.
    ``decoys``: the probability that a level is drawn for a cell if no higher one was.
    """
    cells = certain = 0
    gain = bits = 0.0
    generalized = np.zeros(len(classes), dtype=np.bool_)
    found: dict[tuple[str, str | None, str | None], Announcement] = {}
    for column in list_released_columns(classes, frequency, rules, allowed):
        generalized |= column.raised
        for label, size, number in column.list_cells():
            announced, shown = _judge(column, label, size, number, decoys)
            cells += size * number
            certain += size * number * announced.certain
            gain += size * number * announced.gain
            bits += number * shown
            key = announced.attribute, announced.value, announced.child
            found[key] = _unite(found.get(key), announced)
    rows = int(classes.counts[generalized].sum())
    return Exposure(
        cells=cells,
        certain_cells=certain,
        mean_gain=gain / cells if cells else 0.0,
        bits=bits / rows if rows else 0.0,
        announcements=tuple(sorted(found.values(), key=_rank)),
        decoys=decoys,
    )


def _rank(one: Announcement) -> tuple[float, str, str, str]:
    """Return the sort key of announcements: the greatest gain first."""
    return -one.gain, one.attribute, one.value or "", one.child or ""


def _judge(
    column: ReleasedColumn, label: int, size: int, number: int, decoys: float
) -> tuple[Announcement, float]:
    """Return what classes of a size show by a value, and the bits that each of them shows."""
    value = column.raised_values[label]
    beliefs = update_beliefs(value.node, size, decoys)
    differ = not value.node.likelihood_of_decoy(decoys)
    most = int(beliefs.gains.argmax())
    announcement = Announcement(
        attribute=column.hierarchy.column,
        value=value.label,
        child=value.children[most],
        share=float(value.node.shares[most]),
        gain=max(0.0, float(beliefs.gains[most])),
        classes=number,
        certain=differ and value.known_children == CHILDREN_OF_CERTAIN,
    )
    return announcement, beliefs.bits


def _unite(one: Announcement | None, other: Announcement) -> Announcement:
    """Unite what classes of different sizes announce by the same value."""
    if one is None:
        return other
    return replace(one, gain=max(one.gain, other.gain), classes=one.classes + other.classes)
