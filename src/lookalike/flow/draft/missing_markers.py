"""Find the texts that stand for a missing value in a column, such as ``NA`` or ``?``."""

import re
from collections.abc import Sequence

from lookalike.flow.draft.column import ColumnProfile

ALWAYS = frozenset({"", "?", "-", "--", ".", "n/a", "#n/a", "null", "(null)", "nan", "\\n", "na"})
"""Texts, in lower case, that stand for a missing value unless the column speaks against it."""
AMONG_NUMBERS = frozenset({"none", "unknown", "missing", "nil", "unbekannt", "inconnu"})
"""Texts that do so among numbers and dates only: elsewhere they are answers."""
_NUMBER_OR_DATE = re.compile(r"[+-]?[0-9][0-9.,:/ T-]*")
_TWO_LETTERS = re.compile(r"[A-Z]{2}")
MOSTLY = 0.9
LEAST_CODES = 5


def find_markers(column: ColumnProfile) -> tuple[str, ...]:
    """Return the texts that stand for a missing value in a column.

    ``NA`` among codes of two capital letters is a code, such as that of Namibia, and ``-``
    beside ``+`` is a result.

    Examples
    --------
    >>> find_markers(ColumnProfile("age", 9, ("NA", "31", "none", "42"), (4, 2, 2, 1), 4))
    ('NA', 'none')
    >>> find_markers(ColumnProfile("country", 9, tuple("NA DE FR US IT ES".split()), (1,) * 6, 6))
    ()
    >>> find_markers(ColumnProfile("rhesus", 9, ("+", "-", "None"), (5, 3, 1), 3))
    ()
    """
    possible = {value for value in column.values if value.lower() in ALWAYS | AMONG_NUMBERS}
    others = [value for value in column.values if value not in possible]
    if not _mostly(_NUMBER_OR_DATE, others):
        possible = {value for value in possible if value.lower() in ALWAYS}
    if len(others) >= LEAST_CODES and _mostly(_TWO_LETTERS, others):
        possible.discard("NA")
    if "+" in others:
        possible.discard("-")
    return tuple(value for value in column.values if value in possible)


def choose_markers(
    found: Sequence[Sequence[str]], columns: Sequence[ColumnProfile]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the markers of the whole table, and those of columns that have one as a value.

    Parameters
    ----------
    found
        The markers of each column.
    columns
        The columns.
    """
    markers = tuple(sorted({marker for one in found for marker in one}))
    own = {
        column.name: tuple(marker for marker in markers if marker not in _values(column, here))
        for column, here in zip(columns, found, strict=True)
    }
    return markers, {name: some for name, some in own.items() if some != markers}


def _values(column: ColumnProfile, markers: Sequence[str]) -> set[str]:
    """Return the values of a column that are no markers there."""
    return set(column.values) - set(markers)


def _mostly(pattern: re.Pattern[str], values: Sequence[str]) -> bool:
    """Return whether nearly all values match a pattern."""
    fitting = sum(pattern.fullmatch(value) is not None for value in values)
    return bool(values) and fitting >= MOSTLY * len(values)
