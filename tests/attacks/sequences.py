"""Tiny private tables that change, and sequences of releases of them under every policy.

A release is made as the library makes it, without files: what a row shows, its history, the plan of
policy based-on and the check before publishing are the library's own.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import numpy as np

from lookalike.errors import RequirementNotMet
from lookalike.ledger.based_on import Fate, Plan, check_next, finish, plan_next
from lookalike.ledger.columns import ABSENT, Comparison
from lookalike.ledger.history import NOTHING, History, Shown

from .every_world import Attacker, Label, Person, Release, Row, Values

BITS = 2
"""The height of every hierarchy: a label drops so many bits at most."""
HIDDEN = -1
POLICIES = ("based-on", "all-released-attributes", "check-only")


@dataclass(frozen=True)
class Asked:
    """What a release shall be: the level of each attribute, and the name of each column shown."""

    levels: tuple[int, ...]
    names: Mapping[str, str]
    hidden: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Story:
    """A source at several times, and what is asked for at each."""

    k: int
    times: tuple[tuple[Person, ...], ...]
    asked: tuple[Asked, ...]


def invent(draw: Random) -> Story:
    """Invent a few persons who come, leave, move and change, and two or three releases."""
    people, attributes, k = draw.randint(3, 6), draw.randint(1, 2), draw.choice([2, 2, 2, 3])
    columns = ["ill", "days"][: draw.randint(1, 2)]
    domain = draw.choice([2, 3, 10])
    persons = [
        Person(
            draw.random() < 0.85,
            tuple(draw.randrange(2 ** draw.randint(0, BITS)) for _ in range(attributes)),
            {name: _value(draw, name, domain) for name in columns}
            | ({"tag": 100 + who} if draw.random() < 2 else {}),
        )
        for who in range(people)
    ]
    if draw.random() < 0.5:
        persons = [_without(person, "tag") for person in persons]
    times = [tuple(persons)]
    for _ in range(draw.randint(1, 2)):
        times.append(tuple(_change(draw, times[-1], domain)))
    return Story(k, tuple(times), tuple(_ask(draw, times, attributes) for _ in times))


def _without(person: Person, column: str) -> Person:
    values = {name: value for name, value in person.values.items() if name != column}
    return Person(person.present, person.numbers, values)


def _value(draw: Random, name: str, domain: int) -> int:
    return draw.randrange(domain) + (20 if name == "days" else 0)


def _change(draw: Random, before: tuple[Person, ...], domain: int) -> list[Person]:
    """Let persons come, leave, move and change, and some columns change for everybody."""
    calm = draw.choice([0.0, 0.1, 0.3])
    for_all = [name for name in before[0].values if name != "tag" and draw.random() < 0.25]
    exceptions = draw.choice([0, 0, 0.3])
    after = []
    for person in before:
        values = dict(person.values)
        for name in values:
            everybody = name in for_all and draw.random() >= exceptions
            if name != "tag" and (everybody or draw.random() < calm):
                values[name] = _value(draw, name, domain)
        present = person.present ^ (draw.random() < calm)
        moves = draw.random() < calm / 2
        numbers = tuple(draw.randrange(2**BITS) if moves else n for n in person.numbers)
        after.append(Person(present, numbers, values))
    return after


def _ask(draw: Random, times: list[tuple[Person, ...]], attributes: int) -> Asked:
    """Ask for some levels and some columns, which may have another name than before."""
    levels = tuple(draw.randint(0, BITS) for _ in range(attributes))
    names = {
        name: draw.choice([name, name, name, f"{name} renamed"])
        for name in times[0][0].values
        if draw.random() < 0.85
    }
    hidden = frozenset(name for name in names.values() if draw.random() < 0.5)
    return Asked(levels, names, hidden)


@dataclass
class Office:
    """Publishes what a policy lets pass, and keeps the ledger."""

    story: Story
    policy: str
    releases: list[Release] = field(default_factory=list)
    history: History = NOTHING
    known_as: dict[str, str] = field(default_factory=dict)
    _released: set[str] = field(default_factory=set)
    _last: dict[tuple[int, str], int] = field(default_factory=dict)
    _labels: dict[int, tuple[Label, ...]] = field(default_factory=dict)

    def publish_all(self) -> Attacker:
        """Release the source at each time, as far as the policy lets it pass."""
        for time in range(len(self.story.times)):
            self._publish(time)
        columns = {n: c for asked in self.story.asked for c, n in asked.names.items()}
        return Attacker(self.story.times, self.releases, columns)

    def _publish(self, time: int) -> None:
        made = self._plan(time) if self.policy == "based-on" and self.releases else self._make(time)
        if made is not None and made.rows:
            history = self.history.after(made.map())
            if self.policy != "naive" and self.releases:
                try:
                    check_next(history, self.story.k)
                except RequirementNotMet:
                    return
            self._recognize(made)
            self._keep(time, made, history)

    def _recognize(self, made: "_Made") -> None:
        """Tell which columns show what others did, so that everybody sees that they are one."""
        shown = made.map(list(made.rows))
        for one in self.history.compare(shown.keys, shown.values):
            self.known_as.setdefault(one.name, self.known_as[one.before])
        for name in made.names.values():
            self.known_as.setdefault(name, name)

    def _keep(self, time: int, made: "_Made", history: History) -> None:
        self.history = history
        self._released.update(made.names.values())
        self._labels.update({who: labels for who, (labels, _) in made.rows.items()})
        for who, (_, values) in made.rows.items():
            self._last.update({(who, name): value for name, value in values.items()})
        keeps_old = self.policy == "based-on"
        self.releases.append(made.release(time, self.known_as, keeps_old=keeps_old))

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
        return made.without_small(self.story.k)

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
        plan = finish(plan, np.array(placed, dtype=np.int64))
        held = _find_held(plan, compared, here, self._last)
        if held is None:
            return None
        for who, fate in zip(here, plan.fate.tolist(), strict=True):
            if fate != Fate.WAITS:
                values = {
                    name: self._last[who, name] if (who, name) in held else source[who].values[c]
                    for c, name in asked.names.items()
                }
                labels = places[who] if fate == Fate.JOINS else self._labels[who]
                made.rows[who] = labels, values
        return made

    def _place(
        self, plan: Plan, here: list[int], source: tuple[Person, ...], levels: tuple[int, ...]
    ) -> dict[int, tuple[Label, ...]]:
        """Put rows that join into classes, company by company, no lower than they were shown."""
        places = {}
        companies = defaultdict(list)
        for who, company in zip(here, plan.company.tolist(), strict=True):
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


def _find_held(
    plan: Plan,
    compared: tuple[Comparison, ...],
    here: list[int],
    last: Mapping[tuple[int, str], int],
) -> set[tuple[int, str]] | None:
    """Return whose values of which columns are old ones; nothing if there is no old value."""
    held = set()
    for one, line in zip(compared, plan.held_back, strict=True):
        if line.any() and any(two.name == one.name != two.before for two in compared):
            return None
        held.update((here[place], one.name) for place in np.flatnonzero(line))
    return held if held <= set(last) else None


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

    def without_small(self, k: int) -> "_Made":
        """Leave out the rows of classes that are too small."""
        classes = self.classes()
        sizes = Counter(classes.values())
        self.rows = {who: row for who, row in self.rows.items() if sizes[classes[who]] >= k}
        return self

    def map(self, here: list[int] | None = None) -> Shown:
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
        return Shown(
            "a release",
            np.array(here, dtype=np.int64),
            np.array([numbers[classes[w]] if w in classes else ABSENT for w in here], np.int64),
            np.array(known, dtype=np.int64),
            {name: np.array(some, dtype=np.int64) for name, some in values.items()},
            {name: np.array(some, dtype=np.int64) for name, some in ground.items()},
        )

    def release(self, time: int, known_as: Mapping[str, str], *, keeps_old: bool) -> Release:
        """Return what everybody sees."""
        rows = [
            Row(labels, tuple(sorted((known_as[n], v) for n, v in values.items() if v != HIDDEN)))
            for labels, values in self.rows.values()
        ]
        return Release(time, tuple(sorted(rows, key=repr)), frozenset(self.rows), keeps_old)
