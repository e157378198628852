"""Entries are alone if no other entry of their class has their value; a missing value never is."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.singling_out import MISSING, mark_alone, match_none, refine

CLASSES = st.lists(st.lists(st.integers(MISSING, 3), max_size=6), min_size=1, max_size=4)


def lay_out(classes):
    """Return the codes of entries, the entries class after class, and where classes begin."""
    line = np.array([code for one in classes for code in one], dtype=np.int32)
    starts = np.array([0, *np.cumsum([len(one) for one in classes])], dtype=np.int32)
    return line, np.arange(len(line), dtype=np.int32), starts


def list_marked(alone):
    return [place for place in range(64) if int(alone[0]) >> place & 1]


@given(CLASSES)
def test_what_one_more_column_singles_out(classes):
    line, entries, starts = lay_out(classes)
    counts = [Counter(one) for one in classes for _ in one]
    codes = line.tolist()
    expected = [n for n, code in enumerate(codes) if code != MISSING and counts[n][code] == 1]
    for find in (mark_alone, refine):
        alone = np.zeros(1, dtype=np.uint64)
        find(line, 4, entries, starts, entries, alone)
        assert list_marked(alone) == expected


@given(CLASSES)
def test_a_finer_partition_keeps_entries_with_others_like_them(classes):
    line, entries, starts = lay_out(classes)
    finer, begins = refine(line, 4, entries, starts, entries, np.zeros(1, dtype=np.uint64))
    parts = [finer[a:b].tolist() for a, b in itertools.pairwise(begins)]
    expected = []
    for first, last in itertools.pairwise(starts):
        here = entries[first:last].tolist()
        for code in dict.fromkeys(line[here].tolist()):
            alike = [entry for entry in here if line[entry] == code]
            if code != MISSING and len(alike) > 1:
                expected.append(alike)
    assert sorted(parts) == sorted(expected)


@pytest.mark.parametrize(
    ("rows", "alone"),
    [
        ([(1, 1), (1, 2)], [True, True]),
        ([(1, 1), (1, 1)], [False, False]),
        ([(1, 0), (1, 2)], [False, True]),  # a missing value matches any, a known one does not
        ([(0, 0), (1, 1)], [False, True]),  # nothing is known of the first
    ],
)
def test_an_entry_matches_others_where_its_own_value_is_known(rows, alone):
    codes = np.array(rows, dtype=np.int32).T.copy()
    entries = np.argsort(codes, axis=1, kind="stable").astype(np.int32)
    starts = np.array([np.searchsorted(np.sort(line), np.arange(4)) for line in codes])
    asked = np.arange(len(rows), dtype=np.int32)
    assert match_none(codes, asked, entries, starts).tolist() == alone
