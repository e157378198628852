"""An attacker who knows nearly everything, by enumeration of all worlds.

The attacker has all releases and knows

- everyone's quasi-identifier at each time,
- who is in the source at each time,
- whose values changed in which column between any two times, and which columns are one column
  under two names, as far as their rows show it,
- what a label means, that every released row is somebody's, and that nobody has two,
- whether a policy may show old values of rows (based-on does), and rows of people who left or moved
  as they were, or only rows that no release has shown (increments).

The attacker does not know which row is whose. A *world* gives every person a row, or none, in each
release so that all of this is true. Nothing else limits what is possible, so a row has as many
possible owners as there are persons who have it in some world.

An attacker of sensitive values knows even which rows of several releases are the same row. Then a
world gives every person the rows of one person, and all worlds are equally likely.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from lookalike.model.protections import ClassValues, Protection

HIDDEN = -1

Label = tuple[int, int]
"""A level and a code: the numbers that are the code without their last `level` bits."""
Values = Mapping[str, int]
"""The values of a row by column; a column that is hidden or not released is not there."""
Rows = tuple[int | None, ...]
"""Of one person: the kind of row in each release, or none."""


@dataclass(frozen=True)
class Person:
    """One person at one time."""

    present: bool
    numbers: tuple[int, ...]
    values: Values

    def fits(self, labels: Sequence[Label]) -> bool:
        """Return whether labels are generalizations of the quasi-identifier."""
        return self.present and all(
            number >> level == code
            for number, (level, code) in zip(self.numbers, labels, strict=True)
        )


@dataclass(frozen=True)
class Row:
    """A released row; a column is there under every name that it is known by."""

    labels: tuple[Label, ...]
    values: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Release:
    """Rows that were released at a time.

    Parameters
    ----------
    time
        When.
    rows
        The rows.
    owners
        The persons who have one, which the attacker does not know.
    keeps_old
        Whether rows may show values of earlier times.
    keeps_leavers
        Whether a person who left or moved may be shown as in the release before.
    only_new
        Whether it shows nobody whom an earlier release showed.
    row_of
        The row of each person who has one, which the attacker does not know.
    protected
        The protections that it promises, by column.
    """

    time: int
    rows: tuple[Row, ...]
    owners: frozenset[int]
    keeps_old: bool = False
    keeps_leavers: bool = False
    only_new: bool = False
    row_of: Mapping[int, Row] = field(default_factory=dict)
    protected: tuple[tuple[str, Protection], ...] = ()

    @cached_property
    def kinds(self) -> list[Row]:
        """The different rows."""
        return list(Counter(self.rows))

    @cached_property
    def counts(self) -> list[int]:
        """How many rows there are of each kind."""
        return list(Counter(self.rows).values())


@dataclass
class Attacker:
    """Looks at all worlds of some releases.

    Parameters
    ----------
    times
        The source at each time, the same persons in the same order: what the attacker knows of
        their `values` is only whether they changed.
    releases
        The releases, in the order of their times.
    columns
        What the source calls a column that has another name in the releases.
    """

    times: Sequence[Sequence[Person]]
    releases: Sequence[Release]
    columns: Mapping[str, str] = field(default_factory=dict)
    _seen: set[tuple[int, int, int]] = field(default_factory=set)

    def exposed(self, k: int) -> str | None:
        """Say who is exposed: a row with fewer than k possible owners, or a person with fewer
        than k possible rows in a release that shows them."""
        self._seen = set()
        for place, release in enumerate(self.releases):
            for kind in range(len(release.kinds)):
                owners = self._count(k, ((who, place, kind) for who in range(self.people)))
                if owners < k:
                    return f"{release.kinds[kind]} at {release.time} has {owners} owners"
            for who in release.owners:
                rows = self._count_rows(who, place, k)
                if rows < k:
                    return f"person {who} has {rows} rows at {release.time}"
        return None

    def _count_rows(self, who: int, place: int, k: int) -> int:
        """Count the possible rows of a person, up to k."""
        total = 0
        for kind, number in enumerate(self.releases[place].counts):
            if total < k and self._is_possible(who, place, kind):
                total += number
        return total

    def _count(self, k: int, some: Iterator[tuple[int, int, int]]) -> int:
        """Count what is possible, up to k."""
        total = 0
        for one in some:
            if total < k and self._is_possible(*one):
                total += 1
        return total

    def find_given_away(self) -> str | None:
        """Say of whom some value is surer than a protection of the release that shows it allows."""
        worlds = self._count_worlds()
        for release in self.releases:
            for column, protection in release.protected:
                for who, likely in enumerate(worlds):
                    beliefs: Counter[int] = Counter()
                    for other, number in enumerate(likely):
                        if other in release.row_of:
                            beliefs[dict(release.row_of[other].values)[column]] += number
                    if fails(protection, beliefs):
                        return f"{column} of person {who} at {release.time}: {dict(beliefs)}"
        return None

    def _count_worlds(self) -> list[list[int]]:
        """Count for each person the worlds in which they have the rows of each person."""
        lines = [
            tuple(r.kinds.index(r.row_of[who]) if who in r.row_of else None for r in self.releases)
            for who in range(self.people)
        ]
        fits = [[line in set(options) for line in lines] for options in self.options]
        before, after = _count_matchings(fits), _count_matchings(fits[::-1])[::-1]
        every = (1 << self.people) - 1
        return [
            [
                sum(
                    number * after[who + 1].get(every & ~taken & ~(1 << line), 0)
                    for taken, number in before[who].items()
                    if fits[who][line] and not taken >> line & 1
                )
                for line in range(self.people)
            ]
            for who in range(self.people)
        ]

    @property
    def people(self) -> int:
        """How many persons there are."""
        return len(self.times[0])

    def _is_possible(self, who: int, place: int, kind: int) -> bool:
        """Return whether some world gives a person a row of a kind; all of that world is noted."""
        if (who, place, kind) not in self._seen:
            for rows in self.options[who]:
                if rows[place] == kind:
                    world = self._find_world({who: rows})
                    if world is not None:
                        self._seen.update(
                            (one, at, row)
                            for one, history in world.items()
                            for at, row in enumerate(history)
                            if row is not None
                        )
                        break
        return (who, place, kind) in self._seen

    @cached_property
    def options(self) -> list[list[Rows]]:
        """For each person all rows in all releases that are consistent with what is known."""
        return [list(self._extend(who, (), {})) for who in range(self.people)]

    def _extend(
        self, who: int, rows: Rows, origins: Mapping[str, tuple[int, frozenset[int]]]
    ) -> Iterator[Rows]:
        """Yield consistent rows of a person in all releases, given those in the first ones.

        `origins` has for each column the value last shown, and the times it may be of.
        """
        if len(rows) == len(self.releases):
            yield rows
            return
        release = self.releases[len(rows)]
        person = self.times[release.time][who]
        if (
            release.keeps_leavers
            or release.only_new
            or sum(release.counts) < sum(one.present for one in self.times[release.time])
            or not person.present
        ):
            yield from self._extend(who, (*rows, None), origins)
        if release.only_new and any(row is not None for row in rows):
            return
        before = None if not rows or rows[-1] is None else self.releases[len(rows) - 1]
        for kind, row in enumerate(release.kinds):
            fits, stays = person.fits(row.labels), False
            if release.keeps_leavers and before is not None and rows[-1] is not None:
                stays = before.kinds[rows[-1]].labels == row.labels
            if fits or stays:
                shown = self._show(who, release, row, origins)
                if shown is not None and (fits or self._is_old(row, origins)):
                    yield from self._extend(who, (*rows, kind), shown)

    @staticmethod
    def _is_old(row: Row, origins: Mapping[str, tuple[int, frozenset[int]]]) -> bool:
        """Return whether a row shows nothing but what was shown before."""
        return all(origins[name][0] == value for name, value in row.values if name in origins)

    def _show(
        self,
        who: int,
        release: Release,
        row: Row,
        origins: Mapping[str, tuple[int, frozenset[int]]],
    ) -> dict[str, tuple[int, frozenset[int]]] | None:
        """Return what was last shown of a person, after one more row; nothing if it cannot be."""
        now, shown = release.time, dict(origins)
        for column, value in row.values:
            last, since = shown.get(column, (value, frozenset([now])))
            changes = {self._count_changes(who, column, time, now) for time in since}
            if value != last:
                if not any(changes):
                    return None
                times = frozenset([now])
            else:
                current = frozenset([now]) if changes - {1} else frozenset()
                times = since | current if release.keeps_old else current
                if not times:
                    return None
            shown[column] = value, times
        return shown

    def _count_changes(self, who: int, column: str, since: int, now: int) -> int:
        """Count how often a value changed; whoever knows of two changes does not know the sum."""
        of = self.columns.get(column, column)
        values = [self.times[time][who].values[of] for time in range(since, now + 1)]
        return sum(one != two for one, two in pairwise(values))

    def _find_world(self, chosen: dict[int, Rows]) -> dict[int, Rows] | None:
        """Find a world with what is chosen, if there is one."""
        left = [list(release.counts) for release in self.releases]
        for rows in chosen.values():
            _take(left, rows)
        others = sorted(set(range(self.people)) - set(chosen), key=lambda o: len(self.options[o]))
        return self._complete(chosen, others, left)

    def _complete(
        self, chosen: dict[int, Rows], others: list[int], left: list[list[int]]
    ) -> dict[int, Rows] | None:
        """Give rows to the others, so that all are taken."""
        if not others:
            return chosen if not any(map(any, left)) else None
        if any(sum(counts) > len(others) for counts in left):
            return None
        who, *rest = others
        for rows in self.options[who]:
            if all(row is None or left[at][row] for at, row in enumerate(rows)):
                _take(left, rows)
                world = self._complete({**chosen, who: rows}, rest, left)
                if world is not None:
                    return world
                _take(left, rows, -1)
        return None


def _count_matchings(fits: list[list[bool]]) -> list[dict[int, int]]:
    """Count for the first persons, one more each time, how they can have each set of rows."""
    steps = [{0: 1}]
    for one in fits:
        counted: dict[int, int] = {}
        for taken, number in steps[-1].items():
            for line, fit in enumerate(one):
                if fit and not taken >> line & 1:
                    counted[taken | 1 << line] = counted.get(taken | 1 << line, 0) + number
        steps.append(counted)
    return steps


def fails(protection: Protection, values: Mapping[int, int]) -> bool:
    """Return whether values, as often as they occur, do not keep a protection."""
    counts = np.array([number for number in values.values() if number], dtype=np.int64)
    codes = np.arange(len(counts), dtype=np.int32)
    starts = np.array([0, len(counts)])
    return bool(protection.failing(ClassValues(starts, codes, counts, counts))[0])


def _take(left: list[list[int]], rows: Rows, number: int = 1) -> None:
    """Take rows from those that are left, or put them back."""
    for at, row in enumerate(rows):
        if row is not None:
            left[at][row] -= number


def agreement(before: Mapping[int, int], now: Mapping[int, int]) -> float:
    """Return Cohen's kappa of what the same rows showed twice: 1 for a copy, 0 for chance.

    Where a column shows a single value it is the share of rows that agree.
    """
    rows = [who for who in now if who in before and HIDDEN not in (now[who], before[who])]
    if not rows:
        return 0.0
    first, second = (Counter(shown[who] for who in rows) for shown in (before, now))
    equal = sum(before[who] == now[who] for who in rows) / len(rows)
    if len(first) == 1 or len(second) == 1:
        return equal
    chance = sum(first[value] * second[value] for value in first) / len(rows) ** 2
    return (equal - chance) / (1 - chance)
