"""MeasuredFigures: the figures of a release that rules ask for."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

IdentifierGroup = Literal["places", "dates", "others"]
"""The identifiers of HIPAA Safe Harbor that have conditions of their own, (B) and (C), and the
others."""
IdentifierState = Literal["shown", "unclear", "removed"]
"""Whether a release shows an identifier, possibly does, or shows too little of it to matter."""


@dataclass(frozen=True)
class SmallestClass:
    """The smallest class over one quasi-identifier.

    Parameters
    ----------
    attributes
        The columns of the quasi-identifier.
    counts
        What k counts.
    size
        The number of rows, or of persons, of the smallest class.
    classes
        The number of classes.
    """

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
    """A sensitive column of a release.

    Parameters
    ----------
    column
        Name of the column.
    alike_rows, alike_classes
        The rows that share one value with their whole class, and the number of such classes; None
        if there were too many to count.
    protected
        Whether a protection of its values was asked for.
    """

    column: str
    alike_rows: int | None
    alike_classes: int | None
    protected: bool


@dataclass(frozen=True)
class MeasuredFigures:
    """The figures of a release that rules ask for; no value of a row.

    Parameters
    ----------
    rows, rows_suppressed
        The number of released and of suppressed rows.
    smallest
        The smallest class over each quasi-identifier.
    smallest_together
        The rows of the smallest class over the columns of all quasi-identifiers together.
    as_is
        The columns that are released as they are.
    unique_as_is, unique_rows
        The rows that are unique over the columns released as they are, and over all columns of the
        release; None if they were not counted.
    pseudonyms
        The columns with keyed pseudonyms.
    sensitive
        The sensitive columns.
    identifiers
        The released columns that were recognized as identifiers of HIPAA Safe Harbor.
    unrecognized
        The released columns whose meaning was not recognized.
    earlier_releases
        How many earlier releases were considered; None if they were not.
    rows_complementary
        The rows that were blanked beside suppressed ones so that they number k; stated apart.
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
