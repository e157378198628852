"""Tuples: the released tuples, with the level of every cell and the number of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.model.frequency import FrequencyList

SUPPRESSED_CELL = -1
"""The level of a suppressed cell, whatever the height of its hierarchy."""
SUPPRESSED_TEXT = 0
"""The position of the suppressed value in the labels of an attribute (`Tuples.shown`)."""


@dataclass(frozen=True, eq=False)
class Tuples(Discreet):
    """The released tuples.

    Rows with the same private values may be released as different tuples. Which row becomes
    which tuple is drawn at random when the table is recoded.

    ``sequence``: for each tuple, the position of its sequence in the frequency list; ascending.
    ``levels``: the level of each cell, one row per attribute and one column per tuple.
    ``counts``: the number of rows released as each tuple.
    """

    sequence: Codes
    levels: Levels
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def rows_by_sequence(self, frequency: FrequencyList) -> Counts:
        """Return the number of released rows of each sequence."""
        return np.bincount(self.sequence, self.counts, minlength=len(frequency)).astype(np.int64)

    def by_level(self, attribute: int) -> Iterator[tuple[int, Codes | slice]]:
        """Yield the levels that an attribute has, each with the places of its tuples."""
        levels = self.levels[attribute]
        if len(levels) and not levels.strides[0]:  # one level, which `tuples_at` repeats
            yield int(levels[0]), slice(None)
            return
        used = np.flatnonzero(np.bincount(levels - SUPPRESSED_CELL)) + SUPPRESSED_CELL
        for level in used.tolist():
            only = len(used) == 1
            yield level, slice(None) if only else np.flatnonzero(levels == level).astype(np.int32)

    def shown(
        self, frequency: FrequencyList, attribute: int
    ) -> tuple[tuple[str | None, ...], Codes]:
        """Return the labels of an attribute, and the position of every tuple's label in them.

        Cells with the same label are equal, whatever their levels, as they are for a recipient.
        """
        hierarchy = frequency.hierarchies[attribute]
        numbers: dict[str | None, int] = {hierarchy.suppressed: SUPPRESSED_TEXT}
        shown = np.full(len(self), SUPPRESSED_TEXT, dtype=np.int32)
        for level, here in self.by_level(attribute):
            if level == SUPPRESSED_CELL:
                continue
            labels = [numbers.setdefault(text, len(numbers)) for text in hierarchy.labels[level]]
            by_value = np.array(labels, dtype=np.int32)[hierarchy.levels[level]]
            shown[here] = by_value[frequency.codes[attribute, self.sequence[here]]]
        return tuple(numbers), shown

    def hidden(self, frequency: FrequencyList, attribute: int) -> npt.NDArray[np.bool_]:
        """Mark the tuples whose cell of an attribute is written as the suppressed value."""
        hierarchy = frequency.hierarchies[attribute]
        hidden = np.ones(len(self), dtype=np.bool_)
        for level, here in self.by_level(attribute):
            if level != SUPPRESSED_CELL:
                by_value = hierarchy.hidden[level][hierarchy.levels[level]]
                hidden[here] = by_value[frequency.codes[attribute, self.sequence[here]]]
        return hidden

    def classes(self, frequency: FrequencyList, attributes: Sequence[str]) -> tuple[Codes, Counts]:
        """Number the classes of tuples over some attributes, and count the rows of each."""
        places = [frequency.attributes.index(attribute) for attribute in attributes]
        shown = [self.shown(frequency, place) for place in places]
        codes = np.array([codes for _, codes in shown], dtype=np.int32)
        sizes = [len(labels) for labels, _ in shown]
        class_of, _, counts = group_equal(codes, sizes, self.counts)
        return class_of, counts


def tuples_at(frequency: FrequencyList, vector: Sequence[int], suppressed: Counts) -> Tuples:
    """Return the tuples of a recoding at the attribute level."""
    kept = np.flatnonzero(suppressed < frequency.counts).astype(np.int32)
    levels = np.array(vector, dtype=np.int32)[:, None]
    return Tuples(
        sequence=kept,
        levels=np.broadcast_to(levels, (len(vector), len(kept))),
        counts=(frequency.counts - suppressed)[kept],
    )


def add_blank(tuples: Tuples, suppressed: Counts) -> Tuples:
    """Return tuples together with those of the blank rows, whose every cell is suppressed."""
    blank = np.flatnonzero(suppressed).astype(np.int32)
    nothing = np.full((len(tuples.levels), len(blank)), SUPPRESSED_CELL, dtype=np.int32)
    sequence = np.concatenate([tuples.sequence, blank])
    order = np.argsort(sequence, kind="stable")
    return Tuples(
        sequence=sequence[order],
        levels=np.hstack([tuples.levels, nothing])[:, order],
        counts=np.concatenate([tuples.counts, suppressed[blank]])[order],
    )


def check_conserved(frequency: FrequencyList, tuples: Tuples, suppressed: Counts) -> None:
    """Raise if the released and suppressed rows of a sequence do not add up to its rows."""
    if not np.array_equal(tuples.rows_by_sequence(frequency) + suppressed, frequency.counts):
        raise InternalError("the released tuples and the suppressed rows do not add up to the rows")
