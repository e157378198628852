"""SQL: how statements are written and run on a relation, and what DuckDB's errors mean."""

import json
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from lookalike.errors import InternalError, InvalidInput, LookalikeError
from lookalike.tables.files.encoding import explain_encoding

VIEW = f'"lookalike {secrets.token_hex(8)}"'
"""The name of a relation inside its own statement; no catalog has a table of this name."""
VARIABLES = ("lookalike_rows", "lookalike_mapping")
"""The variables that statements of ours read; DuckDB would prefer a table of that name."""

HARMLESS_FUNCTIONS = {"generate_series", "range", "unnest"}
_OTHER_FIELDS = (
    "correct the line, quote the field, give the delimiter, or leave out a line that is no data "
    "(header_row, skip_rows, last_rows)"
)
SOURCE_CHANGED = "the source changed after it was counted"


def derive(
    relation: duckdb.DuckDBPyRelation,
    statement: str,
    mapping: Any = None,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """Return the result of a query over a relation, which the query calls ``t``.

    ``t`` and ``mapping`` are common table expressions, because DuckDB would prefer a table of
    that name in the catalog of the relation's connection, which may be the caller's.
    ``connection``: the relation's, if it is one of ours. The query then makes no view, which takes
    longer than a small query.

    Examples
    --------
    >>> derive(duckdb.sql("SELECT 1 AS a"), "SELECT a + 1 FROM t").fetchall()
    [(2,)]
    """
    lookalike_rows, lookalike_mapping = relation, mapping
    names = {"t": VIEW if connection is None else "lookalike_rows"}
    if lookalike_mapping is not None:
        names["mapping"] = "lookalike_mapping"
    own = ", ".join(f"{name} AS NOT MATERIALIZED (FROM {of})" for name, of in names.items())
    query = name_rows(statement, own)
    if connection is not None:
        return connection.sql(query)
    derived = lookalike_rows.query(VIEW.strip('"'), query)
    if derived is None:
        raise InternalError("a statement that must give rows gave none")
    return derived


def source_changed() -> InvalidInput:
    """Return the error about rows that were not there when the table was counted."""
    return InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")


def name_rows(statement: str, named: str) -> str:
    """Add common table expressions to a statement, which may have some of its own."""
    more = re.match(r"\s*WITH\b", statement)
    rest = f", {statement[more.end() :]}" if more else f" {statement}"
    return f"WITH {named}{rest}"


def copy_to_file(
    relation: duckdb.DuckDBPyRelation,
    path: Path,
    options: str,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> None:
    """Write the rows of a relation to a file, by DuckDB's COPY with these options.

    ``connection``: the relation's, if it is one of ours (:func:`derive`).
    """
    lookalike_rows, to = relation, f"TO {quote_text(str(path))} ({options})"
    if connection is None:
        lookalike_rows.query(VIEW.strip('"'), f"COPY {VIEW} {to}")
    else:
        connection.execute(f"COPY (FROM lookalike_rows) {to}")


def store(
    relation: duckdb.DuckDBPyRelation,
    name: str,
    columns: str,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> duckdb.DuckDBPyRelation:
    """Run a relation once into a temporary table of its connection; return the stored rows.

    ``connection``: the relation's, if it is one of ours (:func:`derive`).
    """
    lookalike_rows, table = relation, quote_name(name)
    made = f"CREATE TEMP TABLE {table} AS SELECT {columns} FROM"
    if connection is not None:
        connection.execute(f"{made} lookalike_rows")
        return connection.sql(f"FROM {table}")
    lookalike_rows.query(VIEW.strip('"'), f"{made} {VIEW}")
    return derive(relation, f"SELECT * FROM {table}")


def drop(relation: duckdb.DuckDBPyRelation, name: str) -> None:
    """Drop a temporary table of a relation's connection.

    A relation that was derived from another one needs all tables of that one, used or not.
    """
    relation.query(VIEW.strip('"'), f"DROP TABLE {quote_name(name)}")


@contextmanager
def engine_errors(place: str = "the table") -> Iterator[None]:
    """Turn an error of DuckDB into one without private values; pass Ctrl-C on as such."""
    try:
        yield
    except duckdb.Error as error:
        raise _explain(error, place) from None
    except RuntimeError as error:
        if str(error) == "Query interrupted":
            raise KeyboardInterrupt from None
        raise


def _explain(error: duckdb.Error, place: str) -> LookalikeError:
    """Explain an error of DuckDB without its text, which may quote a row."""
    text = str(error)
    if SOURCE_CHANGED in text:
        return source_changed()
    found = _locate(text)
    where = f"{found[0].name}, line {found[1]}" if found else place
    fields = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
    if fields:
        return InvalidInput(
            f"{where}: the header has {fields.group(1)} fields but this line has "
            f"{fields.group(2)}; {_OTHER_FIELDS}"
        )
    if re.search("^Value with unterminated quote found", text, re.MULTILINE):
        return InvalidInput(f'{where}: a quoted field is not closed; write a quote inside as ""')
    if "state machine reached an invalid state" in text:
        files = re.findall("^  file = (.+)$", text, re.MULTILINE)
        return InvalidInput(
            f"{Path(files[-1]).name if files else place}: lines end in different ways, or text "
            'follows a closing quote; end all lines alike (dos2unix), write a quote inside as ""'
        )
    if re.search("^Invalid unicode|invalid UTF-8", text, re.MULTILINE):
        if found and found[0].is_file():
            return InvalidInput(explain_encoding(found[0], "utf-8", found[1]))
        return InvalidInput(f'{where}: not UTF-8; give the encoding, such as encoding = "latin-1"')
    if "JSON in file" in text or "expected records" in text:
        return InvalidInput(f"{where}: not JSON lines; write one JSON object a line")
    if isinstance(error, duckdb.ConversionException):
        return InvalidInput(
            f"{where}: a value cannot be converted to the type that where or query asks for; use "
            "TRY_CAST, which gives NULL instead"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return InvalidInput(f"{where}: {_explain_shortage(text)}")
    if isinstance(error, duckdb.BinderException | duckdb.ParserException | duckdb.CatalogException):
        reason = text.splitlines()[0].partition(": ")[2]
        hint = " (values are text in CSV and JSON lines: CAST(age AS INTEGER) >= 18)"
        return InvalidInput(f"{where}: {reason}{hint if place == 'where' else ''}")
    if isinstance(error, duckdb.IOException):
        return InvalidInput(f"{where}: cannot be read or written; is there room on the disk?")
    return InvalidInput(f"{where}: DuckDB cannot process it ({type(error).__name__})")


def _explain_shortage(text: str) -> str:
    """Explain that memory, or the disk beyond it, is full, and name the remedy."""
    if "max_temp_directory_size" in text:
        return (
            "the disk is full of what does not fit into memory; choose a folder with more room as "
            "spill (--spill), or raise memory (--memory)"
        )
    return 'DuckDB needs more memory than it may use; raise memory (--memory), such as "4GB"'


def _locate(text: str) -> tuple[Path, int] | None:
    """Return the file and line that an error of DuckDB names; it counts lines of JSON from 2.

    An error about CSV quotes the row before it names the file.
    """
    files = re.findall(r'^  file = (.+)$|in file "(.+?)", at byte', text, re.MULTILINE)
    line = re.search(r"CSV Error on Line: (\d+)|in line (\d+)", text)
    if not files or not line:
        return None
    name, number = "".join(files[-1]), line.group(1)
    return Path(name), int(number) if number else int(line.group(2)) - 1


def sources_of(query: str, connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Name the tables, files and table functions that a query reads, in lower case.

    Examples
    --------
    >>> sorted(sources_of("SELECT * FROM a, read_csv('b.csv'), range(3)", duckdb.connect()))
    ['a', 'read_csv']
    """
    [(text,)] = connection.execute("SELECT json_serialize_sql(?)", [query]).fetchall()
    parsed = json.loads(text)
    if len(parsed.get("statements", ())) != 1:
        mistyped = parsed.get("error_type") == "parser"
        problem = parsed["error_message"] if mistyped else "it is not one SELECT statement"
        raise InvalidInput(f"query: {problem}; write one SELECT over the tables")
    nodes = list(_nodes(parsed))
    common = {entry["key"] for node in nodes for entry in node.get("cte_map", {}).get("map", ())}
    tables = {node["table_name"] for node in nodes if node.get("type") == "BASE_TABLE"}
    functions = {
        node["function"]["function_name"] for node in nodes if node.get("type") == "TABLE_FUNCTION"
    }
    return {name.lower() for name in tables - common | functions - HARMLESS_FUNCTIONS}


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in parsed JSON."""
    if isinstance(tree, dict):
        yield tree
    for part in tree.values() if isinstance(tree, dict) else tree:
        if isinstance(part, dict | list):
            yield from _nodes(part)


def quote_name(name: str) -> str:
    """Write a column name.

    Examples
    --------
    >>> quote_name('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


def spark_name(name: str) -> str:
    """Write a column name for Spark."""
    return "`" + name.replace("`", "``") + "`"


def spark_sql(sql: str) -> str:
    """Write an expression for Spark: the names in it are quoted as :func:`quote_name` does.

    Examples
    --------
    >>> print(spark_sql('concat("a ""b", 1)'))
    concat(`a "b`, 1)
    """

    def write(found: re.Match[str]) -> str:
        return found[0] if found[1] is None else spark_name(found[1].replace('""', '"'))

    return re.sub(r"""'[^']*'|"((?:[^"]|"")*)\"""", write, sql)


def quote_text(text: str) -> str:
    """Write text.

    Examples
    --------
    >>> quote_text("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def quote_bytes(content: bytes) -> str:
    r"""Write bytes.

    Examples
    --------
    >>> print(quote_bytes(b"\x00A"))
    '\x00\x41'::BLOB
    """
    return "'" + "".join(f"\\x{byte:02X}" for byte in content) + "'::BLOB"
