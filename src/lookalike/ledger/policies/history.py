"""History: what every row of a source showed in every release so far.

The rule for a safe release is stated in these terms: rows of equal history are a *part*, and each
part that a release shows must have at least k rows, or k persons where k counts persons.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.kernels.types import Codes, Counts, Digests, Flags
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.shown_columns import (
    ABSENT,
    ColumnComparison,
    ColumnDigests,
    ShownColumn,
    ShownColumns,
    lengthen,
)
from lookalike.ledger.store import row_map

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import ReleaseFiles  # imports sqlalchemy

NEVER_SHOWN = 0
"""The part of the rows that no release showed."""


@dataclass(frozen=True, eq=False)
class RowMap(Discreet):
    """The row map of one release: which row of the source is in which class, as arrays.

    ``keys``: keyed hash of each row of the source, without duplicates.
    ``class_of``: class that shows each row, a number from 0 on; `ABSENT` if the row is not shown.
    Rows with a blank quasi-identifier are a class like any other.
    ``quasi_identifier``: digest of each row's private values of the quasi-identifier.
    ``values``: for each column that is released unchanged, the digest of each row's value.
    ``ground``: for each attribute of the quasi-identifier, the digest of each row's private value.
    ``persons``: digest of each row's person, if k counts persons.
    """

    release: str
    keys: Digests
    class_of: Counts
    quasi_identifier: Digests
    values: ColumnDigests
    ground: ColumnDigests = field(default_factory=dict)
    persons: Digests | None = None


def read_row_map(name: str, files: "ReleaseFiles") -> RowMap:
    """Read the row map of a release from its files in the ledger."""
    rows = files.read_rows()
    return RowMap(
        release=name,
        keys=row_map.to_digests(rows[row_map.KEY]),
        class_of=rows[row_map.CLASS].fill_null(row_map.LEFT_OUT).to_numpy().astype(np.int64),
        quasi_identifier=row_map.to_digests(rows[row_map.LINKABLE]),
        values=row_map.digests_of(row_map.VALUE, rows),
        ground=row_map.digests_of(row_map.GROUND, rows),
        persons=row_map.to_digests(rows[row_map.PERSON])
        if row_map.PERSON in rows.column_names
        else None,
    )


@dataclass(frozen=True, eq=False)
class History(Discreet):
    """What every known row showed in each release, and what it showed last.

    Two rows have the same history if every release either shows both in the same class or shows
    neither, and shows new values of both in the same columns. New values matter besides the class:
    an attacker who knows that a person's diagnosis changed can distinguish rows with a new
    diagnosis from the others.

    ``releases``: names of the releases, in the order of publishing.
    ``keys``: key of each row, without duplicates.
    ``steps``: by release and row: a number for what the release shows of the row, `ABSENT` if it
    does not show the row. Equal numbers in one release mean the same class, and new values in the
    same columns.
    ``linkable``: for each row, the last release that showed it, and the digest of its
    quasi-identifier then.
    ``last_class``: its class in that release.
    ``shown``: what was last shown of every column.
    ``persons``: digest of each row's person, if k of some release counted persons. Rows whose
    person is not known have the same digest, so that they count as one person.
    """

    releases: tuple[str, ...]
    keys: Digests
    steps: Codes
    linkable: ShownColumn
    last_class: Counts
    shown: ShownColumns
    persons: Digests | None = None

    def find(self, keys: Digests) -> Codes:
        """Return the position of each key in the history; `ABSENT` for an unknown key."""
        if not len(self.keys):
            return np.full(len(keys), ABSENT, dtype=np.int32)
        number, _ = number_keys(np.concatenate([self.keys, keys]))
        found = number[len(self.keys) :]
        return np.where(found < len(self.keys), found, ABSENT).astype(np.int32)

    @cached_property
    def parts(self) -> tuple[Codes, Counts]:
        """The part of each row, and the size of each part: all rows of equal history.

        Part `NEVER_SHOWN` exists even if it has no row.
        """
        return _divide(self.steps)

    def moved(self, keys: Digests, quasi_identifier: Digests) -> Flags:
        """Return which rows have another quasi-identifier than when they were last shown."""
        return self.linkable.differs(self.find(keys), quasi_identifier, exactly=False)

    def compare(
        self,
        keys: Digests,
        values: ColumnDigests,
        ground: ColumnDigests | None = None,
        also: Iterable[tuple[str, str]] = (),
    ) -> tuple[ColumnComparison, ...]:
        """Compare the present values of rows, column by column, with those last shown.

        ``also``: columns that count as renamed in any case, each with its earlier name.
        """
        return self.shown.compare(self.find(keys), values, ground or {}, also)

    @property
    def columns(self) -> Mapping[str, ShownColumn]:
        """What was last shown under each name of a column."""
        return self.shown.known

    def after(self, release: RowMap) -> "History":
        """Return the history with one more release."""
        if len(number_keys(release.keys)[1]) < len(release.keys):
            raise InternalError(f"the row map of {release.release} has a row twice")
        rows, known = self._number(release)
        seen = release.class_of != ABSENT
        here, line, classes = rows[seen], len(self.releases), release.class_of[seen]
        values, ground = (
            {name: digests[seen] for name, digests in kind.items()}
            for kind in (release.values, release.ground)
        )
        total, compared = len(known.keys), known.shown.compare(here, values, ground)
        shown = known.shown.renaming(compared).showing(total, here, line, ground, exact=False)
        persons = known.persons
        if release.persons is not None:
            unknown = np.zeros(total, dtype=release.persons.dtype)
            persons = _put(unknown if persons is None else persons, rows, release.persons)
        return replace(
            known,
            releases=(*self.releases, release.release),
            steps=np.vstack([known.steps, _step(total, here, classes, compared)]),
            linkable=known.linkable.after(here, line, release.quasi_identifier[seen], exact=False),
            last_class=_put(known.last_class, here, classes),
            shown=shown.showing(total, here, line, values, exact=True),
            persons=persons,
        )

    def _number(self, release: RowMap) -> tuple[Codes, "History"]:
        """Return the position of each row of a release, and the history with new rows added."""
        rows = self.find(release.keys)
        new = rows == ABSENT
        more = int(np.count_nonzero(new))
        rows[new] = len(self.keys) + np.arange(more, dtype=np.int32)
        last = self.linkable
        if not self.releases:
            last = replace(last, digest=release.quasi_identifier[:0])
        return rows, replace(
            self,
            keys=np.concatenate([self.keys, release.keys[new]]) if len(self.keys) else release.keys,
            steps=lengthen(self.steps, more, ABSENT),
            linkable=last.lengthened(more),
            last_class=lengthen(self.last_class, more, ABSENT),
            shown=self.shown.lengthened(more),
            persons=None if self.persons is None else lengthen(self.persons, more),
        )


EMPTY_HISTORY = History(
    releases=(),
    keys=np.zeros(0, dtype=np.int64),
    steps=np.zeros((0, 0), dtype=np.int32),
    linkable=ShownColumn(np.zeros(0, np.int32), np.zeros(0, np.int64), frozenset()),
    last_class=np.zeros(0, dtype=np.int64),
    shown=ShownColumns({}, {}),
)
"""The history before the first release."""


def build_history(releases: Iterable[RowMap]) -> History:
    """Return the history of all releases of a source, given in the order of publishing.

    Only one row map has to be in memory at a time.
    """
    history = EMPTY_HISTORY
    for release in releases:
        history = history.after(release)
    return history


def _step(total: int, rows: Codes, classes: Counts, compared: Iterable[ColumnComparison]) -> Codes:
    """Number what a release shows of some rows: their class, and the columns with new values."""
    anew = [one.differs for one in compared if one.differs.any()]
    dense = np.unique(classes, return_inverse=True)[1]
    step = np.full(total, ABSENT, dtype=np.int32)
    step[rows] = number_alike(dense, *anew)[0]
    return step


def _put(array: Digests, rows: Codes, values: Digests | int) -> Digests:
    """Return a copy of an array with the values of some rows replaced."""
    changed = array.copy()
    changed[rows] = values
    return changed


def smallest_part(history: History) -> int:
    """Return the size of the smallest set of rows with the same history.

    Rows that no release showed do not count, because nothing is known of them. Returns 0 if no
    release shows a row.
    """
    _, rows = history.parts
    return int(rows[1:].min()) if len(rows) > 1 else 0


def count_exposed_rows(history: History, k: int) -> int:
    """Count the rows that the last release exposes: fewer than k rows share their history.

    Where k counts persons, fewer than k persons do. A row that was exposed before does not count if
    the last release does not show it.
    """
    few = _have_few(*history.parts, history.persons, k)
    few_before = _have_few(*_divide(history.steps[:-1]), history.persons, k)
    shown = (history.steps[-1:] != ABSENT).any(axis=0)
    return int(np.count_nonzero(few & (shown | ~few_before)))


def _have_few(part: Codes, sizes: Counts, persons: Digests | None, k: int) -> Flags:
    """Mark the rows that were shown and have a history of fewer than k rows or persons."""
    if persons is not None:
        pairs = np.unique(np.stack([part, number_keys(persons)[0]]), axis=1)
        sizes = np.bincount(pairs[0], minlength=len(sizes))
    few: Flags = (part != NEVER_SHOWN) & (sizes[part] < k)
    return few


def _divide(steps: Codes) -> tuple[Codes, Counts]:
    """Number the parts (rows of equal steps; 0 if never shown), and count the rows of each."""
    never = np.full((len(steps), 1), ABSENT, dtype=np.int32)
    codes = np.hstack([never, steps]) - ABSENT
    counts = np.ones(codes.shape[1], dtype=np.int64)
    counts[0] = 0
    part, rows = number_columns(codes, counts)
    return part[1:], rows
