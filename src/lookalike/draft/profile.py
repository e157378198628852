"""Profile a table: the distinct values of each column, and what stands for a missing value."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lookalike.draft.column import ColumnProfile
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.tables.count import count_distinct, count_most_frequent, number_of_rows
from lookalike.tables.files.header_and_delimiter import NUMBER_OR_DATE
from lookalike.tables.files.statistics_file import Labels
from lookalike.tables.table import POSITION, Frame, column_names, is_incomparable

VALUES_OF_COLUMN = 100_000
"""How many distinct values of a column are examined, the most frequent ones."""


@dataclass(frozen=True)
class TableProfile(Discreet):
    """The columns of a table, as a specification is drafted from them.

    ``trim``: whether some values have blanks around them.
    ``markers``: the texts that stand for a missing value in the whole table.
    ``own_markers``: the markers of columns in which another marker of the table is a value.
    ``questioned``: for some columns, texts that stand for a missing value, or are values like the
    others.
    ``incomparable``: the columns of lists, structures or bytes, which cannot be matched as text.
    """

    rows: int
    columns: tuple[ColumnProfile, ...]
    trim: bool
    markers: tuple[str, ...]
    own_markers: Mapping[str, tuple[str, ...]]
    questioned: Mapping[str, tuple[str, ...]]
    incomparable: frozenset[str]


def profile_table(
    frame: Frame, announce: Announce = lambda _: None, labels: Labels | None = None
) -> TableProfile:
    """Count the distinct values of each column and find out what stands for a missing value."""
    names = [name for name in column_names(frame) if name != POSITION]
    rows, kinds = number_of_rows(frame), frame.collect_schema()
    incomparable = frozenset(name for name in names if is_incomparable(kinds[name]))
    counted = []
    for number, name in enumerate(names, 1):
        announce(f"column {number:,} of {len(names):,}")
        unknown = ColumnProfile(name, rows, (), (), 0)
        column = unknown if name in incomparable else profile_column(frame, name, rows)
        text, of_values = (labels or {}).get(name, ("", {}))
        counted.append(replace(column, label=text, value_labels=of_values))
    blanks = [any(value != value.strip() for value in column.values) for column in counted]
    trimmed = [
        rewrite_values(column, str.strip) if around else column
        for column, around in zip(counted, blanks, strict=True)
    ]
    markers, own = choose_markers([find_markers(column) for column in trimmed], trimmed)
    return TableProfile(
        rows=rows,
        columns=tuple(count_as_missing(one, own.get(one.name, markers)) for one in trimmed),
        trim=any(blanks),
        markers=markers,
        own_markers=own,
        questioned={one.name: some for one in trimmed if (some := find_doubtful(one))},
        incomparable=incomparable,
    )


def profile_column(frame: Frame, name: str, rows: int) -> ColumnProfile:
    """Count the distinct values of a column as they are."""
    found = count_most_frequent(frame, name, VALUES_OF_COLUMN)
    known = {text: count for text, count in found.counts.items() if text is not None}
    distinct, present = len(known), sum(known.values())
    if not found.complete:
        [(distinct, present)] = count_distinct(frame, [name]).values()
    counts = tuple(known.values())
    return ColumnProfile(name, rows, tuple(known), counts, distinct, missing=rows - present)


def rewrite_values(column: ColumnProfile, rewrite: Callable[[str], str]) -> ColumnProfile:
    """Return a column with its values written differently; those that become equal are added up."""
    counts: Counter[str] = Counter()
    for value, count in zip(column.values, column.counts, strict=True):
        counts[rewrite(value)] += count
    return _replace_values(column, counts)


def _replace_values(column: ColumnProfile, counts: Mapping[str, int]) -> ColumnProfile:
    """Return a column with other values, of which some may have become one."""
    ordered = dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
    distinct = column.distinct - len(column.values) + len(ordered)
    return replace(column, values=tuple(ordered), counts=tuple(ordered.values()), distinct=distinct)


def count_as_missing(column: ColumnProfile, markers: Sequence[str]) -> ColumnProfile:
    """Return a column in which the markers count as missing."""
    counts = dict(zip(column.values, column.counts, strict=True))
    found = {marker: counts.pop(marker) for marker in markers if marker in counts}
    if not found:
        return column
    kept, missing = _replace_values(column, counts), column.missing + sum(found.values())
    return replace(kept, missing=missing, markers=(*column.markers, *found))


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
        column.name: tuple(one for one in markers if one in here or one not in column.values)
        for column, here in zip(columns, found, strict=True)
    }
    return markers, {name: some for name, some in own.items() if some != markers}
