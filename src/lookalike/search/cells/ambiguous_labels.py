"""Refuse hierarchies whose labels are ambiguous where levels differ from cell to cell."""

from collections.abc import Iterator

from lookalike.errors import InvalidInput, name_some
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice


def check_labels(frequency: FrequencyList, lattice: Lattice) -> None:
    """Refuse hierarchies in which a label covers different values at different levels.

    At the cell level, a recipient infers the level from the label. Rounding writes 50 as `50`,
    and 45 to 54 as `50` too, so rows with different meanings would look alike. The suppressed
    value is exempt, because it has the same meaning at every level.

    Parameters
    ----------
    frequency
        The frequency list of the private table.
    lattice
        The allowed levels.

    Raises
    ------
    InvalidInput
        If a label covers different ground values at two levels.
    """
    for column, labels in find_ambiguous_columns(frequency, lattice):
        raise InvalidInput(
            f"column {column!r}: the hierarchy writes different values alike at "
            f"different levels: {name_some(labels)}; where levels differ from cell to cell "
            "the label would be ambiguous. Write the levels differently, bound the levels "
            "of this column by constraints, or use a method with one level for all"
        )


def find_ambiguous_columns(
    frequency: FrequencyList, lattice: Lattice
) -> Iterator[tuple[str, list[str]]]:
    """Yield the columns with ambiguous labels within the allowed levels, and these labels."""
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        levels = range(lattice.bottom[attribute], lattice.top[attribute] + 1)
        ambiguous = find_ambiguous(hierarchy, levels)
        if ambiguous:
            yield hierarchy.column, ambiguous


def find_ambiguous(hierarchy: BoundHierarchy, levels: range) -> list[str]:
    """Return the labels that cover different ground values at different levels."""
    covered: dict[str | None, frozenset[int]] = {}
    ambiguous: dict[str, None] = {}
    for level in levels:
        for label, values in _cover(hierarchy, level).items():
            if covered.setdefault(label, values) != values:
                ambiguous["(missing)" if label is None else label] = None
    return list(ambiguous)


def _cover(hierarchy: BoundHierarchy, level: int) -> dict[str | None, frozenset[int]]:
    """Return the ground codes that each label of a level covers, except the suppressed label."""
    codes: dict[str | None, list[int]] = {}
    for ground, code in enumerate(hierarchy.levels[level].tolist()):
        codes.setdefault(hierarchy.labels[level][code], []).append(ground)
    codes.pop(hierarchy.suppressed, None)
    return {label: frozenset(values) for label, values in codes.items()}
