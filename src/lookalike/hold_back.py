"""Hold back: find the old values that rows show until their new ones can be shown.

An old value is in the file of the release that showed its column last of the row.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import Codes
from lookalike.ledger.columns import ABSENT, Comparison, Flags
from lookalike.ledger.earlier import Earlier
from lookalike.ledger.published import find_file, find_values
from lookalike.mark import CURRENT, Old


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
    renamed = {one.name: one for one in compared if one.before != one.name}
    old = {}
    for one, held in zip(compared, held_back, strict=True):
        if held.any():
            column = earlier.history.columns[one.before]
            last = column.release[found[held]]
            if one.name in renamed:
                raise _under_another_name(renamed[one.name], int(np.count_nonzero(held)))
            if not _is_called(earlier, one.name, last):
                raise _once_called_otherwise(one.name, int(np.count_nonzero(held)))
            if not column.exact.issuperset(last.tolist()):
                raise _once_generalized(one.name, int(np.count_nonzero(held)))
            old[one.name] = _find_column(earlier, found, one.name, types[one.name], held)
    return old


def _is_called(earlier: Earlier, name: str, releases: Codes) -> bool:
    """Tell whether some releases all have a column of this name."""
    told = (earlier.entries[release].certificate for release in np.unique(releases))
    return all(name in certificate.columns for certificate in told)


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


def _once_called_otherwise(name: str, rows: int) -> InvalidInput:
    """Return the error that old values of a column are in a file under another name."""
    return InvalidInput(
        f"column {name!r} had another name in an earlier release, and {rows:,} rows have new "
        "values there that cannot be shown yet; call it again as then, or leave it out"
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
