"""How SQL is written and run on a relation."""

from typing import Any

import duckdb

from lookalike.errors import InternalError


def derive(
    relation: duckdb.DuckDBPyRelation,
    statement: str,
    mapping: Any = None,  # noqa: ARG001  (statements refer to it by name)
) -> duckdb.DuckDBPyRelation:
    """Return what a statement makes of a relation, which it calls ``t``.

    Parameters
    ----------
    relation
        A query, on whatever connection it belongs to.
    statement
        SQL; one that only reads is run when its rows are fetched, any other is run now.
    mapping
        An Arrow table that the statement may join, as ``mapping``.

    Examples
    --------
    >>> derive(duckdb.sql("SELECT 1 AS a"), "SELECT a + 1 FROM t").fetchall()
    [(2,)]
    """
    derived = relation.query("t", statement)
    if derived is None:
        raise InternalError("a statement that must give rows gave none")
    return derived


def quote_name(name: str) -> str:
    """Write a column name.

    Examples
    --------
    >>> quote_name('a "b" c')
    '"a ""b"" c"'
    """
    return '"' + name.replace('"', '""') + '"'


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
