"""Small tables of counts for the tests of protections: a line per class, a column per value."""

from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from lookalike.model.protections import count_values

WIDEST = 5


@st.composite
def tables(draw, least_values=1, most_classes=4):
    """Return the counts of each class, and further rows of the table that are in no class.

    Every class has a row and every value of a class is in the table; a value may have no row.
    """
    width = draw(st.integers(least_values, WIDEST))
    line = st.lists(st.integers(0, 6), min_size=width, max_size=width)
    classes = draw(st.lists(line.filter(any), min_size=1, max_size=most_classes))
    return classes, draw(line)


def refer(classes, beyond=()):
    """Return how often each value occurs in the table."""
    return np.sum([*classes, *([beyond] if any(beyond) else [])], axis=0, dtype=np.int64)


def gather(classes, reference=None):
    """Count the values of classes, from entries in a scattered order with repeats."""
    counts = np.array(classes, dtype=np.int64)
    one, value = np.nonzero(counts)
    rows = counts[one, value]
    parts = [np.concatenate([one, one]), np.concatenate([value, value])]
    shared = np.concatenate([rows - rows // 2, rows // 2])
    order = np.random.default_rng(1).permutation(len(shared))
    class_of, values = (part[order].astype(np.int32) for part in parts)
    reference = refer(classes) if reference is None else reference
    return count_values(class_of, values, shared[order], len(counts), reference)


def shares(counts):
    """Return the exact share of each value."""
    return [Fraction(int(count), int(sum(counts))) for count in counts]
