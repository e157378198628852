"""Read linked tables: the persons, and the records of each, in memory and counted.

Start reading at :func:`read_linked`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.flow.count_linked import (
    AskedTable,
    LinkedSources,
    Reference,
    count_person_table,
    count_table,
)
from lookalike.flow.source import (
    describe_nearly_unique,
    is_nearly_unique,
    open_table,
    refuse_nearly_unique,
    without_files,
)
from lookalike.kernels.types import Codes, Counts
from lookalike.model.progress import Stopwatch
from lookalike.spec.record_fields import PERSONS, RecordFields, specify_tables, without_sets
from lookalike.spec.settle_columns import complete_columns
from lookalike.spec.specification import Specification
from lookalike.tables.connection import watching
from lookalike.tables.count import fetch, number_of_rows
from lookalike.tables.engines import settle_mixed
from lookalike.tables.labels import encode_column
from lookalike.tables.read import read_frame
from lookalike.tables.table import POSITION, Table

BYTES_OF_CELL = 64
"""The memory of one value, as text, while a table is read, counted and recoded."""


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
    given, specified = records or {}, specify_tables(specification)
    opened = {
        name: _open(name, specified[name], stopwatch, given.get(name))
        for name in specification.records
    }
    if PERSONS in specified:
        people = _open(PERSONS, specified[PERSONS], stopwatch, table)
        keys = _list_persons(*people)
    elif table is not None:
        raise InvalidInput(
            "a person table is given, but not which column identifies persons: source = "
            '{"person": "patient_no"}'
        )
    else:
        keys = sorted({key for name, own in opened.items() for key in _list_keys(name, *own)})
    stopwatch.begin("count")
    sources = [*count_person_table(*people, keys)] if PERSONS in specified else []
    place_of = {key: place for place, key in enumerate(keys)}
    owners = {name: _find_persons(name, *own, place_of) for name, own in opened.items()}
    for name, (rows, own) in opened.items():
        fields = specification.records[name]
        _refuse_own_values(name, rows, own, owners[name])
        tables = {one: (opened[one][0], owners[one]) for one in (name, *fields.refers.values())}
        found = tuple(_find_references(name, specification.records, tables))
        asked = AskedTable(name, own, fields.knows, fields.at_most, references=found)
        sources.append(count_table(asked, rows, owners[name], keys))
    return LinkedSources(tuple(sources), len(keys), not specification.release.link)


def _open(
    name: str, own: Specification, stopwatch: Stopwatch, given: Any
) -> tuple[Table, Specification]:
    """Read one table into memory, as Arrow holds it; return what is said of each of its columns."""
    try:
        frame = None
        if given is not None:
            frame, own = settle_mixed(read_frame(given)), without_files(own)
        own = complete_columns(own, frame)
        opened = open_table(without_sets(own), stopwatch, frame, given, is_linked=True)
        with watching(opened.connection, stopwatch.report):
            columns = [one for one in opened.roles if one != POSITION]
            _refuse_large(opened, columns, own)
            rows = pa.concat_tables(fetch(opened.frame, columns))
            held: Any = nw.from_native(rows, eager_only=True)
            roles = {column: opened.roles[column] for column in columns}
            table = Table(held, roles, {}, given)
            refuse_nearly_unique(table, own, len(rows))
    except InvalidInput as error:
        place = "[attributes]" if name == PERSONS else f"[records.{name}.attributes]"
        told = str(error).replace("[attributes]", place)
        raise InvalidInput(f"{name}: {told}", named=error.named) from None
    return table, own


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
    [rows] = fetch(table.frame, [column or next(iter(table.roles))])
    if column is None:
        return tuple(map(str, range(len(rows)))), np.arange(len(rows), dtype=np.int32)
    return encode_column(column, rows.column(column))


def _list_keys(name: str, table: Table, own: Specification) -> list[str]:
    """Return the different keys of persons in a table; refuse missing ones."""
    values, codes = _key_of(table, own)
    if None in values:
        missing = int((codes == values.index(None)).sum())
        raise InvalidInput(
            f"{name}: column {own.person_column!r} is missing in {missing:,} rows; give every "
            "person a key, or leave these rows out (where)"
        )
    return [str(value) for value in values]


def _list_persons(table: Table, own: Specification) -> list[str]:
    """Return the key of each row of the person table; refuse missing and repeated ones."""
    keys, (_, codes) = _list_keys(PERSONS, table, own), _key_of(table, own)
    if len(keys) < len(codes):
        raise InvalidInput(
            f"{PERSONS}: column {own.person_column!r} has {len(keys):,} different values in "
            f"{len(codes):,} rows; the person table has one row for each person. If these rows "
            "are records, such as visits, describe them under [records.NAME]"
        )
    return [keys[code] for code in codes.tolist()]


def _find_persons(
    name: str, table: Table, own: Specification, place_of: Mapping[str, int]
) -> Counts:
    """Return the number of the person of each record; refuse records of nobody."""
    values, codes = _key_of(table, own)
    found = [-1 if value is None else place_of.get(value, -1) for value in values]
    person_of: Counts = np.array(found, dtype=np.int64)[codes]
    nobody = int((person_of < 0).sum())
    if nobody:
        raise InvalidInput(
            f"{name}: {nobody:,} of {len(codes):,} records belong to no row of the person table, "
            f"by column {own.person_column!r}; add these persons, or leave the records out (where)"
        )
    return person_of


def _find_references(
    name: str, records: Mapping[str, RecordFields], tables: Mapping[str, tuple[Table, Counts]]
) -> Iterator[Reference]:
    """Find the record that each record of a table refers to, among those of the same person.

    ``tables``: this table and those it refers to, with the person of each row.
    """
    own = records[name]
    columns = dict(own.refers)
    if own.key is not None and any(name in one.refers.values() for one in records.values()):
        columns[own.key] = name
    for column, target in columns.items():
        keys = _read_keys(tables[target], records[target].key or "")
        number_of = {key: number for number, key in enumerate(keys)}
        missing = sum(key[1] is None for key in keys)
        if missing or len(number_of) < len(keys):
            raise InvalidInput(
                f"{target}: column {records[target].key!r} is missing in {missing:,} rows, and in "
                f"{len(keys) - len(number_of):,} it repeats that of another record of the person; "
                "a key differs for each record of a person"
            )
        wanted = _read_keys(tables[name], column)
        found = [-1 if key[1] is None else number_of.get(key, -2) for key in wanted]
        numbers = np.array(found, dtype=np.int64)
        dangling = int((numbers == -2).sum())
        if dangling:
            raise InvalidInput(
                f"{name}: {dangling:,} of {len(numbers):,} records refer by {column!r} to no "
                f"record of {target!r} of the same person; add these records, or make the column "
                "missing where there is none"
            )
        yield Reference(column, target, numbers, tuple(key[1] or "" for key in keys))


def _read_keys(table: tuple[Table, Counts], column: str) -> list[tuple[int, str | None]]:
    """Return the person of each row, and its text in a column."""
    [rows] = fetch(table[0].frame, [column])
    values, codes = encode_column(column, rows.column(column))
    return list(zip(table[1].tolist(), [values[code] for code in codes.tolist()], strict=True))


def _refuse_own_values(name: str, table: Table, own: Specification, person_of: Counts) -> None:
    """Refuse columns released as they are of which nearly every value is that of one person.

    In a table with several rows a person, the number of a person's insurance is not nearly unique.
    """
    for column in table.unchanged:
        if own.attributes[column].unique or column in table.incomparable:
            continue
        [rows] = fetch(table.frame, [column])
        values, codes = encode_column(column, rows.column(column))
        known = codes != values.index(None) if None in values else np.ones(len(codes), np.bool_)
        pairs = np.unique(np.stack([codes[known], person_of[known]]), axis=1)
        distinct = len(values) - (None in values)
        if is_nearly_unique(distinct, pairs.shape[1]):
            told = describe_nearly_unique(column, distinct, pairs.shape[1])
            raise InvalidInput(f"{name}: {told.replace(' rows', ' pairs of a person and a value')}")
