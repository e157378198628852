"""Count_linked: linked tables in the order of their persons, counted, and their sets divided."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Vector
from lookalike.model.linked import CodedTable, LinkedTables
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import KnownRecords, Requirement
from lookalike.spec.record_fields import (
    PERSONS,
    list_distinct,
    list_sets,
    specify_set,
    without_sets,
)
from lookalike.spec.specification import Specification
from lookalike.tables.count import count, fetch
from lookalike.tables.counted import Counted
from lookalike.tables.labels import divide_column, divide_set, encode_column, spell
from lookalike.tables.plan import Plan
from lookalike.tables.table import OWN_PREFIX, Table

COUNTING_SHARE = 2
"""One of so many parts of the memory is for the combinations of one vector."""
LINK = f"{OWN_PREFIX}link"
"""The column that numbers the rows of a person table in which each row is a person."""


@dataclass(frozen=True, eq=False)
class Reference(Discreet):
    """A column by which a record is referred to, or refers to another.

    ``column``: its name. ``table``: the table whose records are referred to.
    ``numbers``: for each row, the number of that record; -1 if it refers to none.
    ``texts``: how the private table writes each of these numbers.
    """

    column: str
    table: str
    numbers: Counts
    texts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class LinkedSource(Discreet):
    """One of the linked tables, read into memory and counted.

    Parameters
    ----------
    name
        Its name; :data:`PERSONS` for the person table.
    specification
        What is said of this table alone.
    table
        Its rows and the roles of its columns; records are in the order of their persons.
    person_of
        The number of the person of each row.
    counted
        The values of its quasi-identifier, row by row.
    linked
        The same as the search has it.
    at_most
        How many records of a person were kept at most.
    rows_in
        The number of rows before that.
    link
        The column that names the person of each row.
    separator
        The text between the items of a set, if the rows are those of a column of the person table.
    references
        The columns that link records with each other.
    """

    name: str
    specification: Specification
    table: Table
    person_of: Counts
    counted: Counted
    linked: CodedTable
    at_most: int | None
    rows_in: int
    link: str
    separator: str | None = None
    references: tuple["Reference", ...] = ()

    @property
    def file(self) -> str:
        """The name of the table in whose file it is."""
        return self.name if self.separator is None else PERSONS

    @property
    def key(self) -> str | None:
        """The column to which other tables refer."""
        return next((one.column for one in self.references if one.table == self.name), None)

    @property
    def refers(self) -> tuple[str, str] | None:
        """The column that refers to another table, and that table."""
        others = [one for one in self.references if one.table != self.name]
        return next(((one.column, one.table) for one in others), None)

    @property
    def distinct(self) -> dict[str, int]:
        """The protected columns, and how many different values those who share must have."""
        return list_distinct(self.specification.attributes)

    def encode(self, column: str) -> Codes:
        """Number the values of a column, equal ones alike."""
        [rows] = fetch(self.table.frame, [column])
        return encode_column(column, rows.column(column), spell)[1]

    def plan(self, levels: Vector, rows: Flags, k: int) -> Plan:
        """Return how the rows of this table become those of a release of some of them."""
        frequency, codes = self.linked.frequency, self.linked.sequence_of
        gone = np.bincount(codes[~rows], minlength=len(frequency))
        recoding = Recoding(levels, gone.astype(np.int64), rows_suppressed=int(gone.sum()))
        return Plan(self.table, self.counted, codes, frequency, recoding, Requirement(k))

    def show(self, rows: Flags) -> "LinkedSource":
        """Return the table with some of its rows, of those that are not referred to."""
        kept = np.flatnonzero(rows)
        taken, counted, sequence_of, frequency = self._take(kept)
        held: Any = nw.from_native(taken, eager_only=True)
        linked = replace(self.linked.show(rows), sequence_of=sequence_of, frequency=frequency)
        table, owners = replace(self.table, frame=held), self.person_of[kept]
        return replace(self, table=table, person_of=owners, counted=counted, linked=linked)

    def take(self, persons: Flags) -> tuple[pa.Table, Counted, Codes, FrequencyList]:
        """Return the rows of some persons, their values, sequences and frequency list."""
        return self._take(np.flatnonzero(persons[self.person_of]))

    def _take(self, kept: Counts) -> tuple[pa.Table, Counted, Codes, FrequencyList]:
        """Return some rows, their values, sequences and frequency list."""
        [rows] = fetch(self.table.frame, self.table.frame.collect_schema().names())
        positions, ones = self.counted.positions[:, kept], np.ones(len(kept), dtype=np.int64)
        counted = Counted(self.counted.values, positions, ones)
        return (
            rows.take(pa.array(kept)),
            counted,
            *_list(self.linked.frequency, positions, len(kept)),
        )


@dataclass(frozen=True, eq=False)
class LinkedSources(Discreet):
    """All linked tables: the person table, if there is one, the sets in its columns, and records.

    ``persons``: the number of persons.
    ``apart``: whether they are released without a link.
    """

    tables: tuple[LinkedSource, ...]
    persons: int
    apart: bool

    @property
    def has_persons(self) -> bool:
        """Whether there is a person table."""
        return not self.tables[0].linked.name

    @cached_property
    def linked(self) -> LinkedTables:
        """The tables as the search has them."""
        records = [one.linked for one in self.tables]
        persons = records.pop(0) if self.has_persons else _list_persons_alone(self.persons)
        distinct = tuple(
            (self.tables[0].encode(name), least) for name, least in self.tables[0].distinct.items()
        )
        memory = self.tables[0].specification.resources.bytes // COUNTING_SHARE
        return LinkedTables(persons, tuple(records), self.apart, distinct, memory)

    def show(self, rows: Sequence[Flags]) -> "LinkedSources":
        """Return the tables with some of the rows of each table of records."""
        persons, records = self.tables[: self.has_persons], self.tables[self.has_persons :]
        shown = [one.show(own) for one, own in zip(records, rows, strict=True)]
        return replace(self, tables=(*persons, *shown))

    def divide(self, vector: Vector) -> list[tuple[LinkedSource, Vector]]:
        """Return each table with its levels at a vector."""
        levels = self.linked.divide(vector)
        return list(zip(self.tables, levels[not self.has_persons :], strict=True))

    def list_sets(self, source: LinkedSource) -> list[LinkedSource]:
        """List the sets in the columns of a table."""
        own = [one for one in self.tables if one.separator is not None]
        return [] if source.linked.name else own

    def list_columns(self, source: LinkedSource) -> list[str]:
        """List the columns of a released table, in the order of the private one."""
        hidden = [] if self.shows_link(source) else [source.link]
        own = [one.column for one in source.references]
        sets = [one.name for one in self.list_sets(source)]
        shown = [source.link, *own, *source.table.released, *sets]
        names = source.table.frame.collect_schema().names()
        return [name for name in names if name in shown and name not in hidden]

    def shows_link(self, source: LinkedSource) -> bool:
        """Return whether a released table has a column of pseudonyms."""
        files = sum(one.separator is None for one in self.tables)
        alone = files == 1 and self.has_persons
        return not self.apart and not alone and source.separator is None


@dataclass(frozen=True)
class AskedTable:
    """What is asked of a table: its name and specification, and which rows are known or kept."""

    name: str
    own: Specification
    knows: KnownRecords = 1
    at_most: int | None = None
    separator: str | None = None
    references: tuple[Reference, ...] = ()

    @property
    def refers(self) -> str | None:
        """The table to which its rows refer."""
        return next((one.table for one in self.references if one.table != self.name), None)


def count_person_table(
    table: Table, own: Specification, keys: Sequence[str]
) -> Iterator[LinkedSource]:
    """Count the person table, and the items of the sets in its columns."""
    every = np.arange(len(keys))
    yield count_table(AskedTable(PERSONS, without_sets(own)), table, every, keys)
    for name, one in list_sets(own).items():
        [rows] = fetch(table.frame, [name])
        values, owners = divide_column(name, rows.column(name), one.separator or "")
        held: Any = nw.from_native(pa.table({name: values}), eager_only=True)
        alone = specify_set(own, name)
        asked = AskedTable(name, alone, one.knows or 0, separator=one.separator)
        yield count_table(asked, Table(held, {name: "quasi-identifier"}, {}), owners, keys)


def count_table(
    asked: AskedTable, table: Table, person_of: Counts, keys: Sequence[str]
) -> LinkedSource:
    """Bring the rows in the order of persons, count their values, and name persons as text."""
    order = _order_rows(person_of, asked.at_most)
    [rows] = fetch(table.frame, [*table.roles])
    link, owners = asked.own.person_column or LINK, person_of[order]
    references = tuple(replace(one, numbers=one.numbers[order]) for one in asked.references)
    rows = with_column(rows.take(pa.array(order)), link, take_texts(keys, owners))
    for one in references:
        rows = with_column(rows, one.column, take_texts(one.texts, one.numbers))
    held: Any = nw.from_native(rows, eager_only=True)
    rules = asked.own.hierarchies()
    counted = count(held, [*rules]) if rules else _count_nothing(len(order))
    label = asked.own.release.suppressed_label
    bound = [
        hierarchy.bind(column, values, label)
        for (column, hierarchy), values in zip(rules.items(), counted.values, strict=True)
    ]
    _refuse_divided_labels(asked, bound)
    empty = FrequencyList(
        tuple(bound), (0,) * len(bound), np.empty((len(bound), 0), np.int32), np.empty(0, np.int64)
    )
    sequence_of, frequency = _list(empty, counted.positions, len(order))
    starts = np.searchsorted(owners, np.arange(len(keys) + 1)).astype(np.int64)
    refers = (asked.refers, references[0].numbers if references else None)
    title, within = "" if asked.name == PERSONS else asked.name, asked.separator is not None
    return LinkedSource(
        name=asked.name,
        specification=asked.own,
        table=replace(table, frame=held, roles={**table.roles, link: "identifier"}),
        person_of=owners,
        counted=counted,
        linked=CodedTable(title, frequency, sequence_of, starts, asked.knows, within, *refers),
        at_most=asked.at_most,
        rows_in=len(person_of),
        link=link,
        separator=asked.separator,
        references=references,
    )


def take_texts(texts: Sequence[str] | pa.Array, numbers: Counts) -> pa.Array:
    """Return the text of each number; a number below 0 is a missing one."""
    known = pa.array(numbers, mask=numbers < 0)
    return (texts if isinstance(texts, pa.Array) else pa.array(texts, pa.string())).take(known)


def with_column(rows: pa.Table, name: str, values: pa.Array) -> pa.Table:
    """Return rows with other values of a column, or with a further one."""
    if name not in rows.column_names:
        return rows.append_column(name, values)
    return rows.set_column(rows.column_names.index(name), name, values)


def _refuse_divided_labels(asked: AskedTable, bound: Sequence[BoundHierarchy]) -> None:
    """Refuse generalized items of a set that hold the text between items."""
    if asked.separator is None:
        return
    labels = [label or "" for one in bound for level in one.labels for label in level]
    odd = {label for label in labels if divide_set(label, asked.separator) != [label]}
    if odd:
        raise InvalidInput(
            f"column {asked.name!r}: its hierarchy has {len(odd):,} labels that would be read as "
            f"several items, or as others, because of separator = {asked.separator!r} or blanks; "
            "write them without"
        )


def _order_rows(person_of: Counts, at_most: int | None) -> Counts:
    """Order rows by their persons; draw which are kept if a person has more than allowed."""
    if at_most is None:
        return np.argsort(person_of, kind="stable")
    lot = np.random.default_rng().permutation(len(person_of))
    order = lot[np.argsort(person_of[lot], kind="stable")]
    owned = person_of[order]
    within = np.arange(len(owned)) - np.searchsorted(owned, owned)
    return order[within < at_most]


def _count_nothing(rows: int) -> Counted:
    """Count rows of a table without quasi-identifier."""
    return Counted((), np.empty((0, rows), dtype=np.int32), np.ones(rows, dtype=np.int64))


def _list(like: FrequencyList, positions: Codes, rows: int) -> tuple[Codes, FrequencyList]:
    """List the frequencies of rows; without attributes, all rows are one sequence."""
    if like.hierarchies:
        return list_frequencies(like.hierarchies, positions, np.ones(rows, dtype=np.int64))
    none = np.empty((0, 1), dtype=np.int32)
    return np.zeros(rows, dtype=np.int32), FrequencyList((), (), none, np.array([rows]))


def _list_persons_alone(persons: int) -> CodedTable:
    """Return a person table that shows nothing of the persons."""
    sequence_of, nothing = np.zeros(persons, dtype=np.int32), np.empty((0, 1), dtype=np.int32)
    frequency = FrequencyList((), (), nothing, np.array([persons]))
    return CodedTable("", frequency, sequence_of, np.arange(persons + 1, dtype=np.int64))
