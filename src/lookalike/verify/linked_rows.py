"""LinkedRows: a released table whose rows belong to persons; its sets, and its references."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import duckdb

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.tables.sql import derive, quote_name, quote_text, store

NUMBER = "lookalike_person"
"""The column that numbers the persons of a person table that shows no link."""
KnownNumber = int | Literal["all"]
"""How many records of a person an attacker may know: at most a number, or exactly all."""


@dataclass(frozen=True)
class LinkedRows(Discreet):
    """A released table whose rows belong to persons.

    Parameters
    ----------
    name
        Its name in messages.
    rows
        Its rows.
    link
        The column that shows whose row it is. Its values are compared as text. None if the release
        does not show it.
    columns
        The quasi-identifier columns. Without any, only the number of records is known.
    knows
        How many records of a person an attacker may know. It has no meaning for the person table.
    separator
        The text between the items of a set, if the rows are those of the person table and each item
        in its one column is a record (:func:`divide_sets`).
    key
        The column to which other tables refer; None if none does.
    refers
        The column that refers to another table, and the name of that table.
    distinct
        For columns of the person table, how many different values the persons who share what may be
        known must have. A missing value is one.
    """

    name: str
    rows: duckdb.DuckDBPyRelation
    link: str | None
    columns: tuple[str, ...]
    knows: KnownNumber = 0
    separator: str | None = None
    key: str | None = None
    refers: tuple[str, str] | None = None
    distinct: Mapping[str, int] = field(default_factory=dict)

    @property
    def shown_link(self) -> str:
        """Its link, without which persons cannot be counted."""
        if self.link is None:
            raise InternalError(f"{self.name} shows no link, so its persons cannot be counted")
        return self.link


def divide_sets(tables: Sequence[LinkedRows]) -> list[LinkedRows]:
    """Number the rows of a person table without a link, and divide its sets into their items.

    ``tables``: the person table first; sets have the rows of the person table.
    """
    sets = [one for one in tables if one.separator is not None]
    first = tables[0]
    if not sets and first.link is not None:
        return [*tables]
    link = first.link or NUMBER
    if first.link is None:
        first = replace(first, rows=_number_rows(first.rows), link=link)
    hidden = ", ".join(quote_name(column) for one in sets for column in one.columns)
    shown = first.rows.project(f"* EXCLUDE ({hidden})") if sets else first.rows
    items = [
        replace(one, rows=_list_items(first.rows, link, one.columns[0], one.separator), link=link)
        for one in sets
        if one.separator is not None
    ]
    others = [one for one in tables[1:] if one.separator is None]
    return [replace(first, rows=shown), *items, *others]


def count_broken_keys(tables: Sequence[LinkedRows]) -> int:
    """Count keys that are missing or repeated, and references to no record of the same person."""
    keys = {one.name: _project_keys(one, one.key) for one in tables if one.key is not None}
    broken = 0
    for rows in keys.values():
        query = "SELECT count(*) - count(DISTINCT key) FROM t"
        broken += int(derive(rows, query).fetchall()[0][0])
    for one in tables:
        if one.refers is None:
            continue
        column, target = one.refers
        known = keys[target].to_arrow_table()
        query = (
            "SELECT count(*) FROM t WHERE key IS NOT NULL AND (link, key) NOT IN "
            "(SELECT (link, key) FROM mapping WHERE key IS NOT NULL AND link IS NOT NULL)"
        )
        broken += int(derive(_project_keys(one, column), query, known).fetchall()[0][0])
    return broken


def _project_keys(table: LinkedRows, column: str) -> duckdb.DuckDBPyRelation:
    """Return the link of each row, and a column of keys, as text."""
    shown = {"link": table.shown_link, "key": column}
    texts = [f"CAST({quote_name(one)} AS VARCHAR) AS {name}" for name, one in shown.items()]
    return table.rows.project(", ".join(texts))


def _number_rows(rows: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Number the rows of a table, and store them, so that a row keeps its number."""
    return store(
        rows, f"lookalike persons {secrets.token_hex(8)}", f"*, row_number() OVER () AS {NUMBER}"
    )


def _list_items(
    rows: duckdb.DuckDBPyRelation, link: str, column: str, separator: str
) -> duckdb.DuckDBPyRelation:
    """List the items of the set of each row."""
    items = f"unnest(string_split(CAST({quote_name(column)} AS VARCHAR), {quote_text(separator)}))"
    return derive(rows, f"SELECT {quote_name(link)}, {items} AS {quote_name(column)} FROM t")
