"""Materialize: run a query once and keep its rows, where a second run may give others."""

import secrets
from dataclasses import replace

import narwhals as nw

from lookalike.tables.sql import engine_errors, quote_name, store
from lookalike.tables.table import Table

POSITION = "lookalike position"


def materialize(table: Table) -> Table:
    """Return a table whose rows stay the same each time they are fetched, with their positions.

    A query is run once into a temporary table of its own connection, which DuckDB spills to disk
    where memory is short. The position of each row is stored with it as :data:`POSITION`, which is
    never released: the order in which a query gives its rows may change from run to run, above all
    below ``GROUP BY`` and ``DISTINCT``. A frame in memory is returned as it is.
    """
    if isinstance(table.frame, nw.DataFrame):
        return table
    name, position = f"lookalike rows {secrets.token_hex(8)}", quote_name(POSITION)
    with engine_errors():
        kept = store(table.frame.to_native(), name, f"*, row_number() OVER () AS {position}")
    roles = {**table.roles, POSITION: "identifier"}
    return replace(table, frame=nw.from_native(kept), roles=roles)
