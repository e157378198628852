"""Describe a release of linked tables: each table, the records of persons, and the risk."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from lookalike.describe.attributes import (
    AttributeFacts,
    Distribution,
    compare_attributes,
    distribute,
)
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.linked_records import sort_records
from lookalike.kernels.types import Flags
from lookalike.model.lattice import Vector
from lookalike.model.linked import LinkedTables
from lookalike.risk.table.records import LARGEST_SIZE, PersonRecords, judge_known
from lookalike.spec.fields import PersonUnit, name_whose
from lookalike.spec.record_fields import PERSONS, describe_knows
from lookalike.spec.specification import Specification
from lookalike.tables.count import fetch
from lookalike.tables.labels import encode_column
from lookalike.tables.plan import Plan

_MOST_REPORTED = 3_000_000
"""More combinations of records are not counted for a report: so many take seconds and 200 MB."""
Few = tuple[int, int]
"""The persons whom nobody else, and the persons whom fewer than k persons, are like."""


@dataclass(frozen=True)
class KnownRisk:
    """The persons whom something known singles out, in the private tables and in the release.

    ``known``: what is known of a person, in words. ``before``, ``after``: None if that was not
    counted, because there are too many combinations.
    """

    known: str
    before: Few | None
    after: Few | None


@dataclass(frozen=True)
class AsIsFacts(Discreet):
    """A column that is released as it is.

    ``after``: the released rows by value, with the private rows of each value.
    ``lost``: the number of private values that no released row has.
    """

    name: str
    after: Distribution
    lost: int


@dataclass(frozen=True)
class LinkedTableFacts(Discreet):
    """One of several tables, and what a release does to it.

    ``records``: the released persons by the number of their rows, with all persons of each number;
    None for the person table. ``risk``: whom 0, 1, 2, 3 and all rows of a person single out; empty
    if nothing of a row can be known, or if the release does not show whose it is.
    """

    name: str
    attributes: tuple[AttributeFacts, ...]
    columns: tuple[AsIsFacts, ...]
    records: Distribution | None
    risk: tuple[KnownRisk, ...]

    @property
    def is_risk_cut(self) -> bool:
        """Whether some numbers of known rows were not counted."""
        return 0 < len(self.risk) < LARGEST_SIZE + 2


@dataclass(frozen=True)
class LinkedDescription(Discreet):
    """What a release does to linked tables, and what risk remains; for its holder.

    ``promised``: whom that singles out which others may know by the specification.
    ``fewest_before``: the number of persons who share the rarest of it in the private tables.
    """

    tables: tuple[LinkedTableFacts, ...]
    promised: KnownRisk
    fewest_before: int


@dataclass(frozen=True)
class LinkedSides(Discreet):
    """What is compared: the private tables, and what is shown of them at a vector.

    ``shown``: the tables without the records that are left out of those of released persons.
    ``released``: the persons who are released.
    """

    private: LinkedTables
    shown: LinkedTables
    vector: Vector
    released: Flags

    @property
    def sides(self) -> tuple[tuple[LinkedTables, Vector, Flags], ...]:
        """The tables, their levels and the persons before and after."""
        every, ground = np.ones_like(self.released), (0,) * len(self.vector)
        return (self.private, ground, every), (self.shown, self.vector, self.released)


def describe_linked(
    compared: LinkedSides,
    plans: Mapping[str, tuple[Specification, Plan, Flags]],
    k: int,
    unit: PersonUnit = "person",
) -> LinkedDescription:
    """Describe a release that was decided on.

    ``plans``: by name, the tables that there are; the flags mark the rows that are released.
    ``unit``: what a person is called.
    """
    before, after = (one.count_alike(vector, kept) for one, vector, kept in compared.sides)
    places = {one.name or PERSONS: place for place, one in enumerate(compared.private.tables)}
    return LinkedDescription(
        tables=tuple(
            LinkedTableFacts(
                name=name,
                attributes=_compare_attributes(asked, plan),
                columns=tuple(_compare_columns(plan, rows)),
                records=_distribute_sizes(compared, places[name]) if name != PERSONS else None,
                risk=tuple(compare_risk(compared, places[name], k, unit)),
            )
            for name, (asked, plan, rows) in plans.items()
        ),
        promised=KnownRisk(
            known=describe_promise(compared.private, unit),
            before=(int((before == 1).sum()), int((before < k).sum())),
            after=(int((after == 1).sum()), int((after[compared.released] < k).sum())),
        ),
        fewest_before=int(before.min(initial=compared.private.rows)),
    )


def describe_promise(linked: LinkedTables, unit: PersonUnit) -> str:
    """Describe in words what others may know of a person by the specification."""
    together, apart = [", ".join(linked.persons.attributes)], list[str]()
    for one in linked.records:
        if one.knows:
            shown = apart if linked.apart and not one.within else together
            shown.append(f"{describe_knows(one.knows)} of {name_whose(unit)} {one.name}")
    return ", or ".join(filter(None, [" and ".join(filter(None, together)), *apart]))


def _compare_attributes(specification: Specification, plan: Plan) -> tuple[AttributeFacts, ...]:
    """Compare the attributes of a table that has some, and rows."""
    has_values = plan.frequency.hierarchies and plan.frequency.rows
    return compare_attributes(specification, plan) if has_values else ()


def compare_risk(
    compared: LinkedSides, place: int, k: int, unit: PersonUnit = "person"
) -> Iterator[KnownRisk]:
    """Compare whom 0, 1, 2, 3 and all rows of a person single out, before and after.

    ``place``: the place of the table of the rows.
    """
    linked = compared.private
    table = linked.tables[place]
    if not table.name or not table.attributes or (linked.apart and not table.within):
        return
    before, after = (
        judge_known(_list_people(place, *side), k, _MOST_REPORTED) for side in compared.sides
    )
    own = ", ".join(linked.persons.attributes)
    for pair in (*zip_longest(before[:-1], after[:-1]), (before[-1], after[-1])):
        records = next(one.records for one in pair if one is not None)
        rows = f"{records} of {name_whose(unit)} {table.name}" if records else ""
        few = ((one.unique_persons, one.persons_below_k) if one else None for one in pair)
        yield KnownRisk(" and ".join(filter(None, [own, rows])) or "nothing", *few)


def _list_people(place: int, linked: LinkedTables, vector: Vector, among: Flags) -> PersonRecords:
    """List what some persons and their rows of a table show at a vector."""
    table, levels = linked.tables[place], linked.divide(vector)
    codes = table.number_rows(levels[place])
    starts = np.concatenate([[0], np.cumsum(table.sizes[among])]).astype(np.int64)
    codes = codes[np.repeat(among, table.sizes)]
    _, rows = sort_records(starts, codes, len(codes) + 1)
    return PersonRecords(linked.persons.number_rows(levels[0])[among], starts, rows)


def _compare_columns(plan: Plan, kept: Flags) -> Iterator[AsIsFacts]:
    """Compare the values of the columns that are released as they are."""
    for name in plan.table.unchanged:
        if name in plan.table.incomparable:
            continue
        [rows] = fetch(plan.table.frame, [name])
        labels, codes = encode_column(name, rows.column(name))
        before, after = (
            np.bincount(some, minlength=len(labels)).astype(np.int64)
            for some in (codes, codes[kept])
        )
        lost = int(((before > 0) & (after == 0)).sum())
        yield AsIsFacts(name, distribute(labels, after, before), lost)


def _distribute_sizes(compared: LinkedSides, place: int) -> Distribution:
    """Distribute persons by the number of their rows."""
    sizes, shown = (one.tables[place].sizes for one, *_ in compared.sides)
    most = int(sizes.max(initial=0)) + 1
    before, after = (
        np.bincount(some, minlength=most).astype(np.int64)
        for some in (sizes, shown[compared.released])
    )
    return distribute([f"{number}" for number in range(most)], after, before)
