"""Matching: who could be whom, where one table is general and the other is not.

Persons are never compared with rows one by one. Released tuples with the same levels, a vector,
are compared with all persons at once: the persons are rolled up to these levels, and are then
equal to a tuple or not. A person with missing values is compared over the other attributes, so
persons are divided by what they miss. Time grows with vectors × distinct persons.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy.released_values import ReleasedAttribute, find_comparable
from lookalike.kernels import group_sequences
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags

NOBODY = -1


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of one of two tables, in codes that can be compared.

    Parameters
    ----------
    codes
        One line an attribute: what each entry shows.
    levels
        One line an attribute: the position of the level at which it is to be compared. For
        persons only the last counts, at which anything equals anything.
    counts
        How many persons or rows each entry stands for.
    """

    codes: Codes
    levels: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def take(self, positions: Codes) -> "Entries":
        """Return some of the entries."""
        return Entries(
            np.take(self.codes, positions, axis=1),
            np.take(self.levels, positions, axis=1),
            self.counts[positions],
        )


@dataclass(frozen=True, eq=False)
class Matches:
    """For each entry of a table, how many of the other table's people or rows could be it.

    Parameters
    ----------
    number
        How many could be.
    only
        Where it is one: the position of its entry in the other table; else ``NOBODY``.
    """

    number: Counts
    only: Codes


@dataclass(frozen=True, eq=False)
class Matched:
    """What matching two tables says of each, and how long each vector of levels took."""

    persons: Matches
    rows: Matches
    seconds: tuple[float, ...]


def match(persons: Entries, rows: Entries, attributes: Sequence[ReleasedAttribute]) -> Matched:
    """Count for each person the rows, and for each row the persons, that could be the same.

    Parameters
    ----------
    persons
        The external table.
    rows
        The release.
    attributes
        What the codes are at each level.
    """
    person_of, first_person, people = _merge(persons, attributes)
    tuple_of, first_row, tuples = _merge(rows, attributes)
    for_people, for_tuples = _begin(len(people)), _begin(len(tuples))
    groups = [(missed, one, people.take(one)) for missed, one in _divide(people, attributes)]
    seconds = []
    for vector, of_vector in _divide(tuples, attributes):
        begin = time.perf_counter()
        shown = tuples.take(of_vector)
        for missed, of_group, group in groups:
            lifts, sizes = _lift(attributes, vector, missed)
            near = find_comparable(group.codes, shown.codes, lifts, sizes)
            theirs, ours = _meet(group.take(near), shown, lifts, sizes)
            _add(for_people, of_group[near], theirs, of_vector)
            _add(for_tuples, of_vector, ours, of_group[near])
        seconds.append(time.perf_counter() - begin)
    return Matched(
        persons=_spread(for_people, person_of, first_row),
        rows=_spread(for_tuples, tuple_of, first_person),
        seconds=tuple(seconds),
    )


def _begin(entries: int) -> Matches:
    """Return that nothing matches yet."""
    return Matches(np.zeros(entries, dtype=np.int64), np.full(entries, NOBODY, dtype=np.int32))


def _add(found: Matches, positions: Codes, more: Matches, others: Codes) -> None:
    """Add what some entries match, among some entries of the other table."""
    found.number[positions] += more.number
    one = more.number == 1
    found.only[positions[one]] = others[more.only[one]]


def _spread(found: Matches, merged: Codes, first: Codes) -> Matches:
    """Return for each entry what was found of those that it was merged with."""
    number, only = found.number[merged], found.only[merged]
    one = number == 1
    only[one] = first[only[one]]
    only[~one] = NOBODY
    return Matches(number, only)


def _merge(side: Entries, attributes: Sequence[ReleasedAttribute]) -> tuple[Codes, Codes, Entries]:
    """Count entries that cannot be told apart as one."""
    codes = [max(1, len(attribute.levels)) for attribute in attributes]
    levels = [len(attribute.lifts) for attribute in attributes]
    lines = np.concatenate([side.codes, side.levels])
    merged, first, counts = group_equal(lines, codes + levels, side.counts)
    one = side.take(first)
    return merged, first, Entries(one.codes, one.levels, counts)


def _divide(
    side: Entries, attributes: Sequence[ReleasedAttribute]
) -> Iterator[tuple[list[int], Codes]]:
    """Divide entries by their levels."""
    sizes = [len(attribute.lifts) for attribute in attributes]
    group_of, first, _ = group_equal(side.levels, sizes, side.counts)
    order = np.argsort(group_of, kind="stable").astype(np.int32)
    ends = np.cumsum(np.bincount(group_of, minlength=len(first)))[:-1]
    parts = np.split(order, ends) if len(first) else []
    yield from zip(side.levels[:, first].T.tolist(), parts, strict=True)


def _lift(
    attributes: Sequence[ReleasedAttribute], vector: Sequence[int], missed: Sequence[int]
) -> tuple[list[Codes], list[int]]:
    """Return what each attribute is at a vector, but nothing where persons miss it."""
    levels = [
        max(level, other) if other == len(attribute.lifts) - 1 else level
        for attribute, level, other in zip(attributes, vector, missed, strict=True)
    ]
    pairs = list(zip(attributes, levels, strict=True))
    return [one.lifts[level] for one, level in pairs], [one.sizes[level] for one, level in pairs]


def _meet(
    people: Entries, tuples: Entries, lifts: Sequence[Codes], sizes: Sequence[int]
) -> tuple[Matches, Matches]:
    """Compare people with tuples at one vector of levels."""
    together = np.concatenate([people.codes, tuples.codes], axis=1)
    ones = np.ones(together.shape[1], dtype=np.int64)
    class_of, first, _ = group_sequences(together, lifts, sizes, ones)
    theirs, ours = class_of[: len(people)], class_of[len(people) :]
    return (
        _look_up(theirs, ours, tuples.counts, len(first)),
        _look_up(ours, theirs, people.counts, len(first)),
    )


def _look_up(asking: Codes, found: Codes, counts: Counts, classes: int) -> Matches:
    """Return for each class that is asked for how many were found there, and the last of them."""
    number = np.zeros(classes, dtype=np.int64)
    np.add.at(number, found, counts)
    last = np.full(classes, NOBODY, dtype=np.int32)
    last[found] = np.arange(len(found), dtype=np.int32)
    return Matches(number[asking], last[asking])


def could_be(
    person: Codes,
    row: Codes,
    persons: Entries,
    rows: Entries,
    attributes: Sequence[ReleasedAttribute],
) -> Flags:
    """Tell for pairs of a person and a row whether the row could be the person's.

    Parameters
    ----------
    person, row
        The positions of the two in their tables.
    persons, rows
        The tables.
    attributes
        What the codes are at each level.
    """
    same = np.ones(len(person), dtype=np.bool_)
    for line, attribute in enumerate(attributes):
        lifts = np.array(attribute.lifts)
        anything = persons.levels[line, person] == len(lifts) - 1
        level = rows.levels[line, row]
        here = lifts[level, persons.codes[line, person]] == lifts[level, rows.codes[line, row]]
        same &= anything | here
    return same
