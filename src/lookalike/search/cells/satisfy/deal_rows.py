"""Deal the rows of each sequence to the classes that the sequence has rows in, by lot."""

import secrets

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.tuples import Tuples
from lookalike.search.cells.class_sizes import merge_entries
from lookalike.search.cells.classes import Classes

IN_NO_CLASS = -1
"""The class of suppressed rows."""


def draw_generator() -> np.random.Generator:
    """Return a generator that starts from the operating system's entropy."""
    return np.random.default_rng(secrets.randbits(256))


def deal_rows(
    tuples: Tuples, class_of: Codes, position: Codes, counts: Counts, order: Counts
) -> Classes:
    """Deal rows to classes, given the order in which the rows are dealt.

    If the order is drawn uniformly, any two rows with the same quasi-identifier values exchange
    their places with equal probability, whatever they have beside.

    Parameters
    ----------
    tuples
        The released tuples of the list of quasi-identifier values alone.
    class_of
        The class of each tuple.
    position
        The position of each finer sequence in the list of quasi-identifier values alone.
    counts
        The number of rows of each finer sequence.
    order
        A permutation of all rows, which are numbered in the order of the finer sequences.

    Returns
    -------
    classes
        The classes of finer sequences; suppressed rows are in none.
    """
    row = np.repeat(np.arange(len(counts), dtype=np.int32), counts)[order]
    row = row[np.argsort(position[row], kind="stable")]
    total = np.bincount(position, counts).astype(np.int64)
    gone = total - np.bincount(tuples.sequence, tuples.counts, len(total)).astype(np.int64)
    sequence = np.concatenate([tuples.sequence, np.arange(len(total))])
    places = np.argsort(sequence, kind="stable")
    number = np.concatenate([class_of, np.full(len(total), IN_NO_CLASS)]).astype(np.int32)
    rows = np.concatenate([tuples.counts, gone])
    dealt = np.repeat(number[places], rows[places])
    kept = dealt != IN_NO_CLASS
    return merge_entries(Classes(dealt[kept], row[kept], np.ones(kept.sum(), dtype=np.int64)))
