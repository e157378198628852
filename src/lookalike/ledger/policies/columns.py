"""Columns: what a release shows anew of rows, column by column.

A value is shown anew if it differs from the last time that its column showed it of the same row.
A column is known again by its name. A name does not hide what a column shows: one that was not
shown before, or that shows something else now, is compared by its content with the earlier columns
that the release does not show any more. If the same rows agree far more often than
rows taken at random would, it is the same column under another name.

How far two columns agree is Cohen's kappa: (agreeing - chance) / (1 - chance), which is 1 for
a copy and 0 for columns that have nothing to do with each other. Where one of them shows a single
value, which makes it 0 whatever the other shows, it is the share of agreeing rows. From `SAME` on
they count as one; that is low on purpose, because a column that is not recognized would hide whose
values changed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Flags

ABSENT = -1
"""The class of a row that a release does not show, and the place of a row that is not known."""

SAME = 0.25
"""From this agreement on two columns are one, whatever their names."""

SAMPLE = 10_000
"""How many rows are enough to say how far two columns agree."""


@dataclass(frozen=True, eq=False)
class Column:
    """What was last shown of one column, row by row.

    Parameters
    ----------
    release
        For each row, the number of the release that showed this column of it last; `ABSENT` if
        none did.
    digest
        The digest of its value then; of no meaning if it was never shown.
    exact
        The releases that showed the column as it is, and not generalized.
    """

    release: Codes
    digest: Digests
    exact: frozenset[int]

    @property
    def latest(self) -> int:
        """The last release that showed the column; `ABSENT` if it showed it of no row."""
        return int(self.release.max(initial=ABSENT))

    def knows(self, rows: Codes, *, exactly: bool) -> Flags:
        """Tell of which rows a release showed the column before.

        Parameters
        ----------
        rows
            Where the rows stand in the history; `ABSENT` for one that is not known.
        exactly
            Whether some release must have shown it as it is. It need not be the last: what a
            release in between hides does not undo what was shown.
        """
        known: Flags = rows != ABSENT
        known[known] = self.release[rows[known]] != ABSENT
        return known if self.exact or not exactly else np.zeros_like(known)

    def after(self, rows: Codes, release: int, digests: Digests, *, exact: bool) -> "Column":
        """Return what was last shown after one more release showed the column of some rows."""
        last, digest = self.release.copy(), self.digest.copy()
        last[rows], digest[rows] = release, digests
        return Column(last, digest, self.exact | {release} if exact else self.exact)

    def joined(self, other: "Column") -> "Column":
        """Return what was last shown of a column under two names."""
        later = other.release > self.release
        return Column(
            np.where(later, other.release, self.release),
            np.where(later, other.digest, self.digest),
            self.exact | other.exact,
        )

    def lengthened(self, more: int) -> "Column":
        """Return the same with more rows, of which the column was never shown."""
        last = np.pad(self.release, (0, more), constant_values=ABSENT)
        return Column(last, lengthen(self.digest, more), self.exact)


def never_shown(rows: int, kind: np.dtype[Any]) -> Column:
    """Return a column that was never shown of some rows, for digests of a type."""
    last = np.full(rows, ABSENT, dtype=np.int32)
    return Column(last, np.zeros(rows, dtype=kind), frozenset())


def lengthen(digests: Digests, more: int) -> Digests:
    """Return digests with more of them, which mean nothing."""
    return np.concatenate([digests, np.zeros(more, dtype=digests.dtype)])


@dataclass(frozen=True, eq=False)
class Joined:
    """What was last shown of one column under any of several names.

    Parameters
    ----------
    names
        The names.
    column
        What was last shown under them.
    """

    names: frozenset[str]
    column: Column

    def other_than(self, name: str) -> str:
        """Return another name of the column."""
        return min(self.names - {name})


@dataclass(frozen=True, eq=False)
class Comparison:
    """A column of a release against an earlier one that showed the same.

    Parameters
    ----------
    name
        The column.
    before
        The name of the earlier column, mostly the same.
    earlier
        What was last shown of it.
    differs
        Whether the value of a row differs from the one last shown of it.
    """

    name: str
    before: str
    earlier: Column
    differs: Flags


def compare_columns(
    known: Mapping[str, Column],
    joined: Mapping[str, Joined],
    rows: Codes,
    values: Mapping[str, Digests],
    ground: Mapping[str, Digests],
) -> tuple[Comparison, ...]:
    """Compare what a release shows of rows with what was last shown of them.

    Each column is compared with what its name showed last and, if it has other names, with what
    any of these showed last: two columns that are taken for one by mistake hide nothing.
    A generalized column is compared with one that was shown as it is, and the other way round, by
    the private values. Where both are generalized, classes tell the difference already.

    Parameters
    ----------
    known
        What was last shown under each name.
    joined
        What was last shown of those that have several names.
    rows
        Where the rows stand in the history; `ABSENT` for one that is not known.
    values
        The digests of the columns that the release shows as they are.
    ground
        The digests of the private values of those that it generalizes.
    """
    pairs = [(name, name, known[name]) for name in (*values, *ground) if name in known]
    pairs += [
        (name, joined[name].other_than(name), joined[name].column)
        for name in (*values, *ground)
        if name in joined
    ]
    for name, before in _find_renamed(known, rows, values):
        if name not in joined or before not in joined[name].names:
            earlier = joined[before].column if before in joined else known[before]
            pairs.append((name, before, earlier))
    return tuple(
        Comparison(name, before, earlier, _differ(earlier, rows, name, values, ground))
        for name, before, earlier in pairs
    )


def _differ(
    before: Column,
    rows: Codes,
    name: str,
    values: Mapping[str, Digests],
    ground: Mapping[str, Digests],
) -> Flags:
    """Tell of which rows the value differs from the one last shown."""
    digests = values[name] if name in values else ground[name]
    differs = before.knows(rows, exactly=name not in values)
    differs[differs] = before.digest[rows[differs]] != digests[differs]
    return differs


def _find_renamed(
    known: Mapping[str, Column], rows: Codes, values: Mapping[str, Digests]
) -> Iterator[tuple[str, str]]:
    """Yield columns that show what an earlier one under another name did, with that one.

    A column continues if it agrees with what its name showed before. It is then compared only
    with columns that were shown since, and every other one with all that are not continued.
    """
    continued = {
        name for name in values if name in known and _agree(known[name], rows, values[name]) >= SAME
    }
    ended = [name for name, column in known.items() if column.exact and name not in continued]
    for name, digests in values.items():
        since = known[name].latest if name in continued else ABSENT
        others = [other for other in ended if other != name and known[other].latest > since]
        agreement = {other: _agree(known[other], rows, digests) for other in others}
        best = max(others, key=agreement.__getitem__, default=None)
        if best is not None and agreement[best] >= SAME:
            yield name, best


def _agree(before: Column, rows: Codes, digests: Digests) -> float:
    """Return how far what some rows show agrees with what was last shown of them, at most 1."""
    both = np.flatnonzero(before.knows(rows, exactly=True))
    if not len(both):
        return 0.0
    some = both[:: -(-len(both) // SAMPLE)]
    then, now = before.digest[rows[some]], digests[some]
    number, _ = number_keys(np.concatenate([then, now]))
    first, second = (np.bincount(each, minlength=len(number)) for each in np.split(number, 2))
    agreeing = float(np.mean(then == now))
    if max(first.max(), second.max()) == len(some):
        return agreeing
    chance = float(first @ second) / len(some) ** 2
    return (agreeing - chance) / (1 - chance)
