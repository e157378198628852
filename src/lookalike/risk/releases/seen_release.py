"""SeenRelease: what an attacker sees of a release, as classes of equal rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts

WHOLE_QUASI_IDENTIFIER = "quasi-identifier"
"""The name of the quasi-identifier where there is but one."""

Label = str | None


@dataclass(frozen=True)
class AttackerKnowledge:
    """What an attacker is assumed to know of a person, and the k that was promised for it.

    Parameters
    ----------
    name
        The name of the quasi-identifier.
    attributes
        Its attributes.
    k
        How many rows should remain possible.
    """

    name: str
    attributes: tuple[str, ...]
    k: int


@dataclass(frozen=True, eq=False)
class SeenRelease(Discreet):
    """A release as classes of equal rows, and what its recipients are told.

    Parameters
    ----------
    name
        What to call it.
    columns
        Its columns.
    labels
        For each column its distinct values, as they are written; ``None`` is missing.
    codes
        One line a column, one place a class: the position of its value among the labels.
    counts
        The number of rows of each class.
    levels
        For each generalized column the level of its values, or ``None`` where they differ from
        cell to cell. The other columns are released as they are.
    known
        The quasi-identifiers, with the k that was promised.
    rows_in
        The rows of the source, of which the release shows some.
    suppressed
        How the suppressed value is written.
    order
        The class of each row in the order of the file, if that is known.
    suppresses
        What may have been suppressed besides values that a hierarchy suppresses: any cell, whole
        rows, or nothing.
    """

    name: str
    columns: tuple[str, ...]
    labels: tuple[tuple[Label, ...], ...]
    codes: Codes
    counts: Counts
    levels: Mapping[str, int | None]
    known: tuple[AttackerKnowledge, ...]
    rows_in: int
    suppressed: str = SUPPRESSED
    order: Codes | None = field(default=None, repr=False)
    suppresses: Literal["cells", "rows", "nothing"] = "cells"

    def __post_init__(self) -> None:
        if self.rows_in < self.rows:
            raise InvalidInput(
                f"{self.name} has {self.rows:,} rows, but its source only {self.rows_in:,}; give "
                "the number of rows that went in"
            )

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    def find_blank(self) -> npt.NDArray[np.bool_]:
        """Tell which classes may be of blank rows: all that is generalized shows nothing."""
        blank = np.full(len(self), self.suppresses == "rows")
        for column in self.levels:
            place = self.position(column)
            hidden = np.array([label == self.suppressed for label in self.labels[place]], bool)
            blank &= hidden[self.codes[place]]
        return blank

    def position(self, column: str) -> int:
        """Return the place of a column."""
        return self.columns.index(column)


def see_rows(
    name: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Label]],
    *,
    levels: Mapping[str, int | None],
    k: int,
    counts: Sequence[int] | None = None,
    rows_in: int | None = None,
    known: Sequence[AttackerKnowledge] = (),
    suppressed: str = SUPPRESSED,
    suppresses: Literal["cells", "rows", "nothing"] = "cells",
) -> SeenRelease:
    """Describe a release from its rows, or from classes of them with their counts.

    Parameters
    ----------
    name, columns, levels, known, suppressed, suppresses
        See :class:`SeenRelease`. Without `known`, whoever knows all generalized columns is
        promised `k`.
    rows
        The values of each row; without `counts` they are in the order of the file.
    k
        What was promised.
    counts
        How many rows each of them stands for, if not one.
    rows_in
        The rows of the source; without it, all of them were released.

    Examples
    --------
    >>> made = see_rows("R1", ["sex"], [("f",), ("m",), ("f",)], levels={"sex": 0}, k=2)
    >>> made.labels, made.codes.tolist(), made.counts.tolist(), made.order.tolist()
    ((('f', 'm'),), [[0, 1]], [2, 1], [0, 1, 0])
    """
    labels = [tuple(dict.fromkeys(row[line] for row in rows)) for line in range(len(columns))]
    positions = [{label: code for code, label in enumerate(some)} for some in labels]
    codes = np.array(
        [[positions[line][row[line]] for row in rows] for line in range(len(columns))],
        dtype=np.int32,
    ).reshape(len(columns), len(rows))
    numbers = np.ones(len(rows), np.int64) if counts is None else np.array(counts, np.int64)
    class_of, first, totals = group_equal(codes, [len(some) for some in labels], numbers)
    return SeenRelease(
        name=name,
        columns=tuple(columns),
        labels=tuple(labels),
        codes=np.take(codes, first, axis=1),
        counts=totals,
        levels=levels,
        known=tuple(known) or (AttackerKnowledge(WHOLE_QUASI_IDENTIFIER, tuple(levels), k),),
        rows_in=int(totals.sum()) if rows_in is None else rows_in,
        suppressed=suppressed,
        order=class_of if counts is None else None,
        suppresses=suppresses,
    )
