"""Plan: how the rows of a table become those of its release, before any row is touched.

Engines import this file, and verification imports engines. So what a method decided is known
here by its type alone: the code that made a release is not loaded to verify it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples, check_conserved
from lookalike.tables.counted import Counted
from lookalike.tables.draw import Draw
from lookalike.tables.table import Frame, Table

if TYPE_CHECKING:
    from lookalike.model.recoding import Recoding

NOT_RELEASED = -1
"""The class, or the tuple, of a row that is left out."""


@dataclass(frozen=True, eq=False)
class Plan(Discreet):
    """How the rows of a table become those of its release.

    ``table``: the private table.
    ``counted``: its entries.
    ``sequence_of``: for each entry, its sequence in the frequency list.
    ``frequency``: the frequency list.
    ``recoding``: what a method decided.
    ``requirement``: what the release must satisfy, and whether suppressed rows are dropped or
    blanked.
    ``keep_order``: whether rows stay in the order of the source; else their order is random.
    ``draw``: the randomness of the release: every recoding of this plan gives the same rows.
    """

    table: Table
    counted: Counted
    sequence_of: Codes
    frequency: FrequencyList
    recoding: Recoding
    requirement: Requirement
    keep_order: bool = False
    draw: Draw = field(default_factory=Draw)

    @property
    def located(self) -> Frame:
        """The private rows, with the columns by which they are found in the list."""
        return self.table.numbered if self.counted.located is None else self.counted.located

    @property
    def blank(self) -> bool:
        """Whether suppressed rows stay, with their quasi-identifier suppressed."""
        return self.requirement.suppressed_rows == "blank"

    @property
    def answers(self) -> tuple[str, ...]:
        """The columns of which an attacker may know some, so that rare values are left out."""
        table, asked = self.table, self.requirement.answers
        if asked is None:
            return ()
        return tuple(name for name in table.unchanged if table.roles[name] == "other")

    @property
    def unchanged(self) -> tuple[str, ...]:
        """The columns that show every value as the private table has it."""
        return tuple(name for name in self.table.unchanged if name not in self.answers)

    @property
    def rows_out(self) -> int:
        """The number of rows that the release must have."""
        return self.frequency.rows - (0 if self.blank else int(self.recoding.suppressed.sum()))

    @cached_property
    def relabelled(self) -> tuple[str, ...]:
        """The attributes that are written as labels; the others keep the values of the source."""
        blank = self.blank and bool(self.recoding.suppressed.any())
        levels = self.recoding.released(self.frequency).levels
        return tuple(
            hierarchy.column
            for attribute, hierarchy in enumerate(self.frequency.hierarchies)
            if levels[attribute].any() or blank or hierarchy.unknown is not None
        )

    @cached_property
    def maps_values(self) -> bool:
        """Whether rows are recoded by a map of each attribute and the list of what is suppressed.

        A row has one image at the attribute level. The maps and that list together must have at
        most half the entries that were counted. Such a recoding does not find out whether a row has
        a sequence that was counted, so verification compares the list (:attr:`compared`).
        """
        counted = self.counted
        coded = counted.keys is None or counted.tags is not None or counted.located is not None
        if self.recoding.tuples is not None or self.blank or coded:
            return False
        suppressed = self.recoding.suppressed
        if np.any((suppressed > 0) & (suppressed < self.frequency.counts)):
            return False
        names = [one.column for one in self.frequency.hierarchies]
        values = sum(len(counted.values[names.index(name)]) for name in self.relabelled)
        gone = int((suppressed[self.sequence_of] > 0).sum())
        return 2 * (values + gone) <= len(counted.counts)

    @property
    def compared(self) -> Counted | None:
        """The list that verification must find in the source, if recoding does not compare it."""
        return self.counted if self.maps_values else None


@dataclass(frozen=True, eq=False)
class Fates:
    """The possible fates of the rows of every sequence: a released tuple, or suppression.

    ``tuples``: what the rows of each fate show, suppressed cells throughout if they are suppressed;
    ascending by sequence.
    ``gone``: whether a fate is suppression.
    """

    tuples: Tuples
    gone: Flags

    @property
    def splits(self) -> bool:
        """Whether a sequence has several fates, so that its rows must be drawn."""
        return bool(np.any(self.tuples.sequence[1:] == self.tuples.sequence[:-1]))


def list_fates(frequency: FrequencyList, recoding: Recoding) -> Fates:
    """List the possible fates of the rows of every sequence."""
    tuples, suppressed = recoding.released(frequency), recoding.suppressed
    check_conserved(frequency, tuples, suppressed)
    given = np.flatnonzero(suppressed).astype(np.int32)
    hidden = np.full((len(frequency.attributes), len(given)), SUPPRESSED_CELL, dtype=np.int32)
    sequence = np.concatenate([tuples.sequence, given])
    order = np.argsort(sequence, kind="stable")
    return Fates(
        Tuples(
            sequence=sequence[order],
            levels=np.concatenate([tuples.levels, hidden], axis=1)[:, order],
            counts=np.concatenate([tuples.counts, suppressed[given]])[order],
        ),
        gone=(np.arange(len(sequence)) >= len(tuples))[order],
    )


def class_fates(plan: Plan, fates: Fates, attributes: Sequence[str]) -> tuple[Codes, Counts]:
    """Number the class of each fate over some attributes, and count the released rows of each.

    The rows of a fate that are left out have no class: `NOT_RELEASED`.
    """
    class_of, rows = fates.tuples.classes(plan.frequency, attributes)
    if plan.blank:
        return class_of, rows
    kept = ~fates.gone
    rows = np.bincount(class_of[kept], fates.tuples.counts[kept], minlength=len(rows))
    return np.where(kept, class_of, NOT_RELEASED).astype(np.int32), rows.astype(np.int64)


def label_fates(plan: Plan, fates: Fates, names: Sequence[str]) -> dict[str, pa.Array]:
    """Return the label that every fate shows, for some attributes."""
    labels = {}
    for name in names:
        texts, shown = fates.tuples.shown(plan.frequency, plan.frequency.attributes.index(name))
        labels[name] = pa.array(texts, pa.string()).take(pa.array(shown))
    return labels


def draw_fates(fates: Fates, sequence_of: Codes, generator: np.random.Generator) -> Codes:
    """Return the fate of every row; where its sequence has several fates, draw one."""
    if not fates.splits:
        return sequence_of
    drawn = generator.permutation(len(sequence_of))
    drawn = drawn[np.argsort(sequence_of[drawn], kind="stable")]
    fate_of = np.empty(len(sequence_of), dtype=np.int32)
    fate_of[drawn] = np.repeat(np.arange(len(fates.tuples), dtype=np.int32), fates.tuples.counts)
    return fate_of
