"""Count the possible matches between the persons of an external table and the rows of a release.

Persons are never compared with rows one by one. All released tuples with the same vector of levels
are compared with all persons at once: the persons are generalized to these levels, and each then
equals a tuple or not. A person with missing values is compared over the other attributes, so
persons are divided by which values they miss. Time grows with vectors × distinct persons.

By default a missing or suppressed value, in either table, matches any value. It is then compared at
the *wildcard level*, the last level of
:class:`~lookalike.hierarchy.released_values.ReleasedAttribute`, at which all values are equal.

With `as_written`, a missing value matches missing values only, and a suppressed value matches the
values that the hierarchy suppresses at that level.

:func:`find_released_levels` and :func:`find_external_levels` choose the level at which each value
is compared. :func:`choose_level` combines the two levels when a person is compared with a row.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.hierarchy.released_values import ReleasedAttribute, list_comparable
from lookalike.kernels import group_sequences
from lookalike.kernels.contained_records import NOBODY
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Flags

Values = Sequence[str | None]
"""The values of a column as text; None is missing."""


@dataclass(frozen=True, eq=False)
class Entries:
    """The entries of one of two tables, as codes that can be compared.

    ``attributes``: what both tables show of each attribute.
    ``codes``: one line per attribute: the code of each entry.
    ``levels``: one line per attribute: the position of the level at which the entry is compared.
    For persons this is 0, or the wildcard level at which any two values match.
    ``counts``: the number of persons or rows of each entry.
    """

    attributes: Sequence[ReleasedAttribute]
    codes: Codes
    levels: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    def take(self, positions: Codes) -> "Entries":
        """Return some of the entries."""
        codes, levels = (np.take(lines, positions, axis=1) for lines in (self.codes, self.levels))
        return Entries(self.attributes, codes, levels, self.counts[positions])

    def merge(self) -> tuple[Codes, Codes, "Entries"]:
        """Merge entries with equal codes and levels."""
        codes = [max(1, len(attribute.levels)) for attribute in self.attributes]
        levels = [len(attribute.lifts) for attribute in self.attributes]
        lines = np.concatenate([self.codes, self.levels])
        merged, first, counts = group_equal(lines, codes + levels, self.counts)
        return merged, first, replace(self.take(first), counts=counts)

    def divide_by_levels(self) -> Iterator[tuple[list[int], Codes]]:
        """Divide entries by their vector of levels."""
        sizes = [len(attribute.lifts) for attribute in self.attributes]
        group_of, first, _ = group_equal(self.levels, sizes, self.counts)
        order = np.argsort(group_of, kind="stable").astype(np.int32)
        ends = np.cumsum(np.bincount(group_of, minlength=len(first)))[:-1]
        parts = np.split(order, ends) if len(first) else []
        yield from zip(self.levels[:, first].T.tolist(), parts, strict=True)


@dataclass(frozen=True, eq=False)
class Matches:
    """For each entry of a table, its possible matches in the other table.

    ``only``: the position of the match in the other table if there is exactly one, else ``NOBODY``.
    """

    number: Counts
    only: Codes


def match(persons: Entries, rows: Entries) -> tuple[Matches, Matches, tuple[float, ...]]:
    """Return the rows of each person, the persons of each row, and the seconds of each vector."""
    person_of, first_person, people = persons.merge()
    tuple_of, first_row, tuples = rows.merge()
    for_people, for_tuples = _no_matches(len(people)), _no_matches(len(tuples))
    groups = [(levels, one, people.take(one)) for levels, one in people.divide_by_levels()]
    seconds = []
    for vector, of_vector in tuples.divide_by_levels():
        begin = time.perf_counter()
        shown = tuples.take(of_vector)
        for external, of_group, group in groups:
            lifts, sizes = _lift(rows.attributes, vector, external)
            comparable = list_comparable(group.codes, shown.codes, lifts, sizes)
            of_people, of_tuples = _compare(group.take(comparable), shown, lifts, sizes)
            _add(for_people, of_group[comparable], of_people, of_vector)
            _add(for_tuples, of_vector, of_tuples, of_group[comparable])
        seconds.append(time.perf_counter() - begin)
    return (
        _spread(for_people, person_of, first_row),
        _spread(for_tuples, tuple_of, first_person),
        tuple(seconds),
    )


def _no_matches(number: int) -> Matches:
    """Return a result without matches."""
    return Matches(np.zeros(number, dtype=np.int64), np.full(number, NOBODY, dtype=np.int32))


def _add(found: Matches, positions: Codes, more: Matches, others: Codes) -> None:
    """Add matches of some entries with some entries of the other table."""
    found.number[positions] += more.number
    one = more.number == 1
    found.only[positions[one]] = others[more.only[one]]


def _spread(found: Matches, merged: Codes, first: Codes) -> Matches:
    """Return the matches of each entry from those of the entry it was merged into."""
    number, only = found.number[merged], found.only[merged]
    one = number == 1
    only[one] = first[only[one]]
    only[~one] = NOBODY
    return Matches(number, only)


def _lift(
    attributes: Sequence[ReleasedAttribute], released: Sequence[int], external: Sequence[int]
) -> tuple[list[Codes], list[int]]:
    """Return the lifted codes of each attribute at the levels of some tuples and persons."""
    levels = map(choose_level, attributes, released, external)
    pairs = list(zip(attributes, levels, strict=True))
    return [one.lifts[level] for one, level in pairs], [one.sizes[level] for one, level in pairs]


def _compare(
    people: Entries, tuples: Entries, lifts: Sequence[Codes], sizes: Sequence[int]
) -> tuple[Matches, Matches]:
    """Compare people with tuples at one vector of levels."""
    of_people, of_tuples, classes = _group_both(people, tuples, lifts, sizes)
    return (
        _look_up(of_people, of_tuples, tuples.counts, classes),
        _look_up(of_tuples, of_people, people.counts, classes),
    )


def _group_both(
    people: Entries, tuples: Entries, lifts: Sequence[Codes], sizes: Sequence[int]
) -> tuple[Codes, Codes, int]:
    """Return the class of each person and of each tuple, and the number of classes."""
    together = np.concatenate([people.codes, tuples.codes], axis=1)
    ones = np.ones(together.shape[1], dtype=np.int64)
    class_of, first, _ = group_sequences(together, lifts, sizes, ones)
    return class_of[: len(people)], class_of[len(people) :], len(first)


def list_options(persons: Entries, rows: Entries) -> tuple[Counts, Codes]:
    """List the rows that match each person, in ascending order.

    ``persons``, ``rows``: merged entries.

    Returns: where the rows of each person begin, and the rows.
    """
    pairs = [np.empty((2, 0), dtype=np.int64)]
    groups = [(levels, one, persons.take(one)) for levels, one in persons.divide_by_levels()]
    for vector, of_vector in rows.divide_by_levels():
        shown = rows.take(of_vector)
        for external, of_group, group in groups:
            lifts, sizes = _lift(rows.attributes, vector, external)
            of_people, of_rows, classes = _group_both(group, shown, lifts, sizes)
            in_class = np.bincount(of_rows, minlength=classes)
            begins, number = np.cumsum(in_class) - in_class, in_class[of_people]
            within = list_within(number) + np.repeat(begins[of_people], number)
            found = of_vector[np.argsort(of_rows, kind="stable")[within]]
            pairs.append(np.stack([np.repeat(of_group, number), found]))
    person, row = np.concatenate(pairs, axis=1)
    order = np.lexsort((row, person))
    starts = np.concatenate([[0], np.cumsum(np.bincount(person, minlength=len(persons)))])
    return starts.astype(np.int64), row[order].astype(np.int32)


def list_within(sizes: Counts) -> Counts:
    """Number the places within each of several parts of these sizes.

    Examples
    --------
    >>> list_within(np.array([2, 0, 3])).tolist()
    [0, 1, 0, 1, 2]
    """
    places: Counts = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return places


def _look_up(asking: Codes, found: Codes, counts: Counts, classes: int) -> Matches:
    """Return the number of entries found in each class that is asked for, and the last one."""
    number = np.zeros(classes, dtype=np.int64)
    np.add.at(number, found, counts)
    last = np.full(classes, NOBODY, dtype=np.int32)
    last[found] = np.arange(len(found), dtype=np.int32)
    return Matches(number[asking], last[asking])


def match_pairs(person: Codes, row: Codes, persons: Entries, rows: Entries) -> Flags:
    """Return for pairs of a person and a row whether they match."""
    same = np.ones(len(person), dtype=np.bool_)
    for line, attribute in enumerate(rows.attributes):
        lifts = np.array(attribute.lifts)
        matches_any = persons.levels[line, person] == wildcard_level(attribute)
        level = rows.levels[line, row]
        here = lifts[level, persons.codes[line, person]] == lifts[level, rows.codes[line, row]]
        same &= matches_any | here
    return same


def wildcard_level(attribute: ReleasedAttribute) -> int:
    """Return the position of the level at which any two values match."""
    return len(attribute.lifts) - 1


def find_levels(
    attribute: ReleasedAttribute,
    external: Values,
    released: Values,
    suppressed: str,
    *,
    as_written: bool,
    one_level: bool,
) -> tuple[Codes, Codes]:
    """Return for each external and each released value the level at which it is compared.

    ``as_written``: whether missing and suppressed values match only what they are, instead of any
    value.
    ``one_level``: whether all values of the attribute have one known level; a suppressed value is
    then a value of that level.

    Examples
    --------
    >>> from lookalike.hierarchy.released_values import read_attribute
    >>> known, shown = ["f", "m", None], ["f", None, "*"]
    >>> sex = read_attribute("sex", [("f", "*"), ("m", "*"), (None, "*")], shown, "*")
    >>> levels = find_levels(sex, known, shown, "*", as_written=False, one_level=False)
    >>> [one.tolist() for one in levels]
    [[0, 0, 2], [0, 2, 2]]
    >>> levels = find_levels(sex, known, shown, "*", as_written=True, one_level=False)
    >>> [one.tolist() for one in levels]
    [[0, 0, 0], [0, 0, 2]]
    """
    wildcards = set() if as_written else {None, suppressed}
    persons = np.zeros(len(external), dtype=np.int32)
    rows = np.maximum(attribute.levels[attribute.released], 0).astype(np.int32)
    if as_written and one_level:
        rows[_is_any(released, {suppressed})] = 0
    persons[_is_any(external, wildcards)] = wildcard_level(attribute)
    rows[_is_any(released, wildcards)] = wildcard_level(attribute)
    return persons, rows


def _is_any(values: Values, some: set[str | None]) -> Flags:
    """Return which values are among some values."""
    return np.array([value in some for value in values], dtype=np.bool_)


def choose_level(attribute: ReleasedAttribute, released: int, external: int) -> int:
    """Return the level at which a released and an external value are compared.

    This is the level of the released value, or the wildcard level if the external value matches
    any value.
    """
    return external if external == wildcard_level(attribute) else released
