"""ClassFacts and SensitiveFacts: classes before and after, and their sensitive values."""

from dataclasses import dataclass
from typing import Literal

from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import DiversityFigures
from lookalike.risk.table.uniqueness import Uniqueness


@dataclass(frozen=True)
class SizeFacts:
    """The classes of a table, and the risk that comes with their sizes.

    Parameters
    ----------
    sizes
        Each number of rows of a class, ascending, with the number of classes of that size.
    uniqueness
        The rows of classes with one row and with fewer than k, or with so few persons.
    risk
        The risk from an attacker who knows that a person is in the table: one in as many as the
        class has rows or persons.
    """

    sizes: tuple[tuple[int, int], ...]
    uniqueness: Uniqueness
    risk: AttackerRisk


@dataclass(frozen=True)
class ClassFacts:
    """The classes over one quasi-identifier, in the private table and in the release.

    Parameters
    ----------
    name
        The name of the quasi-identifier; empty if there is one only.
    attributes
        Its attributes.
    k
        The least size of a class.
    counts
        What k counts.
    before, after
        The classes of the private table and of the release.
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

    Parameters
    ----------
    column
        The column.
    quasi_identifier
        The name of the quasi-identifier; empty if there is one only.
    different
        The number of different values in the release, counting missing as a value.
    classes, rows
        The number of classes and of released rows.
    homogeneous_classes, homogeneous_rows
        The number of classes with one value only, and of their rows.
    figures
        The figures of the worst class.
    """

    column: str
    quasi_identifier: str
    different: int
    classes: int
    rows: int
    homogeneous_classes: int
    homogeneous_rows: int
    figures: DiversityFigures
