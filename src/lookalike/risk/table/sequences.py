"""The distinct sequences of values of a table, with the number of rows of each.

This is a frequency list without hierarchies: the risk of a table is that of its values as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.counted import Counted


@dataclass(frozen=True, eq=False)
class Sequences(Discreet):
    """Distinct sequences over some attributes.

    ``values``: for each attribute its distinct values as text; ``None`` is missing.
    ``codes``: one line per attribute, one place per sequence: positions among the values.
    """

    values: tuple[tuple[str | None, ...], ...]
    codes: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def sizes(self) -> Counts:
        """The size of each class: the number of rows of each sequence."""
        return self.counts

    def project(self, attributes: Sequence[int]) -> tuple[Codes, "Sequences"]:
        """Count the sequences over fewer attributes.

        Examples
        --------
        >>> codes = np.array([[0, 0, 1], [0, 1, 1]], dtype=np.int32)
        >>> people = Sequences((("f", "m"), ("02138", "02139")), codes, np.array([1, 1, 2]))
        >>> class_of, sexes = people.project([0])
        >>> class_of.tolist(), sexes.counts.tolist(), sexes.label([1])
        ([0, 0, 1], [2, 2], [('m',)])
        """
        kept = list(attributes)
        sizes = [len(self.values[attribute]) for attribute in kept]
        codes = self.codes[kept]
        class_of, first, counts = group_equal(codes, sizes, self.counts)
        values = tuple(self.values[attribute] for attribute in kept)
        return class_of, Sequences(values, codes[:, first], counts)

    def label(self, positions: Sequence[int]) -> list[tuple[str | None, ...]]:
        """Return the values of some sequences, as text."""
        columns = [
            [names[code] for code in line[list(positions)].tolist()]
            for names, line in zip(self.values, self.codes, strict=True)
        ]
        return list(zip(*columns, strict=True))


def list_sequences(counted: Counted) -> Sequences:
    """List the distinct sequences of a counted table."""
    entries = Sequences(counted.values, counted.positions, counted.counts)
    return entries.project(range(len(counted.values)))[1]


@dataclass(frozen=True, eq=False)
class PersonSequences(Sequences):
    """The distinct pairs of a sequence of values and a person."""

    persons: Codes

    @property
    def sizes(self) -> Counts:
        """The number of persons of each distinct sequence."""
        sizes = [len(values) for values in self.values]
        return group_equal(self.codes, sizes, self.counts)[2]

    def project(self, attributes: Sequence[int]) -> tuple[Codes, "PersonSequences"]:
        """Return the pairs over fewer attributes, a person once with each sequence."""
        kept = list(attributes)
        values = tuple(self.values[attribute] for attribute in kept)
        pairs = np.concatenate([self.codes[kept], self.persons[None]])
        numbers = [*map(len, values), int(self.persons.max(initial=0)) + 1]
        class_of, first, _ = group_equal(pairs, numbers, self.counts)
        once = np.ones(len(first), dtype=np.int64)
        return class_of, PersonSequences(
            values, self.codes[kept][:, first], once, self.persons[first]
        )


def count_by_person(
    sequences: Sequences, class_of: Codes, classes: Sequences
) -> tuple[PersonSequences, Sequences]:
    """Count the persons of every class.

    ``sequences``: the distinct sequences of a table; the person follows the attributes of the
    classes.
    """
    attributes = len(classes.values)
    entries = PersonSequences(
        values=classes.values,
        codes=sequences.codes[:attributes],
        counts=sequences.counts,
        persons=sequences.codes[attributes],
    )
    pair_of, people = entries.project(range(attributes))
    class_of_pair = np.empty(len(people), dtype=np.int32)
    class_of_pair[pair_of] = class_of
    persons = np.bincount(class_of_pair, minlength=len(classes)).astype(np.int64)
    return people, replace(classes, counts=persons)
