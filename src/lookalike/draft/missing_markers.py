"""Find the texts that stand for a missing value in a column, such as ``NA`` or ``?``."""

from collections.abc import Sequence

from lookalike.draft.column import ColumnProfile
from lookalike.tables.files.header import NUMBER_OR_DATE

SIGNS = frozenset({"", "?", "-", "--", ".", "n/a", "#n/a", "(null)", "\\n"})
"""Texts, in lower case, that stand for a missing value; ``-`` does not beside ``+``."""
WORDS = frozenset({"na", "nan", "null"})
"""Texts that do so unless the column has many values that look like them."""
AMONG_NUMBERS = frozenset({"none", "unknown", "missing", "nil", "unbekannt", "inconnu"})
"""Texts that do so among numbers and dates only: elsewhere they are answers."""
CODE_LETTERS = 4
"""The length up to which letters are a code, such as that of a laboratory test or a country."""
LEAST_ALIKE = 5
"""How many other values must look like a word of :data:`WORDS` to make it a value."""
MOSTLY = 0.9


def find_markers(column: ColumnProfile) -> tuple[str, ...]:
    """Return the texts that stand for a missing value in a column.

    A sign such as ``?`` does. A word does among numbers and dates, and ``NA`` and its like also
    among values that look different. ``NA`` among country codes is Namibia, ``na`` among
    laboratory tests is sodium, and ``-`` beside ``+`` is a result.

    Examples
    --------
    >>> find_markers(ColumnProfile("age", 9, ("NA", "31", "none", "42"), (4, 2, 2, 1), 4))
    ('NA', 'none')
    >>> find_markers(ColumnProfile("country", 9, tuple("NA DE FR US IT ES".split()), (1,) * 6, 6))
    ()
    >>> find_markers(ColumnProfile("rhesus", 9, ("+", "-", "None"), (5, 3, 1), 3))
    ()
    """
    possible = SIGNS | WORDS | AMONG_NUMBERS
    others = [value for value in column.values if value.lower() not in possible]
    if not _are_numbers(others):
        possible -= AMONG_NUMBERS
    if "+" in others:
        possible -= {"-"}
    doubtful = find_doubtful(column)
    return tuple(
        value for value in column.values if value.lower() in possible and value not in doubtful
    )


def find_doubtful(column: ColumnProfile) -> tuple[str, ...]:
    """Return the texts that stand for a missing value elsewhere, but look like the values here.

    Examples
    --------
    >>> find_doubtful(ColumnProfile("test", 9, tuple("k na cl ca mg hb".split()), (1,) * 6, 6))
    ('na',)
    >>> find_doubtful(ColumnProfile("sex", 9, ("female", "male", "na"), (4, 4, 1), 3))
    ()
    """
    words = [value for value in column.values if value.lower() in WORDS]
    others = [value for value in column.values if value.lower() not in WORDS | SIGNS]
    if not words or _are_numbers(others):
        return ()
    return tuple(word for word in words if _is_value(word, others))


def _is_value(word: str, others: Sequence[str]) -> bool:
    """Return whether a word looks like many other values; for ``na``, two are enough.

    ``NA`` is what programs write for a missing value, so the two must have its length.
    """
    alike = [other for other in others if _are_alike(word, other)]
    near = [other for other in alike if word != "NA" or len(other) == len(word)]
    return len(alike) >= LEAST_ALIKE or (word.lower() == "na" and len(near) >= 2)


def _are_alike(word: str, other: str) -> bool:
    """Return whether two texts are codes of letters, or names, in the same case."""
    if not other.isalpha() or not word.isalpha():
        return False
    if word.istitle():
        return other.istitle()
    return len(other) <= CODE_LETTERS and (other.isupper(), other.islower()) == (
        word.isupper(),
        word.islower(),
    )


def _are_numbers(values: Sequence[str]) -> bool:
    """Return whether nearly all values are numbers or dates."""
    fitting = sum(NUMBER_OR_DATE.fullmatch(value) is not None for value in values)
    return bool(values) and fitting >= MOSTLY * len(values)


def choose_markers(
    found: Sequence[Sequence[str]], columns: Sequence[ColumnProfile]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Return the markers of the whole table, and those of columns that have one as a value."""
    markers = tuple(sorted({marker for one in found for marker in one}))
    own = {
        column.name: tuple(marker for marker in markers if marker not in _values(column, here))
        for column, here in zip(columns, found, strict=True)
    }
    return markers, {name: some for name, some in own.items() if some != markers}


def _values(column: ColumnProfile, markers: Sequence[str]) -> set[str]:
    """Return the values of a column that are no markers there."""
    return set(column.values) - set(markers)
