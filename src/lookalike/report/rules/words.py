"""Words for the figures of a release, as the rules use them."""

from collections.abc import Sequence

from lookalike.report.rules.measured import MeasuredFigures, SmallestClass

MOST_COLUMNS_NAMED = 4
ONE_ROW = " Rows are counted, on the assumption that every person has one row."


def write_smallest(one: SmallestClass) -> str:
    """Write the size of a smallest class.

    Examples
    --------
    >>> write_smallest(SmallestClass(("zip",), "persons", 11, 3))
    'smallest class of 11 persons over zip'
    """
    return f"smallest class of {_write_size(one)} over {name_columns(one.attributes)}"


def write_risk(measured: MeasuredFigures) -> str:
    """Write the highest and, where rows are counted, the average risk.

    Examples
    --------
    >>> write_risk(MeasuredFigures(100, 0, (SmallestClass(("zip",), "rows", 11, 5),), 11))
    'highest risk 0.0909 (1 of 11 rows), average 0.0500'
    """
    least, average = measured.least, measured.average_risk
    risk = float(measured.highest_risk)
    highest = f"highest risk {risk:.4f} (1 of {_write_size(least)})"
    return highest if average is None else f"{highest}, average {float(average):.4f}"


def _write_size(one: SmallestClass) -> str:
    """Write the size of a class with its unit."""
    return f"{one.size:,} {one.counts[:-1] if one.size == 1 else one.counts}"


def assume_one_row(measured: MeasuredFigures) -> str:
    """Return the sentence that states the assumption, if some class was counted in rows."""
    return ONE_ROW if any(one.counts == "rows" for one in measured.smallest) else ""


def name_columns(columns: Sequence[str]) -> str:
    """Name some columns, at most four of them.

    Examples
    --------
    >>> name_columns(["zip", "sex"]), name_columns(list("abcdef"))
    ('zip, sex', 'a, b, c, d and 2 more')
    """
    more = len(columns) - MOST_COLUMNS_NAMED
    listed = ", ".join(columns[:MOST_COLUMNS_NAMED])
    return f"{listed} and {more:,} more" if more > 0 else listed


def write_count(number: int, noun: str) -> str:
    """Write a number with its noun.

    Examples
    --------
    >>> write_count(1, "column"), write_count(1200, "row"), write_count(0, "class")
    ('1 column', '1,200 rows', 'no classes')
    """
    plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}" if number else f"no {plural}"
