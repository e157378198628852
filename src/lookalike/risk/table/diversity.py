"""Measure how the sensitive values of a table are distributed over its classes.

"If all the k tuples matching a set of k individuals have exactly the same value for attribute
HealthProblem, the health problem is inevitably disclosed" (Samarati, footnote 2). Distinct l and
entropy l (Machanavajjhala and others, *l-diversity*) measure how far a class is from that. t (Li
and others, *t-closeness*) measures how much a class differs from the table as a whole.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts, Reals

Distance = Literal["equal", "ordered"]
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, eq=False)
class Diversity:
    """How a sensitive attribute is distributed over the classes of a table.

    Parameters
    ----------
    attribute
        The attribute.
    different
        The number of different values in the table, counting missing as a value.
    distance
        How distributions are compared: with ``equal``, all values have the same distance from each
        other; with ``ordered``, they lie on a line.
    sizes
        The number of rows of each class.
    distinct
        The number of different values in each class: its distinct l.
    entropy
        The exponential of the entropy of each class: its entropy l, the number of equally
        frequent values that would be as uncertain.
    distances
        The distance of each class's distribution from the table's, from 0 to 1: its t.
    """

    attribute: str
    different: int
    distance: Distance
    sizes: Counts
    distinct: Counts
    entropy: Reals
    distances: Reals

    @property
    def homogeneous(self) -> npt.NDArray[np.bool_]:
        """Whether each class has only one value (Samarati, footnote 2)."""
        homogeneous: npt.NDArray[np.bool_] = self.distinct == 1
        return homogeneous

    @property
    def homogeneous_classes(self) -> int:
        """The number of classes with one value only."""
        return int(self.homogeneous.sum())

    @property
    def homogeneous_rows(self) -> int:
        """The number of rows in classes with one value only."""
        return int(self.sizes[self.homogeneous].sum())

    @property
    def least_distinct(self) -> int:
        """Distinct l of the table: the smallest of its classes."""
        return int(self.distinct.min(initial=self.different))

    @property
    def least_entropy(self) -> float:
        """Entropy l of the table: the smallest of its classes."""
        return float(self.entropy.min(initial=self.different))

    @property
    def largest_distance(self) -> float:
        """T of the table: the largest of its classes."""
        return float(self.distances.max(initial=0))

    @property
    def by_distinct(self) -> tuple[tuple[int, int, int], ...]:
        """Each distinct l with its number of classes and of rows, smallest first."""
        return tuple(
            (l, int((self.distinct == l).sum()), int(self.sizes[self.distinct == l].sum()))
            for l in np.unique(self.distinct).tolist()  # noqa: E741
        )

    def of_class(self, number: int) -> dict[str, float]:
        """Return distinct l, entropy l and t of one class."""
        return {
            "distinct_l": int(self.distinct[number]),
            "entropy_l": float(self.entropy[number]),
            "t": float(self.distances[number]),
        }


def diversify(
    attribute: str,
    values: Sequence[str | None],
    class_of: Codes,
    codes: Codes,
    counts: Counts,
    distance: Distance = "equal",
) -> Diversity:
    """Measure how a sensitive attribute is distributed over classes.

    Parameters
    ----------
    attribute
        The attribute.
    values
        Its distinct values.
    class_of
        For each entry, its class, numbered from 0.
    codes
        For each entry, the position of its value.
    counts
        The number of rows of each entry.
    distance
        How to compare distributions.

    Examples
    --------
    >>> class_of = np.array([0, 0, 1, 1], dtype=np.int32)
    >>> codes = np.array([0, 0, 0, 1], dtype=np.int32)
    >>> found = diversify("illness", ("flu", "gout"), class_of, codes, np.array([1, 1, 1, 1]))
    >>> found.distinct.tolist(), found.entropy.tolist(), found.distances.tolist()
    ([1, 2], [1.0, 2.0], [0.25, 0.25])
    """
    ranks = _order(attribute, values)[codes] if distance == "ordered" else codes
    members, ranks, rows = _pair(class_of, ranks, counts)
    classes = int(members.max(initial=-1)) + 1
    sizes = np.bincount(members, rows, classes).astype(np.int64)
    shares = rows / sizes[members]
    whole = np.bincount(ranks, rows, len(values)) / max(1, rows.sum())
    measure = _measure_ordered if distance == "ordered" else _measure_equal
    return Diversity(
        attribute=attribute,
        different=int(np.count_nonzero(whole)),
        distance=distance,
        sizes=sizes,
        distinct=np.bincount(members, minlength=classes),
        entropy=np.exp(np.bincount(members, -shares * np.log(shares), classes)),
        distances=measure(members, ranks, shares, whole, classes),
    )


def _pair(class_of: Codes, ranks: Codes, counts: Counts) -> tuple[Codes, Codes, Counts]:
    """Count the distinct pairs of class and value, sorted by both."""
    codes = np.array([class_of, ranks], dtype=np.int32)
    sizes = [int(line.max(initial=-1)) + 1 for line in codes]
    _, first, rows = group_equal(codes, sizes, counts)
    order = np.lexsort((ranks[first], class_of[first]))
    return class_of[first][order], ranks[first][order], rows[order]


def _measure_equal(
    members: Codes, ranks: Codes, shares: Reals, whole: Reals, classes: int
) -> Reals:
    """Return half of Σ |p − q|, the share to move if all values have the same distance."""
    more = np.maximum(shares - whole[ranks], 0)
    moved: Reals = np.bincount(members, more, classes).astype(np.float64)
    return moved


def _measure_ordered(
    members: Codes, ranks: Codes, shares: Reals, whole: Reals, classes: int
) -> Reals:
    """Return Σ |P − Q| / (m − 1) over the cumulated shares of m values on a line.

    Between two consecutive values of a class, P is constant and Q grows. So the sum has a part in
    which Q is below P and a part in which it is above. With Q cumulated once more, each part is a
    difference of two numbers, and no class needs an array over all values.
    """
    if len(whole) < 2 or not classes:
        return np.zeros(classes)
    below = np.cumsum(whole)
    total = np.concatenate([[0.0], np.cumsum(below)])
    first = np.searchsorted(members, np.arange(classes))
    reached = np.cumsum(shares)
    reached -= (reached[first] - shares[first])[members]
    ends = np.append(ranks[1:], len(whole))
    ends[np.append(first[1:] - 1, len(ranks) - 1)] = len(whole)
    turn = np.clip(np.searchsorted(below, reached), ranks, ends)
    under = reached * (turn - ranks) - (total[turn] - total[ranks])
    over = total[ends] - total[turn] - reached * (ends - turn)
    moved: Reals = np.bincount(members, under + over, classes) + total[ranks[first]]
    moved /= len(whole) - 1
    return moved


def _order(attribute: str, values: Sequence[str | None]) -> Codes:
    """Return the rank of each value among numbers or dates."""
    if None in values:
        raise InvalidInput(
            f"column {attribute!r}: missing values have no order; exclude such rows (where), or "
            "compare this column without order (sensitive)"
        )
    texts = [value for value in values if value is not None]
    keys = texts if all(DAY.fullmatch(text) for text in texts) else _read_numbers(attribute, texts)
    ranks = np.empty(len(texts), dtype=np.int32)
    ranks[sorted(range(len(texts)), key=keys.__getitem__)] = np.arange(len(texts), dtype=np.int32)
    return ranks


def _read_numbers(attribute: str, texts: Sequence[str]) -> list[Decimal]:
    """Read values as numbers; refuse values without an order."""
    try:
        numbers = [Decimal(text) for text in texts]
    except InvalidOperation:
        numbers = [Decimal("NaN")]
    if any(number.is_nan() for number in numbers):
        raise InvalidInput(
            f"column {attribute!r}: only numbers, and dates written as 1965-09-20, have an order; "
            "compare this column without order (sensitive)"
        )
    return numbers
