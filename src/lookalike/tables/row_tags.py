"""Row tags: numbers for the rows of a table, and earlier values that some rows show."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes

TAG = "lookalike mark"
"""The column that holds the tag of each row; it is never released."""
CURRENT = -1
"""The place of a row that shows the value it has."""


@dataclass(frozen=True, eq=False)
class Old(Discreet):
    """Values that some rows of a table showed before, in one column.

    Parameters
    ----------
    values
        The values, of the type that the column has.
    places
        Where each row's value is among them, or `CURRENT`.
    """

    values: pa.Array
    places: Codes


@dataclass(frozen=True, eq=False)
class RowTags(Discreet):
    """What the rows of a table are tagged with, in the order in which they were fetched.

    Parameters
    ----------
    row_key
        The column with a distinct value for each row.
    keys
        Its values.
    numbers
        The tag of each row.
    old
        The columns in which some rows show earlier values.
    """

    row_key: str
    keys: pa.ChunkedArray
    numbers: Codes
    old: Mapping[str, Old]
