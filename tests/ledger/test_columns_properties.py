"""Releases with changing and renamed columns leave every attacker at least k rows."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lookalike.ledger.policies.based_on import NextFate, check_next, finish_plan, plan_next
from lookalike.ledger.policies.history import RowMap, build_history, smallest_part
from lookalike.ledger.policies.shown_columns import ABSENT

from ..releasing import MOST_NUMBER, TOP, Label, can_swap, covers, place

pytestmark = pytest.mark.slow

COLUMNS = ("diagnosis", "job", "days")
KS = st.integers(2, 3)


@dataclass(frozen=True)
class Person:
    """A row of the source: its quasi-identifier, and how often each other value has changed."""

    number: int
    versions: tuple[int, ...] = (0,) * len(COLUMNS)


@dataclass(frozen=True)
class Moment:
    """The source at one time, and which columns are to be shown under which names."""

    people: dict[int, Person]
    names: dict[str, str]


@dataclass(frozen=True)
class Released:
    """A release: the class of each row, and its version of each column that is shown."""

    source: Moment
    labels: dict[int, Label]
    versions: dict[int, dict[str, int]]

    def to_map(self):
        """Return the row map; a value belongs to one person and one column."""
        keys = sorted(self.source.people)
        numbers = {label: number for number, label in enumerate(sorted(set(self.labels.values())))}
        shown = {key: self.versions.get(key, {}) for key in keys}
        return RowMap(
            "a release",
            np.array(keys, dtype=np.int64),
            np.array([numbers.get(self.labels.get(key), ABSENT) for key in keys], dtype=np.int64),
            np.array([self.source.people[key].number for key in keys], dtype=np.int64),
            {
                name: np.array([digest(column, key, shown[key].get(column, -1)) for key in keys])
                for column, name in self.source.names.items()
            },
        )


def digest(column, key, version):
    """Return a number for a value, which no other person and column has."""
    return (version + 1) * 10_000 + key * 10 + COLUMNS.index(column)


@dataclass
class Series:
    """Releases of one source, each based on those before."""

    k: int
    releases: list[Released] = field(default_factory=list)

    def history(self):
        return build_history(release.to_map() for release in self.releases)

    def last(self, key):
        """Return the last release that showed a row."""
        return next((one for one in reversed(self.releases) if key in one.labels), None)

    def last_version(self, key, column):
        """Return the version that was last shown of a row in a column."""
        shown = [one.versions[key] for one in reversed(self.releases) if key in one.versions]
        return next((versions[column] for versions in shown if column in versions), None)

    def release(self, moment):
        """Release the source, unless old values of a renamed column would have to be shown."""
        keys = np.array(sorted(moment.people), dtype=np.int64)
        history, people = self.history(), [moment.people[key] for key in keys]
        compared = history.compare(
            keys,
            {
                name: np.array(
                    [
                        digest(column, key, person.versions[COLUMNS.index(column)])
                        for key, person in zip(keys.tolist(), people, strict=True)
                    ],
                    dtype=np.int64,
                )
                for column, name in moment.names.items()
            },
        )
        changed = np.array([one.differs for one in compared], np.bool_)
        plan = plan_next(
            history,
            keys,
            moved=history.moved(keys, np.array([one.number for one in people], dtype=np.int64)),
            changed=changed.reshape(len(compared), len(keys)),
            k=self.k,
        )
        places = self.place(plan, moment)
        numbers = {label: number for number, label in enumerate(sorted(set(places.values())))}
        placed = [numbers[places[key]] if key in places else ABSENT for key in keys.tolist()]
        plan = finish_plan(plan, np.array(placed, dtype=np.int64))
        renamed = {one.name for one in compared if one.before != one.name}
        for one, held in zip(compared, plan.held_back, strict=True):
            if one.name in renamed and held.any():
                return
        self.releases.append(self.show(plan, moment, places, compared))

    def place(self, plan, moment):
        """Put rows that join into classes, one joining group at a time."""
        groups = {}
        for key, group in zip(sorted(moment.people), plan.joining_group.tolist(), strict=True):
            if group != ABSENT:
                last = self.last(key)
                groups.setdefault(group, {})[key] = last.labels[key][0] if last else 0
        places = {}
        for floors in groups.values():
            places |= place(moment.people, floors, self.k, TOP)
        return places

    def show(self, plan, moment, places, compared):
        labels, versions = {}, {}
        held = {one.name: line for one, line in zip(compared, plan.held_back, strict=True)}
        for row, (key, fate) in enumerate(zip(sorted(moment.people), plan.fate, strict=True)):
            if fate != NextFate.WAITS:
                labels[key] = places[key] if fate == NextFate.JOINS else self.last(key).labels[key]
                now = dict(zip(COLUMNS, moment.people[key].versions, strict=True))
                versions[key] = {
                    column: self.last_version(key, column)
                    if name in held and held[name][row]
                    else now[column]
                    for column, name in moment.names.items()
                }
        return Released(moment, labels, versions)


def histories(releases):
    """Count the rows of each history, by definition: class, and columns with other values."""
    steps, last = {}, {}
    for number, release in enumerate(releases):
        for key, label in release.labels.items():
            shown = release.versions[key]
            anew = {one for one, now in shown.items() if last.get((key, one), now) != now}
            steps.setdefault(key, {})[number] = (label, frozenset(anew))
            last |= {(key, column): now for column, now in shown.items()}
    return Counter(tuple(sorted(each.items())) for each in steps.values())


def least_candidates(releases):
    """Attack with everyone's quasi-identifier, presence and changed values known."""
    rows = sorted({key for release in releases for key in release.labels})
    people = sorted({key for release in releases for key in release.source.people})
    fits = {row: [one for one in people if could_be(releases, row, one)] for row in rows}
    assert all(row in fits[row] for row in rows), "the attacker rules the truth out"
    pairs = {(row, one) for row in rows for one in fits[row] if can_swap(fits, row, one)}
    of_row, of_person = Counter(row for row, _ in pairs), Counter(one for _, one in pairs)
    return min([*of_row.values(), *(of_person[one] for one in rows)], default=0)


def could_be(releases, row, person):
    """Return whether a person was in the source, matches, and had new values when the row did."""
    shown = [release for release in releases if row in release.labels]
    return all(
        person in at.source.people and covers(at.labels[row], at.source.people[person].number)
        for at in shown
    ) and not any(shows_too_much(shown, row, person, column) for column in COLUMNS)


def shows_too_much(shown, row, person, column):
    """Return whether a row showed a new value of a column that was unchanged for a person."""
    at = [release for release in shown if column in release.versions[row]]
    since = at[:1]
    for before, after in pairwise(at):
        if after.versions[row][column] != before.versions[row][column]:
            place = COLUMNS.index(column)
            then, now = (one.source.people[person].versions[place] for one in (since[0], after))
            if then == now:
                return True
            since = [after]
    return False


@st.composite
def moments(draw, *, renaming=False):
    """Invent a source at two to five times, and the columns that are shown each time."""
    number = draw(st.integers(4, 12))
    people = {key: Person(draw(st.integers(0, MOST_NUMBER))) for key in range(number)}
    present = {key for key in people if draw(st.integers(0, 4))}
    times, names = [], {column: column for column in COLUMNS}
    for _ in range(draw(st.integers(2, 5))):
        columns = draw(st.lists(st.sampled_from(COLUMNS), unique=True))
        if renaming and columns and draw(st.booleans()):
            names[columns[0]] = draw(st.sampled_from([columns[0], f"{columns[0]} 2"]))
        shown = {column: names[column] for column in columns}
        times.append(Moment({key: people[key] for key in present}, shown))
        everybody = draw(st.integers(0, 3)) == 0
        for key in people:
            people[key] = _happen(draw, people[key], key, present, everybody=everybody)
    return times


def _happen(draw, person, key, present, *, everybody):
    """Let something happen to a person between two releases; days may pass for everybody."""
    event = draw(st.sampled_from(["nothing"] * 6 + ["come or go", "move", *COLUMNS]))
    if event == "come or go":
        present ^= {key}
    number = draw(st.integers(0, MOST_NUMBER)) if event == "move" else person.number
    versions = [
        version + (column == event or (everybody and column == "days"))
        for column, version in zip(COLUMNS, person.versions, strict=True)
    ]
    return Person(number, tuple(versions))


def release_all(times, k):
    series = Series(k)
    for moment in times:
        series.release(moment)
    return series


@given(moments(), KS)
def test_rows_with_the_same_history_number_none_or_at_least_k(times, k):
    series = release_all(times, k)
    assert len(series.releases) == len(times)
    counted = histories(series.releases).values()
    assert all(number >= k for number in counted)
    assert smallest_part(series.history()) == min(counted, default=0)


@given(moments(), KS)
def test_an_attacker_who_knows_whose_values_changed_in_which_column_gets_nowhere(times, k):
    series = release_all(times, k)
    for number in range(1, len(series.releases) + 1):
        left = least_candidates(series.releases[:number])
        assert left == 0 or left >= k


@given(moments(), KS)
def test_values_are_those_of_now_or_those_last_shown(times, k):
    last = {}
    for release in release_all(times, k).releases:
        for key, shown in release.versions.items():
            now = dict(zip(COLUMNS, release.source.people[key].versions, strict=True))
            assert all(one in (now[name], last.get((key, name))) for name, one in shown.items())
            last |= {(key, column): version for column, version in shown.items()}


@given(moments(renaming=True), KS)
def test_a_new_name_hides_nothing(times, k):
    series = release_all(times, k)
    for number, release in enumerate(series.releases):
        for column in release.source.names:
            assume(_is_recognizable(series.releases[:number], release, column))
    for number in range(1, len(series.releases) + 1):
        check_next(build_history(one.to_map() for one in series.releases[:number]), k)
    assert all(number >= k for number in histories(series.releases).values())


def _is_recognizable(earlier, release, column):
    """Return whether a column is unchanged in more than half of at least three rows."""
    series = Series(2, list(earlier))
    pairs = [
        (series.last_version(key, column), shown[column])
        for key, shown in release.versions.items()
        if series.last_version(key, column) is not None
    ]
    agree = sum(then == now for then, now in pairs)
    return not pairs or (len(pairs) >= 3 and 2 * agree > len(pairs))
