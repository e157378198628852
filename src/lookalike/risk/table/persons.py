"""Count persons in place of rows, where a person may have several rows.

The size of a class is then its number of distinct persons. A person whose rows are in several
classes counts in each of them. An attacker who knows a person's values finds the class, and in it
as many persons as it has.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.table.sequences import Sequences


@dataclass(frozen=True, eq=False)
class PersonSequences(Sequences):
    """The distinct pairs of a sequence of values and a person.

    Parameters
    ----------
    persons
        The person of each pair, a number.
    """

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

    Parameters
    ----------
    sequences
        The distinct sequences of a table; the person follows the attributes of the classes.
    class_of
        The class of each sequence.
    classes
        The classes.

    Returns
    -------
    people
        The pairs of a class and a person.
    classes
        The classes, with the number of persons of each.
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
