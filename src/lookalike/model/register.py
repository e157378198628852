"""Register: a register of the population, generalized as the table is, to count its people.

People outside the table count as well as those in it, so a register may have values that the table
does not have. Such a value can be compared with the table from the level on at which the table has
its label: ZIP code 02150 equals no ZIP code of the table, but perhaps 021** does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy, LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.matching_entries import count_matching
from lookalike.kernels.types import Codes, Counts
from lookalike.model.attribute_blocks import AttributeBlocks
from lookalike.model.lattice import Vector

REGISTER_VALUES = -1
"""The level of the register's own values, below all levels of the table."""


@dataclass(frozen=True, eq=False)
class RegisterAttribute(Discreet):
    """The values of a register in one attribute, and what they are at the levels of the table.

    ``least``: the level from which on they can be compared with the table.
    ``codes``: one line a level from there on: the code that each value has among those of the
    table, or the number of these codes if the table has no such value.
    ``sizes``: for each of these levels, the number of codes of the table.
    """

    least: int
    codes: Codes
    sizes: tuple[int, ...]

    def size(self, level: int) -> int:
        """Return the number of codes at a level, one of them for values that the table lacks."""
        return (
            self.codes.shape[1] if level == REGISTER_VALUES else self.sizes[level - self.least] + 1
        )

    def lift(self, lower: int, upper: int) -> Codes:  # noqa: ARG002  (always from own values)
        """Return the map from the register's own values to the codes at a level."""
        lifted: Codes = self.codes[upper - self.least]
        return lifted

    def raised(self, level: int) -> tuple["RegisterAttribute", Codes]:
        """Merge the values that are equal from a level on; return also the number of each."""
        codes, sizes = self.codes[level - self.least :], self.sizes[level - self.least :]
        ones = np.ones(codes.shape[1], dtype=np.int64)
        number, first, _ = group_equal(codes, [size + 1 for size in sizes], ones)
        # with at least as many values as codes, so that blocks of codes stay small
        more = max(0, sizes[0] + 1 - len(first))
        padded = np.pad(codes[:, first], ((0, 0), (0, more)))
        return RegisterAttribute(level, padded, sizes), number


@dataclass(frozen=True, eq=False)
class Register(Discreet):
    """The distinct sequences of values of a register, with their numbers of people.

    ``name``: the name of the condition that refers to it.
    ``codes``: the number of the value of each sequence, one row per attribute.
    """

    name: str
    attributes: tuple[RegisterAttribute, ...]
    codes: Codes
    counts: Counts

    @property
    def people(self) -> int:
        """The number of people."""
        return int(self.counts.sum())

    @property
    def bytes(self) -> int:
        """The memory of its arrays."""
        return self.codes.nbytes + self.counts.nbytes

    @cached_property
    def _blocks(self) -> AttributeBlocks:
        """The sequences with several attributes combined, to count at many vectors."""
        own = (REGISTER_VALUES,) * len(self.attributes)
        return AttributeBlocks(self.attributes, own, self.codes, self.counts)

    def roll_up(self, vector: Vector) -> "Register":
        """Return the register for vectors above a vector, which has fewer sequences."""
        raised = [one.raised(level) for one, level in zip(self.attributes, vector, strict=True)]
        pairs = zip(raised, self.codes, strict=True)
        lifted = np.array([number[codes] for (_, number), codes in pairs], dtype=np.int32)
        sizes = [one.size(REGISTER_VALUES) for one, _ in raised]
        _, first, counts = group_equal(lifted, sizes, self.counts)
        return Register(self.name, tuple(one for one, _ in raised), lifted[:, first].copy(), counts)

    def count(self, vector: Sequence[int], codes: Codes) -> Counts:
        """Count the people that match each sequence of the table."""
        blocks, sizes = self._blocks.combine(vector, codes)
        return count_matching(blocks, sizes, *self._blocks.lifted(vector), self.counts)


def list_register(
    name: str,
    hierarchies: Sequence[BoundHierarchy],
    paths: Sequence[Sequence[LabelPath]],
    positions: Codes,
    counts: Counts,
) -> Register:
    """Build the register of a table.

    ``paths``: for each attribute, the labels of every value of the register at every level.
    ``positions``: the position of each entry's value among these values, one row per attribute.

    Examples
    --------
    >>> from lookalike.hierarchy.bound import bind_paths
    >>> sex = bind_paths("sex", [("f", "*")], "*")
    >>> people = np.array([[0, 1]], dtype=np.int32)
    >>> known = list_register("k_map", [sex], [[("f", "*"), ("m", "*")]], people, np.array([3, 4]))
    >>> women = np.array([[0]], dtype=np.int32)
    >>> known.count((0,), women).tolist(), known.count((1,), women).tolist()
    ([3], [7])
    """
    attributes = tuple(map(_compare_values, hierarchies, paths))
    ground = (0,) * len(hierarchies)
    return Register(name, attributes, positions, counts).roll_up(ground)


def _compare_values(hierarchy: BoundHierarchy, paths: Sequence[LabelPath]) -> RegisterAttribute:
    """Return the code of each value at every level.

    From the first level on at which the table has the label of a value, the value follows the
    table's labels, so people who match a class match every class above it.
    """
    sizes = tuple(hierarchy.size(level) for level in range(hierarchy.height + 1))
    codes = np.empty((len(sizes), len(paths)), dtype=np.int32)
    for level, labels in enumerate(hierarchy.labels):
        code_of = {label: code for code, label in enumerate(labels)}
        codes[level] = [code_of.get(path[level], len(labels)) for path in paths]
        if level:
            follows = np.flatnonzero(codes[level - 1] < sizes[level - 1])
            lift = hierarchy.lift(level - 1, level)
            codes[level, follows] = lift[codes[level - 1, follows]]
    return RegisterAttribute(0, codes, sizes)
