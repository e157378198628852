"""Withdrawn: the people whose rows must go from the next release, though leavers stay."""

from dataclasses import replace

from lookalike.errors import InvalidInput
from lookalike.shown_text import count_rows
from lookalike.spec.settle_columns import require_source
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.count import fetch
from lookalike.tables.labels import encode_column
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.table import Frame, check_columns, column_names


def list_withdrawn(specification: Specification) -> frozenset[str | None]:
    """Return the row keys of the people who withdrew, as text."""
    asked, source = specification.release, specification.source
    if source is None or source.row_key is None:
        return frozenset()
    tables = []
    if asked.withdrawn is not None:
        tables.append(Source(path=asked.withdrawn))
    if asked.withdrawn_where is not None:
        tables.append(replace(require_source(specification), where=asked.withdrawn_where))
    keys: set[str | None] = set()
    for table in tables:
        connection = Connection(source.resources)
        keys.update(_list_keys(read_source(table, connection), source.row_key))
    return frozenset(keys)


def _list_keys(frame: Frame, row_key: str) -> set[str | None]:
    """Return the row keys of a table, as text."""
    check_columns(column_names(frame), [row_key])
    return {
        text for piece in fetch(frame, [row_key]) for text in encode_column("", piece[row_key])[0]
    }


def refuse_withdrawn(specification: Specification, frame: Frame) -> frozenset[str | None]:
    """Refuse a source that still has rows of people who withdrew; return the keys of these."""
    gone, source = list_withdrawn(specification), specification.source
    if gone and source is not None and source.row_key is not None:
        still = len(gone & _list_keys(frame, source.row_key))
        if still:
            raise InvalidInput(
                f"{count_rows(still)} of the source are of people who withdrew, and would be "
                "released; leave them out of the source, for instance by where under [source]"
            )
    return gone
