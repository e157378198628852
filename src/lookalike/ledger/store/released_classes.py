"""ReleasedClasses: the equivalence classes that a release shows, with labels, levels and sizes."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.model.tuples import SUPPRESSED_CELL, SUPPRESSED_TEXT, Tuples
from lookalike.tables.plan import Fates, Plan

LEFT_OUT = -1
"""The class number of rows that are not in the release."""
_ROWS = "rows"


@dataclass(frozen=True, eq=False)
class ReleasedClasses(Discreet):
    """The equivalence classes of a release over all its quasi-identifier attributes.

    ``labels``: for each attribute, the label that the rows of each class show; None is a missing
    value.
    ``levels``: for each attribute, the level of the label of each class;
    :data:`~lookalike.model.tuples.SUPPRESSED_CELL` for the suppressed value, which is more general
    than every level.
    """

    attributes: tuple[str, ...]
    labels: tuple[tuple[str | None, ...], ...]
    levels: Levels
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def to_arrow(self) -> pa.Table:
        """Return a table with one row per class: labels, levels and number of rows."""
        labels = {
            f"label {name}": pa.array(shown, pa.string())
            for name, shown in zip(self.attributes, self.labels, strict=True)
        }
        levels = {
            f"level {name}": pa.array(line, pa.int32())
            for name, line in zip(self.attributes, self.levels, strict=True)
        }
        return pa.table(labels | levels | {_ROWS: pa.array(self.counts, pa.int64())})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> "ReleasedClasses":
        """Read the result of :meth:`to_arrow`."""
        names = [name.removeprefix("label ") for name in table.column_names]
        attributes = names[: (len(names) - 1) // 2]
        levels = [table[f"level {name}"].to_numpy() for name in attributes]
        return cls(
            attributes=tuple(attributes),
            labels=tuple(tuple(table[f"label {name}"].to_pylist()) for name in attributes),
            levels=np.array(levels, dtype=np.int32).reshape(len(attributes), len(table)),
            counts=table[_ROWS].to_numpy().astype(np.int64),
        )


def classify(plan: Plan, fates: Fates) -> tuple[ReleasedClasses, Codes]:
    """Return the classes of a release, and the class of each fate of private rows.

    Suppressed rows that are kept blank are a class of suppressed values. Rows that are left out
    have the class :data:`LEFT_OUT`.
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
    class_of_fate = np.full(len(every), LEFT_OUT, dtype=np.int32)
    class_of_fate[stays] = class_of
    lines = np.array(levels, dtype=np.int32)
    return ReleasedClasses(frequency.attributes, tuple(labels), lines, counts), class_of_fate
