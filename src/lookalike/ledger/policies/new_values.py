"""Choose which new values are shown of rows that stay in their class.

Of the rows of equal history, 0 or enough must show new values in the same set of columns, and 0 or
enough must show no new value: at least k, or more where sensitive values are protected
(:mod:`lookalike.ledger.policies.least_rows`). If fewer rows have new values in a set of columns,
the set is reduced to a smaller one that other rows of the same history have, and finally to the
empty set. In all other columns a row shows its old value.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Counts, Flags

Integers = npt.NDArray[np.integer[Any]]


def number_alike(*codes: npt.NDArray[np.int_ | np.int32 | np.bool_]) -> tuple[Codes, Counts]:
    """Give rows with the same codes the same number, from 0 on, and count the rows of each."""
    stacked = np.vstack(codes).astype(np.int32)
    return number_columns(stacked, np.ones(stacked.shape[1], dtype=np.int64))


def divide(places: Integers, group: Integers) -> list[Codes]:
    """Divide some positions by their group; those of a group stay in their order."""
    ordered = places[np.argsort(group[places], kind="stable")].astype(np.int32)
    edges = np.flatnonzero(np.diff(group[ordered])) + 1
    return list(np.split(ordered, edges)) if len(ordered) else []


def count_companions(
    sizes: Counts, part_of_group: Counts, remaining: Counts, least: Counts
) -> Counts:
    """Return how many rows each group gives, so that 0 or enough rows of each part remain.

    ``least``: by part: the number of rows that are enough.
    ``sizes``: number of rows of each group: 0 or enough.
    """
    lacking = np.where((remaining > 0) & (remaining < least), least - remaining, 0)
    giving = np.flatnonzero((sizes > 0) & (lacking[part_of_group] > 0))
    given = np.zeros_like(sizes)
    for groups in divide(giving[np.argsort(-sizes[giving], kind="stable")], part_of_group):
        part = part_of_group[groups[0]]
        given[groups] = _take(sizes[groups], int(lacking[part]), int(least[part]))
    return given


def _take(sizes: Counts, lacking: int, k: int) -> Counts:
    """Return how many rows each group of a part gives, the largest groups first.

    A group gives rows while k remain in it. If all groups together cannot spare enough rows, the
    smallest group gives all of its rows, which are at least k.

    Examples
    --------
    >>> _take(np.array([7, 6, 5]), 3, 5).tolist(), _take(np.array([6, 5]), 3, 5).tolist()
    ([2, 1, 0], [0, 5])
    """
    spare = sizes - k
    if spare.sum() < lacking:
        return np.where(np.arange(len(sizes)) == len(sizes) - 1, sizes, 0)
    taken: Counts = np.clip(lacking - (np.cumsum(spare) - spare), 0, spare)
    return taken


def draw_rows(group: Codes, numbers: Counts) -> Flags:
    """Draw the given number of rows of each group at random, from the system's entropy."""
    drawn = np.zeros(len(group), dtype=np.bool_)
    rows = np.random.default_rng().permutation(np.flatnonzero(numbers[group]))
    rows = rows[np.argsort(group[rows], kind="stable")]
    members = group[rows]
    rank = np.arange(len(rows)) - np.searchsorted(members, members)
    drawn[rows] = rank < numbers[members]
    return drawn


_NO_COLUMN = 0
"""The number of the empty set of columns."""


def choose_new_values(
    part: Codes, changed: Flags, least: Counts, names: Sequence[str] | None = None
) -> Flags:
    """Return which new values are shown.

    Where some rows of a part would show nothing new, but fewer than enough, further rows, drawn at
    random from the operating system's entropy, show nothing new either.

    ``least``: by part: the number of rows that are enough.

    ``changed``: by comparison and row: whether the value differs from the one last shown.
    ``names``: by comparison: its column, which shows either the new value in all or in none.
    Returns: by comparison and row: whether the new value is shown.

    Examples
    --------
    Three patients have a new length of stay, and one of them also has a new diagnosis. Her row
    shows only the new length of stay.

    >>> changed = np.array([[True, True, True], [True, False, False]])
    >>> choose_new_values(np.zeros(3, dtype=np.int32), changed, np.array([2])).tolist()
    [[True, True, True], [False, False, False]]
    """
    if not changed.any():
        return changed
    codes = np.hstack([np.zeros((len(changed), 1), dtype=np.bool_), changed])
    number_of, _ = number_alike(codes)
    number, sets = number_of[1:], codes[:, np.unique(number_of, return_index=True)[1]]
    group, sizes = number_alike(part, number)
    part_of, set_of = _describe(group, len(sizes), part, number)
    columns = [frozenset(np.flatnonzero(line).tolist()) for line in sets.T]
    shown = set_of.copy()
    changing = np.flatnonzero(np.isin(part_of, part_of[set_of != _NO_COLUMN]))
    for groups in divide(changing, part_of):
        rows_by_set = dict(zip(set_of[groups].tolist(), sizes[groups].tolist(), strict=True))
        enough = int(least[part_of[groups[0]]])
        reduced = _reduce(rows_by_set, columns, enough, names or range(len(changed)))
        shown[groups] = [reduced[one] for one in rows_by_set]
    renewed: Flags = sets[:, _add_companions(part, shown[group], least)]
    return renewed


def _describe(group: Codes, groups: int, part: Codes, number: Codes) -> tuple[Codes, Codes]:
    """Return the part and the set of columns of each group."""
    part_of, set_of = np.zeros((2, groups), dtype=np.int32)
    part_of[group], set_of[group] = part, number
    return part_of, set_of


def _reduce(
    sizes: Mapping[int, int], columns: list[frozenset[int]], k: int, names: Sequence[str | int]
) -> dict[int, int]:
    """Return for each set of columns with new values the set whose new values are shown.

    ``sizes``: number of rows of a part with new values in each set of columns.
    """
    left, shown = dict(sizes), {one: one for one in sizes}
    while small := [one for one, rows in left.items() if one != _NO_COLUMN and rows < k]:
        largest = max(small, key=lambda one: (len(columns[one]), one))
        within = [one for one in left if _leaves_out(columns[largest], columns[one], names)]
        into = max(within, key=lambda one: (len(columns[one]), left[one], one), default=_NO_COLUMN)
        left[into] = left.get(into, 0) + left.pop(largest)
        shown = {one: into if now == largest else now for one, now in shown.items()}
    return shown


def _leaves_out(whole: frozenset[int], some: frozenset[int], names: Sequence[str | int]) -> bool:
    """Return whether some comparisons are a whole without those of some columns."""
    gone = {names[one] for one in whole - some}
    return some < whole and gone.isdisjoint(names[one] for one in some)


def _add_companions(part: Codes, shown: Codes, least: Counts) -> Codes:
    """Add companions where too few rows of a part show nothing new; return each row's set."""
    group, sizes = number_alike(part, shown)
    part_of, set_of = _describe(group, len(sizes), part, shown)
    resting = np.where(set_of == _NO_COLUMN, sizes, 0)
    rest = np.bincount(part_of, resting, minlength=len(least)).astype(np.int64)
    able = np.where(set_of == _NO_COLUMN, 0, sizes).astype(np.int64)
    joining = draw_rows(group, count_companions(able, part_of.astype(np.int64), rest, least))
    return np.where(joining, _NO_COLUMN, shown)
