"""Judge: which classes of a recoding fail the requirement."""

from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Flags
from lookalike.model.frequency import FrequencyList
from lookalike.model.membership import Membership
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement


@dataclass(frozen=True)
class Failure:
    """The classes of a release that fail one part of the requirement.

    Parameters
    ----------
    condition
        What fails: the name of the protection and its column, or the persons.
    classes
        The number of classes that fail.
    rows
        The number of rows in these classes.
    """

    condition: str
    classes: int
    rows: int


def find_failures(
    frequency: FrequencyList, recoding: Recoding, requirement: Requirement
) -> list[Failure]:
    """Judge every released class by persons and protections, over each quasi-identifier.

    k rows are counted by :func:`lookalike.model.measures.measure`.
    """
    tuples = recoding.released(frequency)
    shown = frequency.taken(tuples.sequence, tuples.counts)
    failures = []
    for one in requirement.combined(frequency.attributes):
        class_of = tuples.classes(frequency, one.attributes)[0]
        for condition, member in requirement.conditions(shown, class_of, one):
            failing = member.failing(tuples.counts)
            if failing.any():
                rows = int(tuples.counts[failing].sum())
                failures.append(Failure(condition, _count_classes(member, failing), rows))
    return failures


def _count_classes(member: Membership, failing: Flags) -> int:
    """Count the classes with sequences that fail."""
    return len(np.unique(member.class_of[failing]))
