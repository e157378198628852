"""Hold back new values: find the old values that rows show until their new ones can be shown.

The old value of a row is in the file of the last release that showed the column for that row.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Flags
from lookalike.ledger.policies.compare_columns import ColumnComparison
from lookalike.ledger.policies.earlier_releases import EarlierEntries
from lookalike.ledger.policies.shown_columns import ABSENT, ShownColumn
from lookalike.ledger.store.published_file import find_published_file, find_shown_values
from lookalike.shown_text import count_rows
from lookalike.tables.row_tags import CURRENT, Old


def find_old_values(
    earlier: EarlierEntries,
    position: Codes,
    types: Mapping[str, pa.DataType],
    compared: Sequence[ColumnComparison],
    held_back: Flags,
) -> dict[str, Old]:
    """Return for each column the old values that rows show instead of new ones.

    Parameters
    ----------
    earlier
        The earlier releases.
    position
        Position of each row in the history; `ABSENT` for a new row.
    types
        Types of the columns that are released unchanged.
    compared
        How the columns compare with what was last shown.
    held_back
        By comparison and row: whether a new value of the row is held back.

    Raises
    ------
    InvalidInput
        If there is no old value, or its file is missing.
    """
    old = {}
    for one, held in zip(compared, held_back, strict=True):
        if held.any():
            rows = int(np.count_nonzero(held))
            named = earlier.history.columns.get(one.name)
            for other in compared:
                if other.name == one.name and _is_elsewhere(named, other.earlier, position[held]):
                    raise _under_another_name(other, rows)
            if named is None or not named.exact.issuperset(named.release[position[held]].tolist()):
                raise _once_generalized(one.name, rows)
            old[one.name] = _find_column(earlier, position, one.name, types[one.name], held)
    return old


def _is_elsewhere(named: ShownColumn | None, other: ShownColumn, rows: Codes) -> bool:
    """Return whether some rows last showed another value than the column's own name did."""
    if named is None:
        return True
    later = other.release[rows] >= named.release[rows]
    return bool(np.any(later & (other.digest[rows] != named.digest[rows])))


def _find_column(
    earlier: EarlierEntries, position: Codes, name: str, kind: pa.DataType, held: Flags
) -> Old:
    """Return the values that some rows last showed in a column, file by file."""
    column = earlier.history.columns[name]
    places = np.full(len(held), CURRENT, dtype=np.int32)
    values: list[pa.Array] = []
    last = np.where(held, column.release[position], ABSENT)
    for release in np.unique(last[held]):
        here = np.flatnonzero(last == release)
        file, wanted = find_published_file(earlier.entries[release]), column.digest[position[here]]
        shown, at = find_shown_values(file, name, kind, wanted, earlier.secret)
        places[here] = sum(map(len, values)) + at
        values.append(shown)
    return Old(pa.concat_arrays(values), places)


def _under_another_name(one: ColumnComparison, rows: int) -> InvalidInput:
    """Return the error that a column has the content of an earlier one under another name."""
    return InvalidInput(
        f"column {one.name!r} has the content of column {one.before!r} of an earlier release, so "
        f"they count as one column, and {count_rows(rows)} with a new value there cannot show it "
        f"yet; if it is the same column, rename it to {one.before!r}; otherwise release both or "
        f"leave out {one.name!r}"
    )


def _once_generalized(name: str, rows: int) -> InvalidInput:
    """Return the error that an earlier release shows only generalized values of a column."""
    return InvalidInput(
        f"column {name!r} is part of the quasi-identifier of an earlier release, and "
        f"{count_rows(rows)} with another value since cannot show it yet; make it part of the "
        "quasi-identifier again, or leave it out"
    )
