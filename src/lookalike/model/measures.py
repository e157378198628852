"""Measures of a release: Prec and others, computed from the frequency list alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Counts, Reals
from lookalike.model.cell_costs import add_up_cells, count_lost_leaves
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples


@dataclass(frozen=True)
class Measures:
    """The measures of a release; the function that computes each measure defines it.

    Blank rows count as released rows and form one class. Only `cells_suppressed` excludes them:
    it counts suppressed cells of rows that are not suppressed as a whole. The distances are None
    at the cell level, where rows have different vectors.
    """

    precision: float
    absolute_distance: int | None
    relative_distance: float | None
    accuracy: float
    completeness: float
    classes: int
    smallest_class: int
    rows_below_k: int
    cells_suppressed: int
    average_class: float
    discernibility: int
    loss: float
    entropy: float


def measure(
    frequency: FrequencyList,
    recoding: Recoding,
    requirement: Requirement,
    weights: Sequence[Decimal] | None = None,
) -> Measures:
    """Measure a recoding of a frequency list."""
    vector, visible = recoding.vector, recoding.visible(frequency, requirement)
    released = recoding.released(frequency)
    left_out = frequency.rows - int(visible.counts.sum())
    sizes = visible.classes(frequency, frequency.attributes)[1]
    smallest, below = _least_protected(frequency, visible, requirement)
    relative = None if vector is None else float(relative_distance(vector, frequency.heights))
    hidden = [released.hidden(frequency, place) for place in range(len(frequency.hierarchies))]
    return Measures(
        precision=precision(frequency, recoding, weights),
        absolute_distance=None if vector is None else absolute_distance(vector),
        relative_distance=relative,
        accuracy=mean_accuracy(frequency, visible),
        completeness=completeness(frequency.rows, left_out),
        classes=len(sizes),
        smallest_class=smallest,
        rows_below_k=below,
        cells_suppressed=sum(int(released.counts[cells].sum()) for cells in hidden),
        average_class=average_class(sizes, requirement.k),
        discernibility=discernibility(sizes, frequency.rows, left_out),
        loss=loss(frequency, recoding, weights),
        entropy=entropy(frequency, recoding),
    )


def _least_protected(
    frequency: FrequencyList, tuples: Tuples, requirement: Requirement
) -> tuple[int, int]:
    """Return the size of the smallest class, and the number of rows in classes below k."""
    below = np.zeros(len(tuples), dtype=np.bool_)
    smallest = frequency.rows
    for one in requirement.combined(frequency.attributes):
        class_of, sizes = tuples.classes(frequency, one.attributes)
        below |= sizes[class_of] < one.k
        smallest = min(smallest, int(sizes.min()))
    return smallest, int(tuples.counts[below].sum())


def average_class(sizes: Counts, k: int) -> float:
    """Return released rows ∕ classes ∕ k; 1 is the minimum that k allows.

    Examples
    --------
    >>> average_class(np.array([2, 4]), 2)
    1.5
    """
    return float(sizes.mean() / k) if len(sizes) else 0.0


def discernibility(sizes: Counts, rows: int, left_out: int) -> int:
    """Return Σ size² over the classes plus the number of eligible rows for each row left out.

    Examples
    --------
    >>> discernibility(np.array([2, 4]), 8, 2)
    36
    """
    return int(np.sum(sizes.astype(object) ** 2)) + left_out * rows


def absolute_distance(vector: Sequence[int]) -> int:
    """Return Absdist, the number of generalization steps: Σ dᵢ (Samarati, section 6).

    Examples
    --------
    >>> absolute_distance((1, 2))
    3
    """
    return sum(vector)


def relative_distance(vector: Sequence[int], heights: Sequence[int]) -> Fraction:
    """Return Reldist: Σ dᵢ ∕ hᵢ (Samarati, section 6); an attribute of height 0 adds nothing.

    Examples
    --------
    >>> relative_distance((1, 1), (1, 2))
    Fraction(3, 2)
    """
    return sum(
        (Fraction(step, height) for step, height in zip(vector, heights, strict=True) if height),
        start=Fraction(0),
    )


def accuracy(vector: Sequence[int], heights: Sequence[int]) -> float:
    """Return 1 − height of the vector ∕ height of the lattice.

    Examples
    --------
    >>> accuracy((0, 1), (1, 3))
    0.75
    """
    return 1 - sum(vector) / sum(heights) if sum(heights) else 1.0


def mean_accuracy(frequency: FrequencyList, tuples: Tuples) -> float:
    """Return the accuracy of a release, the mean over the vectors of its rows.

    At the attribute level all rows except blank ones have the same vector. A cell that is
    written as suppressed counts as the top, whatever its level.
    """
    steps, rows = 0, int(tuples.counts.sum())
    for attribute, height in enumerate(frequency.heights):
        hidden = tuples.hidden(frequency, attribute)
        levels = np.where(hidden, height, tuples.levels[attribute]).astype(np.int64)
        steps += int(levels @ tuples.counts)
    most = rows * sum(frequency.heights)
    return 1 - steps / most if most else 1.0


def completeness(rows: int, left_out: int) -> float:
    """Return the fraction of the rows that are in the release, including blank rows.

    Examples
    --------
    >>> completeness(12, 3)
    0.75
    """
    return 1 - left_out / rows if rows else 1.0


def loss(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal] | None = None
) -> float:
    """Return the mean over all cells of (leaves under the value − 1) ∕ (leaves − 1), weighted.

    0 is the unchanged table, 1 the fully suppressed table. The leaves are the ground domain if
    the hierarchy lists it, else the values of the column (Iyengar, *Transforming data to
    satisfy privacy constraints*, 2002). A suppressed cell has loss 1, also if the value is
    suppressed because its hierarchy does not know it.
    """
    scales, lost = _scales(frequency, weights), Fraction(0)
    for attribute, scale in enumerate(scales):
        leaves, most = count_lost_leaves(frequency.hierarchies[attribute])
        lost += scale * Fraction(add_up_cells(frequency, recoding, attribute, leaves), most)
    return float(lost / (frequency.rows * sum(scales)))


def entropy(frequency: FrequencyList, recoding: Recoding) -> float:
    """Return the fraction of the table's information that the release loses.

    A cell with the private value v that shows g loses −log₂(n(v) ∕ n(g)) bits, where n counts
    rows of the private table (Gionis and Tassa, *k-anonymization with minimal loss of
    information*, 2009, non-uniform entropy). The sum is divided by the loss of suppressing every
    cell: 0 is the unchanged table, 1 the fully suppressed table. Values that a hierarchy does
    not know count as one value.
    """
    everything = sum(
        _add_up(_lost_bits(frequency, attribute, height), frequency.counts)
        for attribute, height in enumerate(frequency.heights)
    )
    before = 0.0 if frequency.coarsened is None else frequency.coarsened.lost_bits
    lost, whole = before + _sum_bits(frequency, recoding), before + everything
    return lost / whole if whole else 0.0


def _sum_bits(frequency: FrequencyList, recoding: Recoding) -> float:
    """Add up the bits that all cells lose; a suppressed cell counts as the top."""
    tuples = recoding.released(frequency)
    total = 0.0
    for attribute, height in enumerate(frequency.heights):
        total += _add_up(_lost_bits(frequency, attribute, height), recoding.suppressed)
        for level, here in tuples.by_level(attribute):
            bits = _lost_bits(frequency, attribute, height if level == SUPPRESSED_CELL else level)
            total += _add_up(bits[tuples.sequence[here]], tuples.counts[here])
    return total


def _add_up(lost: Reals, rows: Counts) -> float:
    """Add up what rows lose; threads of linear algebra would take longer to start than to add."""
    return float(np.sum(lost * rows))


def _lost_bits(frequency: FrequencyList, attribute: int, level: int) -> Reals:
    """Return −log₂(n(v) ∕ n(g)) for the value v of every sequence, shown as g at a level."""
    hierarchy, codes = frequency.hierarchies[attribute], frequency.codes[attribute]
    shown = hierarchy.levels[level]
    rows = np.bincount(codes, weights=frequency.counts, minlength=len(shown))
    rows_shown = np.maximum(np.bincount(shown, weights=rows)[shown], 1)
    rows_ground = np.maximum(rows, 1)  # no sequence has a value without rows
    at_top = np.log2(frequency.rows / rows_ground) if hierarchy.height else np.zeros(len(rows))
    lost = np.where(hierarchy.hidden[level][shown], at_top, np.log2(rows_shown / rows_ground))
    by_sequence: Reals = lost[codes]
    return by_sequence


def precision(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal] | None = None
) -> float:
    """Return Prec = 1 − Σ wᵢ · level/heightᵢ ∕ (rows · Σ wᵢ).

    A suppressed cell, or a cell of a suppressed row, counts as generalized to the full
    height; an attribute of height 0 loses nothing. Weights are decimals, so the sum is exact.
    """
    scales, tuples = _scales(frequency, weights), recoding.released(frequency)
    lost = sum(
        (
            scale * _height_lost(frequency, tuples, attribute)
            for attribute, scale in enumerate(scales)
        ),
        start=Fraction(0),
    )
    return float(1 - lost / (frequency.rows * sum(scales)))


def reach(
    frequency: FrequencyList, recoding: Recoding, weights: Sequence[Decimal], objective: str
) -> float:
    """Return the value that a recoding reaches of an objective at the cell level."""
    measured = loss if objective == "loss" else precision
    return measured(frequency, recoding, weights)


def _scales(frequency: FrequencyList, weights: Sequence[Decimal] | None) -> list[Fraction]:
    """Return the weight of each attribute, 1 if none is given."""
    scales = [Fraction(weight) for weight in weights or [Decimal(1)] * len(frequency.heights)]
    if any(scale < 0 for scale in scales) or not sum(scales):
        raise InvalidInput("weights must not be negative, and at least one must be above 0")
    return scales


def _height_lost(frequency: FrequencyList, tuples: Tuples, attribute: int) -> Fraction:
    """Add up level/height over the rows for one attribute."""
    height = frequency.heights[attribute]
    if height == 0:
        return Fraction(0)
    visible = ~tuples.hidden(frequency, attribute)
    rows = tuples.counts[visible]
    steps = int(tuples.levels[attribute, visible].astype(np.int64) @ rows)
    return frequency.rows - int(rows.sum()) + Fraction(steps, height)
