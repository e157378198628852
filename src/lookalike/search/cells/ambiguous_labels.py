"""Refuse hierarchies whose labels are ambiguous where levels differ from cell to cell."""

from collections.abc import Iterator

import numpy as np

from lookalike.errors import InvalidInput, name_some
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice


def check_labels(frequency: FrequencyList, lattice: Lattice) -> None:
    """Refuse hierarchies in which a label covers different values at different levels.

    At the cell level, a recipient infers the level from the label. Rounding writes 50 as `50`,
    and 45 to 54 as `50` too, so rows with different meanings would look alike. The suppressed
    value is exempt, because it has the same meaning at every level.
    """
    for column, labels in list_ambiguous_columns(frequency, lattice):
        named = name_some(labels)
        raise InvalidInput(
            f"column {column!r}: the hierarchy writes different values alike at "
            f"different levels: {named}; where levels differ from cell to cell "
            "the label would be ambiguous. Write the levels differently, bound the levels "
            "of this column by constraints, or use a method with one level for all",
            named=named,
        )


def list_ambiguous_columns(
    frequency: FrequencyList, lattice: Lattice
) -> Iterator[tuple[str, list[str]]]:
    """Yield the columns with ambiguous labels within the allowed levels, and these labels."""
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        levels = range(lattice.bottom[attribute], lattice.top[attribute] + 1)
        ambiguous = list_ambiguous(hierarchy, levels)
        if ambiguous:
            yield hierarchy.column, ambiguous


def list_ambiguous(hierarchy: BoundHierarchy, levels: range) -> list[str]:
    """Return the labels that cover different ground values at different levels."""
    covered: dict[str | None, int] = {}
    ambiguous: set[str | None] = set()
    for level in levels:
        covers = _cover(hierarchy, level)
        repeated = covered.keys() & covers.keys()
        ambiguous |= {label for label in repeated if covered[label] != covers[label]}
        covered |= covers
    return sorted("(missing)" if label is None else label for label in ambiguous)


def _cover(hierarchy: BoundHierarchy, level: int) -> dict[str | None, int]:
    """Identify what each label of a level covers by a number, except for the suppressed label.

    Levels nest. So of two labels with the same first ground code, one covers all that the other
    covers, and they cover the same if they cover equally many.
    """
    codes, names = hierarchy.levels[level], hierarchy.labels[level]
    first = np.empty(len(names), dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    number = np.bincount(codes, minlength=len(names))
    covers = dict(zip(names, (first * (len(codes) + 1) + number).tolist(), strict=True))
    covers.pop(hierarchy.suppressed, None)
    return covers
