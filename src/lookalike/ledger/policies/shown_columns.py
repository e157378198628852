"""ShownColumn: the value that each row last showed in one column, and what is new in a release.

A value is new if it differs from the value that its column last showed for the same row. A column
is recognized by its name. Renaming a column must not hide what it shows. So a column that was not
shown before, or whose content no longer agrees with its name, is compared with the earlier columns
that the release does not continue. If the same rows agree far more often than by chance, it is the
same column under another name.

The agreement of two columns is Cohen's kappa, (agreeing - chance) / (1 - chance): 1 for a copy, 0
for unrelated columns. If one of them shows a single value, kappa would always be 0, so the share of
agreeing rows is used instead. Two columns with an agreement of at least `_SAME` count as one. This
limit is low on purpose: a renamed column that is not recognized would hide whose values changed.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Flags

ABSENT = -1
"""The class of a row that a release does not show, and the position of an unknown row."""


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """What was last shown of one column, row by row.

    ``release``: for each row, the number of the last release that showed the column; `ABSENT` if
    none did.
    ``digest``: the digest of the value in that release; meaningless if it was never shown.
    ``exact``: the releases that showed the column unchanged, not generalized.
    """

    release: Codes
    digest: Digests
    exact: frozenset[int]

    @property
    def latest(self) -> int:
        """The last release that showed the column; `ABSENT` if none showed it for any row."""
        return int(self.release.max(initial=ABSENT))

    def was_shown(self, rows: Codes, *, exactly: bool) -> Flags:
        """Return for which rows a release showed the column before.

        ``rows``: position of each row in the history; `ABSENT` for an unknown row.
        ``exactly``: whether some release must have shown the column unchanged. This need not be the
        last one: a later release that generalizes the column does not undo what was shown.
        """
        shown: Flags = rows != ABSENT
        shown[shown] = self.release[rows[shown]] != ABSENT
        return shown if self.exact or not exactly else np.zeros_like(shown)

    def after(self, rows: Codes, release: int, digests: Digests, *, exact: bool) -> "ShownColumn":
        """Return the column after one more release showed it for some rows."""
        last, digest = self.release.copy(), self.digest.copy()
        last[rows], digest[rows] = release, digests
        return ShownColumn(last, digest, self.exact | {release} if exact else self.exact)

    def merged(self, other: "ShownColumn") -> "ShownColumn":
        """Return what was last shown of one column under two names."""
        later = other.release > self.release
        return ShownColumn(
            np.where(later, other.release, self.release),
            np.where(later, other.digest, self.digest),
            self.exact | other.exact,
        )

    def lengthened(self, more: int) -> "ShownColumn":
        """Return the column with more rows, for which it was never shown."""
        last = np.pad(self.release, (0, more), constant_values=ABSENT)
        return ShownColumn(last, lengthen_digests(self.digest, more), self.exact)


def show_columns(
    known: Mapping[str, ShownColumn],
    total: int,
    rows: Codes,
    release: int,
    digests: Mapping[str, Digests],
    *,
    exact: bool,
) -> dict[str, ShownColumn]:
    """Return some columns after a release showed them for some rows."""
    return {
        name: (known.get(name) or _never_shown(total, each.dtype)).after(
            rows, release, each, exact=exact
        )
        for name, each in digests.items()
    }


def lengthen_digests(digests: Digests, more: int) -> Digests:
    """Return digests with meaningless ones appended."""
    return np.concatenate([digests, np.zeros(more, dtype=digests.dtype)])


def _never_shown(rows: int, kind: np.dtype[Any]) -> ShownColumn:
    """Return a column that was never shown, for digests of some type."""
    last = np.full(rows, ABSENT, dtype=np.int32)
    return ShownColumn(last, np.zeros(rows, dtype=kind), frozenset())


@dataclass(frozen=True, eq=False)
class RenamedColumn:
    """One column that was shown under several names."""

    names: frozenset[str]
    column: ShownColumn

    def other_than(self, name: str) -> str:
        """Return another name of the column."""
        return min(self.names - {name})


_SAME = 0.25
"""Least agreement of two columns that count as one, whatever their names."""
_SAMPLE = 10_000
"""Number of rows that is sufficient to measure the agreement of two columns."""


@dataclass(frozen=True, eq=False)
class ColumnComparison:
    """A column of a release, compared with an earlier column that showed the same.

    ``before``: name of the earlier column, usually the same.
    ``earlier``: what was last shown of the earlier column.
    ``differs``: for each row, whether its value differs from the one last shown.
    """

    name: str
    before: str
    earlier: ShownColumn
    differs: Flags


def compare_columns(
    known: Mapping[str, ShownColumn],
    renamed: Mapping[str, RenamedColumn],
    rows: Codes,
    values: Mapping[str, Digests],
    ground: Mapping[str, Digests],
) -> tuple[ColumnComparison, ...]:
    """Compare the values of rows in a release with those last shown.

    Each column is compared with what its own name showed last and, if it has other names, with what
    any of these showed last. So nothing is hidden if two columns are mistaken for one. A
    generalized column is compared by its private values with one that was shown unchanged, and the
    other way round. If both are generalized, the classes already show the difference.

    ``renamed``: for each column with several names, what was last shown under any of them.
    ``rows``: position of each row in the history; `ABSENT` for an unknown row.
    """
    pairs = [(name, name, known[name]) for name in (*values, *ground) if name in known]
    pairs += [
        (name, renamed[name].other_than(name), renamed[name].column)
        for name in (*values, *ground)
        if name in renamed
    ]
    for name, before in _find_renamed(known, rows, values):
        if name not in renamed or before not in renamed[name].names:
            earlier = renamed[before].column if before in renamed else known[before]
            pairs.append((name, before, earlier))
    return tuple(
        ColumnComparison(name, before, earlier, _differ(earlier, rows, name, values, ground))
        for name, before, earlier in pairs
    )


def _differ(
    before: ShownColumn,
    rows: Codes,
    name: str,
    values: Mapping[str, Digests],
    ground: Mapping[str, Digests],
) -> Flags:
    """Return for which rows the value differs from the one last shown."""
    digests = values[name] if name in values else ground[name]
    differs = before.was_shown(rows, exactly=name not in values)
    differs[differs] = before.digest[rows[differs]] != digests[differs]
    return differs


def _find_renamed(
    known: Mapping[str, ShownColumn], rows: Codes, values: Mapping[str, Digests]
) -> Iterator[tuple[str, str]]:
    """Yield the columns that show the content of an earlier column, with the name of that one.

    A column continues if it agrees with what its name showed before. It is then compared only with
    columns that were shown since. Any other column is compared with all that do not continue.
    """
    continued = {
        name
        for name in values
        if name in known and _agreement(known[name], rows, values[name]) >= _SAME
    }
    ended = [name for name, column in known.items() if column.exact and name not in continued]
    for name, digests in values.items():
        since = known[name].latest if name in continued else ABSENT
        others = [other for other in ended if other != name and known[other].latest > since]
        agreement = {other: _agreement(known[other], rows, digests) for other in others}
        best = max(others, key=agreement.__getitem__, default=None)
        if best is not None and agreement[best] >= _SAME:
            yield name, best


def _agreement(before: ShownColumn, rows: Codes, digests: Digests) -> float:
    """Return the agreement between the values of some rows and those last shown, at most 1."""
    both = np.flatnonzero(before.was_shown(rows, exactly=True))
    if not len(both):
        return 0.0
    some = both[:: -(-len(both) // _SAMPLE)]
    then, now = before.digest[rows[some]], digests[some]
    number, _ = number_keys(np.concatenate([then, now]))
    first, second = (np.bincount(each, minlength=len(number)) for each in np.split(number, 2))
    agreeing = float(np.mean(then == now))
    if max(first.max(), second.max()) == len(some):
        return agreeing
    chance = float(first @ second) / len(some) ** 2
    return (agreeing - chance) / (1 - chance)


def add_renamed(
    known: Mapping[str, ShownColumn],
    renamed: Mapping[str, RenamedColumn],
    compared: Iterable[ColumnComparison],
) -> dict[str, RenamedColumn]:
    """Return the columns with several names, including those that a release was found to rename.

    A release may show only some rows. For the others the column was last shown under the old name.
    """
    found = dict(renamed)
    for one in compared:
        if one.before != one.name and not (
            one.name in found and one.before in found[one.name].names
        ):
            before, own = (
                found.get(name)
                or RenamedColumn(frozenset([name]), known.get(name, known[one.before]))
                for name in (one.before, one.name)
            )
            both = RenamedColumn(before.names | own.names, own.column.merged(before.column))
            found |= dict.fromkeys([*before.names, *own.names], both)
    return found


def show_renamed(
    renamed: Mapping[str, RenamedColumn],
    rows: Codes,
    release: int,
    digests: Mapping[str, Digests],
    *,
    exact: bool,
) -> dict[str, RenamedColumn]:
    """Return the columns with several names after a release showed some of them.

    The other names of a column are updated with it, unless the release also shows a column under
    them.
    """
    shown = dict(renamed)
    for name, each in digests.items():
        if name in shown:
            before = shown[name]
            column = before.column.after(rows, release, each, exact=exact)
            after = RenamedColumn(before.names, column)
            with_it = [other for other, one in shown.items() if one is before]
            shown |= {other: after for other in with_it if other not in digests} | {name: after}
    return shown


def lengthen_renamed(renamed: Mapping[str, RenamedColumn], more: int) -> dict[str, RenamedColumn]:
    """Return the columns with more rows; names of one column stay names of one column."""
    longer = {
        id(one): RenamedColumn(one.names, one.column.lengthened(more)) for one in renamed.values()
    }
    return {name: longer[id(one)] for name, one in renamed.items()}
