"""LinkableColumns: the columns of a table as codes of its rows, and what they cost in bits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from lookalike.draft.proposed_column import ProposedColumn
from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Suppress
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.grouping import group_codes
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.table.budget import BitBudget, JointBits, measure_bits, weigh_columns
from lookalike.risk.table.separation import Separation, measure_separation
from lookalike.tables.sample import Sample

USEFUL_BITS = 1.5
"""What the labels of a column tell where it is of use: about three groups of the same size."""
USEFUL_SHARE = 0.75
"""The same of a column whose values tell little: this share of what they tell."""


@dataclass(frozen=True, eq=False)
class LinkableColumns:
    """The columns of a table as codes of its rows, or of rows that were drawn at random.

    ``rows``: the rows of the table.
    ``codes``: for each column the code of every row's value; -1 without one.
    ``useful``: for columns that may be linked, the most general level that is of use, and the code
    that each value has there; the last one is that of no value.
    """

    rows: int
    codes: Mapping[str, Codes] = field(repr=False)
    useful: Mapping[str, tuple[int, Codes]] = field(repr=False)

    @property
    def sampled(self) -> int | None:
        """The number of rows that were drawn; nothing if these are all."""
        drawn = len(next(iter(self.codes.values()), ()))
        return None if drawn == self.rows else drawn

    def find_useful(self, column: str) -> Codes:
        """Return the code of every row's label at the level at which a column is of use."""
        codes = self.codes[column]
        return self.useful[column][1][codes] if column in self.useful else codes

    def separate(self, columns: Sequence[str]) -> Separation:
        """Measure how well the columns that are known tell the rows apart."""
        lines = [self.codes[name] for name in columns if name in self.codes]
        return measure_separation(_count_classes(lines) if lines else np.zeros(0, np.int64))

    @cached_property
    def separations(self) -> Mapping[str, Separation]:
        """How well each column alone tells the rows apart."""
        return {name: self.separate([name]) for name in self.codes}

    def joint_bits(self, lines: Sequence[Codes]) -> JointBits:
        """Return the joint entropy of columns, given the codes of each.

        In a sample of a large table hardly two rows agree in many columns, which would cost too
        little. There, the cost of a column is that given one of those before it, so that the sum
        is an upper bound.
        """
        if self.sampled is None:
            return lambda places: _count_bits([lines[place] for place in places])
        alone = [_count_bits([line]) for line in lines]
        pairs: dict[tuple[int, int], float] = {}

        def given(place: int, other: int) -> float:
            if (place, other) not in pairs:
                pairs[place, other] = _count_bits([lines[place], lines[other]]) - alone[other]
            return pairs[place, other]

        return lambda places: sum(
            min(alone[place], *(given(place, other) for other in places[:number]), alone[place])
            for number, place in enumerate(places)
        )

    def count_protected(self, columns: Sequence[str], person: object) -> int:
        """Return the number of rows, or of persons with each sequence of values they have.

        ``person``: the column that identifies persons, if there is one; anything else stands for
        the rows. A sample does not show in how many classes a person may be, so there the rows
        count: never fewer.
        """
        if self.sampled is not None or not isinstance(person, str) or person not in self.codes:
            return self.rows
        known = [self.codes[name] for name in columns if name in self.codes]
        lines = [self.codes[person].astype(np.int32), *(line.astype(np.int32) for line in known)]
        return len(group_codes(lines)[2])

    def measure(self, columns: Sequence[str], k: int, person: object = None) -> BitBudget:
        """Return the budget of some columns as a quasi-identifier; `person` as above."""
        names = [name for name in columns if name in self.codes]
        ground = [self.codes[name] for name in names]
        levels = [self.useful[name][0] if name in self.useful else 0 for name in names]
        general = self.joint_bits([self.find_useful(name) for name in names])
        return BitBudget(
            k=k,
            rows=self.rows,
            counted=self.count_protected(names, person),
            ground=weigh_columns(names, [0] * len(names), self.joint_bits(ground)),
            chosen=weigh_columns(names, levels, general),
            sampled=self.sampled,
        )


def _count_bits(lines: Sequence[Codes]) -> float:
    """Return the joint entropy of the codes of rows, of which -1 stands for no value."""
    return measure_bits(_count_classes(lines)) if lines else 0.0


def _count_classes(lines: Sequence[Codes]) -> Counts:
    """Return the rows of each sequence of codes, of which -1 stands for no value."""
    wide = [line.astype(np.int32) for line in lines]
    return np.bincount(wide[0] + 1) if len(wide) == 1 else group_codes(wide)[2]


def code_columns(sample: Sample, columns: Sequence[ProposedColumn], rows: int) -> LinkableColumns:
    """Code the rows of a sample that were drawn one by one.

    ``columns``: those that may be linked, each with its hierarchy; without one, its values are
    shown or suppressed.
    ``rows``: the rows of the table.
    """
    places = np.flatnonzero(sample.one_by_one)
    codes = {name: _compact(line[places]) for name, line in sample.codes.items()}
    useful = {
        column.name: _find_useful(_bind(sample, column), codes[column.name])
        for column in columns
        if column.name in codes
    }
    return LinkableColumns(rows, codes, useful)


def _compact(codes: Codes) -> Codes:
    """Return codes in half of the memory, if they are few: a page of the studio keeps them."""
    return codes.astype(np.int16) if codes.max(initial=0) < np.iinfo(np.int16).max else codes


def _bind(sample: Sample, column: ProposedColumn) -> BoundHierarchy:
    """Bind the hierarchy of a column to its values and to the missing value, which is the last."""
    values = (*sample.values[column.name], None)
    try:
        rule = Suppress() if column.hierarchy is None else column.hierarchy.hierarchy
        return rule.bind(column.name, values, SUPPRESSED)
    except InvalidInput:
        return Suppress().bind(column.name, values, SUPPRESSED)


def _find_useful(hierarchy: BoundHierarchy, codes: Codes) -> tuple[int, Codes]:
    """Return the most general level at which a column is of use, and the code of values there."""
    ground = hierarchy.ground[codes]
    rows = np.bincount(ground, minlength=hierarchy.size(0))
    bits = [
        measure_bits(np.bincount(hierarchy.levels[level], rows).astype(np.int64))
        for level in range(hierarchy.height + 1)
    ]
    enough = min(USEFUL_BITS, USEFUL_SHARE * bits[0])
    level = max(place for place, one in enumerate(bits) if one >= enough)
    return level, _compact(hierarchy.levels[level][hierarchy.ground])
