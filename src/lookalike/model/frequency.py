"""FrequencyList: the distinct sequences of quasi-identifier values with their counts.

It is the papers' *freq* (Achieving, Figure 8, step 1). Searches work on nothing else, so their
cost grows with the number of distinct sequences and not with the number of rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels import group_sequences, sort_sequences
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.attribute_blocks import AttributeBlocks
from lookalike.model.beside import Beside
from lookalike.model.lattice import Vector, dominates
from lookalike.model.register import Register


@dataclass(frozen=True)
class Coarsening:
    """What a list no longer shows of the private table, if it begins above the ground.

    ``vector``: the level at which each attribute begins.
    ``distinct``: the number of distinct ground values of each attribute.
    ``lost_bits``: the entropy that all values together have lost against the ground values, in
    bits.
    """

    vector: Vector
    distinct: tuple[int, ...]
    lost_bits: float


@dataclass(frozen=True, eq=False)
class AtVector(Discreet):
    """Attributes in the order of the quasi-identifier, and the level of each."""

    hierarchies: tuple[BoundHierarchy, ...]
    vector: Vector

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes."""
        return tuple(hierarchy.column for hierarchy in self.hierarchies)

    @property
    def heights(self) -> Vector:
        """The height of each attribute's hierarchy."""
        return tuple(hierarchy.height for hierarchy in self.hierarchies)


@dataclass(frozen=True, eq=False)
class FrequencyList(AtVector):
    """The distinct sequences of values at a vector of levels, with their counts.

    ``vector``: the private table is at level 0 in every attribute.
    ``codes``: codes of the values, one row per attribute and one column per distinct sequence.
    ``counts``: the number of rows of each sequence.
    ``coarsened``: what was generalized before the list was made; None for the list of the private
    table.
    ``beside``: the columns beside the quasi-identifier whose values are counted. With them, a
    sequence is a combination of quasi-identifier values and of their values, and classes are unions
    of sequences.
    ``registers``: the registers of the population that classes are compared with.
    """

    codes: Codes
    counts: Counts
    coarsened: Coarsening | None = None
    beside: tuple[Beside, ...] = ()
    registers: tuple[Register, ...] = ()

    @cached_property
    def _alike(self) -> tuple[Counts | None, AttributeBlocks]:
        """The distinct sequences without columns beside, to evaluate many vectors.

        Before them, the number of each sequence among them; None if each is one of them.
        """
        number, alone = self.without_beside if self.beside else (None, self)
        blocks = AttributeBlocks(alone.hierarchies, alone.vector, alone.codes, alone.counts)
        return None if number is None else number.astype(np.intp), blocks

    @cached_property
    def _own_rows(self) -> tuple[Counts, ...]:
        """The rows with each code of each attribute."""
        lines = zip(self.codes, self._sizes(self.vector), strict=True)
        counted = [np.bincount(codes, self.counts, size) for codes, size in lines]
        return tuple(rows.astype(np.int64) for rows in counted)

    @cached_property
    def _people(self) -> dict[tuple[str, Vector], Counts]:
        """The people of each register who match the classes at the last vector asked for."""
        return {}

    @cached_property
    def rows(self) -> int:
        """The number of rows of the table."""
        return int(self.counts.sum())

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def distinct_sequences(self) -> int:
        """The number of distinct sequences of quasi-identifier values."""
        return len(self.classes(self.vector)) if self.beside else len(self)

    def taken(self, chosen: Codes, counts: Counts) -> "FrequencyList":
        """Return the list of chosen sequences, which may repeat, with other counts."""
        return replace(
            self,
            codes=self.codes[:, chosen],
            counts=counts,
            beside=tuple(column.taken(chosen) for column in self.beside),
        )

    def find_beside(self, column: str) -> Beside | None:
        """Return a column beside the quasi-identifier, if the list holds it."""
        return next((one for one in self.beside if one.column == column), None)

    def classify(self, vector: Sequence[int]) -> tuple[Codes, "FrequencyList"]:
        """Roll the list up to a vector above its own.

        Returns: the frequency list at `vector`; its counts add up to the same number of rows.
        Its sequences are the classes, or parts of them with the same values beside.
        """
        class_of, first, counts = self._group(vector, self.beside)
        codes = np.empty((len(self.hierarchies), len(first)), dtype=np.int32)
        for attribute, lift in enumerate(self._lifts(vector)):
            codes[attribute] = lift[self.codes[attribute, first]]
        beside = tuple(column.taken(first) for column in self.beside)
        rolled = replace(
            self, vector=tuple(vector), codes=codes, counts=counts, coarsened=None, beside=beside
        )
        return class_of, rolled

    def roll_up(self, vector: Sequence[int]) -> "FrequencyList":
        """Return the frequency list at a vector above the vector of this list."""
        return self.classify(vector)[1]

    @cached_property
    def without_beside(self) -> tuple[Codes, "FrequencyList"]:
        """The list of quasi-identifier values alone; before it, the position of each sequence."""
        return replace(self, beside=()).classify(self.vector)

    def outliers(self, vector: Sequence[int], k: int) -> int:
        """Count the rows whose sequence occurs fewer than k times at a vector."""
        self._check_below(vector)
        return self._alike[1].outliers(vector, k)

    def people(self, register: Register, vector: Sequence[int], class_of: Codes) -> Counts:
        """Count the people of a register who match each class at a vector.

        The answer is kept until another vector is asked for.
        """
        key = register.name, tuple(vector)
        if key not in self._people:
            some = np.zeros(int(class_of.max(initial=-1)) + 1, dtype=np.int32)
            some[class_of] = np.arange(len(self), dtype=np.int32)
            lifts = zip(self._lifts(vector), self.codes, strict=True)
            codes = np.array([lift[line[some]] for lift, line in lifts], dtype=np.int32)
            for other in [one for one in self._people if one[1] != key[1]]:
                del self._people[other]
            self._people[key] = register.count(vector, codes)
        return self._people[key]

    def class_of(self, vector: Sequence[int], attributes: Sequence[int]) -> Codes:
        """Number the sequences that are equal over some attributes at a vector."""
        return self.count_classes(vector, attributes)[0]

    def count_classes(
        self, vector: Sequence[int], attributes: Sequence[int]
    ) -> tuple[Codes, Counts]:
        """Number the sequences that are equal over some attributes, and count the rows of each."""
        if list(attributes) == list(range(len(self.hierarchies))):
            self._check_below(vector)
            number, blocks = self._alike
            class_of, rows = blocks.count_classes(vector)
            return class_of if number is None else class_of.take(number), rows
        lifts, sizes = self._lifts(vector), self._sizes(vector)
        class_of, _, rows = group_sequences(
            self.codes[list(attributes)],
            [lifts[attribute] for attribute in attributes],
            [sizes[attribute] for attribute in attributes],
            self.counts,
        )
        return class_of, rows

    def classes(self, vector: Sequence[int]) -> Counts:
        """Return the size of every class at a vector."""
        return self._group(vector)[2]

    def distinct(self, vector: Sequence[int]) -> tuple[int, ...]:
        """Count the distinct values of each attribute that occur at a vector."""
        self._check_below(vector)
        return tuple(
            int(np.count_nonzero(self.code_rows(attribute, level)))
            for attribute, level in enumerate(vector)
        )

    def code_rows(self, attribute: int, level: int) -> Counts:
        """Count the rows with each code of an attribute at a level above the list's own."""
        hierarchy, rows = self.hierarchies[attribute], self._own_rows[attribute]
        lift = hierarchy.lift(self.vector[attribute], level)
        return np.bincount(lift, rows, hierarchy.size(level)).astype(np.int64)

    def held(self, vector: Sequence[int]) -> "FrequencyList":  # noqa: ARG002
        """Return this list, which is in memory and serves every vector above its own."""
        return self

    def settled(self, vector: Sequence[int]) -> "FrequencyList":  # noqa: ARG002
        """Return the list by which a recoding at a vector is described: this one."""
        return self

    @property
    def ground_distinct(self) -> tuple[int, ...]:
        """The number of distinct ground values of each attribute."""
        return self.distinct(self.vector) if self.coarsened is None else self.coarsened.distinct

    def sequences(self) -> list[tuple[str | None, ...]]:
        """Return the values of every sequence, as text."""
        labels = [h.labels[level] for h, level in zip(self.hierarchies, self.vector, strict=True)]
        columns = [
            [names[code] for code in codes.tolist()]
            for names, codes in zip(labels, self.codes, strict=True)
        ]
        return list(zip(*columns, strict=True))

    def suppressed_cells(self) -> Flags:
        """Mark the cells that are written as the suppressed value, one row per attribute."""
        cells = zip(self.hierarchies, self.vector, self.codes, strict=True)
        marks = [hierarchy.hidden[level][codes] for hierarchy, level, codes in cells]
        return np.array(marks, dtype=np.bool_)

    def _group(
        self, vector: Sequence[int], beside: Sequence[Beside] = ()
    ) -> tuple[Codes, Codes, Counts]:
        """Group the sequences that are equal at a vector, and check that no row is lost."""
        lifts, sizes = self._lifts(vector), self._sizes(vector)
        codes = self.codes
        if beside:
            codes = np.concatenate([codes, [column.codes for column in beside]])
            sizes += [column.size for column in beside]
            lifts += [np.arange(column.size, dtype=np.int32) for column in beside]
        class_of, first, counts = group_sequences(codes, lifts, sizes, self.counts)
        if int(counts.sum()) != self.rows:
            raise InternalError(f"rolling up to {tuple(vector)} did not conserve the rows")
        return class_of, first, counts

    def _sizes(self, vector: Sequence[int]) -> list[int]:
        """Return the size of each attribute's domain at a vector."""
        return [h.size(level) for h, level in zip(self.hierarchies, vector, strict=True)]

    def _lifts(self, vector: Sequence[int]) -> list[Codes]:
        """Return each attribute's map from its codes to the codes at a higher vector."""
        self._check_below(vector)
        return [
            hierarchy.lift(lower, upper)
            for hierarchy, lower, upper in zip(self.hierarchies, self.vector, vector, strict=True)
        ]

    def _check_below(self, vector: Sequence[int]) -> None:
        """Raise if the list cannot be rolled up to a vector."""
        if not dominates(vector, self.vector):
            raise InvalidInput(
                f"the vector {tuple(vector)} is not above the frequency list's vector {self.vector}"
            )


def list_frequencies(
    hierarchies: Sequence[BoundHierarchy],
    positions: Codes,
    counts: Counts,
    marks: Codes | None = None,
    beside: Sequence[Beside] = (),
) -> tuple[Codes, FrequencyList]:
    """Build the frequency list of a table (Achieving, Figure 8, step 1).

    ``positions``: the position of each entry's value among the values that the hierarchy was bound
    to, one row per attribute.
    ``marks``: the mark of each entry, if given. Entries with equal values and different marks
    become different sequences.
    """
    sizes = [hierarchy.size(0) for hierarchy in hierarchies]
    lifts = [hierarchy.ground for hierarchy in hierarchies]
    lines = [*(() if marks is None else (marks,)), *(column.codes for column in beside)]
    apart = np.array(lines, dtype=np.int32).reshape(len(lines), positions.shape[1])
    kinds = [int(line.max(initial=0)) + 1 for line in apart]
    class_of, first, totals = group_sequences(
        np.concatenate([positions, apart]) if lines else positions,
        [*lifts, *(np.arange(kind, dtype=np.int32) for kind in kinds)],
        [*sizes, *kinds],
        counts,
    )
    ground = np.empty((len(lifts), len(first)), dtype=np.int32)
    for attribute, lift in enumerate(lifts):
        ground[attribute] = lift[positions[attribute, first]]
    order = sort_sequences(np.concatenate([ground, apart[::-1, first]]), [*sizes, *kinds[::-1]])
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    frequency = FrequencyList(
        hierarchies=tuple(hierarchies),
        vector=(0,) * len(hierarchies),
        codes=ground[:, order],
        counts=totals[order],
        beside=tuple(column.taken(first[order]) for column in beside),
    )
    return rank[class_of], frequency
