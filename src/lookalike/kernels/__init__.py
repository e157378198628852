"""The few compiled functions: pack codes into keys, and count equal keys.

They are compiled by numba on their first call, never at import.
"""

from lookalike.kernels.grouping import group_sequences, sum_small_classes

__all__ = ["group_sequences", "sum_small_classes"]
