"""Hold back: find the old values that rows show until their new ones can be shown.

An old value is in the file of the release that showed its column last of the row.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Flags
from lookalike.ledger.policies.columns import ABSENT, Column, Comparison
from lookalike.ledger.policies.earlier import Earlier
from lookalike.ledger.store.published import find_file, find_values
from lookalike.tables.row_tags import CURRENT, Old


def find_old(
    earlier: Earlier,
    found: Codes,
    types: Mapping[str, pa.DataType],
    compared: Sequence[Comparison],
    held_back: Flags,
) -> dict[str, Old]:
    """Find for each column the values that rows show instead of new ones.

    Parameters
    ----------
    earlier
        The earlier releases.
    found
        Where each row stands in their history, or `ABSENT`.
    types
        The types of the columns that are released as they are.
    compared
        How the rows compare with what was last shown of them.
    held_back
        One line a comparison: whether a new value of a row is held back.

    Raises
    ------
    InvalidInput
        If there is no old value, or its file is gone.
    """
    old = {}
    for one, held in zip(compared, held_back, strict=True):
        if held.any():
            rows = int(np.count_nonzero(held))
            named = earlier.history.columns.get(one.name)
            for other in compared:
                if other.name == one.name and _is_elsewhere(named, other.earlier, found[held]):
                    raise _under_another_name(other, rows)
            if named is None or not named.exact.issuperset(named.release[found[held]].tolist()):
                raise _once_generalized(one.name, rows)
            old[one.name] = _find_column(earlier, found, one.name, types[one.name], held)
    return old


def _is_elsewhere(named: Column | None, other: Column, rows: Codes) -> bool:
    """Tell whether what was last shown of some rows is not what the column's own name showed."""
    if named is None:
        return True
    later = other.release[rows] >= named.release[rows]
    return bool(np.any(later & (other.digest[rows] != named.digest[rows])))


def _find_column(earlier: Earlier, found: Codes, name: str, kind: pa.DataType, held: Flags) -> Old:
    """Find the values that were last shown of some rows in a column, file by file."""
    column = earlier.history.columns[name]
    places = np.full(len(held), CURRENT, dtype=np.int32)
    values: list[pa.Array] = []
    last = np.where(held, column.release[found], ABSENT)
    for release in np.unique(last[held]):
        here = np.flatnonzero(last == release)
        file, wanted = find_file(earlier.entries[release]), column.digest[found[here]]
        shown, at = find_values(file, name, kind, wanted, earlier.secret)
        places[here] = sum(map(len, values)) + at
        values.append(shown)
    return Old(pa.concat_arrays(values), places)


def _under_another_name(one: Comparison, rows: int) -> InvalidInput:
    """Return the error that a column shows what an earlier one did, but is not called so."""
    return InvalidInput(
        f"column {one.name!r} shows what column {one.before!r} of an earlier release showed, so "
        f"both count as one column, and {_count(rows)} with a new value there cannot show it yet; "
        f"if it is the same, call it {one.before!r} again, otherwise release both or leave out "
        f"{one.name!r}"
    )


def _once_generalized(name: str, rows: int) -> InvalidInput:
    """Return the error that an earlier release shows a column generalized only."""
    return InvalidInput(
        f"column {name!r} is part of the quasi-identifier of an earlier release, and "
        f"{_count(rows)} with another value since cannot show it yet; make it part of the "
        "quasi-identifier again, or leave it out"
    )


def _count(rows: int) -> str:
    """Write a number of rows."""
    return f"{rows:,} row{'' if rows == 1 else 's'}"
