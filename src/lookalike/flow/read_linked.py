"""Read linked tables: the persons, and the records of each, in memory and counted.

Start reading at :func:`read_linked`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.flow.source import open_table, refuse_nearly_unique
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.linked import CodedTable, LinkedTables
from lookalike.model.progress import Stopwatch
from lookalike.spec.record_fields import RecordFields
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification
from lookalike.tables.connection import watching
from lookalike.tables.count import count, fetch, number_of_rows
from lookalike.tables.counted import Counted
from lookalike.tables.engines import settle_mixed
from lookalike.tables.labels import encode_column
from lookalike.tables.read import read_frame
from lookalike.tables.table import POSITION, Table

PERSONS = "persons"
"""How messages call the person table."""
BYTES_OF_CELL = 64
"""The memory of one value, as text, while a table is read, counted and recoded."""
COUNTING_SHARE = 2
"""One of so many parts of the memory is for the combinations of one vector."""


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
    """

    name: str
    specification: Specification
    table: Table
    person_of: Counts
    counted: Counted
    linked: CodedTable
    at_most: int | None
    rows_in: int

    @property
    def link(self) -> str:
        """The column that names the person of each row."""
        column = self.specification.person_column
        assert column is not None  # the specification was checked
        return column

    def take(self, persons: Flags) -> tuple[pa.Table, Counted, Codes, FrequencyList]:
        """Return the rows of some persons, their values, sequences and frequency list."""
        kept = np.flatnonzero(persons[self.person_of])
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
    """All linked tables, the person table first."""

    tables: tuple[LinkedSource, ...]

    @property
    def linked(self) -> LinkedTables:
        """The tables as the search has them."""
        persons, *records = (one.linked for one in self.tables)
        return LinkedTables(persons, tuple(records))


def read_linked(
    specification: Specification,
    stopwatch: Stopwatch,
    table: Any = None,
    records: Mapping[str, Any] | None = None,
) -> LinkedSources:
    """Read all tables of a specification with records, and find the person of each record.

    ``table``, ``records``: frames in place of the files of the specification.
    """
    stopwatch.begin("read")
    given = records or {}
    alone = specification.model_copy(update={"records": {}})
    persons = _open(PERSONS, alone, stopwatch, table)
    keys = _list_persons(persons, alone)
    place_of = {key: place for place, key in enumerate(keys)}
    sources = [_count(PERSONS, alone, persons, np.arange(len(keys)), len(keys), 1)]
    for name, fields in specification.records.items():
        own = _specify(specification, fields)
        opened = _open(name, own, stopwatch, given.get(name))
        person_of = _find_persons(name, opened, own, place_of)
        stopwatch.begin("count")
        sources.append(_count(name, own, opened, person_of, len(keys), fields))
    found = LinkedSources(tuple(sources))
    _refuse_beyond_memory(specification, found.linked)
    return found


def _specify(specification: Specification, fields: RecordFields) -> Specification:
    """Return the specification of a table of records alone."""
    own = {"source": fields.reading, "attributes": fields.attributes, "records": {}}
    release = specification.release.model_copy(update={"constraints": ()})
    return specification.model_copy(update={**own, "release": release})


def _open(name: str, own: Specification, stopwatch: Stopwatch, given: Any) -> Table:
    """Read one table into memory, as Arrow holds it."""
    frame = None if given is None else settle_mixed(read_frame(given))
    try:
        opened = open_table(settle_columns(own, frame), stopwatch, frame, given, is_linked=True)
        with watching(opened.connection, stopwatch.report):
            columns = [one for one in opened.roles if one != POSITION]
            _refuse_large(opened, columns, own)
            rows = pa.concat_tables(fetch(opened.frame, columns))
            held: Any = nw.from_native(rows, eager_only=True)
            roles = {column: opened.roles[column] for column in columns}
            table = Table(held, roles, {}, given)
            refuse_nearly_unique(table, own, len(rows))
    except InvalidInput as error:
        raise InvalidInput(f"{name}: {error}", named=error.named) from None
    return table


def _refuse_large(opened: Table, columns: Sequence[str], own: Specification) -> None:
    """Refuse a table that does not fit in memory, before it is read."""
    rows = number_of_rows(opened.frame)
    needed, most = rows * len(columns) * BYTES_OF_CELL, own.resources.bytes
    if needed > most:
        raise InvalidInput(
            f"its {rows:,} rows of {len(columns)} columns need about {needed // 2**20:,} MiB, and "
            f"linked tables are released from memory, of which {most // 2**20:,} MiB may be used; "
            "give more (memory), leave out columns from the file, or select rows (where)"
        )


def _key_of(table: Table, own: Specification) -> tuple[tuple[str | None, ...], Codes]:
    """Return the different values of the column of persons, and that of each row."""
    column = own.person_column
    assert column is not None
    [rows] = fetch(table.frame, [column])
    return encode_column(column, rows.column(column))


def _list_persons(table: Table, own: Specification) -> list[str]:
    """Return the key of each person; refuse missing and repeated ones."""
    values, codes = _key_of(table, own)
    if None in values:
        missing = int((codes == values.index(None)).sum())
        raise InvalidInput(
            f"{PERSONS}: column {own.person_column!r} is missing in {missing:,} rows; give every "
            "person a key, or leave these rows out (where)"
        )
    if len(values) < len(codes):
        raise InvalidInput(
            f"{PERSONS}: column {own.person_column!r} has {len(values):,} different values in "
            f"{len(codes):,} rows; the person table has one row for each person. If these rows "
            "are records, such as visits, describe them under [records.NAME]"
        )
    return [str(values[code]) for code in codes.tolist()]


def _find_persons(
    name: str, table: Table, own: Specification, place_of: Mapping[str, int]
) -> Counts:
    """Return the number of the person of each record; refuse records of nobody."""
    values, codes = _key_of(table, own)
    places = np.array([place_of.get(value or "", -1) for value in values], dtype=np.int64)
    person_of: Counts = places[codes]
    nobody = int((person_of < 0).sum())
    if nobody:
        raise InvalidInput(
            f"{name}: {nobody:,} of {len(codes):,} records belong to no row of the person table, "
            f"by column {own.person_column!r}; add these persons, or leave the records out (where)"
        )
    return person_of


def _count(
    name: str,
    own: Specification,
    table: Table,
    person_of: Counts,
    persons: int,
    asked: RecordFields | int,
) -> LinkedSource:
    """Bring the rows in the order of persons, and count their values."""
    at_most = asked.at_most if isinstance(asked, RecordFields) else None
    order = _order_rows(person_of, at_most)
    [rows] = fetch(table.frame, [*table.roles])
    held: Any = nw.from_native(rows.take(pa.array(order)), eager_only=True)
    rules = own.hierarchies()
    counted = count(held, [*rules]) if rules else _count_nothing(len(order))
    label = own.release.suppressed_label
    bound = [
        hierarchy.bind(column, values, label)
        for (column, hierarchy), values in zip(rules.items(), counted.values, strict=True)
    ]
    empty = FrequencyList(
        tuple(bound), (0,) * len(bound), np.empty((len(bound), 0), np.int32), np.empty(0, np.int64)
    )
    sequence_of, frequency = _list(empty, counted.positions, len(order))
    starts = np.searchsorted(person_of[order], np.arange(persons + 1)).astype(np.int64)
    knows = asked.knows if isinstance(asked, RecordFields) else asked
    title = name if isinstance(asked, RecordFields) else ""
    return LinkedSource(
        name=name,
        specification=own,
        table=replace(table, frame=held),
        person_of=person_of[order],
        counted=counted,
        linked=CodedTable(title, frequency, sequence_of, starts, knows),
        at_most=at_most,
        rows_in=len(person_of),
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


def _refuse_beyond_memory(specification: Specification, linked: LinkedTables) -> None:
    """Refuse persons with so many records that their combinations do not fit in memory."""
    combinations = linked.estimate_combinations()
    needed, most = (
        combinations * linked.bytes_of_combination,
        specification.resources.bytes // COUNTING_SHARE,
    )
    if needed > most:
        longest = max(int(one.sizes.max(initial=0)) for one in linked.records)
        raise InvalidInput(
            f"what may be known of these persons are up to {combinations:,} combinations of "
            f"records, about {needed // 2**20:,} MiB, of which {most // 2**20:,} MiB may be used; "
            f"one person has {longest:,} records. Keep fewer of each, drawn at random (at_most = "
            "20 under [records.NAME]), lower knows, or give more memory"
        )
