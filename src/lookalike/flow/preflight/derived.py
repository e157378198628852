"""Check whether a finer value of an attribute follows from columns released as they are.

:mod:`lookalike.risk.table.derived` says when a column determines a finer value.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, islice

import numpy as np

from lookalike.flow.preflight.facts import Facts
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_codes, group_equal
from lookalike.kernels.types import Codes
from lookalike.model.beside import Beside
from lookalike.model.frequency import FrequencyList
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.risk.finding import PreflightFinding, Severity, count_share, grade
from lookalike.risk.table.derived import Determined, ShownAttribute, find_level
from lookalike.spec.preflight_names import DERIVED_COLUMN
from lookalike.spec.specification import Specification
from lookalike.tables.plan import NOT_RELEASED, Plan
from lookalike.tables.sample import Sample


def find_base(plan: Plan) -> tuple[int, ...]:
    """Return the levels at which the list of a plan begins."""
    coarsened = plan.frequency.coarsened
    return (0,) * len(plan.frequency.attributes) if coarsened is None else coarsened.vector


@dataclass(frozen=True, eq=False)
class PlacedRows(Discreet):
    """Private rows, placed into the release."""

    plan: Plan
    specification: Specification
    sample: Sample

    @cached_property
    def _bound(self) -> list[tuple[BoundHierarchy, Codes]]:
        """For each attribute its hierarchy over the values of the sample, and the ground codes."""
        bound = [
            rule.bind(
                name, (*self.sample.values[name], None), self.specification.release.suppressed_label
            )
            for name, rule in self.specification.hierarchies().items()
        ]
        return [(one, one.ground[self.sample.codes[one.column]]) for one in bound]

    @cached_property
    def _visible(self) -> Tuples:
        """The tuples that a recipient sees."""
        return self.plan.recoding.visible(self.plan.frequency, self.plan.requirement)

    @cached_property
    def shown(self) -> dict[str, ShownAttribute]:
        """What the release shows of each attribute, in every row that is released."""
        frequency, tuples, own = self.plan.frequency, self._visible, self.tuple_of
        shown = {}
        for place, (hierarchy, ground) in enumerate(self._bound):
            levels = np.maximum(tuples.levels[place], find_base(self.plan)[place])
            levels[tuples.levels[place] == SUPPRESSED_CELL] = hierarchy.height
            labels = tuples.shown(frequency, place)[1]
            shown[hierarchy.column] = ShownAttribute(hierarchy, ground, levels[own], labels[own])
        return shown

    @cached_property
    def tuple_of(self) -> Codes:
        """The tuple as which each row of the sample is released.

        Rows with equal values may be released as different tuples. Which row becomes which is drawn
        at random, here as in the release.
        """
        frequency = self.plan.frequency
        if any(one.column not in self.sample.codes for one in frequency.beside):
            frequency = replace(frequency, beside=())
        position, listed = frequency.classify(frequency.vector)
        sequence = self._find_sequences(listed)
        tuples, own = self._visible, position[self._visible.sequence]
        order = np.argsort(own, kind="stable").astype(np.int32)
        ends = np.cumsum(tuples.counts[order])
        released = np.bincount(own, tuples.counts, minlength=len(listed)).astype(np.int64)
        begins = np.cumsum(released) - released
        known = np.flatnonzero(sequence < len(listed))
        drawn = np.random.default_rng(0).integers(0, listed.counts[sequence[known]])
        here = known[drawn < released[sequence[known]]]
        kept = drawn[drawn < released[sequence[known]]]
        tuple_of = np.full(len(sequence), NOT_RELEASED, dtype=np.int32)
        tuple_of[here] = order[np.searchsorted(ends, begins[sequence[here]] + kept, "right")]
        return tuple_of

    def _find_sequences(self, listed: FrequencyList) -> Codes:
        """Return the position of each row in a list; a number beyond the list if it has none."""
        pairs = [*zip(listed.codes, self._number_attributes(), strict=True)]
        pairs += [(one.codes, self._number_beside(one)) for one in listed.beside]
        joined = np.array([np.concatenate(lines) for lines in pairs], dtype=np.int32)
        sizes = [int(line.max(initial=0)) + 1 for line in joined]
        ones = np.ones(joined.shape[1], dtype=np.int64)
        # The sequences of the list differ, so that each has its position as its number.
        return group_equal(joined, sizes, ones)[0][len(listed) :]

    def _number_attributes(self) -> Iterator[Codes]:
        """Yield for each attribute the code that every row has in the list."""
        for base, hierarchy, (own, ground) in zip(
            find_base(self.plan), self.plan.frequency.hierarchies, self._bound, strict=True
        ):
            texts = _number_texts(own.labels[base], hierarchy.labels[0])
            yield texts[own.lift_ground(base, ground)]

    def _number_beside(self, column: Beside) -> Codes:
        """Return the code that every row has in a column beside the attributes."""
        plan = self.plan
        names = (*plan.frequency.attributes, *(one.column for one in plan.frequency.beside))
        place = names.index(column.column)
        listed = plan.frequency.beside[place - len(plan.frequency.attributes)]
        code_of = np.empty(len(plan.counted.values[place]) + 1, dtype=np.int32)
        code_of[plan.counted.positions[place]] = listed.codes[plan.sequence_of]
        code_of[-1] = listed.size
        texts = (*self.sample.values[column.column], None)
        numbers = _number_texts(texts, plan.counted.values[place])
        return code_of[numbers[self.sample.codes[column.column]]]


def _number_texts(texts: Sequence[str | None], listed: Sequence[str | None]) -> Codes:
    """Return the position of each text in a list, or its length."""
    numbers = {text: position for position, text in enumerate(listed)}
    return np.array([numbers.get(text, len(numbers)) for text in texts], dtype=np.int32)


JUDGED_PAIRS = 200
"""How many pairs are judged: a column with what is shown of another attribute, then two columns."""
ROWS_OF_PAIRS = 20_000
"""How many rows pairs are judged by; a rule of two columns shows in few rows."""


@dataclass(frozen=True)
class _Derived:
    """What columns determine of an attribute, some steps below the level that is shown."""

    columns: tuple[str, ...]
    attribute: str
    steps: int
    determined: Determined
    is_rare: bool
    is_sampled: bool

    @property
    def severity(self) -> Severity:
        """The severity by the share of the rows."""
        return grade(self.determined.rows, self.determined.judged)


def check_derived(facts: Facts) -> Iterator[PreflightFinding]:
    """Check every column released as it is, then pairs of which neither column is an error."""
    if facts.plan is None or not facts.as_is:
        return
    judges = [
        _Judge(PlacedRows(facts.plan, facts.specification, sample)) for sample in facts.samples
    ]
    single = [found for one in judges for found in one.judge_columns(facts.as_is)]
    known = {found.columns[0] for found in single if found.severity == "error"}
    rest = [name for name in facts.as_is if name not in known]
    pairs = [found for one in judges for found in one.judge_pairs(rest)]
    yield from (_describe(facts.plan, found) for found in (*single, *pairs))


def _describe(plan: Plan, found: _Derived) -> PreflightFinding:
    """Describe what follows from columns, and in how many rows."""
    several = len(found.columns) > 1
    names = " with ".join(map(repr, found.columns))
    rows = count_share(found.determined.rows, found.determined.judged)
    rows += " of a sample" if found.is_sampled else ""
    rows += ", without values that are too rare to judge" if found.is_rare else ""
    return PreflightFinding(
        DERIVED_COLUMN,
        found.severity,
        f"{names} {'give' if several else 'gives'} {_name_level(plan, found)} in {rows}.",
        f"leave {'one of them' if several else f'{found.columns[0]!r}'} out (role drop), or give "
        "it the role quasi-identifier, so that it is generalized as well",
        share=found.determined.rows / max(1, found.determined.judged),
    )


def _name_level(plan: Plan, found: _Derived) -> str:
    """Name what is determined of an attribute, and what the release shows of it."""
    frequency, vector = plan.frequency, plan.recoding.vector
    place = frequency.attributes.index(found.attribute)
    if vector is None:
        levels = "a level" if found.steps == 1 else f"{found.steps} levels"
        return f"{found.attribute!r} {levels} finer than the release shows it"
    base = find_base(plan)[place]
    shown, height = max(base, vector[place]), frequency.heights[place]
    return (
        f"{found.attribute!r} at level {shown - found.steps}, where the release shows level "
        f"{shown} of {height},"
    )


@dataclass(frozen=True, eq=False)
class _Judge:
    """Judges columns by the rows of one sample."""

    placed: PlacedRows

    def judge_columns(self, as_is: Collection[str]) -> Iterator[_Derived]:
        """Yield for each column that determines something the attribute with the largest share."""
        for name in [one for one in as_is if one in self.placed.sample.in_groups]:
            rows = self._choose(self.placed.sample.rows_of(name, missing=True))
            given = self.placed.sample.codes[name][rows]
            found = [self._judge((name,), given, one, rows) for one in self.placed.shown]
            yield from _find_worst(found)

    def judge_pairs(self, as_is: Collection[str]) -> Iterator[_Derived]:
        """Yield pairs that determine an attribute in so many rows that it is an error."""
        columns = [name for name in as_is if name in self.placed.sample.in_groups]
        every = np.flatnonzero(self.placed.sample.one_by_one).astype(np.int32)
        rows = self._choose(every)[:ROWS_OF_PAIRS]
        pairs = [(name, other) for name in columns for other in self.placed.shown]
        pairs += combinations(columns, 2)
        done: set[str] = set()
        for pair in islice(pairs, JUDGED_PAIRS):
            if not done & {*pair}:
                found = [*_find_worst(self._judge_pair(pair, rows))]
                wrong = [one for one in found if one.severity == "error"]
                done |= {name for one in wrong for name in one.columns if name in columns}
                yield from wrong

    def _judge_pair(self, pair: tuple[str, str], rows: Codes) -> Iterator[_Derived]:
        """Judge a pair by every attribute; what is shown of the second one may be known."""
        one, other = pair
        codes = self.placed.sample.codes
        for attribute in self.placed.shown:
            if other not in self.placed.shown:
                given = group_codes([codes[one][rows], codes[other][rows]])[0]
                yield self._judge(pair, given, attribute, rows)
            elif other != attribute:
                beside = self.placed.shown[other].labels[rows]
                yield self._judge(pair, codes[one][rows], attribute, rows, beside)

    def _judge(
        self,
        columns: tuple[str, ...],
        given: Codes,
        attribute: str,
        rows: Codes,
        beside: Codes | None = None,
    ) -> _Derived:
        """Judge what columns determine of an attribute in some rows."""
        person = self._persons.get(attribute)
        whose = None if person is None else self.placed.sample.codes[person][rows]
        steps, found = find_level(given, self.placed.shown[attribute].taken(rows), beside, whose)
        rare = person is None and found.judged < len(rows)
        return _Derived(columns, attribute, steps, found, rare, not self.placed.sample.is_whole)

    def _choose(self, rows: Codes) -> Codes:
        """Return those of some rows that are released."""
        chosen: Codes = rows[self.placed.tuple_of[rows] != NOT_RELEASED]
        return chosen

    @cached_property
    def _persons(self) -> dict[str, str]:
        """For each attribute the column of persons, where the classes of it are counted in them."""
        frequency = self.placed.plan.frequency
        protected = self.placed.plan.requirement.protected(frequency.attributes)
        return {
            name: one.respondent
            for one in protected
            for name in one.attributes
            if one.respondent is not None
        }


def _find_worst(found: Iterator[_Derived] | list[_Derived]) -> Iterator[_Derived]:
    """Yield what has the largest share of the rows, if anything is determined."""
    worst = max(found, key=lambda one: one.determined.share, default=None)
    if worst is not None and worst.determined.rows:
        yield worst
