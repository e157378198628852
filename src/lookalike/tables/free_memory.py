"""Free memory: how many distinct sequences may come to memory, if nothing else is asked."""

import os
from pathlib import Path

SHARE = 2
"""The part of the free memory that sequences may take: one half."""
BYTES_OF_SEQUENCE = 160
"""The memory of a sequence besides its values, from counting to verification."""
BYTES_OF_VALUE = 60
"""The memory of a value of a sequence: text of the usual length, keys, codes and labels."""


def free_bytes() -> int:
    """Return the memory that a process can take without swapping, as far as the system says."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        [available] = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
        return int(available) * 1024
    except (OSError, ValueError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2


def bytes_of_sequences(sequences: int, attributes: int) -> int:
    """Estimate the memory that a release needs for so many sequences in memory.

    Examples
    --------
    >>> bytes_of_sequences(1_000_000, 6) // 2**20
    495
    """
    return sequences * (BYTES_OF_SEQUENCE + attributes * BYTES_OF_VALUE)


def sequences_that_fit(attributes: int) -> int:
    """Return how many sequences of so many attributes fit in half of the free memory."""
    return max(1, free_bytes() // SHARE // bytes_of_sequences(1, attributes))
