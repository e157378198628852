"""Measure how the sensitive values of a table are distributed over its classes.

"If all the k tuples matching a set of k individuals have exactly the same value for attribute
HealthProblem, the health problem is inevitably disclosed" (Samarati, footnote 2). The figures of
:mod:`lookalike.model.protections` measure how far a class is from that, and how much it differs
from the table as a whole.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypedDict

import numpy as np

from lookalike.hierarchy.value_order import rank_values
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model import protections

Distance = Literal["equal", "ordered"]


@dataclass(frozen=True)
class DiversityFigures:
    """The parameters with which a table satisfies each protection of a sensitive attribute.

    Each is the figure of the worst class. A figure that no parameter can satisfy is None.

    ``alpha``: the largest share of a value: the α of (α, k)-anonymity.
    ``distinct_l``, ``entropy_l``: the greatest l of distinct and of entropy l-diversity.
    ``recursive_c``: recursive (c, l)-diversity holds for every greater c, with l the distinct l;
    None if that is 1.
    ``t``: the least t of t-closeness.
    ``beta``, ``enhanced_beta``: the least β of basic and of enhanced β-likeness; None if some gain
    exceeds −ln q.
    ``delta``: δ-disclosure privacy holds for every greater δ; None if a class lacks a value of the
    table.
    ``delta_present``: the same over the values that each class has.
    """

    alpha: float
    distinct_l: int
    entropy_l: float
    recursive_c: float | None
    t: float
    beta: float
    enhanced_beta: float | None
    delta: float | None
    delta_present: float


class ClassesOfDiversity(TypedDict):
    """How many classes have so many different values, and the number of their rows."""

    distinct_l: int
    classes: int
    rows: int


@dataclass(frozen=True, eq=False)
class Diversity(JsonResult):
    """How a sensitive attribute is distributed over the classes of a table.

    ``distance``: how distributions are compared: with ``equal``, all values have the same distance
    from each other; with ``ordered``, they lie on a line.
    """

    json_names = (
        "attribute different homogeneous_classes homogeneous_rows distance **figures by_distinct_l"
    )

    attribute: str
    distance: Distance
    values: protections.ClassValues

    @property
    def different(self) -> int:
        """The number of different values in the table, counting missing as a value."""
        return int(np.count_nonzero(self.values.reference))

    @property
    def sizes(self) -> Counts:
        """The number of rows of each class."""
        return self.values.sizes

    @cached_property
    def distinct(self) -> Counts:
        """The number of different values in each class: its distinct l."""
        return np.diff(self.values.starts)

    @cached_property
    def entropy(self) -> Reals:
        """The exponential of the entropy of each class: its entropy l.

        As many equally frequent values would be as uncertain.
        """
        return protections.Entropy(1).measure(self.values)

    @cached_property
    def distances(self) -> Reals:
        """The distance of each class's distribution from the table's, from 0 to 1: its t."""
        return protections.Closeness(1, self.distance).measure(self.values)

    @cached_property
    def figures(self) -> DiversityFigures:
        """The figures of the worst class."""
        values, distinct = self.values, int(self.distinct.min(initial=self.different))
        tails = (
            protections.Recursive(1, distinct).measure(values)
            if distinct > 1
            else np.array([math.inf])
        )
        return DiversityFigures(
            alpha=_greatest(protections.Share(1).measure(values)),
            distinct_l=distinct,
            entropy_l=float(self.entropy.min(initial=self.different)),
            recursive_c=_finite(_greatest(tails)),
            t=_greatest(self.distances),
            beta=_greatest(protections.Likeness(1, enhanced=False).measure(values)),
            enhanced_beta=_finite(_greatest(protections.Likeness(1).measure(values))),
            delta=_finite(_greatest(protections.Disclosure(1).measure(values))),
            delta_present=_greatest(protections.Disclosure(1).measure_present(values)),
        )

    @property
    def homogeneous(self) -> Flags:
        """Whether each class has only one value (Samarati, footnote 2)."""
        homogeneous: Flags = self.distinct == 1
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
    def by_distinct(self) -> tuple[tuple[int, int, int], ...]:
        """Each distinct l with its number of classes and of rows, smallest first."""
        return tuple(
            (l, int((self.distinct == l).sum()), int(self.sizes[self.distinct == l].sum()))
            for l in np.unique(self.distinct).tolist()  # noqa: E741
        )

    @property
    def by_distinct_l(self) -> list[ClassesOfDiversity]:
        """The classes by the number of their different values, the fewest first."""
        return [
            {"distinct_l": distinct, "classes": classes, "rows": rows}
            for distinct, classes, rows in self.by_distinct
        ]

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

    ``class_of``: for each entry, its class, numbered from 0.

    Examples
    --------
    >>> class_of = np.array([0, 0, 1, 1], dtype=np.int32)
    >>> codes = np.array([0, 0, 0, 1], dtype=np.int32)
    >>> found = diversify("illness", ("flu", "gout"), class_of, codes, np.array([1, 1, 1, 1]))
    >>> found.distinct.tolist(), found.entropy.tolist(), found.distances.tolist()
    ([1, 2], [1.0, 2.0], [0.25, 0.25])
    """
    ranks = rank_values(attribute, values)[codes] if distance == "ordered" else codes
    classes = int(class_of.max(initial=-1)) + 1
    reference = np.bincount(ranks, counts, len(values)).astype(np.int64)
    counted = protections.count_values(class_of, ranks, counts, classes, reference)
    return Diversity(attribute, distance, counted)


def _greatest(figures: Reals) -> float:
    """Return the figure of the worst class; 0 for a table without rows."""
    return float(figures.max(initial=0))


def _finite(figure: float) -> float | None:
    """Return a figure, or None if it is infinite."""
    return figure if math.isfinite(figure) else None
