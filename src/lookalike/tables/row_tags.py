"""Row tags: numbers for the rows of a table, and earlier values that some rows show."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes

TAG = "lookalike mark"
"""The column that holds the tag of each row; it is never released."""
RECALLED = "lookalike recalled"
"""The column that tells of a row that is shown as an earlier release showed it, although the source
no longer has it so: the hashes that the ledger knows it by. It is never released."""
CURRENT = -1
"""The place of a row that shows the value it has."""


@dataclass(frozen=True, eq=False)
class Old(Discreet):
    """Values that some rows of a table showed before, in one column.

    ``values``: the values, of the type that the column has.
    ``places``: where each row's value is among them, or `CURRENT`.
    """

    values: pa.Array
    places: Codes


@dataclass(frozen=True, eq=False)
class RowTags(Discreet):
    """What the rows of a table are tagged with, in the order in which they were fetched.

    ``row_key``: the column with a distinct value for each row.
    ``keys``: its values.
    ``numbers``: the tag of each row.
    ``old``: the columns in which some rows show earlier values.
    ``recalled``: for each row its text of :data:`RECALLED`, missing if it is as the source has it;
    nothing if no row is recalled.
    """

    row_key: str
    keys: pa.ChunkedArray
    numbers: Codes
    old: Mapping[str, Old]
    recalled: pa.Array | None = None
