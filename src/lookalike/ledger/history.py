"""History: what every row showed in every release so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from lookalike.discreet import Discreet
from lookalike.errors import InternalError
from lookalike.kernels.grouping import Counts, Integers
from lookalike.kernels.numbering import Digests, number_columns, number_keys

Flags = npt.NDArray[np.bool_]

ABSENT = -1
"""The class of a row that a release does not show."""

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
    other
        A digest of the other values that were shown of each row.
    """

    release: str
    keys: Digests
    class_of: Counts
    quasi_identifier: Digests
    other: Digests


@dataclass(frozen=True, eq=False)
class History(Discreet):
    """What every row that a release ever knew showed in every release, and showed last.

    Two rows have the same history if every release shows them in the same class or shows
    neither, and shows other values than before of both or of neither. The last is more than
    the class: who knows that a person's values changed can tell changed rows from the rest.

    Parameters
    ----------
    releases
        The names of the releases, in their order.
    keys
        The key of each row, once.
    steps
        By release and row: a number for what the release shows of the row, `ABSENT` for
        nothing. Equal numbers in one release mean: same class, and both or neither anew.
    last_release
        For each row, the release that showed it last; `ABSENT` if none did.
    last_class
        The class in which it was shown there.
    last_quasi_identifier
        The digest of its quasi-identifier then; of no meaning if it was never shown.
    last_other
        The digest of its other values as shown then; likewise.
    """

    releases: tuple[str, ...]
    keys: Digests
    steps: Integers
    last_release: Integers
    last_class: Counts
    last_quasi_identifier: Digests
    last_other: Digests

    def find(self, keys: Digests) -> Integers:
        """Return where each key stands in the history; `ABSENT` for one that is new to it."""
        if not len(self.keys):
            return np.full(len(keys), ABSENT, dtype=np.int32)
        number, _ = number_keys(np.concatenate([self.keys, keys]))
        found = number[len(self.keys) :]
        return np.where(found < len(self.keys), found, ABSENT).astype(np.int32)

    @cached_property
    def parts(self) -> tuple[Integers, Counts]:
        """The part of every row, and the size of each: a part is all rows of equal history.

        Part `NEVER_SHOWN` is there even if it has no row.
        """
        return _divide(self.steps)

    def compare(
        self, keys: Digests, quasi_identifier: Digests, other: Digests
    ) -> tuple[Flags, Flags]:
        """Tell which rows of the source differ from when they were last shown, and in what.

        Returns
        -------
        moved
            The quasi-identifier is another one.
        changed
            Other values are.
        """
        found = self.find(keys)
        known = found != ABSENT
        known[known] = self.last_release[found[known]] != ABSENT
        moved, changed = np.zeros((2, len(keys)), dtype=np.bool_)
        moved[known] = self.last_quasi_identifier[found[known]] != quasi_identifier[known]
        changed[known] = self.last_other[found[known]] != other[known]
        return moved, changed


def remember(shown: Sequence[Shown]) -> History:
    """Put the row-to-class maps of all releases of a source together, in their order.

    Examples
    --------
    >>> keys = np.array([1, 2, 3])
    >>> digests = np.array([0, 0, 0])
    >>> first = Shown("march", keys, np.array([0, 0, ABSENT]), digests, digests)
    >>> second = Shown("april", keys, np.array([0, 0, 0]), digests, digests)
    >>> least_history(remember([first])), least_history(remember([first, second]))
    (2, 1)
    """
    rows_of, keys = _number_rows(shown)
    steps = np.full((len(shown), len(keys)), ABSENT, dtype=np.int32)
    last_release = np.full(len(keys), ABSENT, dtype=np.int32)
    last_class = np.full(len(keys), ABSENT, dtype=np.int64)
    last_quasi_identifier, last_other = (
        np.zeros(len(keys), dtype=digests.dtype)
        for digests in ((shown[0].quasi_identifier, shown[0].other) if shown else (keys, keys))
    )
    for line, release in enumerate(shown):
        seen = release.class_of != ABSENT
        rows, classes, other = rows_of[line][seen], release.class_of[seen], release.other[seen]
        anew = (last_release[rows] != ABSENT) & (last_other[rows] != other)
        steps[line, rows] = 2 * np.unique(classes, return_inverse=True)[1] + anew
        last_release[rows] = line
        last_class[rows] = classes
        last_quasi_identifier[rows] = release.quasi_identifier[seen]
        last_other[rows] = other
    return History(
        releases=tuple(release.release for release in shown),
        keys=keys,
        steps=steps,
        last_release=last_release,
        last_class=last_class,
        last_quasi_identifier=last_quasi_identifier,
        last_other=last_other,
    )


def _number_rows(shown: Sequence[Shown]) -> tuple[list[Integers], Digests]:
    """Give every key of any map a number; return each map's numbers, and the keys."""
    if not shown:
        return [], np.zeros(0, dtype=np.int64)
    every = np.concatenate([release.keys for release in shown])
    number, first = number_keys(every)
    rows_of = np.split(number, np.cumsum([len(release.keys) for release in shown])[:-1])
    for release, rows in zip(shown, rows_of, strict=True):
        if np.bincount(rows, minlength=1).max() > 1:
            raise InternalError(f"the map of release {release.release} has a row twice")
    return rows_of, every[first]


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


def _divide(steps: Integers) -> tuple[Integers, Counts]:
    """Number rows of equal steps alike, those that were never shown 0, and count each part."""
    never = np.full((len(steps), 1), ABSENT, dtype=np.int32)
    codes = np.hstack([never, steps]) - ABSENT
    counts = np.ones(codes.shape[1], dtype=np.int64)
    counts[0] = 0
    part, rows = number_columns(codes, counts)
    return part[1:], rows
