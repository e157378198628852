"""Renew: which new values are shown of rows that stay in their class.

Of the rows of equal history, those that show new values in the same set of columns must be none or
at least k, and so must those that show no new value. A set of columns with fewer rows is reduced to
a smaller one that other rows of the same history have, and in the end to none; what a row does not
show anew, it shows as before.
"""

from collections.abc import Mapping

import numpy as np

from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Flags
from lookalike.ledger.policies.give import draw, give

NOTHING = 0
"""The number of the set without a column."""


def renew(part: Codes, changed: Flags, k: int) -> Flags:
    """Say which new values are shown.

    Where 1 … k - 1 rows of a part would show nothing new, others drawn at random from the operating
    system's entropy join them.

    Parameters
    ----------
    part
        The part of each row.
    changed
        One line a comparison with what was last shown: whether the value of a row is new.
    k
        How many rows must show the same.

    Examples
    --------
    Three rows stayed longer, one of which has a new diagnosis besides. It shows the longer stay
    alone.

    >>> changed = np.array([[True, True, True], [True, False, False]])
    >>> renew(np.zeros(3, dtype=np.int32), changed, 2).tolist()
    [[True, True, True], [False, False, False]]
    """
    if not changed.any():
        return changed
    number, sets = _number_sets(changed)
    group, sizes = _number_pairs(part, number)
    part_of, set_of = _describe(group, len(sizes), part, number)
    columns = [frozenset(np.flatnonzero(line).tolist()) for line in sets.T]
    shown = set_of.copy()
    for groups in _parts_with_changes(part_of, set_of):
        asked = dict(zip(set_of[groups].tolist(), sizes[groups].tolist(), strict=True))
        reduced = _reduce(asked, columns, k)
        shown[groups] = [reduced[one] for one in asked]
    renewed: Flags = sets[:, _join_rest(part, shown[group], k)]
    return renewed


def _number_sets(changed: Flags) -> tuple[Codes, Flags]:
    """Number the sets of columns with new values; return that of each row, and all sets."""
    codes = np.hstack([np.zeros((len(changed), 1), dtype=np.bool_), changed])
    ones = np.ones(codes.shape[1], dtype=np.int64)
    number, _ = number_columns(codes.astype(np.int32), ones)
    _, first = np.unique(number, return_index=True)
    return number[1:], codes[:, first]


def _number_pairs(part: Codes, other: Codes) -> tuple[Codes, Codes]:
    """Number equal pairs alike, and count each."""
    ones = np.ones(len(part), dtype=np.int64)
    number, sizes = number_columns(np.stack([part, other]).astype(np.int32), ones)
    return number, sizes.astype(np.int32)


def _describe(group: Codes, groups: int, part: Codes, number: Codes) -> tuple[Codes, Codes]:
    """Return the part and the set of each group."""
    part_of, set_of = np.zeros((2, groups), dtype=np.int32)
    part_of[group], set_of[group] = part, number
    return part_of, set_of


def _parts_with_changes(part_of: Codes, set_of: Codes) -> list[Codes]:
    """Return the groups of each part in which some value is new."""
    changing = np.flatnonzero(np.isin(part_of, part_of[set_of != NOTHING]))
    changing = changing[np.argsort(part_of[changing], kind="stable")].astype(np.int32)
    edges = np.flatnonzero(np.diff(part_of[changing])) + 1
    return list(np.split(changing, edges)) if len(changing) else []


def _reduce(sizes: Mapping[int, int], columns: list[frozenset[int]], k: int) -> dict[int, int]:
    """Return for each set of columns the one that its rows show anew.

    Parameters
    ----------
    sizes
        How many rows of a part have new values in each set of columns.
    columns
        The columns of each set.
    k
        How many rows must show the same.
    """
    left, shown = dict(sizes), {one: one for one in sizes}
    while small := [one for one, rows in left.items() if one != NOTHING and rows < k]:
        largest = max(small, key=lambda one: (len(columns[one]), one))
        within = [one for one in left if columns[one] < columns[largest]]
        into = max(within, key=lambda one: (len(columns[one]), left[one], one), default=NOTHING)
        left[into] = left.get(into, 0) + left.pop(largest)
        shown = {one: into if now == largest else now for one, now in shown.items()}
    return shown


def _join_rest(part: Codes, shown: Codes, k: int) -> Codes:
    """Let further rows show nothing new where 1 … k - 1 of a part do, and return what all show."""
    group, sizes = _number_pairs(part, shown)
    part_of, set_of = _describe(group, len(sizes), part, shown)
    rest = np.bincount(part_of, np.where(set_of == NOTHING, sizes, 0)).astype(np.int64)
    able = np.where(set_of == NOTHING, 0, sizes).astype(np.int64)
    joining = draw(group, give(able, part_of.astype(np.int64), rest, k))
    return np.where(joining, NOTHING, shown)
