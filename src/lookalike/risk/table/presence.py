"""Presence: how likely the people of a population are in a table, given its release.

A class of n rows shows a tuple. The people of the population whose values lie below the tuple are
its N candidates. If nothing else is known, every n of them are equally likely to be its rows, and
each candidate is in the class with n ∕ N. A reader who knows that classes are joins excludes n
candidates that lie below one child in a generalized cell. What remains is counted exactly, by
inclusion and exclusion over the generalized cells; the classes are considered one by one.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal, group_sequences
from lookalike.kernels.types import Codes, Counts
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice, Vector
from lookalike.risk.table.released_column import list_released_columns
from lookalike.risk.table.sequences import Sequences
from lookalike.tables.counted import Counted

_choose = cache(math.comb)
MOST_GENERALIZED = 12
"""Classes with more generalized cells than this are left out: there are 2^cells terms."""
NEARLY_CERTAIN = 0.9


@dataclass(frozen=True)
class Presence:
    """How likely the people of a population are in a table, given its release.

    Parameters
    ----------
    people
        The number of people in the population.
    classes
        The number of classes that were counted.
    classes_left_out
        The number of other classes: the population has fewer candidates than the class rows, or
        too many cells are generalized.
    mean_before
        The probability that a candidate is in the class, for a reader who does not know that
        classes are joins: the mean over the rows of the classes, n ∕ N.
    mean_after
        The same for a reader who knows it: the expected probability of a member.
    greatest
        The greatest such probability of a candidate.
    nearly_certain
        The number of classes with a candidate who is a member with 0.9 or more.
    """

    people: int
    classes: int
    classes_left_out: int
    mean_before: float
    mean_after: float
    greatest: float
    nearly_certain: int


@dataclass(frozen=True, eq=False)
class _Candidates(Discreet):
    """The candidates of the classes that show the same levels."""

    sequences: Codes
    class_of: Codes
    persons: Counts
    sizes: Counts


def measure_presence(
    classes: Sequences,
    frequency: FrequencyList,
    rules: Mapping[str, Hierarchy],
    allowed: Lattice,
    population: Counted,
) -> Presence:
    """Measure how likely the people of a population are in a table.

    ``population``: the population, counted over the attributes: one row per person.
    """
    people = _list_people(frequency, rules, population)
    columns = list_released_columns(classes, people, rules, allowed)
    levels = np.array([column.levels for column in columns])
    codes = np.array([column.codes for column in columns])
    vectors, vector_of = np.unique(levels, axis=1, return_inverse=True)
    found: list[tuple[int, float, float, float]] = []
    for number, vector in enumerate(vectors.T.tolist()):
        here = np.flatnonzero(vector_of.ravel() == number)
        raised = [level > least for level, least in zip(vector, allowed.bottom, strict=True)]
        if sum(raised) <= MOST_GENERALIZED:
            candidates = _find_candidates(people, vector, codes[:, here], classes.counts[here])
            found += _judge_classes(people, vector, raised, candidates)
    rows = sum(size for size, *_ in found) or 1
    return Presence(
        people=people.rows,
        classes=len(found),
        classes_left_out=len(classes) - len(found),
        mean_before=sum(size * before for size, before, _, _ in found) / rows,
        mean_after=sum(size * after for size, _, after, _ in found) / rows,
        greatest=max((greatest for *_, greatest in found), default=0.0),
        nearly_certain=sum(greatest >= NEARLY_CERTAIN for *_, greatest in found),
    )


def _list_people(
    frequency: FrequencyList, rules: Mapping[str, Hierarchy], population: Counted
) -> FrequencyList:
    """Return the frequency list of a population, over hierarchies that know both tables."""
    bound = []
    for private, values in zip(frequency.hierarchies, population.values, strict=True):
        known = [text for text in private.labels[0] if text != private.suppressed]
        both = list(dict.fromkeys((*values, *known)))
        hierarchy = rules[private.column].bind(private.column, both, private.suppressed)
        if hierarchy.height != private.height:
            raise InvalidInput(
                f"column {private.column!r} of the population has longer values than the table; "
                f"set length in its hierarchy"
            )
        bound.append(hierarchy)
    return list_frequencies(bound, population.positions, population.counts)[1]


def _find_candidates(
    people: FrequencyList, vector: Sequence[int], codes: Codes, sizes: Counts
) -> _Candidates:
    """Find the people below the tuples of classes that show the same levels."""
    lifted = [
        hierarchy.lift(0, level)[ground]
        for hierarchy, level, ground in zip(people.hierarchies, vector, people.codes, strict=True)
    ]
    both = np.concatenate([np.array(lifted, dtype=np.int32), codes.astype(np.int32)], axis=1)
    domains = [
        hierarchy.size(level) for hierarchy, level in zip(people.hierarchies, vector, strict=True)
    ]
    group_of, first, _ = group_equal(both, domains, np.ones(both.shape[1], dtype=np.int64))
    class_of_group = np.full(len(first), -1, dtype=np.int32)
    class_of_group[group_of[len(people) :]] = np.arange(len(sizes))
    class_of = class_of_group[group_of[: len(people)]]
    here = np.flatnonzero(class_of >= 0).astype(np.int32)
    return _Candidates(here, class_of[here], people.counts[here], sizes)


def _judge_classes(
    people: FrequencyList, vector: Vector, raised: Sequence[bool], candidates: _Candidates
) -> Iterator[tuple[int, float, float, float]]:
    """Yield for each class its rows, and the presence of its members before, after, and at most.

    ``chosen`` counts the sets of candidates with the join of the class, ``with_one`` those that
    contain a given candidate.
    """
    chosen = [0] * len(candidates.sizes)
    with_one = np.zeros(len(candidates.sequences), dtype=object)
    for steps in product(*((0, 1) if free else (0,) for free in raised)):
        sign = -1 if sum(steps) % 2 else 1
        lower = [level - step for level, step in zip(vector, steps, strict=True)]
        group_of, first, sizes = group_sequences(
            people.codes[:, candidates.sequences],
            [h.lift(0, level) for h, level in zip(people.hierarchies, lower, strict=True)],
            [h.size(level) for h, level in zip(people.hierarchies, lower, strict=True)],
            candidates.persons,
        )
        rest = []
        for member, size in zip(candidates.class_of[first].tolist(), sizes.tolist(), strict=True):
            rows = int(candidates.sizes[member])
            chosen[member] += sign * _choose(size, rows)
            rest.append(sign * _choose(size - 1, rows - 1))
        with_one += np.array(rest, dtype=object)[group_of]
    yield from _weigh(candidates, chosen, with_one.tolist())


def _weigh(
    candidates: _Candidates, chosen: Sequence[int], with_one: Sequence[int]
) -> Iterator[tuple[int, float, float, float]]:
    """Yield the presence of the members of each class that the population can have."""
    sizes = candidates.sizes.tolist()
    people, squares, greatest = [0] * len(sizes), [0.0] * len(sizes), [0.0] * len(sizes)
    for place, persons, count in zip(
        candidates.class_of.tolist(), candidates.persons.tolist(), with_one, strict=True
    ):
        people[place] += persons
        if chosen[place]:
            probability = count / chosen[place]
            squares[place] += persons * probability**2
            greatest[place] = max(greatest[place], probability)
    for place, size in enumerate(sizes):
        if chosen[place]:
            yield size, size / people[place], squares[place] / size, greatest[place]
