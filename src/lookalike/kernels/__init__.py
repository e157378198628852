"""The few compiled functions: pack codes into keys, count equal keys, add up values.

They are compiled by numba on their first call, never at import.
"""

from lookalike.kernels.grouping import group_sequences, sum_small_classes
from lookalike.kernels.largest import sum_largest

__all__ = ["group_sequences", "sum_largest", "sum_small_classes"]
