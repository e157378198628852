"""Describe the classes before and after, their risk, and the sensitive values in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal, Protocol

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.model.beside import Persons
from lookalike.model.requirement import QuasiIdentifier
from lookalike.risk.table.as_is import AsIs
from lookalike.risk.table.attacker_risk import AttackerRisk, marketer_risk
from lookalike.risk.table.diversity import DiversityFigures, diversify
from lookalike.risk.table.sequences import Sequences
from lookalike.risk.table.uniqueness import Uniqueness, count_sizes
from lookalike.tables.plan import Plan
from lookalike.tables.table import Table


class ReleasedRows(Protocol):
    """What can be counted in the rows of a release."""

    @property
    def table(self) -> Table:
        """The private table."""

    @property
    def as_is(self) -> tuple[str, ...]:
        """The columns released as they are whose values can be compared."""

    @property
    def singled_out(self) -> AsIs | None:
        """What these columns single out; None if it was not counted."""

    def sequences(self, columns: Sequence[str]) -> Sequences | None:
        """Return the distinct values of some columns; None if they cannot come to memory."""


@dataclass(frozen=True)
class SizeFacts:
    """The classes of a table, and the risk that comes with their sizes.

    ``sizes``: each number of rows of a class, ascending, with the number of classes of that size.
    ``uniqueness``: the rows of classes with one row and with fewer than k, or with so few persons.
    ``risk``: the risk from an attacker who knows that a person is in the table: one in as many as
    the class has rows or persons.
    """

    sizes: tuple[tuple[int, int], ...]
    uniqueness: Uniqueness
    risk: AttackerRisk


@dataclass(frozen=True)
class ClassFacts:
    """The classes over one quasi-identifier, in the private table and in the release.

    The name is empty if there is one quasi-identifier only.
    """

    name: str
    attributes: tuple[str, ...]
    k: int
    counts: Literal["rows", "persons"]
    before: SizeFacts
    after: SizeFacts


@dataclass(frozen=True)
class SensitiveFacts:
    """How a sensitive column is distributed over the classes of the release.

    Missing is one of its different values. Homogeneous classes have one value only. The figures
    are those of the worst class.
    """

    column: str
    quasi_identifier: str
    different: int
    classes: int
    rows: int
    homogeneous_classes: int
    homogeneous_rows: int
    figures: DiversityFigures


def measure_classes(plan: Plan) -> tuple[ClassFacts, ...]:
    """Measure the classes over each quasi-identifier, in the private table and in the release.

    Where k counts persons, so does the risk: a class of five rows of one person has one person.
    Blank rows are a class of the release.
    """
    frequency = plan.frequency
    tuples = plan.recoding.visible(frequency, plan.requirement)
    measured = []
    for one in plan.requirement.protected(frequency.attributes):
        beside = None if one.respondent is None else frequency.find_beside(one.respondent)
        persons = beside if isinstance(beside, Persons) else None  # unless each has one row
        places = [frequency.attributes.index(name) for name in one.attributes]
        ground = frequency.class_of(frequency.vector, places)
        shown, _ = tuples.classes(frequency, one.attributes)
        here = None if persons is None else persons.taken(tuples.sequence)
        measured.append(
            ClassFacts(
                name=one.name,
                attributes=one.attributes,
                k=one.k,
                counts="rows" if persons is None else "persons",
                before=_describe_sizes(one, ground, frequency.counts, persons),
                after=_describe_sizes(one, shown, tuples.counts, here),
            )
        )
    return tuple(measured)


def _describe_sizes(
    one: QuasiIdentifier, class_of: Codes, counts: Counts, persons: Persons | None
) -> SizeFacts:
    """Describe classes by their rows, and by their persons if these are given."""
    classes = int(class_of.max(initial=-1)) + 1
    rows = np.bincount(class_of, counts, classes).astype(np.int64)
    members = rows if persons is None else persons.count(class_of, counts, classes)
    below = int(rows[members < one.k].sum())
    least = int(members.min(initial=int(rows.sum())))
    return SizeFacts(
        sizes=count_sizes(rows),
        uniqueness=Uniqueness(
            attributes=one.attributes,
            rows=int(rows.sum()),
            classes=classes,
            smallest=least,
            unique_rows=int(rows[members == 1].sum()),
            rows_below_k=below,
        ),
        risk=AttackerRisk(1 / least, marketer_risk(rows, members), below),
    )


def measure_sensitive(
    rows: ReleasedRows, classes: Sequence[ClassFacts]
) -> tuple[tuple[SensitiveFacts, ...], tuple[str, ...]]:
    """Measure the sensitive columns over the classes of the release, and name those left out.

    A column is left out if it has too many values to compare.
    """
    columns = [name for name, role in rows.table.roles.items() if role == "sensitive"]
    measured = []
    for column, one in product(columns, classes):
        pairs = rows.sequences((*one.attributes, column)) if column in rows.as_is else None
        if pairs is None:
            continue
        class_of, grouped = pairs.project(range(len(one.attributes)))
        found = diversify(column, pairs.values[-1], class_of, pairs.codes[-1], pairs.counts)
        facts = SensitiveFacts(
            column=column,
            quasi_identifier=one.name,
            different=found.different,
            classes=len(grouped),
            rows=int(grouped.counts.sum()),
            homogeneous_classes=found.homogeneous_classes,
            homogeneous_rows=found.homogeneous_rows,
            figures=found.figures,
        )
        measured.append(facts)
    known = {one.column for one in measured}
    return tuple(measured), tuple(name for name in columns if name not in known)
