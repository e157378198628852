"""The methods, each with one signature, found by name through one registry.

A method takes a frequency list and a requirement and returns a recoding. It sees no row and
no table engine, and methods never import each other.
"""

from collections.abc import Callable, Mapping

from lookalike.algorithms.datafly import datafly
from lookalike.frequency import FrequencyList
from lookalike.recoding import Recoding
from lookalike.requirement import Requirement

Algorithm = Callable[[FrequencyList, Requirement], Recoding]

ALGORITHMS: Mapping[str, Algorithm] = {"datafly": datafly}

__all__ = ["ALGORITHMS", "Algorithm", "datafly"]
