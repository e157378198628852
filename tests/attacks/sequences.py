"""Make sequences of releases of tiny private tables that change, under every policy.

The library's own code makes them, without files: row maps, histories, plans, and their check.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import numpy as np

from lookalike.errors import RequirementNotMet
from lookalike.flow.followup.plan_based_release import _is_elsewhere
from lookalike.kernels.types import Codes
from lookalike.ledger.policies.based_on import (
    NextFate,
    NextRelease,
    ProtectedParts,
    check_next,
    finish_plan,
    plan_next,
)
from lookalike.ledger.policies.further_renamed import find_further_renamed
from lookalike.ledger.policies.history import EMPTY_HISTORY, History, RowMap
from lookalike.ledger.policies.least_rows import ProtectedValues, count_least_rows, see_planned
from lookalike.ledger.policies.protections_over_time import PromisedRows
from lookalike.ledger.policies.shown_columns import ABSENT, ColumnComparison
from lookalike.model.protections import Protection
from lookalike.publish.certified import CertifiedProtection

from .every_world import (
    HIDDEN,
    Attacker,
    Label,
    Person,
    Release,
    Row,
    Values,
    agreement,
    fails,
)
from .stories import BITS, Asked, Story

RECOGNIZED = 0.25
"""From this agreement on everybody sees that a column has another name."""
KEEP = "based-on, leavers kept"
POLICIES = ("based-on", KEEP, "increments", "all-released-attributes", "check-only", "mixed")


@dataclass
class Office:
    """Publishes what a policy lets pass, and keeps the ledger.

    ``one_by_one``: whether protections are judged for each release by itself.
    ``known_history``: the history for somebody who knows the quasi-identifier, without columns that
    only joined it.
    """

    story: Story
    policy: str
    one_by_one: bool = False
    history: History = EMPTY_HISTORY
    known_history: History = EMPTY_HISTORY
    known_as: dict[str, frozenset[str]] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    refused_plans: int = 0
    _released: set[str] = field(default_factory=set)
    _last: dict[str, dict[int, int]] = field(default_factory=dict)
    _when: dict[str, int] = field(default_factory=dict)
    _labels: dict[int, tuple[Label, ...]] = field(default_factory=dict)
    _shown: list[int] = field(default_factory=list)
    _linkable: dict[int, tuple[int, ...]] = field(default_factory=dict)
    _promised: list[tuple[str, Protection, RowMap]] = field(default_factory=list)

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
        if self._policy(time) in ("based-on", KEEP) and self.releases:
            made = self._plan(time, keeps=self._policy(time) == KEEP)
        else:
            made = self._make(time)
        if made is not None and made.rows:
            history, known = self.history.after(made.map()), made.map(merged=True)
            known = replace(known, release=f"release at {time}")
            if self.policy != "naive" and self.releases:
                try:
                    check_next(history, self.story.k)
                except RequirementNotMet:
                    self.refused_plans += self._policy(time) in ("based-on", KEEP)
                    return
                if not self.one_by_one and self._breaks(known, self.story.asked[time]):
                    assert self._policy(time) not in ("based-on", KEEP), "refuses its own plan"
                    return
            self._keep(time, made, history, known)

    def _breaks(self, made: RowMap, asked: Asked) -> bool:
        """Return whether a release breaks a protection, its own or one of a release before."""
        history = self.known_history.after(made)
        own = [(column, one, made) for column, one in asked.protected]
        return any(
            _see_promised(history, column, protection, rows).find_blamed().any()
            for column, protection, rows in [*self._promised, *own]
        )

    def _protect(
        self,
        asked: Asked,
        position: Codes,
        values: Mapping[str, np.ndarray],
        compared: tuple[ColumnComparison, ...],
    ) -> ProtectedParts | None:
        """Return what protections demand of a plan."""
        if self.one_by_one:
            return None
        promised = [
            _see_promised(self.history, column, protection, rows)
            for column, protection, rows in self._promised
        ]
        protected = [ProtectedValues(one.protection, one.place, one.value) for one in promised]
        protected += see_planned(self.history, asked.protected, position, values)
        names = dict(asked.protected)
        fixed = np.array([one.name in names for one in compared], np.bool_) if names else None
        return ProtectedParts(count_least_rows(self.history, self.story.k, protected), fixed)

    def _keep(self, time: int, made: "_Made", history: History, known: RowMap) -> None:
        self.history, self.known_history = history, self.known_history.after(known)
        protected = self.story.asked[time].protected
        self._promised += [(column, one, known) for column, one in protected]
        self._released.update(made.names.values())
        self._labels.update({who: labels for who, (labels, _) in made.rows.items()})
        self._shown = list(made.rows)
        self._linkable |= {
            who: made.source[who].numbers for who in made.rows if who not in made.recalled_rows
        }
        for column, name in made.names.items():
            shown = {who: values[name] for who, (_, values) in made.rows.items()}
            self._recognize(column, name, shown)
            self._last.setdefault(name, {}).update(shown)
        keeps_old, keeps_leavers = self._policy(time) in ("based-on", KEEP), False
        if self._policy(time) == KEEP and self.releases:
            keeps_leavers = True
        shown = made.release(time, self.known_as, keeps_old=keeps_old)
        only_new = self._policy(time) == "increments"
        fields = {"keeps_leavers": keeps_leavers, "only_new": only_new, "protected": protected}
        self.releases.append(replace(shown, **fields))

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
        if self._policy(time) == "increments":
            made.rows = {who: row for who, row in made.rows.items() if who not in self._linkable}
        if joined.intersection(column for column, _ in asked.protected):
            return None  # no protection holds for a column that joins the quasi-identifier
        return made.without_small(self.story.k, asked)

    def _plan(self, time: int, *, keeps: bool) -> "_Made | None":
        """Base the release on those before, as the library plans it."""
        asked, source, history = self.story.asked[time], self.story.times[time], self.history
        here = [who for who, person in enumerate(source) if person.present]
        left = [who for who in self._shown if keeps and who not in here]
        if any(who not in self._last.get(n, {}) for who in left for n in asked.names.values()):
            return None  # a column that rows of people who left never showed is refused
        made = _Made(source, asked.names, frozenset(), recalled=self._linkable)
        now = made.map(here)
        moved = history.moved(now.keys, now.quasi_identifier)
        everybody, more = [*here, *left], (0, len(left))
        position = history.find(np.array(everybody, dtype=np.int64))
        renamed: set[tuple[str, str]] = set()
        while True:
            compared = history.compare(now.keys, now.values, now.ground, renamed)
            shape = (len(compared), len(now.keys))
            changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
            plan = plan_next(
                history,
                np.array(everybody, dtype=np.int64),
                moved=np.pad(moved, more),
                changed=np.pad(changed, ((0, 0), more)),
                k=self.story.k,
                left=np.isin(everybody, left) if keeps else None,
                withdrawn=np.isin(everybody, list(asked.withdrawn & set(left))),
                protected=self._protect(asked, history.find(now.keys), now.values, compared),
            )
            here = everybody
            places = self._place(plan, here, source, asked)
            numbers = {one: number for number, one in enumerate(dict.fromkeys(places.values()))}
            placed = [numbers[places[who]] if who in places else ABSENT for who in here]
            names = [one.name for one in compared]
            plan = finish_plan(plan, np.array(placed, dtype=np.int64), names)
            further = find_further_renamed(history, plan, position, compared, now.values)
            if not further:
                break
            renamed |= further
        held = _find_held(plan, compared, here, history)
        if held is None:
            return None
        made.recalled_rows = {here[row] for row in np.flatnonzero(plan.recalled)}
        for who, fate in zip(here, plan.fate.tolist(), strict=True):
            if fate != NextFate.WAITS:
                values = {
                    name: self._last[name][who]
                    if (who, name) in held or who in left
                    else source[who].values[c]
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
        asked: Asked,
    ) -> dict[int, tuple[Label, ...]]:
        """Put rows that join into classes, company by company, no lower than they were shown."""
        places = {}
        companies = defaultdict(list)
        for who, company in zip(here, plan.joining_group.tolist(), strict=True):
            if company != ABSENT:
                companies[company].append(who)
        for members in companies.values():
            own = {who: self._lift(who, source[who], asked.levels) for who in members}
            failing = find_failing(own, source, self.story.k, asked)
            places |= {who: labels for who, labels in own.items() if labels not in failing}
        return places

    def _lift(self, who: int, person: Person, levels: tuple[int, ...]) -> tuple[Label, ...]:
        least = [level for level, _ in self._labels.get(who, [(0, 0)] * len(levels))]
        highest = [max(one, two) for one, two in zip(least, levels, strict=True)]
        return tuple((level, n >> level) for n, level in zip(person.numbers, highest, strict=True))


def find_failing(
    classes: Mapping[int, tuple], source: tuple[Person, ...], k: int, asked: Asked
) -> set[tuple]:
    """Return the classes with fewer than k rows, or whose illnesses fail a protection."""
    members = defaultdict(list)
    for who, one in classes.items():
        members[one].append(who)
    return {
        one
        for one, some in members.items()
        if len(some) < k
        or any(
            fails(protection, Counter(source[who].values["ill"] for who in some))
            for _, protection in asked.protected
        )
    }


def _see_promised(
    history: History, column: str, protection: Protection, rows: RowMap
) -> PromisedRows:
    """Return the rows of a release that promises a protection, within a history."""
    shown = rows.class_of != ABSENT
    value = np.unique(rows.values[column], return_inverse=True)[1].astype(np.int32)
    promised = CertifiedProtection(("n",), column, protection.name, asdict(protection), None)
    place = history.find(rows.keys)[shown]
    classes = np.unique(rows.class_of[shown], return_inverse=True)[1]
    seen = history, place, classes, value[shown], np.bincount(value)
    return PromisedRows(rows.release, promised, *seen)


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
    recalled: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    recalled_rows: set[int] = field(default_factory=set)

    def numbers(self, who: int) -> tuple[int, ...]:
        """Return the quasi-identifier by which the ledger knows a row."""
        return self.recalled[who] if who in self.recalled_rows else self.source[who].numbers

    def classes(self) -> dict[int, tuple]:
        """Return what the rows of a class have in common: labels, and what joined them."""
        return {
            who: (labels, *((name, values[name]) for name in sorted(self.joined)))
            for who, (labels, values) in self.rows.items()
        }

    def without_small(self, k: int, asked: Asked) -> "_Made":
        """Leave out the rows of classes that fail, or keep them blank if there are k."""
        classes, blank = self.classes(), asked.blank
        failing = find_failing(classes, self.source, k, asked)
        small = {who: row for who, row in self.rows.items() if classes[who] in failing}
        self.rows = {who: row for who, row in self.rows.items() if who not in small}
        if blank and len(small) >= k:
            for who, (labels, values) in small.items():
                hidden = {name: HIDDEN for name in values if name in self.joined}
                self.rows[who] = ((BITS, 0),) * len(labels), {**values, **hidden}
        return self

    def map(self, here: list[int] | None = None, *, merged: bool = False) -> RowMap:
        """Return the row map, or what that of some rows would be if they showed what they have.

        ``merged``: whether columns that joined the quasi-identifier divide no class.
        """
        present = [who for who, one in enumerate(self.source) if one.present]
        here = sorted({*present, *self.recalled_rows}) if here is None else here
        classes = self.classes()
        if merged:
            classes = {who: (labels,) for who, (labels, _) in self.rows.items()}
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
            ground[f"attribute {place}"] = [1000 + self.numbers(who)[place] for who in here]
        known = [int("".join(map(str, self.numbers(who))) or "0") for who in here]
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
        rows = {}
        for who, (labels, values) in self.rows.items():
            shown = {(n, v) for name, v in values.items() if v != HIDDEN for n in known_as[name]}
            rows[who] = Row(labels, tuple(sorted(shown)))
        ordered = tuple(sorted(rows.values(), key=repr))
        return Release(time, ordered, frozenset(rows), keeps_old, row_of=rows)
