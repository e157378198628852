"""Assign a private row to each row of a given release, by a maximum flow."""

from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList
from lookalike.search.cells.finer.given_release import Assignment, ShownTuples


def assign_rows(frequency: FrequencyList, shown: ShownTuples) -> Assignment | None:
    """Assign a different private row to each released row; ``None`` if that is impossible."""
    tuples, sequences = _find_covered(frequency, shown)
    rows = _match(shown.counts, frequency.counts, tuples, sequences)
    if rows.sum() < shown.counts.sum():
        return None
    taken = np.bincount(sequences, rows, minlength=len(frequency)).astype(np.int64)
    return Assignment(tuples, sequences, rows, frequency.counts - taken)


def _find_covered(frequency: FrequencyList, shown: ShownTuples) -> tuple[Codes, Codes]:
    """Pair released tuples with the sequences that they cover, vector by vector."""
    patterns, pattern_of = np.unique(shown.levels, axis=1, return_inverse=True)
    pairs = [
        _join(frequency, shown, vector, np.flatnonzero(pattern_of.reshape(-1) == number))
        for number, vector in enumerate(patterns.T.tolist())
    ]
    tuples, sequences = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return tuples.astype(np.int32), sequences.astype(np.int32)


def _join(
    frequency: FrequencyList,
    shown: ShownTuples,
    vector: Sequence[int],
    members: Counts,
) -> tuple[Codes, Codes]:
    """Pair the tuples of one vector with the sequences that generalize to them."""
    codes = np.concatenate([frequency.codes, shown.ground[:, members]], axis=1)
    ones = np.ones(codes.shape[1], dtype=np.int64)
    together = FrequencyList(frequency.hierarchies, frequency.vector, codes, ones)
    class_of, classes = together.classify(vector)
    owner = np.full(len(classes), -1, dtype=np.int32)
    owner[class_of[len(frequency) :]] = members
    owners = owner[class_of[: len(frequency)]]
    covered = np.flatnonzero(owners >= 0).astype(np.int32)
    return owners[covered], covered


def _match(supply: Counts, demand: Counts, tuples: Codes, sequences: Codes) -> Counts:
    """Return the number of rows that a maximum flow from tuples to sequences sends by each pair."""
    from scipy.sparse import csr_array  # slow to import, so only where it is needed
    from scipy.sparse.csgraph import maximum_flow

    first, source = len(supply), len(supply) + len(demand)
    ours, theirs = np.arange(len(supply)), first + np.arange(len(demand))
    tails = np.concatenate([np.full(len(supply), source), tuples, theirs])
    heads = np.concatenate([ours, first + sequences, np.full(len(demand), source + 1)])
    most = np.minimum(supply[tuples], demand[sequences])
    capacities = np.concatenate([supply, most, demand]).astype(np.int32)
    network = csr_array((capacities, (tails, heads)), shape=(source + 2, source + 2))
    flow = maximum_flow(network, source, source + 1, method="dinic").flow
    sent: Counts = np.asarray(flow[tuples, first + sequences]).reshape(-1).astype(np.int64)
    return sent
