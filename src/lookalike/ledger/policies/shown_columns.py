"""ShownColumn: the value that each row last showed in one column, as digests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

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
