"""A brute-force attacker: every world that is consistent with a set of releases, one by one."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

from lookalike.errors import UnknownValue
from lookalike.hierarchy import Hierarchy

Row = tuple[str | None, ...]


@dataclass(frozen=True)
class Naive:
    """A release: its rows, the level of each generalized column or None for any, and what may
    have been suppressed besides values that a hierarchy does not know."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    levels: dict[str, int | None]
    suppresses: Literal["cells", "rows", "nothing"] = "cells"

    def may_be_any(self, row: Row, column: str) -> bool:
        """Return whether a suppressed cell may stand for any value."""
        blank = all(row[self.columns.index(name)] == "*" for name in self.levels)
        return self.suppresses == "cells" or (self.suppresses == "rows" and blank)


def grounds(
    row: Row, column: str, release: Naive, rule: Hierarchy | None, domain: Sequence[str]
) -> frozenset[str | None]:
    """Return the ground values that a released value may stand for."""
    label = row[release.columns.index(column)]
    if rule is None or column not in release.levels:
        return frozenset([label])
    if label == "*" and release.may_be_any(row, column):
        return frozenset([*domain, None])
    level = release.levels[column]
    steps = range(rule.height + 1) if level is None else [level]
    return frozenset(
        value
        for value in [*domain, None]
        for step in steps
        if generalize(rule, domain, value, step) == label
    )


def generalize(rule: Hierarchy, domain: Sequence[str], value: str | None, level: int) -> str | None:
    """Generalize a value; one that the rule does not know is suppressed below the top."""
    top = rule.ancestors(domain[0])[-1]
    if level == rule.height:
        return top
    try:
        return None if value is None else rule.ancestors(value)[level]
    except UnknownValue:
        return "*"


def compatible(
    one: tuple[Naive, Row],
    two: tuple[Naive, Row],
    rules: Mapping[str, Hierarchy],
    domains: Mapping[str, Sequence[str]],
) -> bool:
    """Return whether rows of two releases could be of one person."""
    (left, ours), (right, theirs) = one, two
    for column in set(left.columns) & set(right.columns):
        meant = rules.get(column), domains.get(column, ())
        if not grounds(ours, column, left, *meant) & grounds(theirs, column, right, *meant):
            return False
    return True


def worlds(
    releases: Sequence[Naive],
    rules: Mapping[str, Hierarchy],
    domains: Mapping[str, Sequence[str]],
    people: int,
) -> Iterator[tuple[tuple[int | None, ...], ...]]:
    """Yield every world: for each person the row in each release, or None.

    People have no names, so the first release's rows come in their order, then the rest.
    """
    first = [*range(len(releases[0].rows)), *[None] * (people - len(releases[0].rows))]
    yield from _extend([(row,) for row in first], releases, rules, domains)


def _extend(histories, releases, rules, domains):
    place = len(histories[0]) if histories else len(releases)
    if place == len(releases):
        yield tuple(histories)
        return
    rows = releases[place].rows
    slots = [*range(len(rows)), *[None] * (len(histories) - len(rows))]
    seen = set()
    for order in permutations(range(len(slots))):
        longer = tuple((*h, slots[o]) for h, o in zip(histories, order, strict=True))
        if longer not in seen:
            seen.add(longer)
            if all(_fits(h, releases, rules, domains) for h in longer):
                yield from _extend(list(longer), releases, rules, domains)


def _fits(history, releases, rules, domains):
    last = len(history) - 1
    if history[last] is None:
        return True
    here = (releases[last], releases[last].rows[history[last]])
    return all(
        history[other] is None
        or compatible((releases[other], releases[other].rows[history[other]]), here, rules, domains)
        for other in range(last)
    )


def possible_rows(
    releases: Sequence[Naive],
    rules: Mapping[str, Hierarchy],
    domains: Mapping[str, Sequence[str]],
    people: int,
    known: Sequence[str],
) -> dict[tuple[Row | None, ...], tuple[set[int], ...]]:
    """Return, for every sequence of classes that some world has, the rows that are possible."""
    found: dict = defaultdict(lambda: tuple(set() for _ in releases))
    for world in worlds(releases, rules, domains, people):
        for history in world:
            if any(row is not None for row in history):
                sequence = tuple(
                    None if row is None else _class(release, row, known)
                    for release, row in zip(releases, history, strict=True)
                )
                for rows, row in zip(found[sequence], history, strict=True):
                    rows.update([] if row is None else [row])
    return dict(found)


def certain_sequences(releases, rules, domains, people, known):
    """Return the sequences of classes that every world has."""
    each = [
        {
            tuple(
                None if row is None else _class(release, row, known)
                for release, row in zip(releases, history, strict=True)
            )
            for history in world
        }
        for world in worlds(releases, rules, domains, people)
    ]
    return set.intersection(*each) if each else set()


def _class(release: Naive, row: int, known: Sequence[str]) -> Row:
    return tuple(release.rows[row][release.columns.index(c)] for c in known if c in release.columns)


def least_left(found) -> int | None:
    """Return the k that is left: the fewest rows that are possible for any sequence."""
    numbers = [
        len(rows)
        for sequence, each in found.items()
        for one, rows in zip(sequence, each, strict=True)
        if one is not None
    ]
    return min(numbers, default=None)
