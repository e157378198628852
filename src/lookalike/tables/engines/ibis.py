"""Ibis: tables of Ibis whose backend is DuckDB, as queries on the connection of that backend.

Once adopted, such a table is a DuckDB relation, and DuckDB does the work. The released rows are
given back as a table of the same backend.
"""

import secrets
from typing import Any, TypeGuard

import narwhals as nw

from lookalike.errors import InvalidInput
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.engines.sql_engine import Lazy
from lookalike.tables.sql import engine_errors, store
from lookalike.tables.table import Frame, Table


class Ibis(DuckDB):
    """The engine of Ibis tables."""

    def takes(self, frame: Any) -> TypeGuard[Lazy]:
        """Take Ibis tables, of any backend: :meth:`adopt` refuses others than DuckDB."""
        return isinstance(frame, nw.LazyFrame) and frame.implementation.is_ibis()

    def adopt(self, frame: Lazy) -> Lazy:
        """Return the query on the connection of its backend.

        Fetching no row lets Ibis register the tables in memory that the query reads. Ibis turns
        off that a query may read Arrow tables of this process by name; recoding needs it, so it
        is on from here.
        """
        table = frame.to_native()
        backend = table.get_backend()
        if backend.name != "duckdb":
            raise InvalidInput(
                f"Ibis tables of the backend {backend.name} are not supported, only those of "
                "DuckDB; fetch the rows first: table.to_pyarrow()"
            )
        with engine_errors():
            table.limit(0).to_pyarrow()
            backend.con.execute("SET python_enable_replacements = true")
            query: Lazy = nw.from_native(backend.con.sql(backend.compile(table)))
        return query

    def give_back(self, frame: Frame, table: Table) -> Any:
        """Run the query once into a temporary table of the backend, and return that.

        The query joins Arrow tables of this process, which a view of the backend cannot.
        """
        backend, name = table.given.get_backend(), f"lookalike released {secrets.token_hex(8)}"
        with engine_errors():
            store(frame.to_native(), name, "*")
        return backend.table(name, database=("temp", "main"))
