"""ArgusOptions and Unsafe: the options of µ-Argus, and the decisions of the data holder."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector, raise_level
from lookalike.search.argus.combinations import (
    MOST_IDENTIFYING,
    Combination,
    Tested,
    list_combinations,
    list_program_combinations,
)

UNDO: Final = "undo the last generalization"
"""The decision that takes back the last generalization."""

SuppressBy = Literal["count", "weight", "entropy"]
_MICRO = 1_000_000
MOST_TESTS = 2**31
"""The maximum number of tests: combinations times distinct sequences."""
_BYTES_OF_COMBINATION = 64
"""The least memory of a combination, in bytes."""


@dataclass(frozen=True)
class Unsafe:
    """The rare values before each decision of the data holder (Achieving, Figure 11, step 4).

    Parameters
    ----------
    k
        Minimum number of rows with the values of each combination.
    levels
        The level of each attribute.
    heights
        The height of each attribute's hierarchy.
    combinations
        For each combination with rare values, the number of these values and of their rows.
    rows
        The number of rows that have rare values in some combination.
    """

    k: int
    levels: dict[str, int]
    heights: dict[str, int]
    combinations: dict[tuple[str, ...], tuple[int, int]]
    rows: int

    @property
    def attributes(self) -> dict[str, int]:
        """For each attribute, the number of rare values of the combinations that contain it."""
        return {
            name: sum(rare for chosen, (rare, _) in self.combinations.items() if name in chosen)
            for name in self.levels
        }

    @property
    def choices(self) -> tuple[str, ...]:
        """The attributes that have rare values and can be generalized."""
        return tuple(
            name
            for name, rare in self.attributes.items()
            if rare and self.levels[name] < self.heights[name]
        )


Decide = Callable[[Unsafe], str | None]
"""Callback that returns the attribute to generalize, UNDO, or None to go on to suppression."""


@dataclass(frozen=True)
class ArgusOptions:
    """Options of µ-Argus.

    ``identification``: identification level of each attribute: 0 (not identifying), 1 (most
    identifying), 2 (more identifying) or 3 (identifying); by default all are most identifying.
    ``dimension``: size of the largest combinations that are tested; None is all attributes.
    ``combinations``: whether to test all combinations, or those that the program tests (Figure 12).
    ``suppress_by``: the cost of a suppressed cell: 1 for every cell (``"count"``), the attribute's
    weight, or its entropy. The cell that occurs in the most outliers relative to its cost is
    suppressed first.
    ``repair``: whether to continue suppression until the release is k-anonymous.
    """

    identification: tuple[int, ...] = ()
    dimension: int | None = 3
    combinations: Literal["all", "program"] = "all"
    suppress_by: SuppressBy = "count"
    repair: bool = False

    def identification_of(self, frequency: FrequencyList) -> tuple[int, ...]:
        """Return the identification level of each attribute."""
        levels = self.identification or (MOST_IDENTIFYING,) * len(frequency.attributes)
        if len(levels) != len(frequency.attributes) or not set(levels) <= {0, 1, 2, 3}:
            raise InvalidInput(
                f"identification: give 0, 1, 2 or 3 for each of {', '.join(frequency.attributes)}"
            )
        if not any(levels):
            raise InvalidInput(
                "identification: every attribute is at 0, so nothing would be tested; give at "
                "least one a level of 1 (most identifying), 2 or 3"
            )
        return levels

    def combinations_of(self, frequency: FrequencyList) -> list[Combination]:
        """Return the combinations to test."""
        identification = self.identification_of(frequency)
        self._check_number(frequency, identification)
        if self.combinations == "program":
            if self.dimension != 3:
                raise InvalidInput(
                    "dimension: the program tests combinations of 2 and 3; with combinations = "
                    '"program" leave dimension out'
                )
            return list_program_combinations(identification)
        return list_combinations(identification, self.dimension or len(identification))

    def _check_number(self, frequency: FrequencyList, identification: Sequence[int]) -> None:
        """Raise if there are more combinations than fit in memory."""
        identifying = sum(1 for level in identification if level)
        largest = min(self.dimension or identifying, identifying)
        number = sum(math.comb(identifying, size) for size in range(2, largest + 1))
        if number * max(len(frequency), _BYTES_OF_COMBINATION) > MOST_TESTS:
            raise InvalidInput(
                f"dimension: {identifying:,} attributes have {number:,} combinations of up to "
                f"{largest:,}, too many to test in {len(frequency):,} distinct sequences; lower "
                "dimension, or give attributes that do not identify identification = 0"
            )

    def costs_of(self, classes: FrequencyList, weights: Sequence[Decimal]) -> tuple[int, ...]:
        """Return the cost of suppressing one cell of each attribute, in integer units.

        A cell of weight 0 costs one unit, so that among several such cells the one that occurs
        in the most outliers is suppressed. An attribute with a single value has entropy 0, but
        suppressing it gains nothing, so it costs as much as the most expensive attribute.
        """
        if self.suppress_by == "weight":
            return tuple(max(1, int(weight / max(weights) * _MICRO)) for weight in weights)
        if self.suppress_by == "entropy":
            bits = []
            for codes in classes.codes:
                rows = np.bincount(codes, weights=classes.counts)
                shares = rows[rows > 0] / classes.rows
                bits.append(round(float(-(shares * np.log2(shares)).sum()) * _MICRO))
            return tuple(own or max(1, *bits) for own in bits)
        return (1,) * len(classes.attributes)


def describe_rare(tested: Tested, k: int) -> Unsafe:
    """Return the rare values as the data holder sees them."""
    names, classes = tested.classes.attributes, tested.classes
    found = zip(tested.combinations, tested.distinct, tested.rows, strict=True)
    return Unsafe(
        k=k,
        levels=dict(zip(names, classes.vector, strict=True)),
        heights=dict(zip(names, classes.heights, strict=True)),
        combinations={
            tuple(names[place] for place in combination): (rare, rows)
            for combination, rare, rows in found
            if rows
        },
        rows=int(classes.counts[tested.unsafe.any(axis=1)].sum()),
    )


def decide_as_listed(attributes: Sequence[str]) -> Decide:
    """Return a callback that decides for the listed attributes in order."""
    remaining: Iterator[str] = iter(attributes)
    return lambda _: next(remaining, None)


def raise_as_decided(vector: Vector, unsafe: Unsafe, attribute: str) -> Vector:
    """Return the vector with the chosen attribute one level higher."""
    if attribute not in unsafe.levels:
        raise InvalidInput(
            f"generalize: no attribute is named {attribute!r}; they are {', '.join(unsafe.levels)}"
        )
    if unsafe.levels[attribute] == unsafe.heights[attribute]:
        raise InvalidInput(
            f"generalize: {attribute!r} is already at the top of its hierarchy; remove it once"
        )
    return raise_level(vector, list(unsafe.levels).index(attribute))
