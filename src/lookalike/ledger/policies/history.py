"""History: what every row showed in every release so far."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.kernels.types import Codes, Counts, Digests, Flags
from lookalike.ledger.policies.columns import (
    ABSENT,
    Column,
    Comparison,
    Joined,
    compare_columns,
    lengthen,
    never_shown,
)

NEVER_SHOWN = 0
"""The part of the rows that no release showed."""


@dataclass(frozen=True, eq=False)
class Shown(Discreet):
    """Which row of the source went into which class of one release: its row-to-class map.

    Parameters
    ----------
    release
        The name of the release.
    keys
        The keyed hash of each row of the source, each once.
    class_of
        The class in which each row was shown, a number from 0 on; `ABSENT` if it was not.
        Rows that were shown with a blank quasi-identifier are a class like any other.
    quasi_identifier
        A digest of each row's private values of the quasi-identifier.
    values
        For each column that is released as it is, a digest of each row's value as written.
    ground
        For each attribute of the quasi-identifier, a digest of each row's private value.
    """

    release: str
    keys: Digests
    class_of: Counts
    quasi_identifier: Digests
    values: Mapping[str, Digests]
    ground: Mapping[str, Digests] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class History(Discreet):
    """What every row that a release ever knew showed in every release, and showed last.

    Two rows have the same history if every release shows them in the same class or shows
    neither, and shows the same columns of both with other values than the last time that it
    showed these columns. The second is more than the class: who knows that a person's diagnosis
    changed can tell rows with a new diagnosis from the rest.

    Parameters
    ----------
    releases
        The names of the releases, in their order.
    keys
        The key of each row, once.
    steps
        By release and row: a number for what the release shows of the row, `ABSENT` for
        nothing. Equal numbers in one release mean: same class, and the same columns anew.
    last_release
        For each row, the release that showed it last; `ABSENT` if none did.
    last_class
        The class in which it was shown there.
    last_quasi_identifier
        The digest of its quasi-identifier then; of no meaning if it was never shown.
    columns
        For each name of a column that was ever shown, what was last shown under it.
    joined
        For each column that was shown under several names, what was last shown under any.
    """

    releases: tuple[str, ...]
    keys: Digests
    steps: Codes
    last_release: Codes
    last_class: Counts
    last_quasi_identifier: Digests
    columns: Mapping[str, Column]
    joined: Mapping[str, Joined]

    def find(self, keys: Digests) -> Codes:
        """Return where each key stands in the history; `ABSENT` for one that is new to it."""
        if not len(self.keys):
            return np.full(len(keys), ABSENT, dtype=np.int32)
        number, _ = number_keys(np.concatenate([self.keys, keys]))
        found = number[len(self.keys) :]
        return np.where(found < len(self.keys), found, ABSENT).astype(np.int32)

    @cached_property
    def parts(self) -> tuple[Codes, Counts]:
        """The part of every row, and the size of each: a part is all rows of equal history.

        Part `NEVER_SHOWN` is there even if it has no row.
        """
        return _divide(self.steps)

    def moved(self, keys: Digests, quasi_identifier: Digests) -> Flags:
        """Tell which rows have another quasi-identifier than when they were last shown."""
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
    ) -> tuple[Comparison, ...]:
        """Compare what rows of the source show, column by column, with what they last showed."""
        rows = self.find(keys)
        return compare_columns(self.columns, self.joined, rows, values, ground or {})

    def after(self, release: Shown) -> "History":
        """Return the history with one more release.

        Raises
        ------
        InternalError
            If the map of the release has a row twice.
        """
        if len(number_keys(release.keys)[1]) < len(release.keys):
            raise InternalError(f"the map of release {release.release} has a row twice")
        rows, known = self._number(release)
        seen = release.class_of != ABSENT
        here, line = rows[seen], len(self.releases)
        classes = release.class_of[seen]
        values, ground = (
            {name: digests[seen] for name, digests in kind.items()}
            for kind in (release.values, release.ground)
        )
        compared = compare_columns(known.columns, known.joined, here, values, ground)
        joined = _join_renamed(known.columns, known.joined, compared)
        joined = _show_joined(joined, here, line, ground, exact=False)
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
                **_show(known.columns, len(known.keys), here, line, ground, exact=False),
                **_show(known.columns, len(known.keys), here, line, values, exact=True),
            },
            joined=_show_joined(joined, here, line, values, exact=True),
        )

    def _number(self, release: Shown) -> tuple[Codes, "History"]:
        """Return where each row of a release stands, and the history with those new to it."""
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
            last_quasi_identifier=lengthen(last, more),
            columns={name: column.lengthened(more) for name, column in self.columns.items()},
            joined=_lengthen(self.joined, more),
        )


NOTHING = History(
    releases=(),
    keys=np.zeros(0, dtype=np.int64),
    steps=np.zeros((0, 0), dtype=np.int32),
    last_release=np.zeros(0, dtype=np.int32),
    last_class=np.zeros(0, dtype=np.int64),
    last_quasi_identifier=np.zeros(0, dtype=np.int64),
    columns={},
    joined={},
)
"""The history before the first release."""


def remember(shown: Iterable[Shown]) -> History:
    """Put the row-to-class maps of all releases of a source together, in their order.

    They are looked at one after the other, so only one has to be in memory.

    Examples
    --------
    >>> keys = np.array([1, 2, 3])
    >>> digests = np.array([0, 0, 0])
    >>> first = Shown("march", keys, np.array([0, 0, ABSENT]), digests, {"ill": digests})
    >>> second = Shown("april", keys, np.array([0, 0, 0]), digests, {"ill": digests})
    >>> least_history(remember([first])), least_history(remember([first, second]))
    (2, 1)
    """
    history = NOTHING
    for release in shown:
        history = history.after(release)
    return history


def _step(total: int, rows: Codes, classes: Counts, compared: Iterable[Comparison]) -> Codes:
    """Number what a release shows of some rows: their class, and the columns that are new."""
    anew = [one.differs for one in compared if one.differs.any()]
    dense = np.unique(classes, return_inverse=True)[1]
    codes = np.vstack([dense, *anew]).astype(np.int32)
    step = np.full(total, ABSENT, dtype=np.int32)
    step[rows] = number_columns(codes, np.ones(len(rows), dtype=np.int64))[0]
    return step


def _put(array: Digests, rows: Codes, values: Digests | int) -> Digests:
    """Return an array with other values of some rows."""
    changed = array.copy()
    changed[rows] = values
    return changed


def _lengthen(joined: Mapping[str, Joined], more: int) -> dict[str, Joined]:
    """Return columns with more rows; names of one column stay names of one column."""
    longer = {id(one): Joined(one.names, one.column.lengthened(more)) for one in joined.values()}
    return {name: longer[id(one)] for name, one in joined.items()}


def _join_renamed(
    known: Mapping[str, Column], joined: Mapping[str, Joined], compared: Iterable[Comparison]
) -> dict[str, Joined]:
    """Return the columns that have several names, with those that a release was found to rename.

    A release may show some rows only. Of the others the column was last shown under the old name.
    """
    found = dict(joined)
    for one in compared:
        if one.before != one.name and not (
            one.name in found and one.before in found[one.name].names
        ):
            before, own = (
                found.get(name) or Joined(frozenset([name]), known.get(name, known[one.before]))
                for name in (one.before, one.name)
            )
            both = Joined(before.names | own.names, own.column.joined(before.column))
            found |= dict.fromkeys([*before.names, *own.names], both)
    return found


def _show_joined(
    joined: Mapping[str, Joined],
    rows: Codes,
    release: int,
    digests: Mapping[str, Digests],
    *,
    exact: bool,
) -> dict[str, Joined]:
    """Return the columns that have several names after a release showed some of them.

    The other names of a column go with it, unless the release shows a column under each of them.
    """
    shown = dict(joined)
    for name, each in digests.items():
        if name in shown:
            before = shown[name]
            column = before.column.after(rows, release, each, exact=exact)
            after = Joined(before.names, column)
            with_it = [other for other, one in shown.items() if one is before]
            shown |= {other: after for other in with_it if other not in digests} | {name: after}
    return shown


def _show(
    known: Mapping[str, Column],
    total: int,
    rows: Codes,
    release: int,
    digests: Mapping[str, Digests],
    *,
    exact: bool,
) -> dict[str, Column]:
    """Return some columns after a release showed them of some rows, as they are or generalized."""
    return {
        name: (known.get(name) or never_shown(total, each.dtype)).after(
            rows, release, each, exact=exact
        )
        for name, each in digests.items()
    }


def least_history(history: History) -> int:
    """Return the size of the smallest set of rows with the same history.

    Rows that no release showed do not count: nothing is known of them. Without a release that
    shows a row it is 0, as of an empty table.
    """
    _, rows = history.parts
    return int(rows[1:].min()) if len(rows) > 1 else 0


def exposed_rows(history: History, k: int) -> int:
    """Return how many rows the last release exposes: whose history fewer than k rows share.

    Not counted are rows of which that was true before, if the last release does not show them.
    """
    part, rows = history.parts
    before, rows_before = _divide(history.steps[:-1])
    few = (part != NEVER_SHOWN) & (rows[part] < k)
    few_before = (before != NEVER_SHOWN) & (rows_before[before] < k)
    shown = (history.steps[-1:] != ABSENT).any(axis=0)
    return int(np.count_nonzero(few & (shown | ~few_before)))


def _divide(steps: Codes) -> tuple[Codes, Counts]:
    """Number rows of equal steps alike, those that were never shown 0, and count each part."""
    never = np.full((len(steps), 1), ABSENT, dtype=np.int32)
    codes = np.hstack([never, steps]) - ABSENT
    counts = np.ones(codes.shape[1], dtype=np.int64)
    counts[0] = 0
    part, rows = number_columns(codes, counts)
    return part[1:], rows
