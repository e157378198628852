"""Facts: what the checks before publishing know of a table and its release."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.grouping import group_codes, group_equal
from lookalike.kernels.types import Codes
from lookalike.model.requirement import Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.risk.finding import grade
from lookalike.risk.table.as_is import AsIs, SingledOut, single_out
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.spec.specification import Specification
from lookalike.tables.count import count, count_distinct, count_unique, count_within, fetch
from lookalike.tables.counted import Counted
from lookalike.tables.dominant import RULED_OUT
from lookalike.tables.engines import engine_of
from lookalike.tables.labels import encode_column
from lookalike.tables.plan import Fates, Plan, class_fates, list_fates
from lookalike.tables.sample import Sample, estimate_distinct, sample_table
from lookalike.tables.table import Table

MOST_ROWS = 1_000_000
"""How many rows or distinct sequences the checks bring to memory. Of a larger table, a check counts
where the rows are, in as few passes as possible, or is not made and a note says so."""
DEVIATIONS = 3.3
"""An estimate is so many standard deviations from the truth once in 1,000 times at most."""
FEWEST_DRAWN = 30
"""With fewer unique rows in a sample, a binomial distribution is not nearly normal."""
DRAWN_ROWS = 200_000
"""The number of rows of classes that are drawn from a large table."""
MOST_TEXTS = 1000


@dataclass(frozen=True, eq=False)
class Facts(Discreet):
    """What the checks know. The rows are those of the release; without one, of the table.

    ``specification``: what is asked for.
    ``table``: the private table.
    ``frequency``: its frequency list.
    ``plan``: how the release is made, if it is decided on.
    ``earlier``: the number of earlier releases of the source that its ledger knows.
    """

    specification: Specification
    table: Table
    frequency: Frequencies
    plan: Plan | None = None
    earlier: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.frequency.rows if self.plan is None else self.plan.rows_out

    @cached_property
    def requirement(self) -> Requirement:
        """What the release must satisfy."""
        return self.specification.requirement(self.frequency.rows)

    @property
    def quasi_identifiers(self) -> tuple[tuple[str, ...], ...]:
        """The attributes of each quasi-identifier."""
        protected = self.requirement.protected(self.frequency.attributes)
        return tuple(one.attributes for one in protected)

    @cached_property
    def as_is(self) -> tuple[str, ...]:
        """The columns released as they are whose values can be compared."""
        return tuple(name for name in self.table.unchanged if name not in self.incomparable)

    @cached_property
    def as_is_unbounded(self) -> tuple[str, ...]:
        """Those of them of which the release bounds nothing that an attacker may know."""
        if self.specification.release.knows_answers is None:
            return self.as_is
        return tuple(name for name in self.as_is if self.table.roles[name] != "other")

    @cached_property
    def incomparable(self) -> tuple[str, ...]:
        """The columns released as they are that hold lists, structures or bytes."""
        return self.table.incomparable

    @cached_property
    def samples(self) -> list[Sample]:
        """Rows of the private table, drawn once for all checks; a small table is taken whole."""
        return sample_table(self.table, self.specification.persons, self.frequency.rows)

    @property
    def is_large(self) -> bool:
        """Whether the rows are too many for memory."""
        return self.rows > MOST_ROWS

    def sequences(self, columns: Sequence[str]) -> Sequences | None:
        """Return the distinct values of some columns; `None` if they cannot come to memory."""
        if self.is_large:
            return self._count_large(columns)
        if self._everything is None:
            return None
        return self._everything.project([self._columns.index(name) for name in columns])[1]

    def compare_in_classes(
        self, attributes: tuple[str, ...]
    ) -> tuple[Sequences, tuple[str, ...], Codes] | None:
        """Return the distinct values released as they are in each class, and the class of each.

        Of a large table, classes are drawn at random until they have :data:`DRAWN_ROWS` rows;
        `None` if every class has too many rows for memory.
        """
        if self.plan is None or self.is_large:
            return None if self.plan is None else self._draw_classes(self.plan, attributes)
        names = self.as_is_unbounded
        sequences = self.sequences((*attributes, *names))
        if sequences is None:
            return None
        class_of, own = sequences.project(range(len(attributes)))[0], slice(len(attributes), None)
        columns = Sequences(sequences.values[own], sequences.codes[own], sequences.counts)
        return columns, names, class_of

    def _draw_classes(
        self, plan: Plan, attributes: tuple[str, ...]
    ) -> tuple[Sequences, tuple[str, ...], Codes] | None:
        """Fetch the values of some classes, and count those that are alike."""
        fates = list_fates(plan.frequency, plan.recoding)
        class_of, rows = class_fates(plan, fates, attributes)
        fits = np.flatnonzero((rows > 0) & (rows <= MOST_ROWS))
        if not len(fits):
            return None
        # The same classes each time, so that a dry run and the release find the same.
        order = np.random.default_rng(0).permutation(fits)
        drawn = order[: 1 + int(np.searchsorted(np.cumsum(rows[order]), DRAWN_ROWS))]
        chosen = np.where(np.isin(class_of, drawn), class_of, RULED_OUT).astype(np.int32)
        names = self.as_is_unbounded
        found = self._count_classes(plan, fates, chosen, names, self.rows)
        return None if found is None else (found[1], names, found[0])

    def _count_classes(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str], most: int
    ) -> tuple[Codes, Sequences] | None:
        """Count the different values of columns in each class; return the class of each as well.

        ``class_of``: the class of each fate, below 0 for rows that are not wanted.
        """
        found = engine_of(plan.table.frame).count_classes(plan, fates, class_of, columns, most)
        if found is None:
            return None
        own, values, counts = found
        encoded = [encode_column(*column) for column in zip(columns, values, strict=True)]
        codes = np.stack([own, *(line for _, line in encoded)]).astype(np.int32)
        sizes = [int(own.max(initial=0)) + 1, *(len(texts) for texts, _ in encoded)]
        _, first, totals = group_equal(codes, sizes, counts)
        return own[first], Sequences(tuple(texts for texts, _ in encoded), codes[1:, first], totals)

    def _count_large(self, columns: Sequence[str]) -> Sequences | None:
        """Count the distinct values of columns where the rows are, without recoding them."""
        try:
            if self.plan is None:
                counted = count_within(self.table.frame, columns, MOST_ROWS)
                return list_sequences(counted) if isinstance(counted, Counted) else None
            return self._count_released(self.plan, columns, MOST_ROWS)
        except InvalidInput:
            return None

    @cached_property
    def singled_out(self) -> AsIs | None:
        """What the columns released as they are single out; `None` if it was not counted."""
        return self.single_out(self.as_is)

    def single_out(self, columns: tuple[str, ...]) -> AsIs | None:
        """Count what some of these columns single out; `None` if it was not counted.

        Of rows too many for memory, the number is estimated from a sample of the private table, or
        counted where the rows are if the sample does not decide how serious it is. There a missing
        value counts as a value, and subsets are not counted.
        """
        if self.is_large:
            return self._estimate_singled_out(columns)
        sequences = self.sequences(columns)
        return None if sequences is None else single_out(sequences, columns)

    def _estimate_singled_out(self, columns: tuple[str, ...]) -> AsIs | None:
        """Estimate the number of private rows that the columns single out together.

        The sample has all rows with some combinations of values, each drawn with the same
        probability. So the number of unique ones among them has a binomial distribution.
        """
        [sample, *_], rows = self.samples, self.frequency.rows
        codes = [sample.codes[name][sample.together] for name in columns]
        alone = int((group_codes(codes)[2] == 1).sum())
        margin = 0 if sample.is_whole else ceil(DEVIATIONS * sqrt(alone))
        bounds = max(0, alone - margin) * sample.one_in, min(rows, (alone + margin) * sample.one_in)
        if sample.is_whole:
            return AsIs(rows, SingledOut(columns, alone), ())
        if alone >= FEWEST_DRAWN and grade(bounds[0], rows) == grade(bounds[1], rows):
            return AsIs(rows, SingledOut(columns, alone * sample.one_in, bounds), ())
        try:
            return AsIs(rows, SingledOut(columns, count_unique(self.table.frame, columns)), ())
        except InvalidInput:
            return None

    @cached_property
    def distinct(self) -> dict[str, tuple[int, int]]:
        """For each of these columns the number of values in the private table, and of rows.

        Both are estimated from the sample; a column that has one value there is counted.
        """
        estimates = estimate_distinct(self.samples, self.as_is, self.frequency.rows)
        doubtful = [name for name, (different, _) in estimates.items() if different <= 1]
        return estimates | count_distinct(self.table.frame, doubtful)

    def some_texts(self, name: str) -> list[str]:
        """Return some values of a column that are text."""
        piece = next(iter(fetch(self.table.frame, [name])))[name].slice(0, MOST_TEXTS)
        return [value for value in piece.to_pylist() if isinstance(value, str)]

    @property
    def _columns(self) -> tuple[str, ...]:
        """The columns that the checks compare."""
        linkable = () if self.plan is None else self.frequency.attributes
        return (*linkable, *self.as_is)

    @cached_property
    def _everything(self) -> Sequences | None:
        """The distinct values of all these columns, counted once."""
        if not self.as_is:
            return None
        try:
            if self.plan is None:
                return list_sequences(count(self.table.frame, self.as_is))
            return self._count_released(self.plan, self._columns, self.rows)
        except InvalidInput:
            return None

    def _count_released(self, plan: Plan, columns: Sequence[str], most: int) -> Sequences | None:
        """Count the rows of a release by what they show in attributes, then in other columns."""
        fates, frequency = list_fates(plan.frequency, plan.recoding), plan.frequency
        attributes = [name for name in columns if name in frequency.attributes]
        class_of = np.zeros(len(fates.tuples), dtype=np.int32)
        shown = [fates.tuples.shown(frequency, frequency.attributes.index(n)) for n in attributes]
        if attributes:
            class_of = fates.tuples.classes(frequency, attributes)[0]
        wanted = class_of if plan.blank else np.where(fates.gone, RULED_OUT, class_of)
        found = self._count_classes(
            plan, fates, wanted.astype(np.int32), columns[len(attributes) :], most
        )
        if found is None:
            return None
        own, others = found
        one_of = np.zeros(int(class_of.max(initial=0)) + 1, dtype=np.int32)
        one_of[class_of] = np.arange(len(class_of), dtype=np.int32)
        codes = [*(line[one_of[own]] for _, line in shown), *others.codes]
        values = (*(texts for texts, _ in shown), *others.values)
        return Sequences(values, np.stack(codes), others.counts)
