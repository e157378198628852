"""Make sequences of releases of tiny private tables that change, under every policy.

Releases are made by the library's own code, without files: the row map, its history, the plan of
policy based-on and the check before publishing.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from lookalike.errors import RequirementNotMet
from lookalike.flow.followup.plan_based_release import _is_elsewhere
from lookalike.ledger.policies.based_on import (
    NextFate,
    NextRelease,
    check_next,
    finish_plan,
    plan_next,
)
from lookalike.ledger.policies.history import EMPTY_HISTORY, History, RowMap
from lookalike.ledger.policies.shown_columns import ABSENT, ColumnComparison

from .every_world import Attacker, Label, Person, Release, Row, Values
from .stories import BITS, Story

HIDDEN = -1
RECOGNIZED = 0.25
"""From this agreement on everybody sees that a column has another name."""
POLICIES = ("based-on", "all-released-attributes", "check-only", "mixed")


@dataclass
class Office:
    """Publishes what a policy lets pass, and keeps the ledger."""

    story: Story
    policy: str
    history: History = EMPTY_HISTORY
    known_as: dict[str, frozenset[str]] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    _released: set[str] = field(default_factory=set)
    _last: dict[str, dict[int, int]] = field(default_factory=dict)
    _when: dict[str, int] = field(default_factory=dict)
    _labels: dict[int, tuple[Label, ...]] = field(default_factory=dict)

    def publish_all(self) -> Attacker:
        """Release the source at each time, as far as the policy lets it pass."""
        for time in range(len(self.story.times)):
            self._publish(time)
        return Attacker(self.story.times, self.releases, self.columns)

    @property
    def columns(self) -> dict[str, str]:
        """What the source calls the column of each name."""
        return {name: c for asked in self.story.asked for c, name in asked.names.items()}

    def _policy(self, time: int) -> str:
        return self.story.asked[time].policy if self.policy == "mixed" else self.policy

    def _publish(self, time: int) -> None:
        if self._policy(time) == "based-on" and self.releases:
            made = self._plan(time)
        else:
            made = self._make(time)
        if made is not None and made.rows:
            history = self.history.after(made.map())
            if self.policy != "naive" and self.releases:
                try:
                    check_next(history, self.story.k)
                except RequirementNotMet:
                    return
            self._keep(time, made, history)

    def _keep(self, time: int, made: "_Made", history: History) -> None:
        self.history = history
        self._released.update(made.names.values())
        self._labels.update({who: labels for who, (labels, _) in made.rows.items()})
        for column, name in made.names.items():
            shown = {who: values[name] for who, (_, values) in made.rows.items()}
            self._recognize(column, name, shown)
            self._last.setdefault(name, {}).update(shown)
        keeps_old = self._policy(time) == "based-on"
        self.releases.append(made.release(time, self.known_as, keeps_old=keeps_old))

    def _recognize(self, column: str, name: str, shown: dict[int, int]) -> None:
        """Let everybody see that two names are of one column, if rows agree more than by chance.

        A name is compared with those that were shown since it was shown itself. What is seen then
        holds from then on: it is not known of releases before.
        """
        self.known_as.setdefault(name, frozenset([name]))
        since = self._when.get(name, -1)
        self._when[name] = len(self.releases)
        for other, last in self._last.items():
            later = self.columns[other] == column and self._when[other] > since
            if other != name and later and agreement(last, shown) >= RECOGNIZED:
                same = self.known_as[name] | self.known_as[other]
                self.known_as |= dict.fromkeys(same, same)

    def _make(self, time: int) -> "_Made | None":
        """Generalize everything to the levels that were asked for, and leave out small classes."""
        asked, source = self.story.asked[time], self.story.times[time]
        widened = self.policy == "all-released-attributes"
        joined = {n for n in asked.names.values() if widened and n in self._released}
        made = _Made(source, asked.names, frozenset(joined))
        for who, person in enumerate(source):
            if person.present:
                made.rows[who] = (
                    tuple(
                        (level, n >> level)
                        for n, level in zip(person.numbers, asked.levels, strict=True)
                    ),
                    {
                        name: HIDDEN if name in joined & asked.hidden else person.values[column]
                        for column, name in asked.names.items()
                    },
                )
        return made.without_small(self.story.k, blank=asked.blank)

    def _plan(self, time: int) -> "_Made | None":
        """Base the release on those before, as the library plans it."""
        asked, source, history = self.story.asked[time], self.story.times[time], self.history
        here = [who for who, person in enumerate(source) if person.present]
        made = _Made(source, asked.names, frozenset())
        now = made.map(here)
        compared = history.compare(now.keys, now.values, now.ground)
        shape = (len(compared), len(here))
        changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
        moved = history.moved(now.keys, now.quasi_identifier)
        plan = plan_next(history, now.keys, moved=moved, changed=changed, k=self.story.k)
        places = self._place(plan, here, source, asked.levels)
        numbers = {labels: number for number, labels in enumerate(dict.fromkeys(places.values()))}
        placed = [numbers[places[who]] if who in places else ABSENT for who in here]
        plan = finish_plan(plan, np.array(placed, dtype=np.int64))
        held = _find_held(plan, compared, here, history)
        if held is None:
            return None
        for who, fate in zip(here, plan.fate.tolist(), strict=True):
            if fate != NextFate.WAITS:
                values = {
                    name: self._last[name][who] if (who, name) in held else source[who].values[c]
                    for c, name in asked.names.items()
                }
                labels = places[who] if fate == NextFate.JOINS else self._labels[who]
                made.rows[who] = labels, values
        return made

    def _place(
        self,
        plan: NextRelease,
        here: list[int],
        source: tuple[Person, ...],
        levels: tuple[int, ...],
    ) -> dict[int, tuple[Label, ...]]:
        """Put rows that join into classes, company by company, no lower than they were shown."""
        places = {}
        companies = defaultdict(list)
        for who, company in zip(here, plan.joining_group.tolist(), strict=True):
            if company != ABSENT:
                companies[company].append(who)
        for members in companies.values():
            own = {who: self._lift(who, source[who], levels) for who in members}
            sizes = Counter(own.values())
            places |= {who: labels for who, labels in own.items() if sizes[labels] >= self.story.k}
        return places

    def _lift(self, who: int, person: Person, levels: tuple[int, ...]) -> tuple[Label, ...]:
        least = [level for level, _ in self._labels.get(who, [(0, 0)] * len(levels))]
        highest = [max(one, two) for one, two in zip(least, levels, strict=True)]
        return tuple((level, n >> level) for n, level in zip(person.numbers, highest, strict=True))


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


def _find_held(
    plan: NextRelease, compared: tuple[ColumnComparison, ...], here: list[int], history: History
) -> set[tuple[int, str]] | None:
    """Return whose values of which columns are old ones; nothing if one had another name."""
    held = set()
    found = history.find(np.array(here, dtype=np.int64))
    for one, line in zip(compared, plan.held_back, strict=True):
        named = history.columns.get(one.name)
        others = [other.earlier for other in compared if other.name == one.name]
        if line.any() and any(_is_elsewhere(named, other, found[line]) for other in others):
            return None
        held.update((here[place], one.name) for place in np.flatnonzero(line))
    return held


@dataclass
class _Made:
    """A release that is about to be published: the labels and values of every row, by person."""

    source: tuple[Person, ...]
    names: Mapping[str, str]
    joined: frozenset[str]
    rows: dict[int, tuple[tuple[Label, ...], Values]] = field(default_factory=dict)

    def classes(self) -> dict[int, tuple]:
        """Return what the rows of a class have in common: labels, and what joined them."""
        return {
            who: (labels, *((name, values[name]) for name in sorted(self.joined)))
            for who, (labels, values) in self.rows.items()
        }

    def without_small(self, k: int, *, blank: bool) -> "_Made":
        """Leave out the rows of classes that are too small, or keep them blank if there are k."""
        classes = self.classes()
        sizes = Counter(classes.values())
        small = {who: row for who, row in self.rows.items() if sizes[classes[who]] < k}
        self.rows = {who: row for who, row in self.rows.items() if who not in small}
        if blank and len(small) >= k:
            for who, (labels, values) in small.items():
                hidden = {name: HIDDEN for name in values if name in self.joined}
                self.rows[who] = ((BITS, 0),) * len(labels), {**values, **hidden}
        return self

    def map(self, here: list[int] | None = None) -> RowMap:
        """Return the row map, or what that of some rows would be if they showed what they have."""
        present = [who for who, one in enumerate(self.source) if one.present]
        here = present if here is None else here
        classes = self.classes()
        numbers = {one: number for number, one in enumerate(dict.fromkeys(classes.values()))}
        values: dict[str, list[int]] = {}
        ground: dict[str, list[int]] = {}
        for column, name in self.names.items():
            private = [self.source[who].values[column] for who in here]
            shown = [
                self.rows[who][1][name] if who in self.rows else value
                for who, value in zip(here, private, strict=True)
            ]
            if name in self.joined:
                ground[name] = private
            else:
                values[name] = shown
        for place in range(len(self.source[0].numbers)):
            ground[f"attribute {place}"] = [1000 + self.source[w].numbers[place] for w in here]
        known = [int("".join(map(str, self.source[who].numbers)) or "0") for who in here]
        return RowMap(
            "a release",
            np.array(here, dtype=np.int64),
            np.array([numbers[classes[w]] if w in classes else ABSENT for w in here], np.int64),
            np.array(known, dtype=np.int64),
            {name: np.array(some, dtype=np.int64) for name, some in values.items()},
            {name: np.array(some, dtype=np.int64) for name, some in ground.items()},
        )

    def release(
        self, time: int, known_as: Mapping[str, frozenset[str]], *, keeps_old: bool
    ) -> Release:
        """Return what everybody sees: the value of a column under each of its names."""
        rows = []
        for labels, values in self.rows.values():
            shown = {(n, v) for name, v in values.items() if v != HIDDEN for n in known_as[name]}
            rows.append(Row(labels, tuple(sorted(shown))))
        return Release(time, tuple(sorted(rows, key=repr)), frozenset(self.rows), keeps_old)
