"""Count a private table and its release with SQL, so that both can be compared.

Each table is counted once: its distinct sequences of quasi-identifier values, the number of rows of
each, and the sum of keyed hashes of the other columns of these rows.
"""

import hmac
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts, Hashes
from lookalike.tables.engines import sql_engine_of
from lookalike.tables.engines.sql_engine import QueryRows
from lookalike.tables.labels import label
from lookalike.tables.pseudonyms import pseudonym_sql
from lookalike.tables.sql import derive, quote_name, quote_text
from lookalike.verify.recount import group_rows
from lookalike.verify.values import column_types, compare_as

ROWS, SHOWN, CLASS = "lookalike rows", "lookalike shown", "lookalike class"
_HASH_MODULUS = 2**64

AllowedLevels = int | Collection[int] | None
"""One level, several levels, or any level."""


@dataclass(frozen=True)
class TruthClaim:
    """The claim that a release makes about how it was derived from its private table.

    ``hierarchies``: the hierarchy of each attribute of the quasi-identifier.
    ``levels``: the level to which each attribute was generalized. At the cell level there may be
    several levels, None allows any, and a value may be suppressed instead.
    ``unchanged``: the columns that were released as they are.
    ``blank``: whether suppressed rows were kept as blank rows.
    ``suppressed_label``: the label of a suppressed value.
    ``cells``: whether levels may differ from cell to cell. A suppressed value then stands for any
    value, so `blank` has no effect.
    ``pseudonym_keys``: for each identifier that was released as a pseudonym, its secret key.
    """

    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, AllowedLevels]
    unchanged: Sequence[str]
    blank: bool
    suppressed_label: str
    cells: bool = False
    pseudonym_keys: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    @property
    def columns(self) -> list[str]:
        """The columns that are compared."""
        return [*self.levels, *self.other_columns]

    @property
    def other_columns(self) -> list[str]:
        """The columns that are compared in addition to the quasi-identifier."""
        return [*self.unchanged, *self.pseudonym_keys]

    @property
    def linkable(self) -> "TruthClaim":
        """The same claim for the quasi-identifier alone."""
        return replace(self, unchanged=(), pseudonym_keys={})

    def levels_of(self, name: str, height: int) -> list[int]:
        """Return the levels that the values of an attribute may have."""
        level = self.levels[name]
        if level is None and not self.cells:
            raise InvalidInput(
                f"column {name!r}: no level is given, but only a cell-level release may have "
                "values at any level; give the level, or set cells"
            )
        some = range(height + 1) if level is None else [level] if isinstance(level, int) else level
        return [one for one in some if 0 <= one <= height]


@dataclass(frozen=True, eq=False)
class ComparedTable(Discreet):
    """One of the two tables, counted by its distinct sequences.

    ``types``: the DuckDB type of each column of the quasi-identifier.
    ``sequences``: the distinct sequences, with their values as the engine returns them; the last
    columns are the number of rows of each sequence and the sum of their hashes.
    ``native``: the rows.
    ``other_hash``: SQL for the hash of the other columns of a row.
    """

    types: Mapping[str, Any]
    sequences: pa.Table
    native: QueryRows
    other_hash: str

    @property
    def rows(self) -> Counts:
        """The number of rows of each sequence."""
        return self.sequences[ROWS].to_numpy().astype(np.int64)  # type: ignore[no-any-return]

    @property
    def marks(self) -> Hashes:
        """The sum of the hashes of the rows of each sequence."""
        return self.sequences[SHOWN].to_numpy()  # type: ignore[no-any-return]

    def count_by_hash(self, class_of: Codes, doubtful: npt.NDArray[np.bool_]) -> pa.Table:
        """Count the rows of some classes by class and by the hash of their other columns.

        Returns: a table with the columns ``class``, ``hash`` and ``rows``.
        """
        wanted = np.flatnonzero(doubtful[class_of])
        some = self.sequences.drop_columns([ROWS, SHOWN]).take(pa.array(wanted))
        mapping = some.append_column(CLASS, pa.array(class_of[wanted]))
        engine, names = sql_engine_of(self.native), some.column_names
        columns = [*map(quote_name, names), f"{self.other_hash} AS hash"]
        found = engine.join(engine.select(self.native, columns), mapping, names, inner=True)
        classes = engine.select(found, [f"{quote_name(CLASS)} AS class", "hash"])
        return group_rows(classes, ("class", "hash"), "count(*) AS rows")


def count_both_tables(
    original: duckdb.DuckDBPyRelation, release: duckdb.DuckDBPyRelation, claim: TruthClaim
) -> tuple[ComparedTable, ComparedTable]:
    """Count a private table and its release."""
    original = with_pseudonyms(original, claim.pseudonym_keys)
    hashes = hash_other_columns(original, release, claim)
    private, released = (
        ComparedTable(column_types(rows), _count(rows, other_hash, claim), rows, other_hash)
        for rows, other_hash in zip((original, release), hashes, strict=True)
    )
    return private, released


def hash_other_columns(
    original: duckdb.DuckDBPyRelation, release: duckdb.DuckDBPyRelation, claim: TruthClaim
) -> tuple[str, str]:
    """Return SQL for the hash of the other columns of a private and of a released row.

    The key is random, so that nobody can construct other values with the same hashes.
    """
    key = quote_text(secrets.token_hex(16))
    private, released = column_types(original), column_types(release)
    pairs = [
        (key, key),
        *(
            compare_as(quote_name(name), private[name], released[name])
            for name in claim.other_columns
        ),
    ]
    private_hash, released_hash = (
        ", ".join(expressions) for expressions in zip(*pairs, strict=True)
    )
    return f"hash({private_hash})", f"hash({released_hash})"


def _count(relation: duckdb.DuckDBPyRelation, other_hash: str, claim: TruthClaim) -> pa.Table:
    """Count the rows of each distinct sequence, and add up the hashes of their other columns.

    Where levels differ from cell to cell, rows with different hashes are counted separately.
    """
    hashed = (
        other_hash
        if claim.cells
        else f"CAST(coalesce(sum({other_hash}), 0) % {_HASH_MODULUS} AS UBIGINT)"
    )
    counted = [f"count(*) AS {quote_name(ROWS)}", f"{hashed} AS {quote_name(SHOWN)}"]
    keys = [*map(quote_name, claim.levels)]
    groups = [*keys, other_hash] if claim.cells else keys
    return relation.aggregate(", ".join([*keys, *counted]), ", ".join(groups)).to_arrow_table()


def with_pseudonyms(
    original: duckdb.DuckDBPyRelation, keys: Mapping[str, bytes]
) -> duckdb.DuckDBPyRelation:
    """Replace identifiers by their pseudonyms."""
    types = column_types(original)
    for name, key in keys.items():
        try:
            hashed = pseudonym_sql(name, types[name].id, key)
        except InvalidInput:
            original = _hash_values(original, name, key)
        else:
            original = original.project(f"* REPLACE ({hashed} AS {quote_name(name)})")
    return original


def _hash_values(
    original: duckdb.DuckDBPyRelation, name: str, key: bytes
) -> duckdb.DuckDBPyRelation:
    """Replace identifiers by pseudonyms, for types whose text differs between SQL and Python."""
    column = quote_name(name)
    values = original.project(column).distinct().to_arrow_table()
    texts = [label(value) for value in values.column(0).to_pylist()]
    hashed = [None if t is None else hmac.new(key, t.encode(), "sha256").hexdigest() for t in texts]
    mapping = values.rename_columns(["before"]).append_column(
        "after", pa.array(hashed, pa.string())
    )
    return derive(
        original,
        f"SELECT t.* REPLACE (m.after AS {column}) FROM t LEFT JOIN mapping AS m "
        f"ON t.{column} IS NOT DISTINCT FROM m.before",
        mapping,
    )
