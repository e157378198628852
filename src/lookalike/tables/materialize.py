"""Materialize: run a query once and keep its rows, where a second run may give others."""

from dataclasses import replace
from pathlib import Path

from lookalike.tables.engines import engine_of
from lookalike.tables.storage_url import StorageUrl
from lookalike.tables.table import POSITION, Role, Table, column_names


def materialize(table: Table, place: Path | StorageUrl | None = None) -> Table:
    """Return a table whose rows stay the same each time they are fetched.

    An engine that runs queries stores the position of each row beside it, as
    :data:`~lookalike.tables.table.POSITION`, which is never released. A frame in memory stays as
    it is.
    """
    frame = engine_of(table.frame).materialize(table.frame, place)
    if POSITION not in column_names(frame):
        return replace(table, frame=frame)
    numbered: dict[str, Role] = {**table.roles, POSITION: "identifier"}
    return replace(table, frame=frame, roles=numbered, held=frame)
