"""Write sentences about the risks that were found in a table, for the person who must decide."""

from collections.abc import Iterator, Sequence
from typing import Literal

from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.uniqueness import Uniqueness

Unit = Literal["rows", "persons"]
"""What is counted in a class."""


def warn_of_rows(whole: Uniqueness, k: int, unit: Unit = "rows") -> Iterator[str]:
    """Report unique rows or persons, and small classes, over the whole quasi-identifier."""
    over = ", ".join(whole.attributes)
    if whole.unique_rows:
        yield (
            f"{_share(whole.unique_rows, whole.rows, unit)} unique over {over}: anyone who knows "
            f"these values of a person finds their {'row' if unit == 'rows' else 'rows'}."
        )
    few = whole.rows_below_k - (whole.unique_rows if k > 1 else 0)
    if few:
        sizes, others = ("2", "1 other") if k == 3 else (f"2 to {k - 1:,}", f"{k - 2:,} others")
        yield (
            f"{_share(few, whole.rows, unit)} in classes of {sizes} {unit}: each of these people "
            f"is indistinguishable from at most {others}."
        )


def warn_of_subsets(singling_out: Sequence[Uniqueness], whole: Uniqueness) -> Iterator[str]:
    """Report the smallest set of attributes that singles out a person."""
    smaller = [one for one in singling_out if len(one.attributes) < len(whole.attributes)]
    if not smaller:
        return
    first = max(smaller, key=lambda one: (-len(one.attributes), one.unique_rows))
    alone = "alone singles out" if len(first.attributes) == 1 else "together single out"
    found = "1 person" if first.unique_rows == 1 else f"{first.unique_rows:,} people"
    others = len(smaller) - 1
    more = f"; so do {others:,} other minimal subsets" if others > 1 else ""
    more = "; so does 1 other minimal subset" if others == 1 else more
    yield (
        f"{', '.join(first.attributes)} {alone} {found}{more}. Leaving out other attributes does "
        "not protect them."
    )


def warn_of_values(diversity: Diversity) -> Iterator[str]:
    """Report the classes that disclose a sensitive value."""
    homogeneous = diversity.homogeneous & (diversity.sizes > 1)
    classes, rows = int(homogeneous.sum()), int(diversity.sizes[homogeneous].sum())
    if rows:
        yield (
            f"{diversity.attribute}: {classes:,} {'classes' if classes > 1 else 'class'} of "
            f"several rows ({rows:,} of {int(diversity.sizes.sum()):,} rows) "
            f"{'have' if classes > 1 else 'has'} only one value: anyone who knows that a person is "
            "in such a class learns the value without finding the row."
        )


def warn_of_population(rows_beyond: int) -> Iterator[str]:
    """Report that a population is incomplete."""
    if rows_beyond:
        yield (
            f"{rows_beyond:,} rows are in classes with more rows than the population has persons: "
            "the population is incomplete, or writes values differently. Each of these classes is "
            "counted with as many persons as rows."
        )


def _share(number: int, total: int, unit: Unit) -> str:
    """Write a number of rows or persons and their share.

    Examples
    --------
    >>> _share(1, 8, "rows")
    '1 of 8 rows (12.5 %) is'
    """
    verb = "is" if number == 1 else "are"
    return f"{number:,} of {total:,} {unit} ({100 * number / total:.1f} %) {verb}"
