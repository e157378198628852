"""OwnedRows: the rows of a table, in a release or outside, and the person whose row each is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.publish.linked_certificate import CertifiedTable
from lookalike.risk.table.sequences import Sequences
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.labels import divide_set
from lookalike.tables.table import Frame, check_columns, column_names

TablePairs = Sequence[tuple[CertifiedTable, Mapping[str, str]]]
"""Tables of a release, with their linking attributes and the external column of each."""


@dataclass(frozen=True, eq=False)
class OwnedRows(Discreet):
    """The rows of a table over some columns, and the person whose row each is.

    Parameters
    ----------
    columns
        The names of the columns.
    counted
        Their values; an entry stands for equal rows of a person.
    entry
        The entry of each row.
    names
        The persons; None is nobody. Rows without persons are of one each, numbered.
    owner
        The person of each row, a position among the names.
    column
        The column that names persons; None if there is none.
    """

    columns: tuple[str, ...]
    counted: Counted
    entry: Codes
    names: tuple[str | None, ...]
    owner: Codes
    column: str | None

    @classmethod
    def read(
        cls, frame: Frame, columns: Sequence[str], column: str | None, place: str
    ) -> "OwnedRows":
        """Read some columns of a table, and the one that names persons."""
        wanted = [*dict.fromkeys([*columns, *([] if column is None else [column])])]
        check_columns(column_names(frame), wanted, place)
        counted = count(frame, wanted)
        entry = np.repeat(np.arange(len(counted.counts), dtype=np.int32), counted.counts)
        if column is None:
            every = np.arange(len(entry), dtype=np.int32)
            return cls(tuple(columns), counted, entry, tuple(map(str, every)), every, None)
        at = wanted.index(column)
        values = _pick(counted, range(len(columns)))
        names, owner = counted.values[at], counted.positions[at][entry]
        return cls(tuple(columns), values, entry, names, owner, column)

    def check_one_each(self, place: str) -> None:
        """Refuse a table of persons in which somebody has several rows, or a row nobody."""
        if len(self.owner) > len(self.names):
            raise InvalidInput(
                f"{place}: column {self.column!r} names {len(self.names):,} persons in "
                f"{len(self.owner):,} rows; give each person one row, and what a person has "
                "several of as records"
            )
        if None in self.names:
            raise InvalidInput(
                f"{place}: column {self.column!r} is missing in a row; name every person"
            )

    def select(self, columns: Sequence[str]) -> "OwnedRows":
        """Return the rows over some of the columns."""
        places = [self.columns.index(one) for one in columns]
        return replace(self, columns=tuple(columns), counted=_pick(self.counted, places))

    def divide(self, column: str, separator: str) -> "OwnedRows":
        """Return the items of the sets in a column as rows of their own."""
        counted = self.select([column]).counted
        sets = [divide_set(text, separator) for text in counted.values[0]]
        items = tuple(sorted({item for one in sets for item in one}))
        place_of = {item: place for place, item in enumerate(items)}
        codes = [[place_of[item] for item in one] for one in sets]
        held = counted.positions[0][self.entry]
        sizes = np.array([*map(len, codes), 0])[held]
        entry = np.array([code for one in held.tolist() for code in codes[one]], dtype=np.int32)
        counts = np.bincount(entry, minlength=len(items)).astype(np.int64)
        return replace(
            self,
            columns=(column,),
            counted=Counted((items,), np.arange(len(items), dtype=np.int32)[None], counts),
            entry=entry,
            owner=np.repeat(self.owner, sizes),
        )

    def list_sequences(self) -> tuple[tuple[str, ...], Sequences]:
        """List the rows, each with the name of its person, under the names of the columns."""
        lines, ones = self.counted.positions[:, self.entry], np.ones(len(self.entry), np.int64)
        if self.column is None:
            return self.columns, Sequences(self.counted.values, lines, ones)
        named = np.concatenate([lines, self.owner[None]])
        values = (*self.counted.values, self.names)
        return (*self.columns, self.column), Sequences(values, named, ones)


def _pick(counted: Counted, places: Sequence[int]) -> Counted:
    """Return the entries over some columns."""
    values = tuple(counted.values[place] for place in places)
    return Counted(values, counted.positions[list(places)], counted.counts)


@dataclass(frozen=True, eq=False)
class LinkedSide(Discreet):
    """All tables of the release, or all external ones, by the names of those of the release.

    ``persons``: the rows of the person table, if there is one.
    ``names``: the persons, in the order of these rows.
    """

    persons: OwnedRows | None
    tables: Mapping[str, OwnedRows]
    names: Sequence[str | None]

    def find_owners(self, table: str) -> Counts:
        """Return the number of the person of each row of a table; -1 for nobody."""
        rows, number_of = self.tables[table], {name: at for at, name in enumerate(self.names)}
        numbers = [-1 if name is None else number_of.get(name, -1) for name in rows.names]
        return np.array([*numbers, -1], dtype=np.int64)[rows.owner]

    def list_persons(self) -> tuple[tuple[str, ...], Sequences]:
        """List what is shown of each person, under the names of the columns."""
        if self.persons is not None:
            return self.persons.list_sequences()
        every = np.arange(len(self.names), dtype=np.int32)[None]
        column = next(iter(self.tables.values())).column
        sequences = Sequences((tuple(self.names),), every, np.ones(len(self.names), np.int64))
        return (column or "",), sequences


def read_side(
    asked: TablePairs,
    first: CertifiedTable | None,
    opened: Callable[[CertifiedTable], Frame],
    person_of: Callable[[CertifiedTable], str | None],
    columns_of: Callable[[Mapping[str, str]], list[str]],
    place: str,
) -> LinkedSide:
    """Read the columns to link by, and who owns each row, of one side.

    ``first``: the person table, if there is one.
    """
    persons, tables = None, dict[str, OwnedRows]()
    if first is not None:
        pairs = [own for one, own in asked if one.file == first.file]
        columns = [*dict.fromkeys(column for own in pairs for column in columns_of(own))]
        persons = OwnedRows.read(opened(first), columns, person_of(first), place)
        persons.check_one_each(place)
    for one, own in asked:
        columns = columns_of(own)
        if persons is not None and one.separator is not None:
            tables[one.name] = persons.divide(columns[0], one.separator)
        elif persons is not None and one.knows is None:
            tables[one.name] = persons.select(columns)
        else:
            where = f"{place} of {one.name}"
            wanted = [*dict.fromkeys(columns)]
            rows = OwnedRows.read(opened(one), wanted, person_of(one), where)
            tables[one.name] = rows.select(columns)
    names: Sequence[str | None]
    if persons is not None:
        names = [persons.names[at] for at in persons.owner.tolist()]
    else:
        names = sorted({name for rows in tables.values() for name in rows.names if name})
    return LinkedSide(persons, tables, names)
