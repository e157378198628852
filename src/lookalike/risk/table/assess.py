"""Assess: the risk of one table, from its rows to what it means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Counts
from lookalike.model.progress import Announce
from lookalike.risk.table.diversity import Diversity, diversify
from lookalike.risk.table.odds import (
    Odds,
    count_persons,
    journalist_risk,
    marketer_risk,
    prosecutor_risk,
)
from lookalike.risk.table.sequences import Sequences, list_sequences
from lookalike.risk.table.uniqueness import (
    Exposure,
    count_sizes,
    expose,
    expose_subsets,
    find_smallest,
)
from lookalike.risk.table.words import (
    warn_of_population,
    warn_of_rows,
    warn_of_subsets,
    warn_of_values,
)
from lookalike.tables.count import count
from lookalike.tables.read import read_table
from lookalike.tables.table import Frame, check_columns, column_names

SUBSET_SIZE = 3
BAND_STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""The smallest class size of each range in which classes are counted together."""


@dataclass(frozen=True)
class Population:
    """The persons whom the rows of a table may tell of.

    Parameters
    ----------
    persons
        Their number.
    rows_beyond
        The rows of classes that are larger than the population has persons for: it does not
        hold everybody.
    """

    persons: int
    rows_beyond: int


@dataclass(frozen=True)
class SizeBand:
    """The classes of a range of sizes.

    Parameters
    ----------
    low, high
        The smallest and the largest size; without `high` there is no largest.
    class_sizes
        Each size that occurs, with its number of classes.
    total
        The rows of the table.
    """

    low: int
    high: int | None
    class_sizes: Sequence[tuple[int, int]]
    total: int

    @property
    def classes(self) -> int:
        """The number of classes."""
        return sum(number for _, number in self.class_sizes)

    @property
    def rows(self) -> int:
        """The number of rows in these classes."""
        return sum(size * number for size, number in self.class_sizes)

    @property
    def share(self) -> float:
        """The share of these rows in the table."""
        return self.rows / self.total


@dataclass(frozen=True, eq=False)
class Risk:
    """What the values of a table tell of its people.

    Parameters
    ----------
    quasi_identifier
        The attributes that could be linked.
    k
        A class with fewer rows counts as small.
    whole
        How exposed rows are over the whole quasi-identifier.
    subsets
        How exposed they are over every subset up to a size.
    singling_out
        The smallest of these subsets that single out a row.
    classes
        The distinct sequences of the quasi-identifier with their rows.
    prosecutor, journalist, marketer
        How likely three kinds of attackers are right; the journalist needs a population.
    population
        What is known of the population, if it was given.
    sensitive
        How each sensitive attribute is distributed over the classes.
    """

    quasi_identifier: tuple[str, ...]
    k: int
    whole: Exposure
    subsets: tuple[Exposure, ...]
    singling_out: tuple[Exposure, ...]
    classes: Sequences
    prosecutor: Odds
    journalist: Odds | None
    marketer: float
    population: Population | None
    sensitive: tuple[Diversity, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know, in words."""
        return (
            *warn_of_rows(self.whole, self.k),
            *warn_of_subsets(self.singling_out, self.whole),
            *(line for one in self.sensitive for line in warn_of_values(one)),
            *([] if self.population is None else warn_of_population(self.population.rows_beyond)),
        )

    @property
    def class_sizes(self) -> tuple[tuple[int, int], ...]:
        """Each size of a class with the number of classes of that size, small ones first."""
        return count_sizes(self.classes.counts)

    @property
    def size_bands(self) -> tuple[SizeBand, ...]:
        """The classes and rows by ranges of class size, small ones first, without empty ranges."""
        bands = zip(BAND_STARTS, (*(start - 1 for start in BAND_STARTS[1:]), None), strict=True)
        counted = [
            SizeBand(
                low=low,
                high=high,
                class_sizes=[(s, n) for s, n in self.class_sizes if low <= s <= (high or s)],
                total=self.whole.rows,
            )
            for low, high in bands
        ]
        return tuple(band for band in counted if band.classes)

    @property
    def worst_subsets(self) -> tuple[Exposure, ...]:
        """The subset of each size with the most unique rows, then the whole quasi-identifier."""
        by_size: dict[int, list[Exposure]] = {}
        for one in self.subsets:
            by_size.setdefault(len(one.attributes), []).append(one)
        by_size.pop(len(self.whole.attributes), None)
        worst = [
            max(some, key=lambda one: (one.unique_rows, one.rows_below_k, one.classes))
            for _, some in sorted(by_size.items())
        ]
        return (*worst, self.whole)

    def show(self, most: int) -> list[dict[str, Any]]:
        """List classes with their values, the smallest first: these are private rows.

        Parameters
        ----------
        most
            How many.
        """
        chosen = np.argsort(self.classes.counts, kind="stable")[:most].tolist()
        lines = zip(chosen, self.classes.label(chosen), strict=True)
        return [
            {
                "values": dict(zip(self.quasi_identifier, values, strict=True)),
                "rows": int(self.classes.counts[number]),
                "sensitive": {one.attribute: one.of_class(number) for one in self.sensitive},
            }
            for number, values in lines
        ]


def risk(
    table: Any,
    quasi_identifier: Sequence[str],
    *,
    k: int = 5,
    size: int = SUBSET_SIZE,
    sensitive: Sequence[str] = (),
    ordered: Sequence[str] = (),
    population: Any = None,
    announce: Announce = lambda _: None,
    **source: Any,
) -> Risk:
    """Tell who could be found in a table, and what its classes tell of their people.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    quasi_identifier
        The columns that could be linked with other data.
    k
        A class with fewer rows counts as small.
    size
        Every subset of the quasi-identifier with at most so many attributes is counted, too.
    sensitive
        Columns whose values must not be learned.
    ordered
        Sensitive columns of numbers or days, whose distributions are compared along a line.
    population
        A path or a frame with the same columns, one row for each person of whom the table may
        tell; it may hold others.
    announce
        Told which step is running.
    **source
        For a path, further fields of :class:`~lookalike.tables.read.Source`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02138", "02139"], "ill": ["flu", "flu", "gout"]})
    >>> found = risk(people, ["zip"], sensitive=["ill"])
    >>> found.whole.unique_rows, found.prosecutor.highest, found.sensitive[0].distinct.tolist()
    (1, 1.0, [1, 1])
    """
    watched = tuple(dict.fromkeys((*sensitive, *ordered)))
    _check_numbers(k, size)
    frame = read_table(table, source)
    _check_names(frame, quasi_identifier, sensitive, ordered)
    announce("counting")
    sequences = list_sequences(count(frame, [*quasi_identifier, *watched]))
    linkable = range(len(quasi_identifier))
    class_of, classes = sequences.project(linkable)
    size = min(size, len(linkable))
    subsets = expose_subsets(classes, quasi_identifier, k, size, announce)
    persons, known = _count_population(classes, quasi_identifier, population)
    return Risk(
        quasi_identifier=tuple(quasi_identifier),
        k=k,
        whole=expose(quasi_identifier, classes.counts, k),
        subsets=subsets,
        singling_out=find_smallest(subsets),
        classes=classes,
        prosecutor=prosecutor_risk(classes.counts, k),
        journalist=journalist_risk(classes.counts, persons, k) if known else None,
        marketer=marketer_risk(classes.counts, persons),
        population=known,
        sensitive=tuple(
            diversify(
                name,
                sequences.values[column],
                class_of,
                sequences.codes[column],
                sequences.counts,
                "ordered" if name in ordered else "equal",
            )
            for column, name in enumerate(watched, start=len(linkable))
        ),
    )


def _check_numbers(k: int, size: int) -> None:
    """Refuse a k or a size of subsets that means nothing."""
    for name, number in (("k", k), ("size", size)):
        if number < 1:
            raise InvalidInput(f"{name} must be at least 1, not {number}")


def _check_names(
    frame: Frame, quasi_identifier: Sequence[str], sensitive: Sequence[str], ordered: Sequence[str]
) -> None:
    """Refuse columns that are not there, or linkable and sensitive at once."""
    for names in (quasi_identifier, sensitive, ordered):
        if isinstance(names, str):
            raise InvalidInput("give the columns as a list of their names")
    check_columns(column_names(frame), quasi_identifier)
    for name in (*sensitive, *ordered):
        if name in quasi_identifier:
            raise InvalidInput(
                f"{name!r} is in the quasi-identifier and sensitive; its value is known to whoever "
                "links by it, so name it once"
            )
        check_columns(column_names(frame), [*quasi_identifier, name])


def _count_population(
    classes: Sequences, quasi_identifier: Sequence[str], population: Any
) -> tuple[Counts, Population | None]:
    """Return how many persons may be meant by each class, at least as many as it has rows.

    Without a population they are the people of the table.
    """
    if population is None:
        return classes.counts, None
    frame = read_table(population, {})
    check_columns(column_names(frame), quasi_identifier, "the population")
    people = list_sequences(count(frame, quasi_identifier))
    found = count_persons(classes, people)
    beyond = int(classes.counts[found < classes.counts].sum())
    known = Population(int(people.counts.sum()), beyond)
    return np.maximum(found, classes.counts), known
