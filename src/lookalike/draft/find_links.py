"""Find the person table among several tables, and the column of each other that refers to it.

A column refers to a key if its values occur there: the key has a value of its own in every row.
Numbers of any kind occur in a key of numbers 1, 2, …, so that numbers count only if the name of the
column says the same. Measurements, such as 70.5, are no key, although they may all differ.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lookalike.draft.column_words import split_name
from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.count import count_distinct, fetch, number_of_rows
from lookalike.tables.labels import encode_column
from lookalike.tables.table import POSITION, Frame, column_names, is_incomparable

LEAST_INSIDE = 0.95
"""The share of the values of a column that must occur in a key, so that it may refer to it."""
LEAST_VALUES = 3
"""A column with fewer different values refers to nothing: any two of them occur somewhere."""
LONG = 10
"""Numbers of fewer digits occur in other keys, too."""
_NUMBER = re.compile(r"[+-]?[0-9]*\.?[0-9]+([eE][+-]?[0-9]+)?")
_ANY_KEY = {"id", "ids", "no", "nr", "num", "nbr", "number", "key", "code", "row", "index"}
"""Words that say that a column is a key, and not of what."""

_Place = tuple[str, str]
"""A table and a column."""
_Values = Mapping[str | None, int]
"""The values of a column as text, and how many rows have each; None for missing ones."""


@dataclass(frozen=True)
class KeyReference(Discreet):
    """A column whose values occur in the key of another table.

    ``nobody``: how many rows have no value there, or one that does not occur in the key.
    ``is_named``: whether the name of the column says the same.
    ``are_numbers``: whether its values are short numbers, which occur in other keys, too.
    ``rows``: how many rows refer to each value of the key.
    """

    table: str
    column: str
    to: str
    key: str
    nobody: int
    is_named: bool
    are_numbers: bool
    rows: Mapping[str, int]

    @property
    def is_certain(self) -> bool:
        """Whether it can hardly be by chance that the values occur there."""
        return self.is_named or not self.are_numbers


@dataclass(frozen=True)
class TableLinks(Discreet):
    """The person table, and what other tables have of its persons.

    ``persons``, ``key``: the table of persons and its key.
    ``found``: all references between the tables.
    """

    persons: str
    key: str
    found: tuple[KeyReference, ...]

    def choose(self, table: str) -> tuple[KeyReference | None, tuple[KeyReference, ...]]:
        """Return the reference of a table to its persons, and all that are possible.

        There is none to choose if several are equally good, or if the only ones are numbers whose
        names say nothing.
        """
        possible = tuple(one for one in self.list_to_persons() if one.table == table)
        certain = [one for one in possible if one.is_certain]
        same = [one for one in certain if split_name(one.column) == split_name(self.key)]
        named = [one for one in certain if one.is_named]
        for best in (same, named, certain):
            if best:
                return (best[0] if len(best) == 1 else None), possible
        return None, possible

    def list_to_persons(self) -> list[KeyReference]:
        """List the references to the key of the persons."""
        return [one for one in self.found if (one.to, one.key) == (self.persons, self.key)]


def find_links(frames: Mapping[str, Frame]) -> TableLinks:
    """Find the table of persons, to which most of the others refer; of several, the first."""
    columns, keys = dict[_Place, bool](), dict[_Place, frozenset[str]]()
    for name, frame in frames.items():
        rows = number_of_rows(frame)
        for column, (distinct, present) in count_distinct(frame, _list_comparable(frame)).items():
            if distinct >= LEAST_VALUES:
                columns[name, column] = distinct == present == rows
    for (name, column), is_unique in [*columns.items()]:
        known = frozenset(_known(_list_values(frames[name], column)) if is_unique else ())
        if known and not _are_measured(known):
            keys[name, column] = known
        elif is_unique:  # measurements refer to nothing either
            del columns[name, column]
    found = tuple(
        reference
        for (name, column), is_unique in columns.items()
        for reference in _refer(frames[name], name, column, keys, repeats=not is_unique)
    )
    direct = {
        place: {one.table for one in found if (one.to, one.key) == place and one.is_certain}
        for place in keys
    }
    best = max(direct, key=lambda place: len(direct[place]), default=None)
    if best is None or not direct[best]:
        raise InvalidInput(
            f"no table has one row for each person to whom the records of {_name(frames)} belong: "
            "that needs a column with a value of its own in every row, which the other tables "
            "refer to. Give the person table, too, or draft each table alone; if the files are "
            "parts of one table, quote the pattern of their names"
        )
    return TableLinks(*best, found)


def _known(values: _Values) -> set[str]:
    """Return the different values of a column."""
    return {one for one in values if one is not None}


def _list_comparable(frame: Frame) -> list[str]:
    """List the columns whose values can be compared as text."""
    kinds = frame.collect_schema()
    names = (name for name in column_names(frame) if name != POSITION)
    return [name for name in names if not is_incomparable(kinds[name])]


def _list_values(frame: Frame, column: str) -> _Values:
    """List the values of a column as text; those of numbers with decimals are left out."""
    rows = pa.concat_tables(fetch(frame, [column])).column(column)
    if pa.types.is_floating(rows.type) and not _are_whole(rows):
        return {}
    labels, codes = encode_column(column, rows)
    return dict(zip(labels, np.bincount(codes, minlength=len(labels)).tolist(), strict=True))


def _are_whole(numbers: pa.ChunkedArray) -> bool:
    """Return whether numbers, without missing ones, have no decimals, as a key with gaps has."""
    is_whole = pc.or_(pc.is_nan(numbers), pc.equal(numbers, pc.floor(numbers)))
    return bool(pc.all(is_whole).as_py())


def _refer(
    frame: Frame,
    table: str,
    column: str,
    keys: Mapping[_Place, frozenset[str]],
    *,
    repeats: bool,
) -> Iterator[KeyReference]:
    """Yield the references of a column to the keys of other tables.

    ``repeats``: whether its values repeat.
    """
    values = _list_values(frame, column)
    if not (own := _known(values)):
        return
    numbers = all(one.lstrip("+-").isdecimal() and len(one) < LONG for one in own)
    for (to, key), known in keys.items():
        if table != to and _are_inside(own, known):
            rows = {one: values[one] for one in own if one in known}
            nobody = sum(values.values()) - sum(rows.values())
            named = _is_named_after(column, to, key, repeats=repeats)
            yield KeyReference(table, column, to, key, nobody, named, numbers, rows)


def _are_inside(own: set[str], known: frozenset[str]) -> bool:
    """Return whether enough values occur in a key; ends when too many do not."""
    most = len(own) - math.ceil(LEAST_INSIDE * len(own))
    return next(islice((one for one in own if one not in known), most, None), None) is None


def _are_measured(values: Iterable[str]) -> bool:
    """Return whether values are numbers of which some have decimals.

    Examples
    --------
    >>> _are_measured(["70", "70.5", "-1e-3"])
    True
    >>> _are_measured(["70", "71"]), _are_measured(["I10.5"])
    (False, False)
    """
    return all(map(_NUMBER.fullmatch, values)) and not all(map(str.isdecimal, values))


def _is_named_after(column: str, table: str, key: str, *, repeats: bool) -> bool:
    """Return whether the name of a column says that it refers to a key.

    ``repeats``: whether its values repeat. An ``id`` without repeated values is that of its own
    table, not of another one.

    Examples
    --------
    >>> _is_named_after("PATIENT", "patients", "Id", repeats=True)
    True
    >>> _is_named_after("subject_id", "demographics", "subject_id", repeats=False)
    True
    >>> [_is_named_after("id", "patients", "id", repeats=one) for one in (True, False)]
    [True, False]
    >>> _is_named_after("age", "patients", "id", repeats=True)
    False
    """
    words, own = set(split_name(column)), set(split_name(key))
    if words == own and (repeats or not own <= _ANY_KEY):
        return True
    about = {form for word in split_name(table) for form in _list_forms(word)}
    return bool((words - _ANY_KEY) & about)


def _list_forms(noun: str) -> Sequence[str]:
    """List a noun and what may be its singular.

    Examples
    --------
    >>> _list_forms("diagnoses"), _list_forms("histories")
    (['diagnoses', 'diagnose', 'diagnosis', 'diagnos'], ['histories', 'historie', 'history'])
    """
    forms = [noun]
    if noun.endswith("s"):
        forms.append(noun[:-1])
    if noun.endswith("ies"):
        return [*forms, f"{noun[:-3]}y"]
    if noun.endswith("es"):
        forms += [f"{noun[:-2]}is", noun[:-2]]
    return forms


def _name(tables: Mapping[str, object]) -> str:
    """Join the names of tables."""
    *first, last = tables
    return f"{', '.join(first)} and {last}" if first else last
