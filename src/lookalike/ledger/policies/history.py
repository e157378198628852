"""History: what every row of a source showed in every release so far.

The rule for a safe release is stated in these terms: rows of equal history are a *part*, and each
part that a release shows must have at least k rows, or k persons where k counts persons.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.kernels.types import Codes, Counts, Digests, Flags
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.shown_columns import (
    ABSENT,
    ColumnComparison,
    RenamedColumn,
    ShownColumn,
    add_renamed,
    compare_columns,
    lengthen_digests,
    lengthen_renamed,
    show_columns,
    show_renamed,
)

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
    values: Mapping[str, Digests]
    ground: Mapping[str, Digests] = field(default_factory=dict)
    persons: Digests | None = None


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
    ``last_release``: for each row, the last release that showed it; `ABSENT` if none did.
    ``last_quasi_identifier``: digest of its quasi-identifier in that release; meaningless if it was
    never shown.
    ``columns``: for each name of a column that was ever shown, what was last shown under it.
    ``renamed``: for each column that was shown under several names, what was last shown under any
    of them.
    ``persons``: digest of each row's person, if k of some release counted persons. Rows whose
    person is not known have the same digest, so that they count as one person.
    """

    releases: tuple[str, ...]
    keys: Digests
    steps: Codes
    last_release: Codes
    last_class: Counts
    last_quasi_identifier: Digests
    columns: Mapping[str, ShownColumn]
    renamed: Mapping[str, RenamedColumn]
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
        found = self.find(keys)
        moved: Flags = found != ABSENT
        moved[moved] = self.last_release[found[moved]] != ABSENT
        moved[moved] = self.last_quasi_identifier[found[moved]] != quasi_identifier[moved]
        return moved

    def compare(
        self,
        keys: Digests,
        values: Mapping[str, Digests],
        ground: Mapping[str, Digests] | None = None,
    ) -> tuple[ColumnComparison, ...]:
        """Compare the present values of rows, column by column, with those last shown."""
        rows = self.find(keys)
        return compare_columns(self.columns, self.renamed, rows, values, ground or {})

    def after(self, release: RowMap) -> "History":
        """Return the history with one more release."""
        if len(number_keys(release.keys)[1]) < len(release.keys):
            raise InternalError(f"the row map of {release.release} has a row twice")
        rows, known = self._number(release)
        seen = release.class_of != ABSENT
        here, line = rows[seen], len(self.releases)
        classes = release.class_of[seen]
        values, ground = (
            {name: digests[seen] for name, digests in kind.items()}
            for kind in (release.values, release.ground)
        )
        compared = compare_columns(known.columns, known.renamed, here, values, ground)
        renamed = add_renamed(known.columns, known.renamed, compared)
        renamed = show_renamed(renamed, here, line, ground, exact=False)
        return replace(
            known,
            releases=(*self.releases, release.release),
            steps=np.vstack([known.steps, _step(len(known.keys), here, classes, compared)]),
            last_release=_put(known.last_release, here, line),
            last_class=_put(known.last_class, here, classes),
            last_quasi_identifier=_put(
                known.last_quasi_identifier, here, release.quasi_identifier[seen]
            ),
            columns={
                **known.columns,
                **show_columns(known.columns, len(known.keys), here, line, ground, exact=False),
                **show_columns(known.columns, len(known.keys), here, line, values, exact=True),
            },
            renamed=show_renamed(renamed, here, line, values, exact=True),
            persons=known._know_persons(rows, release.persons),
        )

    def _know_persons(self, rows: Codes, persons: Digests | None) -> Digests | None:
        """Return the person of each row after a release that says it of some rows, if at all."""
        if persons is None:
            return self.persons
        before = self.persons
        if before is None:
            before = np.zeros(len(self.keys), dtype=persons.dtype)
        return _put(before, rows, persons)

    def _number(self, release: RowMap) -> tuple[Codes, "History"]:
        """Return the position of each row of a release, and the history with new rows added."""
        rows = self.find(release.keys)
        new = rows == ABSENT
        more = int(np.count_nonzero(new))
        rows[new] = len(self.keys) + np.arange(more, dtype=np.int32)
        last = self.last_quasi_identifier if self.releases else release.quasi_identifier[:0]
        return rows, replace(
            self,
            keys=np.concatenate([self.keys, release.keys[new]]) if len(self.keys) else release.keys,
            steps=np.pad(self.steps, ((0, 0), (0, more)), constant_values=ABSENT),
            last_release=np.pad(self.last_release, (0, more), constant_values=ABSENT),
            last_class=np.pad(self.last_class, (0, more), constant_values=ABSENT),
            last_quasi_identifier=lengthen_digests(last, more),
            columns={name: column.lengthened(more) for name, column in self.columns.items()},
            renamed=lengthen_renamed(self.renamed, more),
            persons=None if self.persons is None else lengthen_digests(self.persons, more),
        )


EMPTY_HISTORY = History(
    releases=(),
    keys=np.zeros(0, dtype=np.int64),
    steps=np.zeros((0, 0), dtype=np.int32),
    last_release=np.zeros(0, dtype=np.int32),
    last_class=np.zeros(0, dtype=np.int64),
    last_quasi_identifier=np.zeros(0, dtype=np.int64),
    columns={},
    renamed={},
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
