"""A release as an attacker sees it: classes of equal rows, and what its certificate states."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy, Mask, Suppress
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.publish.certificate import Certificate
from lookalike.publish.certified import GeneralizedAttribute
from lookalike.spec.policies import ALL_RELEASED
from lookalike.tables.connection import Connection
from lookalike.tables.count import count
from lookalike.tables.engines import collect
from lookalike.tables.read import read_frame, read_source
from lookalike.tables.released_file import read_released_file
from lookalike.tables.source import Source

Label = str | None


Rules = Mapping[str, Hierarchy]
"""The hierarchies of columns, by name."""


@dataclass(frozen=True)
class AttackerKnowledge:
    """What an attacker is assumed to know about a person, and the k that was promised for it."""

    name: str
    attributes: tuple[str, ...]
    k: int


@dataclass(frozen=True, eq=False)
class SeenRelease(Discreet):
    """A release as classes of equal rows, with the statements of its certificate.

    ``name``: the name of the release in results and messages.
    ``labels``: for each column its distinct values as text; ``None`` is missing.
    ``codes``: one line per column, one place per class: the position of its value among the labels.
    ``levels``: for each generalized column the level of its values, or ``None`` where they differ
    from cell to cell. The other columns are released as they are.
    ``known``: the quasi-identifiers, with the k that was promised.
    ``rows_in``: the rows of the source, of which the release shows some.
    ``order``: the class of each row in the order of the file, if that is known.
    ``suppresses``: what may have been suppressed besides values that a hierarchy suppresses: any
    cell, whole rows, or nothing.
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

    def find_blank(self) -> Flags:
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


Releases = Sequence[SeenRelease]
Known = Sequence[AttackerKnowledge]


def read_rows(path: Path) -> pa.Table:
    """Read the rows of a file, or of a folder of part files, in their order."""
    return collect(read_source(Source(path=str(path)), Connection())).to_arrow()


def read_released_rows(file: Path, certificate: Certificate) -> pa.Table:
    """Read the rows of a published file, with its values and not the apostrophes."""
    rows = read_released_file(file, Connection(), neutralized=certificate.neutralized)
    return collect(rows).to_arrow()


def read_certified(
    name: str, table: pa.Table, certificate: Certificate, every: Sequence[Certificate]
) -> SeenRelease:
    """Read a release from its rows and its certificate."""
    if tuple(table.column_names) != certificate.columns:
        raise InvalidInput(
            f"the columns of {name} differ from those in its certificate; check with lookalike "
            "verify whether the release was changed after it was published"
        )
    return count_classes(
        name,
        table,
        levels={column: done.level for column, done in certificate.generalized.items()},
        known=tuple(_list_known(certificate, every)),
        rows_in=certificate.rows_in,
        suppressed=certificate.suppressed_label,
        suppresses=_find_suppressed(certificate),
    )


def _find_suppressed(certificate: Certificate) -> Literal["cells", "rows", "nothing"]:
    """Return what a release may have suppressed besides values that a hierarchy suppresses."""
    if certificate.recoding == "cell level":
        return "cells"
    suppressed = certificate.rows_suppressed + certificate.rows_complementary
    return "rows" if certificate.suppressed_rows == "blank" and suppressed else "nothing"


def _list_known(certificate: Certificate, every: Sequence[Certificate]) -> list[AttackerKnowledge]:
    """Return what an attacker may know: the quasi-identifier without columns added by a policy.

    The policy :mod:`~lookalike.ledger.policies.policy` adds columns that another release
    shows as they are, so that releases cannot be linked. An attacker does not know these columns
    from other sources.
    """
    earlier = certificate.earlier_releases
    widened = not isinstance(earlier, str) and earlier.policy == ALL_RELEASED
    joined = {name for one in every for name in one.released_as_they_are if widened}
    return [
        AttackerKnowledge(
            one.name, tuple(name for name in one.attributes if name not in joined), one.k
        )
        for one in certificate.quasi_identifiers
    ]


def count_classes(
    name: str, table: pa.Table, weights: Counts | None = None, **fields: Any
) -> SeenRelease:
    """Count the classes of a release and keep the order of its rows.

    ``weights``: the number of people that each row stands for; by default one.
    ``fields``: those of :class:`SeenRelease`.
    """
    counted = count(read_frame(table), table.column_names)
    class_of, first, counts = group_equal(
        counted.positions,
        [len(values) for values in counted.values],
        counted.counts if weights is None else weights,
    )
    return SeenRelease(
        name=name,
        columns=tuple(table.column_names),
        labels=counted.values,
        codes=np.take(counted.positions, first, axis=1),
        counts=counts,
        order=class_of,
        **fields,
    )


def fit_hierarchies(
    rules: Rules, generalized: Iterable[Mapping[str, GeneralizedAttribute]]
) -> dict[str, Hierarchy]:
    """Return the hierarchies of generalized columns, with the heights that certificates state.

    A column that was either shown or suppressed needs no hierarchy in `rules`.
    """
    fitted = dict(rules)
    for stated in generalized:
        for name, done in stated.items():
            rule = fitted.get(name)
            if rule is None and done.hierarchy == Suppress().name:
                fitted[name] = rule = Suppress()
            if isinstance(rule, Mask) and rule.length is None and rule.hides_one_by_one:
                fitted[name] = rule = replace(rule, length=done.height)
            if rule is not None and rule.height != done.height:
                raise InvalidInput(
                    f"column {name!r} was generalized with a hierarchy of height {done.height}, "
                    "but the specification or another release has a hierarchy of height "
                    f"{rule.height}; releases can only be compared with one and the same hierarchy"
                )
    return fitted
