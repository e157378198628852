"""The budget of a release: how many bits its labels can carry, and what each column costs.

Every class of a k-anonymous release has at least k of its n rows, so there are at most n ∕ k
classes. The labels of a row name its class and nothing else, and the entropy of so many classes is
at most log₂(n ∕ k) bits, whatever the method, the hierarchies and the levels of the cells are.
docs/measures.md has the proof, and the bounds with suppressed rows and persons.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np

from lookalike.json_result import JsonResult
from lookalike.kernels.types import Counts
from lookalike.model.beside import Persons
from lookalike.model.frequency import FrequencyList
from lookalike.model.requirement import QuasiIdentifier
from lookalike.model.stored_list import Frequencies

OTHER_KS = (2, 5, 11, 20)
"""The values of k whose budget is listed beside."""
STRICTER_K = 11
"""The k whose budget is shown in words: that of the U.S. Centers for Medicare & Medicaid."""

SLACK_BITS = 1e-9
"""By how much sums of logarithms may differ from exact ones."""
JointBits = Callable[[Sequence[int]], float]
"""Returns the joint entropy of the columns at some places, in bits."""


def measure_bits(sizes: Counts, classes: Counts | int = 1) -> float:
    """Return the entropy of the class of a row, in bits.

    ``classes``: how many classes have each size.

    Examples
    --------
    >>> measure_bits(np.array([2, 1, 1])), measure_bits(np.array([4]), np.array([8]))
    (1.5, 3.0)
    """
    in_classes = sizes * classes
    rows = int(in_classes.sum())
    # A matrix product would start the threads of the linear algebra, which cost more.
    within = float((in_classes * np.log2(np.maximum(sizes, 1))).sum())
    return max(0.0, log2(rows) - within / rows) if rows else 0.0


def most_bits(counted: int, k: int) -> float:
    """Return the most bits that the labels of a k-anonymous release can carry together."""
    return log2(max(1, counted // k))


@dataclass(frozen=True)
class ColumnBits:
    """What a column costs at a level.

    ``alone``: the entropy of its labels, in bits.
    ``given_others``: their entropy if the labels of the other columns are known: what would be
    saved without the column.
    """

    column: str
    level: int
    alone: float
    given_others: float


@dataclass(frozen=True)
class Spent:
    """What columns cost together, each at a level.

    ``bits``: the joint entropy of their labels.
    """

    bits: float
    columns: tuple[ColumnBits, ...]


@dataclass(frozen=True)
class BitBudget(JsonResult):
    """How many bits the labels of a release can carry, and what its columns would need.

    ``k``: the least size of a class.
    ``rows``: the rows of the table.
    ``counted``: what k counts: the rows, or the persons, each once for every sequence of values
    that the person has.
    ``ground``: what the columns cost as they are.
    ``chosen``: what they cost at the levels that are chosen, if there are any.
    ``sampled``: the number of rows from which the costs are estimated, if these are not all.
    """

    json_names = (
        "k rows counted sampled most_classes bits bits_at_other_k ground chosen fits "
        "least_suppressed=rows_lost"
    )

    k: int
    rows: int
    counted: int
    ground: Spent
    chosen: Spent | None = None
    sampled: int | None = None

    @property
    def most_classes(self) -> int:
        """The most classes that a release can have."""
        return self.counted // self.k

    @property
    def bits(self) -> float:
        """The bits that the labels of a row can carry together."""
        return self.bits_at(self.k)

    @property
    def bits_at_other_k(self) -> dict[int, float]:
        """The bits that they can carry with other values of k."""
        return {k: self.bits_at(k) for k in OTHER_KS if k != self.k}

    @property
    def spent(self) -> Spent:
        """What the columns cost at the levels that are chosen, or as they are."""
        return self.ground if self.chosen is None else self.chosen

    @property
    def filled(self) -> float:
        """The share of the budget that is spent, at most 1."""
        return min(1.0, self.spent.bits / self.bits) if self.bits else 1.0

    @property
    def fits(self) -> bool:
        """Whether a release at these levels may keep every row: the bits do not forbid it."""
        return self.spent.bits <= self.bits + SLACK_BITS

    def least_suppressed(self, spent: Spent) -> float:
        """Return the share of the rows that every release at some levels suppresses at least."""
        beyond = spent.bits - log2(max(self.rows, 1) / self.k)
        return min(1.0, max(0.0, beyond / log2(self.k))) if self.k > 1 else 0.0

    @property
    def rows_lost(self) -> float:
        """The share of the rows that every release at these levels suppresses at least."""
        return self.least_suppressed(self.spent)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the figures say, in words."""
        persons = "persons (counted once for each combination of values)"
        unit = "rows" if self.counted == self.rows else persons
        more = self.bits_at(STRICTER_K)
        stricter = f"; k = {STRICTER_K} would leave {more:.1f}" if self.k < STRICTER_K else ""
        found = [
            f"Budget: {self.counted:,} {unit} at k = {self.k:,} form at most "
            f"{self.most_classes:,} classes, so the labels of a row carry at most "
            f"{self.bits:.1f} bits together{stricter}.",
            f"As they are, the columns carry {self.ground.bits:.1f} bits"
            f"{self._judge(self.ground)}.",
        ]
        if self.chosen is not None:
            found.append(
                f"At the levels shown they carry {self.chosen.bits:.1f} bits"
                f"{self._judge(self.chosen)}."
            )
        if self.sampled is not None:
            found.append(
                f"Estimated from {self.sampled:,} rows drawn at random; sums are upper bounds."
            )
        return tuple(found)

    def _judge(self, spent: Spent) -> str:
        """Say what follows if columns carry more than they can."""
        if spent.bits <= self.bits + SLACK_BITS:
            return ""
        share = 100 * self.least_suppressed(spent)
        return f", more than a release can: it would lose at least {share:.0f} % of the rows"

    def bits_at(self, k: int) -> float:
        """Return the bits that the labels can carry with some k.

        Examples
        --------
        >>> budget = BitBudget(5, 600, 600, Spent(0.0, ()))
        >>> round(budget.bits, 1), round(budget.bits_at(11), 1), budget.bits_at(700)
        (6.9, 5.8, 0.0)
        """
        return most_bits(self.counted, k)


def weigh_columns(columns: Sequence[str], levels: Sequence[int], joint: JointBits) -> Spent:
    """Return what columns cost at their levels, together and each given the others."""
    every = range(len(columns))
    bits = joint(every) if columns else 0.0
    found = []
    for place, (column, level) in enumerate(zip(columns, levels, strict=True)):
        others = [other for other in every if other != place]
        without = joint(others) if others else 0.0
        found.append(ColumnBits(column, level, joint([place]), max(0.0, bits - without)))
    return Spent(bits, tuple(found))


def weigh_levels(frequency: Frequencies, attributes: Sequence[str], vector: Sequence[int]) -> Spent:
    """Return what attributes of a frequency list cost at a vector of its levels."""
    places = [frequency.attributes.index(name) for name in attributes]

    def joint(some: Sequence[int]) -> float:
        kept = [places[one] for one in some]
        if len(kept) == 1:
            return measure_bits(frequency.code_rows(kept[0], vector[kept[0]]))
        if isinstance(frequency, FrequencyList):
            return measure_bits(frequency.count_classes(vector, kept)[1])
        # A label at the top says nothing, so the other attributes are raised there.
        every = enumerate(zip(vector, frequency.heights, strict=True))
        raised = tuple(level if place in kept else top for place, (level, top) in every)
        return measure_bits(*frequency.store.count_sizes(raised))

    return weigh_columns(attributes, [vector[place] for place in places], joint)


def measure_budget(
    frequency: Frequencies, protected: QuasiIdentifier, vector: Sequence[int] | None = None
) -> BitBudget:
    """Return the budget of a quasi-identifier, and what it costs as it is and at a vector."""
    chosen = None if vector is None else weigh_levels(frequency, protected.attributes, vector)
    return BitBudget(
        k=protected.k,
        rows=frequency.rows,
        counted=_count_protected(frequency, protected),
        ground=weigh_levels(frequency, protected.attributes, frequency.vector),
        chosen=chosen,
    )


def _count_protected(frequency: Frequencies, protected: QuasiIdentifier) -> int:
    """Return the number of rows, or of pairs of a person and a sequence if k counts persons.

    A person with several sequences may be counted in several classes.
    """
    if protected.respondent is None or not isinstance(frequency, FrequencyList):
        return frequency.rows
    persons = frequency.find_beside(protected.respondent)
    if not isinstance(persons, Persons):
        return frequency.rows
    places = [frequency.attributes.index(name) for name in protected.attributes]
    class_of, rows = frequency.count_classes(frequency.vector, places)
    return int(persons.count(class_of, frequency.counts, len(rows)).sum())
