"""Match released persons with private ones of whose records some may have been left out."""

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyRelation

from lookalike.kernels.types import Codes, Counts
from lookalike.tables.connection import Connection
from lookalike.tables.sql import derive
from lookalike.verify.cell_matching import Rows, match_rows

BYTES_OF_COMPARISON = 64
"""The memory of a released and a private row that are compared; 30 million took 2.9 GB."""
_ROWS = (
    "SELECT number, whole, excess, len(records) AS several, unnest(records, recursive := true) "
    "FROM t"
)
"""The rows of the persons who are left to be matched."""


def count_unmatched_persons(persons: DuckDBPyRelation, connection: Connection) -> int | None:
    """Count the released persons whose rows are contained in those of no private person left.

    A released person is matched with a private person of exactly these rows while there is one.
    This loses nothing: if a maximum matching gives that private person p to a released person s,
    and p' to the released person r with the rows of p, then s fits p', because s is contained in p,
    which is contained in p'. So s and r can be exchanged. Released persons without records, who fit
    everybody, take whom the others leave.

    Returns: None if comparing them takes more memory than may be used.
    """
    left = derive(
        persons,
        "SELECT row_number() OVER (ORDER BY whole, records) - 1 AS number, whole, "
        "coalesce(records, []) AS records, shown - own AS excess FROM t WHERE shown <> own",
        connection=connection.duckdb,
    ).to_arrow_table()
    if _bound_pairs(left, connection) * BYTES_OF_COMPARISON > connection.resources.bytes:
        return None
    whole, excess = left["whole"].to_numpy(), left["excess"].to_numpy()
    shown, own = np.maximum(excess, 0), np.maximum(-excess, 0)
    anybody = (left["records"].combine_chunks().value_lengths().to_numpy() == 0) & (shown > 0)
    first = np.where(anybody, 0, shown)
    matched = match_rows(_rows(own), _rows(first), [_find_edges(left, connection)])
    groups = 1 + int(whole.max())
    free = np.bincount(whole, own, groups) - np.bincount(whole, matched, groups)
    last = np.bincount(whole, np.where(anybody, shown, 0), groups)
    return int(first.sum() - matched.sum() + np.maximum(last - free, 0).sum())


def _rows(counts: Counts) -> Rows:
    """Return rows that are known by their counts alone."""
    return Rows(np.zeros((1, len(counts)), dtype=np.int32), counts)


def _bound_pairs(left: pa.Table, connection: Connection) -> int:
    """Bound the number of pairs of a released and a private row that are compared."""
    rows = connection.duckdb.from_arrow(left)
    [(pairs,)] = derive(
        rows,
        f"WITH rows AS ({_ROWS}) SELECT coalesce(sum(shown * own), 0) FROM (SELECT "
        "CAST(count(*) FILTER (excess > 0) AS HUGEINT) AS shown, "
        "count(*) FILTER (excess < 0) AS own FROM rows GROUP BY whole, place, code)",
        connection=connection.duckdb,
    ).fetchall()
    return int(pairs)


def _find_edges(left: pa.Table, connection: Connection) -> tuple[Codes, Codes]:
    """Find which private persons have the rows of a released person: the number of each of both."""
    edges = derive(
        connection.duckdb.from_arrow(left),
        f"""
        WITH rows AS ({_ROWS})
        SELECT s.number AS shown, p.number AS own
        FROM rows AS s JOIN rows AS p USING (whole, place, code)
        WHERE s.excess > 0 AND p.excess < 0 AND p.copies >= s.copies
        GROUP BY s.number, p.number HAVING count(*) = any_value(s.several)
        """,
        connection=connection.duckdb,
    ).to_arrow_table()
    return tuple(edges[name].to_numpy().astype(np.int32) for name in ("shown", "own"))
