"""TableFacts: what the studio knows of a table, column by column, and what it proposes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from lookalike.draft.column import ColumnFigures, ColumnProfile
from lookalike.draft.draft import assign_hierarchy, distinguish_files
from lookalike.draft.linkable_columns import LinkableColumns
from lookalike.draft.make_draft import draft
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.studio.editing.edit_toml import parse_toml

SKETCHED_BARS = 16
"""How many bars the small histogram of a column has."""
MOST_NUMBERS = 10_000
"""How many values of a column are read as numbers for it, the most frequent ones."""
VALUES_SHOWN = 6
"""How many values of a column a page shows, the most frequent ones."""
_READING_FIELDS = (
    *("delimiter", "encoding", "duplicate_headers", "header_row", "skip_rows", "last_rows"),
    *("sheet", "value_labels", "where", "missing", "trim"),
)
"""The fields of ``[source]`` by which a file is read and its values are cleaned."""


@dataclass(frozen=True)
class ColumnFacts(Discreet):
    """A column of the private table.

    ``profile``: its values with their numbers of rows; of very many, the 100,000 most frequent
    ones. ``role``: the proposed one; ``"?"`` if the holder must decide. ``hierarchy``: that of the
    column as a quasi-identifier, as an inline table of a specification; empty if none can be
    proposed. ``hierarchy_file``: the name and the text of its file, for ``kind = "file"``.
    ``bars``: a small histogram, as :func:`count_bars` counts it.
    """

    name: str
    figures: ColumnFigures
    profile: ColumnProfile
    role: DraftedRole
    reason: str
    hierarchy: str
    hierarchy_reason: str
    hierarchy_file: tuple[str, str] | None = None
    bars: tuple[int, ...] = ()

    @property
    def examples(self) -> tuple[tuple[str, int], ...]:
        """Its most frequent values, each with its number of rows."""
        pairs = zip(self.profile.values, self.profile.counts, strict=True)
        return tuple(islice(pairs, VALUES_SHOWN))

    @property
    def definition(self) -> dict[str, Any]:
        """The proposed hierarchy as a table; empty if none can be proposed."""
        read = parse_toml(f"hierarchy = {self.hierarchy or '{}'}")
        return dict(read["hierarchy"])


@dataclass(frozen=True)
class TableFacts(Discreet):
    """A private table and its drafted specification (``text``).

    ``source``: the fields of ``[source]`` that were found, such as ``encoding`` and ``person``;
    ``remarks``: for some of them the reason, in words.
    ``linkable``: the columns as codes of rows, by which their bits are measured.
    """

    rows: int
    columns: tuple[ColumnFacts, ...]
    source: Mapping[str, Any]
    remarks: Mapping[str, str]
    text: str
    linkable: LinkableColumns | None = None

    def find(self, name: str) -> ColumnFacts | None:
        """Return a column by its name."""
        return next((one for one in self.columns if one.name == name), None)

    def files_of(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the hierarchy files that a specification names, with their texts."""
        for column in self.columns:
            if column.hierarchy_file is not None and column.hierarchy_file[0] in text:
                yield column.hierarchy_file


def find_reading(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``[source]`` that say how a table is read."""
    return {name: source[name] for name in _READING_FIELDS if name in source}


def profile(announce: Announce, table: Path, source: Mapping[str, Any]) -> TableFacts:
    """Profile a table and draft its specification."""
    announce("reading")
    found = draft(table, announce=announce, **source)
    linkable = [assign_hierarchy(replace(one, role="quasi-identifier")) for one in found.columns]
    named = distinguish_files(linkable)  # files have the names that they have among all columns
    columns = [
        one if one.hierarchy is None else replace(one, hierarchy=other.hierarchy)
        for one, other in zip(found.columns, named, strict=True)
    ]
    return TableFacts(
        rows=found.rows,
        columns=tuple(map(_describe_column, found.columns, named)),
        source=found.source,
        remarks=found.remarks,
        text=replace(found, columns=tuple(columns)).toml(table.parent),
        linkable=found.linkable,
    )


def _describe_column(column: ProposedColumn, linkable: ProposedColumn) -> ColumnFacts:
    """Return what the studio keeps of a column."""
    proposed = linkable.hierarchy
    file = None if proposed is None else (proposed.path, proposed.file_text)
    return ColumnFacts(
        name=column.name,
        figures=column.figures,
        profile=column.profile,
        role=column.role,
        reason=column.reason,
        hierarchy="" if proposed is None else proposed.table,
        hierarchy_reason=linkable.reason if proposed is None else proposed.reason,
        hierarchy_file=file if file is not None and file[0] else None,
        bars=count_bars(column.profile),
    )


def count_bars(profile: ColumnProfile) -> tuple[int, ...]:
    """Count the rows in equal ranges of a column of numbers, or of its most frequent values.

    Examples
    --------
    >>> count_bars(ColumnProfile("age", 6, ("1", "2", "17"), (3, 2, 1), 3))
    (3, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    >>> count_bars(ColumnProfile("sex", 5, ("f", "m"), (3, 2), 2))
    (3, 2)
    """
    seen = replace(
        profile, values=profile.values[:MOST_NUMBERS], counts=profile.counts[:MOST_NUMBERS]
    )
    numbers = read_column_numbers(seen)
    if numbers.others or len(numbers.units) < 3:
        return tuple(profile.counts[:SKETCHED_BARS])
    low, span = numbers.units[0], numbers.units[-1] - numbers.units[0]
    bars = [0] * SKETCHED_BARS
    for unit, rows in zip(numbers.units, numbers.counts, strict=True):
        bars[min(SKETCHED_BARS - 1, (unit - low) * SKETCHED_BARS // span)] += rows
    return tuple(bars)
