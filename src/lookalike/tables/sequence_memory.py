"""Sequence memory: how many distinct sequences may come to memory, if nothing else is asked."""

from lookalike.tables.resources import Resources

SHARE = 2
"""The part of the memory of a release that sequences may take: one half."""
BYTES_OF_SEQUENCE = 160
"""The memory of a sequence besides its values, from counting to verification."""
BYTES_OF_VALUE = 60
"""The memory of a value of a sequence: text of the usual length, keys, codes and labels."""


def bytes_of_sequences(sequences: int, attributes: int) -> int:
    """Estimate the memory that a release needs for so many sequences in memory.

    Examples
    --------
    >>> bytes_of_sequences(1_000_000, 6) // 2**20
    495
    """
    return sequences * (BYTES_OF_SEQUENCE + attributes * BYTES_OF_VALUE)


def sequences_that_fit(attributes: int, resources: Resources) -> int:
    """Return how many sequences of so many attributes fit in half of the memory.

    Examples
    --------
    >>> sequences_that_fit(6, Resources("4GB"))
    3846153
    """
    return max(1, resources.bytes // SHARE // bytes_of_sequences(1, attributes))
