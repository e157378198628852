"""Columns for the tests of drafts."""

from collections import Counter

from lookalike.draft.column import ColumnProfile


def profile(*values, name="x", missing=0):
    """Return the profile of a column with some values, as often as they are given."""
    counted = Counter(values).most_common()
    return ColumnProfile(
        name=name,
        rows=len(values) + missing,
        values=tuple(value for value, _ in counted),
        counts=tuple(count for _, count in counted),
        distinct=len(counted),
        missing=missing,
    )


def paths(column, proposed):
    """Return the path of each value of a column that a proposal binds, missing values included."""
    return proposed.hierarchy.released_paths(column.name, [*column.values, None])
