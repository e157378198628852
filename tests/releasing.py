"""Invent sources that change over time, release them in series, and attack by brute force.

A person's quasi-identifier is a number from 0 to 3. A class is a pair (level, code): the persons
whose number, without its last `level` bits, is the code. Other values are a version number.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from lookalike.ledger.policies.based_on import NextFate, NextRelease, finish_plan, plan_next
from lookalike.ledger.policies.history import History, RowMap, build_history
from lookalike.ledger.policies.shown_columns import ABSENT

Label = tuple[int, int]
TOP = 2
MOST_NUMBER = 3


@dataclass(frozen=True)
class Person:
    """A row of the source: its quasi-identifier and the version of its other values."""

    number: int
    version: int = 0


Source = dict[int, Person]
"""The persons in the source at one time, by key."""


@dataclass(frozen=True)
class Released:
    """A release: the label and the version that it shows of each row, by key."""

    source: Source
    labels: dict[int, Label]
    versions: dict[int, int]


@dataclass
class Series:
    """Releases of one source, one after the other."""

    k: int
    most_level: int = TOP
    releases: list[Released] = field(default_factory=list)
    plans: list[NextRelease] = field(default_factory=list)

    def release(self, source: Source) -> NextRelease:
        """Release the source as it is now, based on the releases so far."""
        history = self.history()
        keys = np.array(sorted(source), dtype=np.int64)
        numbers, versions = digests(source)
        compared = history.compare(keys, {"version": versions})
        changed = np.array([one.differs for one in compared], np.bool_).reshape(
            len(compared), len(keys)
        )
        moved = history.moved(keys, numbers)
        plan = plan_next(history, keys, moved=moved, changed=changed, k=self.k)
        places = self._place(plan, source)
        numbers = {label: number for number, label in enumerate(sorted(set(places.values())))}
        placed = np.array([numbers[places[key]] if key in places else ABSENT for key in keys])
        plan = finish_plan(plan, placed.astype(np.int64))
        self.plans.append(plan)
        self.releases.append(self._show(plan, source, places))
        return plan

    def history(self) -> History:
        """Return the history that a ledger would keep."""
        return build_history([to_map(str(n), release) for n, release in enumerate(self.releases)])

    def last(self, key: int) -> tuple[Label, int] | None:
        """Return what the last release that showed a row showed of it."""
        for release in reversed(self.releases):
            if key in release.labels:
                return release.labels[key], release.versions[key]
        return None

    def _place(self, plan: NextRelease, source: Source) -> dict[int, Label]:
        """Put rows that join into the most specific classes that are large enough."""
        companies = defaultdict(list)
        for key, company in zip(sorted(source), plan.joining_group.tolist(), strict=True):
            if company != ABSENT:
                companies[company].append(key)
        places: dict[int, Label] = {}
        for members in companies.values():
            floors = {key: last[0][0] if (last := self.last(key)) else 0 for key in members}
            places |= place(source, floors, self.k, self.most_level)
        return places

    def _show(self, plan: NextRelease, source: Source, places: dict[int, Label]) -> Released:
        labels, versions = {}, {}
        for key, fate in zip(sorted(source), plan.fate.tolist(), strict=True):
            if fate == NextFate.JOINS:
                labels[key] = places[key]
            elif fate != NextFate.WAITS:
                labels[key] = self.last(key)[0]
            if fate != NextFate.WAITS:
                kept = fate == NextFate.KEEPS
                versions[key] = self.last(key)[1] if kept else source[key].version
        return Released(dict(source), labels, versions)


def place(source: Source, floors: dict[int, int], k: int, most_level: int) -> dict[int, Label]:
    """Put rows into classes of at least k rows, none below its floor; the others get none."""
    places: dict[int, Label] = {}
    for level in range(most_level + 1):
        open_ = [key for key, floor in floors.items() if key not in places and floor <= level]
        sizes = Counter(source[key].number >> level for key in open_)
        for key in open_:
            if sizes[source[key].number >> level] >= k:
                places[key] = (level, source[key].number >> level)
    return places


def digests(source: Source) -> tuple[np.ndarray, np.ndarray]:
    """Return stand-ins for the digests of the quasi-identifiers and of the other values."""
    persons = [source[key] for key in sorted(source)]
    return (
        np.array([person.number for person in persons], dtype=np.int64),
        np.array([person.version for person in persons], dtype=np.int64),
    )


def to_map(name: str, release: Released) -> RowMap:
    """Return the row-to-class map of a release."""
    keys = sorted(release.source)
    numbers = {label: n for n, label in enumerate(sorted(set(release.labels.values())))}
    classes = [numbers[release.labels[key]] if key in release.labels else ABSENT for key in keys]
    versions = [release.versions.get(key, ABSENT) for key in keys]
    return RowMap(
        name,
        np.array(keys, dtype=np.int64),
        np.array(classes, dtype=np.int64),
        digests(release.source)[0],
        {"version": np.array(versions, dtype=np.int64)},
    )


def histories(releases: Sequence[Released]) -> Counter[tuple[Label | None, ...]]:
    """Count the rows of each history, by definition: their class, or none, in every release."""
    keys = {key for release in releases for key in release.labels}
    return Counter(tuple(release.labels.get(key) for release in releases) for key in keys)


def least_candidates(releases: Sequence[Released], *, knows_changes: bool = False) -> int:
    """Attack: return the least number of candidates of any row or person.

    The attacker knows all releases, which of their rows belong together, everyone's
    quasi-identifier and who is in the source at each release; with `knows_changes` also when the
    other values of each person changed. Every assignment that gives each row a person of its own
    is possible.
    """
    rows = sorted({key for release in releases for key in release.labels})
    persons = sorted({key for release in releases for key in release.source})
    fits = {
        row: [one for one in persons if could_be(releases, row, one, knows_changes=knows_changes)]
        for row in rows
    }
    assert all(row in fits[row] for row in rows), "the attacker rules the truth out"
    pairs = {(row, one) for row in rows for one in fits[row] if can_swap(fits, row, one)}
    of_row = Counter(row for row, _ in pairs)
    of_person = Counter(one for _, one in pairs if one in fits)
    return min([*of_row.values(), *of_person.values()], default=0)


def could_be(releases: Sequence[Released], row: int, person: int, *, knows_changes: bool) -> bool:
    """Return whether a person was in the source and fits whenever a row was shown."""
    shown = [release for release in releases if row in release.labels]
    return all(
        person in at.source and covers(at.labels[row], at.source[person].number) for at in shown
    ) and not (knows_changes and shows_too_much(shown, row, person))


def shows_too_much(shown: Sequence[Released], row: int, person: int) -> bool:
    """Return whether a row showed new values while those of a person were the same.

    Values are new since the release that first showed the former ones, because rows may keep old
    values.
    """
    since = shown[0]
    for at in shown:
        if at.versions[row] != since.versions[row]:
            if at.source[person].version == since.source[person].version:
                return True
            since = at
    return False


def covers(label: Label, number: int) -> bool:
    """Return whether a label is a generalization of a number."""
    return number >> label[0] == label[1]


def can_swap(fits: dict[int, list[int]], row: int, person: int) -> bool:
    """Return whether a row can belong to a person while every other row has a person, too.

    In truth each row belongs to its own person. The row that loses its person takes another one,
    and so on, until a person is found who has no row, or is the person of the first row.
    """
    seen, losing = {person}, [person]
    while losing:
        loser = losing.pop()
        if loser == row or loser not in fits:
            return True
        for other in fits[loser]:
            if other not in seen:
                seen.add(other)
                losing.append(other)
    return False


@st.composite
def sources(draw: st.DrawFn, most: int = 12) -> list[Source]:
    """Invent a source at two to five times: people join, leave, return, move and change."""
    number = draw(st.integers(4, most))
    persons = {key: Person(draw(st.integers(0, MOST_NUMBER))) for key in range(number)}
    present = {key for key in persons if draw(st.integers(0, 4))}
    times = [{key: persons[key] for key in present}]
    for _ in range(draw(st.integers(1, 4))):
        for key in persons:
            _happen(draw, key, persons, present)
        times.append({key: persons[key] for key in present})
    return times


def _happen(draw: st.DrawFn, key: int, persons: Source, present: set[int]) -> None:
    """Let something happen to a person between two releases, or nothing."""
    event = draw(st.sampled_from(["nothing"] * 8 + ["come or go", "move", "change", "both"]))
    if event == "come or go":
        present ^= {key}
    person = persons[key]
    number = draw(st.integers(0, MOST_NUMBER)) if event in ("move", "both") else person.number
    version = person.version + (event in ("change", "both"))
    persons[key] = Person(number, version)


def release_all(times: Sequence[Source], k: int, most_level: int = TOP) -> Series:
    """Release a source at each time, each release based on those before."""
    series = Series(k, most_level)
    for source in times:
        series.release(source)
    return series


def release_naively(times: Sequence[Source], k: int) -> list[Released]:
    """Release a source at each time as if there were no other release."""
    releases = []
    for source in times:
        labels = place(source, dict.fromkeys(source, 0), k, TOP)
        releases.append(Released(source, labels, {key: source[key].version for key in labels}))
    return releases
