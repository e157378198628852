"""Search class by class for a k-anonymous table that is finer than a given release.

A release at the cell level is k-minimal if no finer table exists (Achieving, Definition 4). The
definition compares tables: each private row becomes a row of the finer table, which in turn
generalizes to a row of the release, a different one for each. A table does not contain which
private row a released row came from, so any assignment is valid.

There are two searches. This one takes one assignment and examines each class by itself, which is
quick on any table: all rows of a class may be equal one level lower, or k of them may be while k
others remain. The other (:mod:`lookalike.search.cells.finer.find_finer`) decides small tables
exactly.
"""

from collections.abc import Iterator

import numpy as np

from lookalike.search.cells.finer.given_release import (
    SUPPRESSED_ROW,
    Assignment,
    Change,
    levels_by_label,
)


def refine_classes(assignment: Assignment) -> list[Change]:
    """Refine each class of a release by itself, and release rows that it leaves out.

    Returns: at most one change for each released tuple; all of them are possible together.
    """
    found: dict[int, Change] = {}
    for attribute in range(len(assignment.bottom)):
        for change in _lower(assignment, attribute):
            found.setdefault(change.shown, change)
    return [*found.values(), *_release_left(assignment)]


def _lower(assignment: Assignment, attribute: int) -> Iterator[Change]:
    """Yield the classes in which enough rows are equal one level lower in an attribute."""
    frequency, shown, k = assignment.frequency, assignment.release, assignment.k
    hierarchy = frequency.hierarchies[attribute]
    level = shown.levels[attribute][assignment.shown]
    entries = np.flatnonzero((level > assignment.bottom[attribute]) & (assignment.rows > 0))
    if not len(entries):
        return
    tuples, below = assignment.shown[entries], level[entries] - 1
    ground = frequency.codes[attribute, assignment.sequence[entries]]
    codes = hierarchy.lift_ground(below, ground)
    visible = levels_by_label(hierarchy)[below, ground]
    group = tuples.astype(np.int64) * hierarchy.size(0) + codes
    _, first, group_of = np.unique(group, return_index=True, return_inverse=True)
    sizes = np.bincount(group_of, assignment.rows[entries]).astype(np.int64)
    whole = shown.counts[tuples[first]]
    enough = (sizes == whole) | ((sizes >= k) & (whole >= 2 * k))
    enough &= visible[first] < level[entries][first]
    for place in np.flatnonzero(enough).tolist():
        entry, size, total = first[place], int(sizes[place]), int(whole[place])
        moved = size if size == total or total - size >= k else total - k
        one = int(tuples[entry])
        levels, cells = shown.levels[:, one].tolist(), shown.ground[:, one].tolist()
        levels[attribute], cells[attribute] = int(below[entry]), int(ground[entry])
        yield Change(one, tuple(levels), tuple(cells), moved)


def _release_left(assignment: Assignment) -> Iterator[Change]:
    """Yield the rows that are left out although a released tuple covers them."""
    shown = assignment.release
    covering = dict(zip(assignment.sequence.tolist(), assignment.shown.tolist(), strict=True))
    for sequence in np.flatnonzero(assignment.left).tolist():
        one = covering.get(sequence)
        if one is not None:
            levels, cells = shown.levels[:, one].tolist(), shown.ground[:, one].tolist()
            rows = int(assignment.left[sequence])
            yield Change(SUPPRESSED_ROW, tuple(levels), tuple(cells), rows)
