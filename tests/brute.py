"""Plain and slow answers to compare with, straight from the definitions."""

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
    """Return Samarati's function *satisfies*, which tells whether a vector is within MaxSup."""
    return cache(lambda vector: frequency.outliers(vector, k) <= max_suppressed)


def find_k_minimal(frequency: FrequencyList, k: int, max_suppressed: int) -> set[Vector]:
    """Keep the k-minimal vectors of all (Samarati, Definition 4.3)."""
    satisfies = satisfies_within(frequency, k, max_suppressed)
    return find_minimal(filter(satisfies, list_vectors(frequency.heights)))


def show(rule: Hierarchy, value: str | None, level: int) -> str | None:
    """Say what a fitted rule shows of a value: missing and unknown ones reach only the top."""
    if level == rule.height:
        return find_top(rule) if rule.height else value
    if value is None:
        return None
    try:
        return rule.generalize(value, level)
    except UnknownValue:
        return SUPPRESSED


def find_top(rule: Hierarchy) -> str:
    """Return the one value at the top of a rule; one without a list ends in the suppressed one."""
    return rule.ancestors(rule.domain()[0])[-1] if rule.domain() else SUPPRESSED


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
    """Match rows one by one along augmenting paths; count the released rows that are left.

    The first values of a row have rules, the others are unchanged. An attribute is at its
    level or suppressed; None allows any level.
    """
    choices = [
        [n for n, row in enumerate(private) if _may_become(row, shown, rules, levels)]
        for shown in released
    ]
    taken: dict[int, int] = {}

    def find_row(shown: int, tried: set[int]) -> bool:
        for row in choices[shown]:
            if row not in tried:
                tried.add(row)
                if row not in taken or find_row(taken[row], tried):
                    taken[row] = shown
                    return True
        return False

    return sum(not find_row(shown, set()) for shown in range(len(released)))


def _may_become(
    row: Row, shown: Row, rules: Sequence[Hierarchy], levels: Sequence[int | None]
) -> bool:
    """Tell whether every value equals or generalizes that of a private row."""
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

    The level of a cell is where its value stands among the ancestors of the private one. A
    suppressed cell has the full height, and a missing one, which says nothing of its level,
    that of its attribute; `levels` tells those, level 0 if not given.
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
    """Find the level of one released value; of a label at several levels, the attribute's."""
    if shown in (SUPPRESSED, find_top(rule)):
        return rule.height
    if value is None or rule.ancestors(value)[level] == shown:
        return level
    return rule.ancestors(value).index(shown)


def _is_below(lower: Vector, upper: Vector) -> bool:
    return all(low <= high for low, high in zip(lower, upper, strict=True))
