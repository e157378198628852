"""Assess the re-identification risk of one table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table
from lookalike.json_result import JsonResult
from lookalike.kernels.types import Codes, Counts
from lookalike.model.progress import Announce
from lookalike.risk.table import attacker_risk, uniqueness
from lookalike.risk.table import warnings as sentences
from lookalike.risk.table.budget import BitBudget, measure_bits, weigh_columns
from lookalike.risk.table.diversity import Distance, Diversity, diversify
from lookalike.risk.table.sequences import Sequences, count_by_person, list_sequences
from lookalike.tables.count import count
from lookalike.tables.name_options import name_options
from lookalike.tables.read import CLEANING_FIELDS, read_table
from lookalike.tables.source import ReadingOptions
from lookalike.tables.table import Frame, check_columns, column_names

SUBSET_SIZE = 3


@dataclass(frozen=True)
class Population:
    """The population from which the rows of a table come.

    ``rows_beyond``: the rows in classes with more rows than the population has persons; the
    population is then incomplete.
    """

    persons: int
    rows_beyond: int


class ClassesOfSize(TypedDict):
    """How many classes have a size."""

    size: int
    classes: int


@dataclass(frozen=True, eq=False)
class Risk(JsonResult):
    """The re-identification risk of a table.

    Parameters
    ----------
    quasi_identifier
        The attributes that could be linked with other data.
    k
        Classes with fewer rows are small.
    whole
        Unique rows and small classes over the whole quasi-identifier.
    subsets
        The same for every subset of the quasi-identifier up to a size.
    singling_out
        The smallest of these subsets that single out a row.
    classes
        The distinct sequences of the quasi-identifier with their counts.
    prosecutor, journalist, marketer
        The probability that each kind of attacker is right; the journalist needs a population.
    population
        The population, if it was given.
    sensitive
        The distribution of each sensitive attribute over the classes.
    budget
        How many bits the labels of a release can carry at this k, and what the attributes cost.
    person
        The column that identifies persons, if all figures but those of sensitive attributes count
        persons in place of rows (:mod:`lookalike.risk.table.assess`).
    """

    json_names = (
        "k counts=unit **whole subsets singling_out=singling_out.attributes "
        "class_sizes=listed_sizes prosecutor journalist marketer population sensitive budget "
        "warnings"
    )
    json_requested: ClassVar = {"shown": list[dict[str, Any]]}

    quasi_identifier: tuple[str, ...]
    k: int
    whole: uniqueness.Uniqueness
    subsets: tuple[uniqueness.Uniqueness, ...]
    singling_out: tuple[uniqueness.Uniqueness, ...]
    classes: Sequences
    prosecutor: attacker_risk.AttackerRisk
    journalist: attacker_risk.AttackerRisk | None
    marketer: float
    population: Population | None
    sensitive: tuple[Diversity, ...]
    budget: BitBudget
    person: str | None = None

    def __str__(self) -> str:
        over = ", ".join(self.quasi_identifier)
        caption = f"Risk of {self.whole.rows:,} {self.unit} over {over}, k = {self.k:,}:"
        calm = f"every class has at least {self.k:,} {self.unit}."
        return "\n- ".join([caption, *(self.warnings or [calm])])

    def _repr_html_(self) -> str:
        subsets: list[list[HtmlCell]] = [
            [", ".join(one.attributes), one.classes, ShareBar(one.unique_share), one.rows_below_k]
            for one in self.worst_subsets
        ]
        headings = ["known of a person", "classes", "unique", f"{self.unit} in classes below k"]
        caption = f"Risk of {self.whole.rows:,} {self.unit}, k = {self.k:,}"
        drawn = write_html_notes(*self.warnings) + write_html_table(caption, headings, subsets)
        known = {"prosecutor": self.prosecutor, "journalist": self.journalist}
        attackers: list[list[HtmlCell]] = [
            [name, one.highest, one.average] for name, one in known.items() if one is not None
        ]
        attackers.append(["marketer", None, self.marketer])
        headings = ["attacker", "at most", "mean"]
        drawn += write_html_table("Probability of being right", headings, attackers)
        values: list[list[HtmlCell]] = [
            [one.attribute, one.homogeneous_classes, found.distinct_l, found.alpha, found.t]
            for one, found in ((one, one.figures) for one in self.sensitive)
        ]
        headings = ["attribute", "classes with one value", "distinct l", "largest share", "t"]
        return drawn + (write_html_table("Sensitive values", headings, values) if values else "")

    @property
    def unit(self) -> sentences.Unit:
        """What the figures count."""
        return "rows" if self.person is None else "persons"

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about the risks that were found."""
        beyond = 0 if self.population is None else self.population.rows_beyond
        return (
            *sentences.warn_of_rows(self.whole, self.k, self.unit),
            *sentences.warn_of_subsets(self.singling_out, self.whole),
            *(line for one in self.sensitive for line in sentences.warn_of_values(one)),
            *sentences.warn_of_population(beyond),
        )

    @property
    def class_sizes(self) -> tuple[tuple[int, int], ...]:
        """Each class size with the number of classes of that size, ascending."""
        return uniqueness.count_sizes(self.classes.counts)

    @property
    def listed_sizes(self) -> list[ClassesOfSize]:
        """Each class size with the number of classes of that size, ascending."""
        return [{"size": size, "classes": number} for size, number in self.class_sizes]

    @property
    def size_bands(self) -> tuple[uniqueness.SizeBand, ...]:
        """The classes and rows by ranges of class size, small ones first, without empty ranges."""
        return tuple(uniqueness.band_sizes(self.class_sizes, self.whole.rows))

    @property
    def worst_subsets(self) -> tuple[uniqueness.Uniqueness, ...]:
        """The subset of each size with the most unique rows, then the whole quasi-identifier."""
        smaller = [one for one in self.subsets if len(one.attributes) < len(self.whole.attributes)]
        worst = [
            max(some, key=lambda one: (one.unique_rows, one.rows_below_k, one.classes))
            for _, some in groupby(smaller, key=lambda one: len(one.attributes))
        ]
        return (*worst, self.whole)

    def as_json(self, most: int = 0) -> dict[str, Any]:
        """Return what ``risk --json`` prints.

        Parameters
        ----------
        most
            The largest number of classes to list with their values, which are private.
        """
        return super().as_json() | ({"shown": self.show(most)} if most else {})

    def show(self, most: int) -> list[dict[str, Any]]:
        """List classes with their values, the smallest first. The result is private.

        Parameters
        ----------
        most
            The largest number of classes to list.
        """
        chosen = np.argsort(self.classes.counts, kind="stable")[:most].tolist()
        lines = zip(chosen, self.classes.label(chosen), strict=True)
        return [
            {
                "values": dict(zip(self.quasi_identifier, values, strict=True)),
                self.unit: int(self.classes.counts[number]),
                "sensitive": {one.attribute: one.of_class(number) for one in self.sensitive},
            }
            for number, values in lines
        ]


@name_options
def risk(
    table: Any,
    quasi_identifier: Sequence[str],
    *,
    k: int = 5,
    size: int = SUBSET_SIZE,
    sensitive: Sequence[str] = (),
    ordered: Sequence[str] = (),
    population: Any = None,
    person: str | None = None,
    announce: Announce = lambda _: None,
    **source: Unpack[ReadingOptions],
) -> Risk:
    """Assess the re-identification risk of a table.

    The parameters beyond eight are options of the command ``lookalike risk``.

    Parameters
    ----------
    table
        A path, or a frame of pandas, polars, pyarrow or DuckDB.
    quasi_identifier
        The columns that could be linked with other data.
    k
        Classes with fewer rows are small.
    size
        The largest number of attributes of the subsets of the quasi-identifier to assess.
    sensitive
        Sensitive columns.
    ordered
        Sensitive columns of numbers or dates, whose distributions are compared in their order.
    population
        A path or a frame with the same columns and one row per person. It contains the people of
        the table, and possibly others.
    person
        The column that identifies persons, if a person may have several rows. Classes, uniqueness
        and attackers are then counted in persons; sensitive values still in rows.
    announce
        Callback that receives the name of each step.
    **source
        For a path, further fields of :class:`~lookalike.tables.source.Source`; for a frame
        ``missing`` and ``trim``.

    Examples
    --------
    >>> import pyarrow as pa
    >>> people = pa.table({"zip": ["02138", "02138", "02139"], "ill": ["flu", "flu", "gout"]})
    >>> found = risk(people, ["zip"], sensitive=["ill"])
    >>> found.whole.unique_rows, found.prosecutor.highest, found.sensitive[0].distinct.tolist()
    (1, 1.0, [1, 1])
    """
    uniqueness.check_at_least_one(k=k, size=size)
    frame = _check_names(read_table(table, source), quasi_identifier, sensitive, ordered)
    announce("counting")
    sensitive = tuple(dict.fromkeys((*sensitive, *ordered)))
    persons = [] if person is None else [person]
    sequences = list_sequences(count(frame, [*quasi_identifier, *persons, *sensitive]))
    class_of, in_rows = sequences.project(range(len(quasi_identifier)))
    people = classes = in_rows
    if person is not None:
        people, classes = count_by_person(sequences, class_of, classes)
    subsets = uniqueness.expose_subsets(people, quasi_identifier, k, size, announce)
    found, known = _count_population(classes, quasi_identifier, population, source)
    return Risk(
        quasi_identifier=tuple(quasi_identifier),
        k=k,
        whole=uniqueness.expose(quasi_identifier, classes.counts, k),
        subsets=subsets,
        singling_out=uniqueness.find_smallest(subsets),
        classes=classes,
        prosecutor=attacker_risk.prosecutor_risk(classes.counts, k),
        journalist=attacker_risk.journalist_risk(classes.counts, found, k) if known else None,
        marketer=attacker_risk.marketer_risk(classes.counts, found),
        population=known,
        sensitive=tuple(_diversify_each(sequences, class_of, sensitive, ordered)),
        budget=_measure_budget(quasi_identifier, k, in_rows, classes),
        person=person,
    )


def _measure_budget(
    quasi_identifier: Sequence[str], k: int, in_rows: Sequences, classes: Sequences
) -> BitBudget:
    """Measure what the attributes cost; the classes count rows, and what k counts."""
    ground = weigh_columns(
        quasi_identifier,
        [0] * len(quasi_identifier),
        lambda places: measure_bits(in_rows.project(places)[1].counts),
    )
    return BitBudget(k, int(in_rows.counts.sum()), int(classes.counts.sum()), ground)


def _diversify_each(
    sequences: Sequences, class_of: Codes, sensitive: Sequence[str], ordered: Sequence[str]
) -> Iterator[Diversity]:
    """Yield the distribution of each sensitive attribute, the last columns of the sequences."""
    for column, name in enumerate(sensitive, start=len(sequences.values) - len(sensitive)):
        distance: Distance = "ordered" if name in ordered else "equal"
        values, codes = sequences.values[column], sequences.codes[column]
        yield diversify(name, values, class_of, codes, sequences.counts, distance)


def _check_names(
    frame: Frame, quasi_identifier: Sequence[str], sensitive: Sequence[str], ordered: Sequence[str]
) -> Frame:
    """Refuse columns that do not exist, or that are both quasi-identifier and sensitive."""
    for names in (quasi_identifier, sensitive, ordered):
        if isinstance(names, str):
            raise InvalidInput("give the columns as a list of names")
    check_columns(column_names(frame), quasi_identifier)
    for name in (*sensitive, *ordered):
        if name in quasi_identifier:
            raise InvalidInput(
                f"{name!r} is both in the quasi-identifier and sensitive; name it once, because an "
                "attacker who links by it already knows its value"
            )
        check_columns(column_names(frame), [*quasi_identifier, name])
    return frame


def _count_population(
    classes: Sequences, quasi_identifier: Sequence[str], population: Any, source: Mapping[str, Any]
) -> tuple[Counts, Population | None]:
    """Return the number of persons with the values of each class, at least its number of rows.

    Without a population, this is the number of rows. The values of the population are read as
    those of the table are.
    """
    if population is None:
        return classes.counts, None
    read_alike = {name: source[name] for name in CLEANING_FIELDS if name in source}
    frame = read_table(population, read_alike)
    check_columns(column_names(frame), quasi_identifier, "the population")
    people = list_sequences(count(frame, quasi_identifier))
    found = attacker_risk.count_persons(classes, people)
    beyond = int(classes.counts[found < classes.counts].sum())
    known = Population(int(people.counts.sum()), beyond)
    return np.maximum(found, classes.counts), known
