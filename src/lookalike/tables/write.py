"""Write: a frame to a file, whose suffix chooses the format."""

import re
from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.tables.files.file_format import FileFormat, released_format_of
from lookalike.tables.sql import copy_to_file, quote_name, quote_text
from lookalike.tables.table import OWN_PREFIX

_ALWAYS = quote_name(f"{OWN_PREFIX}always")
_BEGINS = r"^[=+\-@\t\r']"
_NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def write_relation(
    relation: duckdb.DuckDBPyRelation,
    path: Path,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> None:
    """Write the rows of a relation to a file; ``connection`` as in :func:`copy_to_file`."""
    chosen = released_format_of(path)
    if chosen is None:
        raise InternalError(f"no format has the suffix {path.suffix}")
    if chosen.kind == "parquet":
        relation = _make_optional(relation)
    if chosen.kind != "arrow":
        copy_to_file(relation, path, _copy_options(chosen), connection)
        return
    reader = relation.to_arrow_reader()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)


def _make_optional(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Let every column be optional, as nothing is known of its missing values.

    DuckDB writes a column as required if its statistics have no missing value, and these are of all
    rows, also those that are not released. It cannot know that a random number is below 2.
    """
    names = [quote_name(name) for name in relation.columns]
    columns = (f"CASE WHEN {_ALWAYS} THEN {name} END AS {name}" for name in names)
    return relation.project(f"*, random() < 2 AS {_ALWAYS}").project(", ".join(columns))


def _copy_options(chosen: FileFormat) -> str:
    """Return the options of DuckDB's COPY for a format."""
    options = [f"FORMAT {chosen.kind}"]
    if chosen.delimiter is not None:
        options += ["HEADER true", f"DELIMITER '{chosen.delimiter}'"]
    if chosen.kind in ("csv", "json"):
        options.append(f"COMPRESSION {chosen.compression or 'none'}")
    return ", ".join(options)


def neutralize(relation: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Return the rows and column names of a relation with apostrophes before formulas."""
    columns = zip(relation.columns, relation.types, strict=True)
    written = ", ".join(
        f"{_write_cell(name) if _is_text(str(kind)) else quote_name(name)} AS "
        f"{quote_name(neutralize_text(name))}"
        for name, kind in columns
    )
    return relation.project(written)


def neutralize_text(text: str) -> str:
    """Return a text as it is written to a file.

    Examples
    --------
    >>> neutralize_text("=1+1"), neutralize_text("-1.5"), neutralize_text("'"), neutralize_text("a")
    ("'=1+1", '-1.5', "''", 'a')
    """
    harmless = re.match(_BEGINS, text) is None or re.fullmatch(_NUMBER, text) is not None
    return text if harmless else f"'{text}"


def _write_cell(name: str) -> str:
    """Return the SQL of a cell as it is written."""
    cell = f"CAST({quote_name(name)} AS VARCHAR)"
    return (
        f"CASE WHEN regexp_matches({cell}, {quote_text(_BEGINS)}) AND NOT "
        f"regexp_full_match({cell}, {quote_text(_NUMBER)}) THEN '''' || {cell} ELSE {cell} END"
    )


def _is_text(kind: str) -> bool:
    """Return whether a column holds text, of any values or of listed ones."""
    return kind == "VARCHAR" or kind.startswith("ENUM")
