"""ReleasedClasses: the classes of a release, as its recipients see them."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.model.tuples import SUPPRESSED_CELL, SUPPRESSED_TEXT, Tuples
from lookalike.tables.plan import Fates, Plan

LEFT_OUT = -1
"""The class of rows that are not in the release."""
ROWS = "rows"


@dataclass(frozen=True, eq=False)
class ReleasedClasses(Discreet):
    """The rows of a release that look alike over its quasi-identifier attributes, together.

    Parameters
    ----------
    attributes
        The attributes, of all quasi-identifiers.
    labels
        For each attribute, what the rows of every class show; nothing is missing.
    levels
        One line an attribute: the level of what a class shows, or
        :data:`~lookalike.model.tuples.SUPPRESSED_CELL` for the suppressed
        value, which tells less than
        any level.
    counts
        The number of rows of every class.
    """

    attributes: tuple[str, ...]
    labels: tuple[tuple[str | None, ...], ...]
    levels: Levels
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def to_arrow(self) -> pa.Table:
        """Return a table with a row a class: the labels, the levels and the number of rows."""
        labels = {
            f"label {name}": pa.array(shown, pa.string())
            for name, shown in zip(self.attributes, self.labels, strict=True)
        }
        levels = {
            f"level {name}": pa.array(line, pa.int32())
            for name, line in zip(self.attributes, self.levels, strict=True)
        }
        return pa.table(labels | levels | {ROWS: pa.array(self.counts, pa.int64())})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> "ReleasedClasses":
        """Read what :meth:`to_arrow` wrote."""
        names = [name.removeprefix("label ") for name in table.column_names]
        attributes = names[: (len(names) - 1) // 2]
        levels = [table[f"level {name}"].to_numpy() for name in attributes]
        return cls(
            attributes=tuple(attributes),
            labels=tuple(tuple(table[f"label {name}"].to_pylist()) for name in attributes),
            levels=np.array(levels, dtype=np.int32).reshape(len(attributes), len(table)),
            counts=table[ROWS].to_numpy().astype(np.int64),
        )


def classify(plan: Plan, fates: Fates) -> tuple[ReleasedClasses, Codes]:
    """Return the classes of a release, and for each fate of private rows its class.

    Rows that are kept blank are the class that shows nothing; rows that are left out have none.
    """
    frequency = plan.frequency
    stays = np.flatnonzero(~fates.gone | plan.blank)
    every = fates.tuples
    shown = Tuples(every.sequence[stays], every.levels[:, stays], every.counts[stays])
    class_of, counts = shown.classes(frequency, frequency.attributes)
    _, first = np.unique(class_of, return_index=True)
    if len(first) != len(counts):
        raise InternalError("a class of the release has no tuple")
    labels, levels = [], []
    for attribute in range(len(frequency.attributes)):
        texts, codes = shown.shown(frequency, attribute)
        hidden = codes[first] == SUPPRESSED_TEXT
        labels.append(tuple(texts[code] for code in codes[first]))
        levels.append(np.where(hidden, SUPPRESSED_CELL, shown.levels[attribute, first]))
    fated = np.full(len(every), LEFT_OUT, dtype=np.int32)
    fated[stays] = class_of
    lines = np.array(levels, dtype=np.int32)
    return ReleasedClasses(frequency.attributes, tuple(labels), lines, counts), fated
