"""Tag rows: give each row a number that is never released, and earlier values where asked."""

from dataclasses import replace

from lookalike.tables.engines import engine_of
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.table import Table


def tag_rows(table: Table, tags: RowTags) -> Table:
    """Return a table with the tag of each row as :data:`~lookalike.tables.row_tags.TAG`."""
    tagged = engine_of(table.frame).tag_rows(table.frame, tags)
    roles = {**table.roles, TAG: "identifier"}
    return replace(table, frame=tagged, roles=roles)
