"""Entries of another list are counted by the sequences that they equal, however keys are kept."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.kernels.matching_entries import CHUNK_ENTRIES, DIRECT_KEYS, count_matching

from ..effort import examples

LARGE = 2**18
"""A factor with which four attributes of four values do not fit in a key of 64 bits."""


@examples(60)
@given(st.data(), st.sampled_from([1, 50, LARGE]))
def test_the_counts_are_those_of_equal_lifted_entries(data, padding):
    attributes, values = data.draw(st.integers(1, 3)), 4
    code = st.integers(0, values - 1)
    lines = st.lists(code, min_size=attributes, max_size=attributes)
    rows = data.draw(st.lists(lines, min_size=1, max_size=12))
    people = data.draw(st.lists(lines, max_size=30))
    lift = st.lists(code, min_size=values, max_size=values)
    lifts = [np.array(data.draw(lift), np.int32) for _ in range(attributes)]
    counts = np.arange(1, len(people) + 1, dtype=np.int64)
    totals = Counter()
    for person, count in zip(people, counts.tolist(), strict=True):
        totals[tuple(int(one[code]) for one, code in zip(lifts, person, strict=True))] += count
    found = count_matching(
        np.array(rows, np.int32).T.copy(),
        [values * padding] * attributes,
        np.array(people, np.int32).reshape(len(people), attributes).T.copy(),
        lifts,
        counts,
    )
    assert found.tolist() == [totals[tuple(row)] for row in rows]


@pytest.mark.parametrize("size", [4, 4 * DIRECT_KEYS, 4 * DIRECT_KEYS + 1, LARGE])
def test_equal_sequences_have_the_same_people(size):
    same = np.arange(4, dtype=np.int32)
    rows, people = np.array([[1, 1, 3]], np.int32), np.array([[1, 1, 2, 0]], np.int32)
    found = count_matching(rows, [size], people, [same], np.array([5, 6, 7, 8]))
    assert found.tolist() == [11, 11, 0]


@pytest.mark.parametrize("size", [4, LARGE])
def test_more_entries_than_are_packed_together(size):
    same, rows = np.arange(4, dtype=np.int32), np.arange(4, dtype=np.int32)[None]
    people = np.arange(2 * CHUNK_ENTRIES + 2, dtype=np.int32)[None] % 4
    found = count_matching(rows, [size], people, [same], np.ones(people.size, dtype=np.int64))
    assert found.tolist() == np.bincount(people[0]).tolist()
