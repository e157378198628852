"""Materialize: run a query once and keep its rows, where a second run may give others."""

from dataclasses import replace

from lookalike.tables.engines import engine_of
from lookalike.tables.table import POSITION, Table, column_names


def materialize(table: Table) -> Table:
    """Return a table whose rows stay the same each time they are fetched.

    An engine that runs queries stores the position of each row beside it, as
    :data:`~lookalike.tables.table.POSITION`, which is never released. A frame in memory stays as
    it is.
    """
    frame = engine_of(table.frame).materialize(table.frame)
    if POSITION not in column_names(frame):
        return replace(table, frame=frame)
    return replace(table, frame=frame, roles={**table.roles, POSITION: "identifier"})
