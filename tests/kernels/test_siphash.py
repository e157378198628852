"""SipHash: the published values, and numbers that put rows into every order equally often."""

from functools import cache
from itertools import permutations

import numpy as np
import pytest

from lookalike.kernels.siphash import siphash

KEY = np.frombuffer(bytes(range(16)), dtype=np.uint64)
DRAWS = 24_000


@cache
def ranks(rows):
    """Return the rank of every row, under many keys."""
    keys = np.random.default_rng(20020501).integers(2**64, size=(DRAWS, 2), dtype=np.uint64)
    numbers = np.arange(rows, dtype=np.uint64)
    hashes = np.array([siphash(key, numbers) for key in keys])
    return hashes.argsort(axis=1).argsort(axis=1)


def surprise(counts):
    """Return by how many standard deviations Pearson's chi-square exceeds its mean."""
    expected = np.sum(counts) / np.size(counts)
    freedom = np.size(counts) - 1
    found = np.sum((counts - expected) ** 2) / expected
    return (found - freedom) / np.sqrt(2 * freedom)


def test_the_published_value():
    """The authors' test vector for a message of eight bytes, 0 to 7."""
    message = np.frombuffer(bytes(range(8)), dtype=np.uint64)
    assert siphash(KEY, message).tolist() == [0x93F5F5799A932462]


def test_a_number_has_one_hash_wherever_it_stands():
    numbers = np.arange(50, dtype=np.uint64)
    assert siphash(KEY, numbers[::-1]).tolist() == siphash(KEY, numbers).tolist()[::-1]


def test_another_key_gives_other_hashes():
    numbers = np.arange(50, dtype=np.uint64)
    assert not set(siphash(KEY, numbers)) & set(siphash(KEY[::-1], numbers))


@pytest.mark.parametrize("row", range(6))
def test_a_row_comes_to_every_place_equally_often(row):
    """Six standard deviations are exceeded by chance less than once in a million."""
    counts = np.bincount(ranks(6)[:, row], minlength=6)
    assert abs(surprise(counts)) < 6


def test_every_order_of_four_rows_is_equally_frequent():
    found = ranks(4)
    counts = [np.all(found == order, axis=1).sum() for order in permutations(range(4))]
    assert abs(surprise(np.array(counts))) < 6
