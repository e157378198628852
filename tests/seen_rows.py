"""Releases for attacks, described by their rows."""

import numpy as np

from lookalike.kernels.grouping import group_equal
from lookalike.risk.releases.seen_release import AttackerKnowledge, SeenRelease


def see_rows(name, columns, rows, *, levels, k, counts=None, rows_in=None, known=(), **fields):
    """Describe a release by its rows, or by classes of rows with their counts.

    ``name``, ``columns``, ``levels``, ``known`` and ``fields``: see :class:`SeenRelease`. Without
    `known`, the quasi-identifier is all generalized columns, with the
    promise `k`.
    ``rows``: the values of each row; without `counts` they are in the order of the file.
    ``counts``: how many rows each entry of `rows` stands for; by default one.
    ``rows_in``: the number of rows of the source; by default all rows were released.
    """
    labels = [tuple(dict.fromkeys(row[line] for row in rows)) for line in range(len(columns))]
    positions = [{label: code for code, label in enumerate(some)} for some in labels]
    codes = np.array(
        [[positions[line][row[line]] for row in rows] for line in range(len(columns))],
        dtype=np.int32,
    ).reshape(len(columns), len(rows))
    numbers = np.ones(len(rows), np.int64) if counts is None else np.array(counts, np.int64)
    class_of, first, totals = group_equal(codes, [len(some) for some in labels], numbers)
    return SeenRelease(
        name=name,
        columns=tuple(columns),
        labels=tuple(labels),
        codes=np.take(codes, first, axis=1),
        counts=totals,
        levels=levels,
        known=tuple(known) or (AttackerKnowledge("quasi-identifier", tuple(levels), k),),
        rows_in=int(totals.sum()) if rows_in is None else rows_in,
        order=class_of if counts is None else None,
        **fields,
    )
