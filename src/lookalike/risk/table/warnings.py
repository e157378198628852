"""Words: what the risk of a table means, for somebody who must decide about it."""

from collections.abc import Iterator, Sequence

from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.uniqueness import Exposure


def warn_of_rows(whole: Exposure, k: int) -> Iterator[str]:
    """Say how many rows stand out over the whole quasi-identifier."""
    over = ", ".join(whole.attributes)
    if whole.unique_rows:
        yield (
            f"{_share(whole.unique_rows, whole.rows)} unique over {over}: whoever knows these "
            "values of a person finds their row."
        )
    few = whole.rows_below_k - (whole.unique_rows if k > 1 else 0)
    if few:
        sizes, others = ("2", "1 other") if k == 3 else (f"2 to {k - 1:,}", f"{k - 2:,} others")
        yield (
            f"{_share(few, whole.rows)} in classes of {sizes} rows: such a person can be told "
            f"from all but at most {others}."
        )


def warn_of_subsets(singling_out: Sequence[Exposure], whole: Exposure) -> Iterator[str]:
    """Say which few attributes are enough to find somebody."""
    smaller = [one for one in singling_out if len(one.attributes) < len(whole.attributes)]
    if not smaller:
        return
    first = max(smaller, key=lambda one: (-len(one.attributes), one.unique_rows))
    alone = "alone is" if len(first.attributes) == 1 else "together are"
    others = len(smaller) - 1
    more = f", and so are {others:,} other smallest subsets" if others > 1 else ""
    more = ", and so is 1 other smallest subset" if others == 1 else more
    found = "somebody" if first.unique_rows == 1 else f"{first.unique_rows:,} people"
    yield (
        f"{', '.join(first.attributes)} {alone} enough to single out {found}{more}: to leave "
        "out other attributes does not hide them."
    )


def warn_of_values(diversity: Diversity) -> Iterator[str]:
    """Say how many classes give a sensitive value away."""
    homogeneous = diversity.homogeneous & (diversity.sizes > 1)
    classes, rows = int(homogeneous.sum()), int(diversity.sizes[homogeneous].sum())
    if rows:
        yield (
            f"{diversity.attribute}: {classes:,} {'classes' if classes > 1 else 'class'} of "
            f"several rows ({rows:,} of {int(diversity.sizes.sum()):,} rows) "
            f"{'have' if classes > 1 else 'has'} one value only: whoever knows that a person is in "
            "such a class knows the value, without finding the row."
        )


def warn_of_population(rows_beyond: int) -> Iterator[str]:
    """Say that a population does not hold everybody."""
    if rows_beyond:
        yield (
            f"{rows_beyond:,} rows are in classes for which the population has fewer persons than "
            "the table has rows: it does not hold everybody, or writes values differently. Such "
            "classes are counted with as many persons as rows."
        )


def _share(rows: int, total: int) -> str:
    """Say how many rows are something.

    Examples
    --------
    >>> _share(1, 8)
    '1 of 8 rows (12.5 %) is'
    """
    return f"{rows:,} of {total:,} rows ({100 * rows / total:.1f} %) {'is' if rows == 1 else 'are'}"
