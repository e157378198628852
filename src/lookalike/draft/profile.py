"""Profile a table: the distinct values of each column, and what stands for a missing value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lookalike.draft.column import ColumnProfile
from lookalike.draft.missing_markers import choose_markers, find_doubtful, find_markers
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.tables.count import count_distinct, count_most_frequent, number_of_rows
from lookalike.tables.table import POSITION, Frame, column_names, is_incomparable

Labels = Mapping[str, tuple[str, Mapping[str, str]]]
"""What a file says of each column, and of its values."""
VALUES_OF_COLUMN = 100_000
"""How many distinct values of a column are examined, the most frequent ones."""


@dataclass(frozen=True)
class TableProfile(Discreet):
    """The columns of a table, as a specification is drafted from them.

    Parameters
    ----------
    rows
        The number of rows.
    columns
        The profile of each column, in order.
    trim
        Whether some values have blanks around them.
    markers
        The texts that stand for a missing value in the whole table.
    own_markers
        The markers of columns in which another marker of the table is a value.
    questioned
        For some columns, texts that stand for a missing value, or are values like the others.
    incomparable
        The columns of lists, structures or bytes, which cannot be matched as text.
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
    trimmed = [_trim(column) for column in counted]
    markers, own = choose_markers([find_markers(column) for column in trimmed], trimmed)
    return TableProfile(
        rows=rows,
        columns=tuple(count_as_missing(one, own.get(one.name, markers)) for one in trimmed),
        trim=any(
            before.values != after.values for before, after in zip(counted, trimmed, strict=True)
        ),
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
        [(distinct, present)] = count_distinct(frame, [name], exact=True).values()
    return ColumnProfile(
        name=name,
        rows=rows,
        values=tuple(known),
        counts=tuple(known.values()),
        distinct=distinct,
        missing=rows - present,
    )


def _trim(column: ColumnProfile) -> ColumnProfile:
    """Return a column without blanks around its values."""
    if all(value == value.strip() for value in column.values):
        return column
    counts: dict[str, int] = {}
    for value, count in zip(column.values, column.counts, strict=True):
        counts[value.strip()] = counts.get(value.strip(), 0) + count
    return replace_values(column, counts)


def replace_values(column: ColumnProfile, counts: Mapping[str, int]) -> ColumnProfile:
    """Return a column with other values, of which some may have become one."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return replace(
        column,
        values=tuple(value for value, _ in ordered),
        counts=tuple(count for _, count in ordered),
        distinct=column.distinct - len(column.values) + len(ordered),
    )


def count_as_missing(column: ColumnProfile, markers: Sequence[str]) -> ColumnProfile:
    """Return a column in which the markers count as missing."""
    counts = dict(zip(column.values, column.counts, strict=True))
    found = {marker: counts.pop(marker) for marker in markers if marker in counts}
    if not found:
        return column
    kept = replace_values(column, counts)
    return replace(
        kept,
        missing=column.missing + sum(found.values()),
        markers=(*column.markers, *found),
    )
