"""Place private rows into a release: the tuple as which each is released, and what it shows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes
from lookalike.model.beside import Beside
from lookalike.model.frequency import FrequencyList
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.risk.table.derived import ShownAttribute
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
