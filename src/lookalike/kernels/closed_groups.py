"""Find the closed groups: generalized tuples that are the join of the rows they cover."""

import numpy as np

from lookalike.kernels.compiled import compiled
from lookalike.kernels.hash_table import EMPTY, first_slot, make_slots, mix, next_slot
from lookalike.kernels.types import Codes, Counts


@compiled
def find_closed(
    ancestors: Codes, counts: Counts, vectors: Codes, bottom: Codes, k: int
) -> tuple[Codes, Counts, Codes]:
    """Find the groups at given vectors that have k rows and are the join of their members.

    Parameters
    ----------
    ancestors
        The code of each sequence, by attribute, level and sequence.
    counts
        The number of rows of each sequence.
    vectors
        The vectors, one per row.
    bottom
        The lowest allowed levels.
    k
        The least number of rows of a group.

    Returns
    -------
    vector_of
        For each group, the row of its vector.
    start
        Where the members of each group begin, and the end of the last.
    members
        The sequences that the groups cover.
    """
    attributes, sequences = ancestors.shape[0], ancestors.shape[2]
    slots = make_slots(sequences)
    class_of = np.empty(sequences, dtype=np.int32)
    first = np.empty(sequences, dtype=np.int32)
    rows = np.empty(sequences, dtype=np.int64)
    size = np.empty(sequences, dtype=np.int64)
    place = np.empty(sequences, dtype=np.int64)
    differs = np.empty((sequences, attributes), dtype=np.bool_)
    vector_of = np.empty(1024, dtype=np.int32)
    start = np.zeros(1025, dtype=np.int64)
    members = np.empty(16384, dtype=np.int32)
    groups = 0
    for line in range(len(vectors)):
        vector = vectors[line]
        slots[:] = EMPTY
        classes = 0
        for sequence in range(sequences):
            mixed = np.uint64(0)
            for attribute in range(attributes):
                mixed = mix(mixed, np.uint64(ancestors[attribute, vector[attribute], sequence]))
            slot = first_slot(mixed, slots)
            while slots[slot] >= 0 and not _are_alike(
                ancestors, vector, first[slots[slot]], sequence
            ):
                slot = next_slot(slot, slots)
            if slots[slot] < 0:
                slots[slot] = classes
                first[classes] = sequence
                rows[classes] = size[classes] = 0
                for attribute in range(attributes):
                    differs[classes, attribute] = vector[attribute] == bottom[attribute]
                classes += 1
            one = slots[slot]
            class_of[sequence] = one
            rows[one] += counts[sequence]
            size[one] += 1
            for attribute in range(attributes):
                if not differs[one, attribute]:
                    below = ancestors[attribute, vector[attribute] - 1]
                    differs[one, attribute] = below[sequence] != below[first[one]]
        for one in range(classes):
            place[one] = -1
            if rows[one] < k or not differs[one].all():
                continue
            if groups + 1 >= len(vector_of):
                vector_of = np.append(vector_of, np.empty_like(vector_of))
                start = np.append(start, np.zeros_like(start))
            place[one] = start[groups]
            vector_of[groups] = line
            groups += 1
            start[groups] = place[one] + size[one]
        if start[groups] > len(members):
            members = np.append(members, np.empty(start[groups], dtype=np.int32))
        for sequence in range(sequences):
            one = class_of[sequence]
            if place[one] >= 0:
                members[place[one]] = sequence
                place[one] += 1
    return vector_of[:groups].copy(), start[: groups + 1].copy(), members[: start[groups]].copy()


@compiled
def _are_alike(ancestors: Codes, vector: Codes, one: int, other: int) -> bool:
    """Return whether two sequences show the same codes at a vector."""
    for attribute in range(len(vector)):
        line = ancestors[attribute, vector[attribute]]
        if line[one] != line[other]:
            return False
    return True
