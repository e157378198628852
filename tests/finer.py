"""Search for finer k-anonymous tables by brute force, straight from Achieving's Definition 4."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from lookalike.hierarchy import SUPPRESSED, Hierarchy

from .brute import Row, count_unmatched, find_top, list_vectors, show

TOP = "(the top)"


def list_finer(
    private: Sequence[Row], released: Sequence[Row], rules: Sequence[Hierarchy], k: int
) -> Iterator[list[tuple[int, ...] | None]]:
    """Yield the k-anonymous tables strictly between a private table and a release.

    A table is the vector of levels of each private row; None for a row that is left out.
    """
    gone = len(private) - len(released)
    vectors: list[tuple[int, ...] | None] = list(list_vectors([rule.height for rule in rules]))
    choices = [*vectors, None] if gone else vectors
    written = Counter(_plain(row, rules) for row in released)
    for levels in product(choices, repeat=len(private)):
        if levels.count(None) > gone:
            continue
        rows = [
            None if vector is None else _generalize(row, rules, vector)
            for row, vector in zip(private, levels, strict=True)
        ]
        shown = Counter(_plain(row, rules) for row in rows if row is not None)
        alike = Counter(row for row in rows if row is not None)
        if min(alike.values(), default=k) < k or shown == written:
            continue
        if _lies_below(private, levels, released, rules):
            yield list(levels)


def best_precision(
    private: Sequence[Row], rules: Sequence[Hierarchy], k: int, allowed: int
) -> Fraction:
    """Return the greatest Prec of all k-anonymous tables that leave out the rows allowed."""
    vectors: list[tuple[int, ...] | None] = list(list_vectors([rule.height for rule in rules]))
    best = Fraction(-1)
    for levels in product([*vectors, None] if allowed else vectors, repeat=len(private)):
        rows = [
            _generalize(row, rules, vector)
            for row, vector in zip(private, levels, strict=True)
            if vector is not None
        ]
        if levels.count(None) > allowed or min(Counter(rows).values(), default=0) < k:
            continue
        lost = sum(
            (_lost(row, rules, vector) for row, vector in zip(private, levels, strict=True)),
            start=Fraction(0),
        )
        best = max(best, 1 - lost / (len(private) * len(rules)))
    return best


def _lost(row: Row, rules: Sequence[Hierarchy], vector: tuple[int, ...] | None) -> Fraction:
    """Return the loss of the cells of a row; a suppressed cell loses everything."""
    if vector is None:
        return Fraction(sum(rule.height > 0 for rule in rules))
    shown = zip(_generalize(row, rules, vector), rules, vector, strict=True)
    return sum(
        (
            Fraction(1) if text == SUPPRESSED else Fraction(level, rule.height)
            for text, rule, level in shown
            if rule.height
        ),
        start=Fraction(0),
    )


def _generalize(row: Row, rules: Sequence[Hierarchy], vector: Sequence[int]) -> Row:
    return tuple(
        show(rule, value, level) for rule, value, level in zip(rules, row, vector, strict=True)
    )


def _plain(row: Row, rules: Sequence[Hierarchy]) -> Row:
    """Write the suppressed value and the top in the same way, because they are equivalent."""
    return tuple(
        TOP if rule.height and text in (SUPPRESSED, find_top(rule)) else text
        for text, rule in zip(row, rules, strict=True)
    )


def _lies_below(
    private: Sequence[Row],
    levels: Sequence[tuple[int, ...] | None],
    released: Sequence[Row],
    rules: Sequence[Hierarchy],
) -> bool:
    """Return whether each released row generalizes a row of its own in the finer table."""
    choices = [
        [
            place
            for place, (row, vector) in enumerate(zip(private, levels, strict=True))
            if vector is not None and _may_become(row, vector, shown, rules)
        ]
        for shown in released
    ]
    return count_unmatched(choices) == 0


def _may_become(row: Row, vector: Sequence[int], shown: Row, rules: Sequence[Hierarchy]) -> bool:
    """Return whether every value, from its level upwards, can become the released one."""
    return all(
        text == SUPPRESSED
        or any(show(rule, value, higher) == text for higher in range(level, rule.height + 1))
        for rule, value, level, text in zip(rules, row, vector, shown, strict=True)
    )
