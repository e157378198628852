"""AttributeFacts: the values of one attribute before and after, and the levels of its cells."""

from dataclasses import dataclass

from lookalike.hierarchy.discreet import Discreet


@dataclass(frozen=True)
class ValueRows(Discreet):
    """A value, or an interval of values, and the number of rows that have it.

    Parameters
    ----------
    label
        The value; None is missing.
    rows
        The number of rows.
    of_rows
        The number of rows that the value has in the whole table, if `rows` are some of them.
    """

    label: str | None
    rows: int
    of_rows: int | None = None


@dataclass(frozen=True)
class Distribution(Discreet):
    """How rows are distributed over the values of an attribute. Missing is a value, too.

    Parameters
    ----------
    listed
        The most frequent values; or all values, in their order, if they are few or intervals.
    other_values, other_rows
        The number of values that are not listed, and of the rows that have them.
    """

    listed: tuple[ValueRows, ...]
    other_values: int = 0
    other_rows: int = 0

    @property
    def rows(self) -> int:
        """The number of rows."""
        return sum(one.rows for one in self.listed) + self.other_rows


@dataclass(frozen=True)
class LevelFacts(Discreet):
    """One level of a hierarchy, and the cells of the release that are on it.

    Parameters
    ----------
    level
        The level; 0 is the ground domain.
    values
        The number of values on the level that the private table has.
    example
        What the most frequent private value becomes on this level; None if all are missing.
    cells
        The number of released cells on the level that are not suppressed.
    hidden
        The number of cells that are written as the suppressed value because of this level: a top
        level may have no other label.
    """

    level: int
    values: int
    example: str | None
    cells: int
    hidden: int = 0


@dataclass(frozen=True)
class AttributeFacts(Discreet):
    """What a release does to one attribute of the quasi-identifier.

    Parameters
    ----------
    attribute
        The attribute.
    hierarchy
        The kind of its hierarchy.
    kept
        The share of its detail that is kept: Prec of this attribute alone.
    values_before, values_after
        The number of distinct values in the private table and in the release.
    before, after
        The distribution of the private values and of the released values.
    before_level
        The level of the hierarchy that `before` shows; above 0 if there are many values.
    levels
        The levels of its hierarchy, from the finest that was counted to the top.
    cells_suppressed
        The number of suppressed cells, including those of blank rows.
    suppressed
        The private values of the suppressed rows.
    """

    attribute: str
    hierarchy: str
    kept: float
    values_before: int
    values_after: int
    before: Distribution
    before_level: int
    after: Distribution
    levels: tuple[LevelFacts, ...]
    cells_suppressed: int
    suppressed: Distribution

    @property
    def cells(self) -> int:
        """The number of released cells."""
        return sum(one.cells for one in self.levels) + self.cells_suppressed
