"""Slow reference answers, computed straight from the definitions of the papers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import pyarrow as pa

from lookalike.errors import UnknownValue
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector

Row = tuple[str | None, ...]


def list_vectors(heights: Sequence[int]) -> list[Vector]:
    """List every distance vector of a lattice."""
    return list(product(*(range(height + 1) for height in heights)))


def find_minimal(vectors: Iterable[Vector]) -> set[Vector]:
    """Keep the vectors above no other one (Samarati, Definition 3.3, with < for ≤)."""
    found = set(vectors)
    return {v for v in found if not any(w != v and _is_below(w, v) for w in found)}


def satisfies_within(
    frequency: FrequencyList, k: int, max_suppressed: int
) -> Callable[[Vector], bool]:
    """Return Samarati's function *satisfies*: whether a vector is within MaxSup."""
    return cache(lambda vector: frequency.outliers(vector, k) <= max_suppressed)


def find_k_minimal(frequency: FrequencyList, k: int, max_suppressed: int) -> set[Vector]:
    """Keep the k-minimal vectors of all (Samarati, Definition 4.3)."""
    satisfies = satisfies_within(frequency, k, max_suppressed)
    return find_minimal(filter(satisfies, list_vectors(frequency.heights)))


def show(rule: Hierarchy, value: str | None, level: int) -> str | None:
    """Generalize a value by a fitted rule; missing and unknown values change only at the top."""
    if level == rule.height:
        return find_top(rule) if rule.height else value
    if value is None:
        return None
    try:
        return rule.generalize(value, level)
    except UnknownValue:
        return SUPPRESSED


def find_top(rule: Hierarchy) -> str:
    """Return the value at the top of a rule; the suppressed value if the rule lists no domain."""
    return rule.ancestors(rule.domain()[0])[-1] if rule.domain() else SUPPRESSED


def show_columns(rules: Sequence[Hierarchy], rows: Sequence[Row]) -> list[list[list[str | None]]]:
    """Return what is shown, by attribute, level and row."""
    columns = zip(*rows, strict=True)
    return [
        [[show(rule, value, level) for value in column] for level in range(rule.height + 1)]
        for rule, column in zip(rules, columns, strict=True)
    ]


def generalize_rows(
    rows: Sequence[Row], rules: Sequence[Hierarchy], vector: Sequence[int]
) -> list[Row]:
    """Generalize row by row and value by value."""
    return [
        tuple(
            show(rule, value, level) for rule, value, level in zip(rules, row, vector, strict=True)
        )
        for row in rows
    ]


def count_unmatched_rows(
    private: Sequence[Row],
    released: Sequence[Row],
    rules: Sequence[Hierarchy],
    levels: Sequence[int | None],
) -> int:
    """Count the released rows that cannot be matched to a private row of their own.

    The first values of a row have rules, the others are unchanged. An attribute is at its
    level or suppressed; None allows any level.
    """
    return count_unmatched(
        [
            [n for n, row in enumerate(private) if _may_become(row, shown, rules, levels)]
            for shown in released
        ]
    )


def count_unmatched(choices: Sequence[Sequence[int]]) -> int:
    """Count the released rows left over by a maximum matching, found by augmenting paths.

    Parameters
    ----------
    choices
        For each released row the private rows that it may be matched to.
    """
    taken: dict[int, int] = {}

    def find_row(shown: int, tried: set[int]) -> bool:
        for row in choices[shown]:
            if row not in tried:
                tried.add(row)
                if row not in taken or find_row(taken[row], tried):
                    taken[row] = shown
                    return True
        return False

    return sum(not find_row(shown, set()) for shown in range(len(choices)))


def _may_become(
    row: Row, shown: Row, rules: Sequence[Hierarchy], levels: Sequence[int | None]
) -> bool:
    """Return whether every value equals or generalizes that of a private row."""
    if row[len(rules) :] != shown[len(rules) :]:
        return False
    return all(
        text == SUPPRESSED
        or any(
            show(rule, value, step) == text
            for step in range(rule.height + 1)
            if level in (None, step)
        )
        for rule, level, value, text in zip(rules, levels, row, shown, strict=False)
    )


def prec_of_cells(
    private: pa.Table,
    released: pa.Table,
    hierarchies: Mapping[str, Hierarchy],
    levels: Mapping[str, int] | None = None,
) -> Fraction:
    """Apply Achieving's Definition 5 to every cell of two tables with the same order of rows.

    The level of a cell is the position of its value among the ancestors of the private value. A
    suppressed cell has the full height, and a missing one the level of its attribute in
    `levels`, 0 if not given.
    """
    lost = Fraction(0)
    for name, hierarchy in hierarchies.items():
        values = private[name].to_pylist()
        rule = hierarchy.fit([value for value in values if value is not None])
        for value, shown in zip(values, released[name].to_pylist(), strict=True):
            if rule.height:
                level = (levels or {}).get(name, 0)
                lost += Fraction(_find_level(rule, value, shown, level), rule.height)
    return 1 - lost / (private.num_rows * len(hierarchies))


def _find_level(rule: Hierarchy, value: str | None, shown: str | None, level: int) -> int:
    """Return the level of a released value; for a label at several levels, the attribute's."""
    if shown in (SUPPRESSED, find_top(rule)):
        return rule.height
    if value is None or rule.ancestors(value)[level] == shown:
        return level
    return rule.ancestors(value).index(shown)


def _is_below(lower: Vector, upper: Vector) -> bool:
    return all(low <= high for low, high in zip(lower, upper, strict=True))
