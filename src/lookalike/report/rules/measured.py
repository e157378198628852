"""MeasuredFigures: the figures of a release that rules ask for, and words for them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

IdentifierGroup = Literal["places", "dates", "others"]
"""The identifiers of HIPAA Safe Harbor that have conditions of their own, (B) and (C), and the
others."""
IdentifierState = Literal["shown", "unclear", "removed"]
"""Whether a release shows an identifier, possibly does, or shows too little of it to matter."""
MOST_COLUMNS_NAMED = 4
ONE_ROW = " Rows are counted, on the assumption that every person has one row."


@dataclass(frozen=True)
class SmallestClass:
    """The size of the smallest class over one quasi-identifier, and the number of classes."""

    attributes: tuple[str, ...]
    counts: Literal["rows", "persons"]
    size: int
    classes: int


@dataclass(frozen=True)
class RecognizedIdentifier:
    """A released column that was recognized as an identifier of HIPAA Safe Harbor."""

    column: str
    group: IdentifierGroup
    identifier: str
    state: IdentifierState
    shows: str


@dataclass(frozen=True)
class SensitiveColumn:
    """A sensitive column of a release, and whether a protection of its values was asked for.

    ``alike_rows`` share one value with their whole class, of which there are ``alike_classes``;
    None if there were too many to count.
    """

    column: str
    alike_rows: int | None
    alike_classes: int | None
    protected: bool


@dataclass(frozen=True)
class MeasuredFigures:
    """The figures of a release that rules ask for; no value of a row.

    ``smallest_together`` are the rows of the smallest class over the columns of all
    quasi-identifiers together. ``unique_as_is`` and ``unique_rows`` are unique over the columns
    released as they are, and over all columns; None if they were not counted. ``identifiers`` are
    those of HIPAA Safe Harbor. ``earlier_releases`` is None if they were not considered.
    ``rows_complementary`` were blanked beside suppressed ones so that they number k; stated apart.
    """

    rows: int
    rows_suppressed: int
    smallest: tuple[SmallestClass, ...]
    smallest_together: int
    as_is: tuple[str, ...] = ()
    unique_as_is: int | None = 0
    unique_rows: int | None = 0
    pseudonyms: tuple[str, ...] = ()
    sensitive: tuple[SensitiveColumn, ...] = ()
    identifiers: tuple[RecognizedIdentifier, ...] = ()
    unrecognized: tuple[str, ...] = ()
    earlier_releases: int | None = None
    rows_complementary: int = 0

    @property
    def least(self) -> SmallestClass:
        """The smallest class of all quasi-identifiers."""
        return min(self.smallest, key=lambda one: one.size)

    @property
    def highest_risk(self) -> Fraction:
        """The highest probability to re-identify somebody who is known to be in the release."""
        return Fraction(1, self.least.size)

    @property
    def average_risk(self) -> Fraction | None:
        """The same on average over the rows; None where k counts persons."""
        counted = [one for one in self.smallest if one.counts == "rows"]
        if len(counted) < len(self.smallest):
            return None
        return max(Fraction(one.classes, self.rows) for one in counted)


def write_smallest(measured: MeasuredFigures) -> str:
    """Write the size of the smallest class, over which columns if there are several combinations.

    Examples
    --------
    >>> one = SmallestClass(("zip",), "persons", 11, 3)
    >>> other = SmallestClass(("sex",), "rows", 20, 2)
    >>> write_smallest(MeasuredFigures(100, 0, (one,), 11))
    'smallest class of 11 persons'
    >>> write_smallest(MeasuredFigures(100, 0, (one, other), 11))
    'smallest class of 11 persons over zip'
    """
    least = measured.least
    over = f" over {name_columns(least.attributes)}" if len(measured.smallest) > 1 else ""
    return f"smallest class of {_write_size(least)}{over}"


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
