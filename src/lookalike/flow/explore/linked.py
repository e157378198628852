"""Explore_records: what it costs that somebody may know 0, 1, 2 … records of a person."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any, Unpack

from lookalike.errors import Infeasible, InvalidInput
from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.release_records import prepare_records
from lookalike.flow.source import describe_table
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_table
from lookalike.json_result import JsonResult
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.progress import Announce
from lookalike.model.requirement import KnownRecords
from lookalike.spec.fields import PersonUnit, name_units
from lookalike.spec.record_fields import find_record_problems
from lookalike.spec.release_options import SpecificationOptions
from lookalike.spec.specification import Specification
from lookalike.tables.name_options import name_options

TRIED_KNOWS: tuple[KnownRecords, ...] = (0, 1, 2)
"""The numbers of known records that are tried, besides those of the specification."""
LINKED_SECONDS = 60
"""How long an exploration of linked tables takes, unless it is asked for another time."""


@dataclass(frozen=True)
class LinkedPoint(JsonResult):
    """What a release keeps if so many records of a person may be known, at one k.

    Parameters
    ----------
    k
        The least number of persons who share what may be known.
    knows
        How many records of a person may be known, by table.
    persons_out, persons_suppressed
        The number of persons who are released, and of those who are left out.
    precision, loss
        Prec and the loss over the cells of all tables.
    precision_by_table
        Prec of each table; None without quasi-identifier.
    levels
        The level of each attribute, by table.
    optimal
        Whether it is proved that no levels are better.
    error
        Why there is no such release; the fields from ``persons_out`` on are then None.
    """

    k: int
    knows: dict[str, KnownRecords]
    persons_out: int | None = None
    persons_suppressed: int | None = None
    precision: float | None = None
    loss: float | None = None
    precision_by_table: dict[str, float | None] | None = None
    levels: dict[str, dict[str, int]] | None = None
    optimal: bool | None = None
    error: str | None = None


@dataclass(frozen=True)
class LinkedExploration(Discreet, JsonResult):
    """What releases of linked tables keep, by how many records of a person may be known.

    Parameters
    ----------
    asked
        How many may be known by the specification, by table.
    points
        The releases that were tried.
    left
        How many others were not reached in time.
    unit
        What a person is called.
    """

    asked: dict[str, KnownRecords]
    points: tuple[LinkedPoint, ...]
    left: int
    unit: PersonUnit = "person"

    @property
    def varied(self) -> list[str]:
        """The tables of which other numbers of known records were tried."""
        return [name for name in self.asked if len({one.knows[name] for one in self.points}) > 1]

    def label(self, point: LinkedPoint) -> str:
        """Write the number of known records of the tables of which others were tried."""
        numbers = {str(point.knows[name]) for name in self.varied}
        return numbers.pop() if len(numbers) == 1 else "as asked"

    def _repr_html_(self) -> str:
        lines: list[list[HtmlCell]] = [
            [one.k, self.label(one), one.persons_suppressed, _draw(one), one.error]
            for one in self.points
        ]
        left_out = f"{name_units(self.unit)} left out"
        headings = ["k", "known records", left_out, "precision", "why not"]
        return write_html_table("What known records cost", headings, lines)


def _draw(point: LinkedPoint) -> HtmlCell:
    """Draw the precision of a point, if it has one."""
    return None if point.precision is None else ShareBar(point.precision)


@name_options
def explore_records(
    table: Any = None,
    spec: Specification | str | PathLike[str] | None = None,
    *,
    source: Mapping[str, Any] | None = None,
    ks: Sequence[int] = (),
    announce: Announce = lambda _: None,
    **changes: Unpack[SpecificationOptions],
) -> LinkedExploration:
    """Explore what it costs that somebody may know 0, 1 or 2 records of a person.

    Parameters
    ----------
    table, spec, source, **changes
        As for :func:`lookalike.release_records`, from files. ``time_limit`` is that of the
        exploration, by default 60 s.
    ks
        The values of k; default: that of the specification.
    announce
        Callback that receives the progress.
    """
    time_limit = changes.pop("time_limit", None)
    specification, _ = describe_table(table, spec, source, changes)
    return explore_linked(specification, ks, time_limit, announce)


def explore_linked(
    specification: Specification,
    ks: Sequence[int] = (),
    time_limit: float | None = None,
    announce: Announce = lambda _: None,
) -> LinkedExploration:
    """Make a release for every k and number of known records, and write none."""
    deadline = deadline_after(LINKED_SECONDS if time_limit is None else time_limit)
    asked: dict[str, KnownRecords] = {n: one.knows for n, one in specification.records.items()}
    if not asked:
        raise InvalidInput("the specification describes no tables with records: [records.NAME]")
    grid = [
        (k, known)
        for k in ks or (specification.requirement(0).k,)
        for known in _list_knows(specification, asked)
    ]
    points = list[LinkedPoint]()
    for number, (k, known) in enumerate(grid, 1):
        if points and is_over(deadline):
            break
        announce(f"point {number:,} of {len(grid):,}")
        own = _ask(specification, k, known, deadline)
        try:
            points.append(_measure(prepare_records(own), known))
        except Infeasible as problem:
            points.append(LinkedPoint(k, known, error=str(problem)))
        except InvalidInput as problem:  # of readable tables: too many combinations for the memory
            if not any(one.error is None for one in points):
                raise
            points.append(LinkedPoint(k, known, error=str(problem)))
    unit = specification.release.unit
    return LinkedExploration(asked, tuple(points), len(grid) - len(points), unit)


def _list_knows(
    specification: Specification, asked: dict[str, KnownRecords]
) -> list[dict[str, KnownRecords]]:
    """List what to try: the same number for each table of which something may be known.

    What a release would refuse is not tried, such as two known records of a table that refers.
    """
    varied = [
        name for name, one in specification.records.items() if one.knows != 0 and one.hierarchies()
    ]
    tried = [{**asked, **dict.fromkeys(varied, number)} for number in TRIED_KNOWS]
    taken = [one for one in tried if not any(find_record_problems(_let_know(specification, one)))]
    return [one for n, one in enumerate([*taken, asked]) if one not in [*taken, asked][:n]]


def _let_know(specification: Specification, known: dict[str, KnownRecords]) -> Specification:
    """Return the specification with other numbers of known records."""
    records = {name: replace(one, knows=known[name]) for name, one in specification.records.items()}
    return specification.model_copy(update={"records": records})


def _ask(
    specification: Specification, k: int, known: dict[str, KnownRecords], deadline: float
) -> Specification:
    """Return the specification with another k and other numbers of known records."""
    left = None if deadline == math.inf else max(deadline - time.monotonic(), 0.0)
    release = {"k": k, "highest_risk": None, "preset": None, "time_limit": left}
    own = specification.release.model_copy(update=release)
    return _let_know(specification, known).model_copy(update={"release": own})


def _measure(made: LinkedRelease, known: dict[str, KnownRecords]) -> LinkedPoint:
    """Return what a release keeps."""
    return LinkedPoint(
        k=made.requirement.k,
        knows=known,
        persons_out=made.persons_out,
        persons_suppressed=made.persons_suppressed,
        precision=made.overall_precision,
        loss=made.loss,
        precision_by_table=made.precision_by_table,
        levels=made.levels,
        optimal=made.optimal,
    )
