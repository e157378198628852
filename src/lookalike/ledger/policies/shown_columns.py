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
import numpy.typing as npt

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Flags

ColumnDigests = Mapping[str, Digests]
"""For each column, the digest of the value of each row."""
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

    def differs(self, rows: Codes, digests: Digests, *, exactly: bool) -> Flags:
        """Return for which rows a value differs from the one last shown; else as `was_shown`."""
        differs = self.was_shown(rows, exactly=exactly)
        differs[differs] = self.digest[rows[differs]] != digests[differs]
        return differs

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
        last = lengthen(self.release, more, ABSENT)
        return ShownColumn(last, lengthen(self.digest, more), self.exact)


def lengthen(lines: npt.NDArray[Any], more: int, value: int = 0) -> npt.NDArray[Any]:
    """Return a line, or several, with a value appended so many times; ``np.pad`` takes longer."""
    tail = np.full((*lines.shape[:-1], more), value, dtype=lines.dtype)
    return np.concatenate([lines, tail], axis=-1)


@dataclass(frozen=True, eq=False)
class RenamedColumn:
    """One column that was shown under several names."""

    names: frozenset[str]
    column: ShownColumn


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


@dataclass(frozen=True, eq=False)
class ShownColumns:
    """What was last shown of every column.

    ``known``: for each name of a column that was ever shown, what was last shown under it.
    ``renamed``: for each column that was shown under several names, what was last shown under any
    of them.
    """

    known: Mapping[str, ShownColumn]
    renamed: Mapping[str, RenamedColumn]

    def compare(
        self,
        rows: Codes,
        values: ColumnDigests,
        ground: ColumnDigests,
        also: Iterable[tuple[str, str]] = (),
    ) -> tuple[ColumnComparison, ...]:
        """Compare the values of rows in a release with those last shown.

        Each column is compared with what its own name showed last and, if it has other names, with
        what any of these showed last. So nothing is hidden if two columns are mistaken for one. A
        generalized column is compared by its private values with one that was shown unchanged, and
        the other way round. If both are generalized, the classes already show the difference.

        ``rows``: position of each row in the history; `ABSENT` for an unknown row.
        ``also``: columns that count as renamed in any case, each with its earlier name.
        """
        known, renamed, digests = self.known, self.renamed, {**values, **ground}
        pairs = [(name, name, known[name]) for name in digests if name in known]
        pairs += [
            (name, min(renamed[name].names - {name}), renamed[name].column)
            for name in digests
            if name in renamed
        ]
        for name, before in sorted({*self._find_renamed(rows, values), *also}):
            if name not in renamed or before not in renamed[name].names:
                earlier = renamed[before].column if before in renamed else known[before]
                pairs.append((name, before, earlier))
        return tuple(
            ColumnComparison(
                name,
                before,
                earlier,
                earlier.differs(rows, digests[name], exactly=name not in values),
            )
            for name, before, earlier in pairs
        )

    def _find_renamed(self, rows: Codes, values: ColumnDigests) -> Iterator[tuple[str, str]]:
        """Yield the columns that show the content of an earlier column, with the name of that one.

        A column continues if it agrees with what its name showed before. It is then compared only
        with columns that were shown since. Any other column is compared with all that do not
        continue.
        """
        known = self.known
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

    def renaming(self, compared: Iterable[ColumnComparison]) -> "ShownColumns":
        """Return the columns, some with the names that a release was found to rename them to.

        A release may show only some rows. For the others the column was last shown under the old
        name.
        """
        found = dict(self.renamed)
        for one in compared:
            if one.before != one.name and not (
                one.name in found and one.before in found[one.name].names
            ):
                before, own = (
                    found.get(name)
                    or RenamedColumn(
                        frozenset([name]), self.known.get(name, self.known[one.before])
                    )
                    for name in (one.before, one.name)
                )
                both = RenamedColumn(before.names | own.names, own.column.merged(before.column))
                found |= dict.fromkeys([*before.names, *own.names], both)
        return ShownColumns(self.known, found)

    def showing(
        self, total: int, rows: Codes, release: int, digests: ColumnDigests, *, exact: bool
    ) -> "ShownColumns":
        """Return the columns after a release showed some of them for some rows of the history.

        The other names of a column are updated with it, unless the release also shows a column
        under them.
        """
        known, renamed = dict(self.known), dict(self.renamed)
        for name, each in digests.items():
            if name not in known:
                never = np.full(total, ABSENT, dtype=np.int32)
                known[name] = ShownColumn(never, np.zeros(total, dtype=each.dtype), frozenset())
            known[name] = known[name].after(rows, release, each, exact=exact)
            if name in renamed:
                before = renamed[name]
                column = before.column.after(rows, release, each, exact=exact)
                after = RenamedColumn(before.names, column)
                with_it = [other for other, one in renamed.items() if one is before]
                renamed |= {other: after for other in with_it if other not in digests}
                renamed[name] = after
        return ShownColumns(known, renamed)

    def lengthened(self, more: int) -> "ShownColumns":
        """Return the columns with more rows; names of one column stay names of one column."""
        longer = {
            id(one): RenamedColumn(one.names, one.column.lengthened(more))
            for one in self.renamed.values()
        }
        return ShownColumns(
            {name: column.lengthened(more) for name, column in self.known.items()},
            {name: longer[id(one)] for name, one in self.renamed.items()},
        )


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
