"""Classes that are too small are united within their zone, and those too large are cut."""

from collections import Counter

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike.search.cells.classes import Classes, cut_large, gather_small

ENTRIES = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 7), st.integers(1, 9)), min_size=1, max_size=12
)
ZONES = np.array([0, 0, 0, 0, 1, 1, 1, 1], dtype=np.int32)
"""The zone of each of eight sequences."""


def classes_of(entries):
    """Return classes whose entries lie in one zone each, numbered without a gap."""
    keys = [(number, int(ZONES[sequence])) for number, sequence, _ in entries]
    order = sorted(set(keys))
    return Classes(
        np.array([order.index(key) for key in keys], dtype=np.int32),
        np.array([sequence for _, sequence, _ in entries], dtype=np.int32),
        np.array([rows for _, _, rows in entries]),
    )


def count_rows(classes):
    """Count the rows of each sequence in all classes together."""
    rows = Counter()
    for sequence, number in zip(classes.sequence.tolist(), classes.counts.tolist(), strict=True):
        rows[sequence] += number
    return rows


@given(ENTRIES, st.integers(2, 6))
def test_every_class_has_k_rows_of_one_zone(entries, k):
    classes = classes_of(entries)
    rows = np.bincount(ZONES[classes.sequence], classes.counts)
    assume(all(number >= k for number in rows if number))
    gathered = gather_small(classes, ZONES, k)
    assert gathered.sizes().min() >= k
    assert count_rows(gathered) == count_rows(classes)
    zones = {(one, ZONES[s]) for one, s in zip(gathered.class_of, gathered.sequence, strict=True)}
    assert len(zones) == len(gathered)
    assert len(gathered) >= (classes.sizes() >= k).sum()


@given(ENTRIES, st.integers(2, 6))
def test_no_class_of_different_rows_has_2k_of_them(entries, k):
    classes = classes_of(entries)
    assume(classes.sizes().min() >= k)
    cut = cut_large(classes, k)
    different = np.bincount(cut.class_of) > 1
    assert cut.sizes()[different].max(initial=k) < 2 * k
    assert cut.sizes().min() >= k
    assert count_rows(cut) == count_rows(classes)
