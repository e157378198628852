"""A release as an attacker sees it: classes of equal rows, and what its certificate states."""

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
"""The name of the quasi-identifier if there is only one."""

Label = str | None


@dataclass(frozen=True)
class AttackerKnowledge:
    """What an attacker is assumed to know about a person, and the k that was promised for it."""

    name: str
    attributes: tuple[str, ...]
    k: int


@dataclass(frozen=True, eq=False)
class SeenRelease(Discreet):
    """A release as classes of equal rows, with the statements of its certificate.

    Parameters
    ----------
    name
        The name of the release in results and messages.
    columns
        Its columns.
    labels
        For each column its distinct values as text; ``None`` is missing.
    codes
        One line per column, one place per class: the position of its value among the labels.
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
        The label of a suppressed value.
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
                f"{self.name} has {self.rows:,} rows, but its source has only {self.rows_in:,}; "
                "give the number of rows of the source"
            )

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    def find_blank(self) -> npt.NDArray[np.bool_]:
        """Return which classes may be blank rows: every generalized column is suppressed."""
        blank = np.full(len(self), self.suppresses == "rows")
        for column in self.levels:
            place = self.position(column)
            hidden = np.array([label == self.suppressed for label in self.labels[place]], bool)
            blank &= hidden[self.codes[place]]
        return blank

    def position(self, column: str) -> int:
        """Return the position of a column."""
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
    """Describe a release by its rows, or by classes of rows with their counts.

    The parameters beyond eight are optional fields of :class:`SeenRelease`.

    Parameters
    ----------
    name, columns, levels, known, suppressed, suppresses
        See :class:`SeenRelease`. Without `known`, the quasi-identifier is all generalized columns,
        with the promise `k`.
    rows
        The values of each row; without `counts` they are in the order of the file.
    k
        The k that was promised.
    counts
        How many rows each entry of `rows` stands for; by default one.
    rows_in
        The number of rows of the source; by default all rows were released.

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
