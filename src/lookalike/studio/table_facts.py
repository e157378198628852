"""TableFacts: what the studio knows of tables, column by column, and what it proposes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from lookalike.draft.column import ColumnFigures, ColumnProfile
from lookalike.draft.draft import Draft, assign_hierarchy, distinguish_files
from lookalike.draft.draft_records import draft_records
from lookalike.draft.linkable_columns import LinkableColumns
from lookalike.draft.make_draft import draft
from lookalike.draft.numbers import read_column_numbers
from lookalike.draft.proposed_column import DraftedRole, ProposedColumn
from lookalike.draft.toml_text import quote_toml
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.studio.editing.edit_toml import find_fields, parse_toml, set_field
from lookalike.studio.editing.project import Project, Stamps, find_columns, stamp_files
from lookalike.studio.folder import find_free_name
from lookalike.tables.source import UNDECIDED

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


@dataclass(frozen=True)
class LinkedFacts(Discreet):
    """Private tables by their names, that of persons without one, and their drafted specification.

    ``left_out``: for tables that are no records of these persons the reason, in words.
    """

    tables: Mapping[str | None, TableFacts]
    text: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)


def find_reading(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of ``[source]`` that say how a table is read."""
    return {name: source[name] for name in _READING_FIELDS if name in source}


def find_person_field(source: Mapping[str, Any]) -> dict[str, Any]:
    """Return the field that names the column of persons, if that is decided."""
    person = source.get("person")
    return {"person": person} if isinstance(person, str) and person != UNDECIDED else {}


def profile(announce: Announce, table: Path, source: Mapping[str, Any]) -> TableFacts:
    """Profile a table and draft its specification."""
    announce("reading")
    [(found, facts)] = _describe_drafts([draft(table, announce=announce, **source)])
    return replace(facts, text=found.toml(table.parent))


def profile_linked(
    announce: Announce, tables: Mapping[str | None, tuple[Path, Mapping[str, Any]]]
) -> LinkedFacts:
    """Profile tables, each read in some way."""
    found = {}
    for name, (path, source) in tables.items():
        found[name] = replace(profile(announce, path, source), text="")
    return LinkedFacts(found)


def draft_linked(announce: Announce, tables: Sequence[Path]) -> LinkedFacts:
    """Profile tables whose rows belong to the same persons, and draft their specification."""
    found = draft_records(tables, announce=announce)
    names = [None, *[*found.tables][1:]]  # the person table comes first
    described = _describe_drafts([*found.tables.values()])
    drafts, facts = zip(*described, strict=True)
    settled = replace(found, tables=dict(zip(found.tables, drafts, strict=True)))
    text = settled.toml(tables[0].parent)
    return LinkedFacts(dict(zip(names, facts, strict=True)), text, found.left_out)


def _describe_drafts(drafts: Sequence[Draft]) -> list[tuple[Draft, TableFacts]]:
    """Return drafts whose hierarchy files have the names that they have among all columns."""
    every = [column for one in drafts for column in one.columns]
    linkable = [assign_hierarchy(replace(one, role="quasi-identifier")) for one in every]
    named, described = iter(distinguish_files(linkable)), []
    for found in drafts:
        pairs = [(one, next(named)) for one in found.columns]
        columns = tuple(
            one if one.hierarchy is None else replace(one, hierarchy=other.hierarchy)
            for one, other in pairs
        )
        facts = TableFacts(
            rows=found.rows,
            columns=tuple(_describe_column(*pair) for pair in pairs),
            source=found.source,
            remarks=found.remarks,
            text="",
            linkable=found.linkable,
        )
        described.append((replace(found, columns=columns), facts))
    return described


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


Readings = Mapping[str | None, Mapping[str, Any]]


def find_reads(project: Project) -> tuple[Stamps, Readings]:
    """Return the stamps of the files of all tables, and how each table is read."""
    tables = project.tables
    paths = [path for one in tables.values() if isinstance(path := one.get("path"), str)]
    readings = {name: find_reading(one) for name, one in tables.items()}
    return {path: stamp_files(project.folder, path) for path in paths}, readings


def settle_files(found: LinkedFacts, folder: Path) -> tuple[dict[str | None, TableFacts], str]:
    """Return the tables with free names for their hierarchy files, and the draft with these names.

    A name is free if no file of the folder has it, or if that file has the same text.
    """
    every = [column for one in found.tables.values() for column in one.columns]
    names = {one.hierarchy_file[0] for one in every if one.hierarchy_file is not None}
    text, tables = found.text, dict[str | None, TableFacts]()
    for table, facts in found.tables.items():
        columns = []
        for column in facts.columns:
            settled = _settle(column, folder, names)
            place = (*find_columns(table), column.name)
            if find_fields(text, *place).get("hierarchy") == column.definition:
                text = set_field(text, place, "hierarchy", settled.definition)
            columns.append(settled)
        tables[table] = replace(facts, columns=tuple(columns))
    return tables, text


def _settle(column: ColumnFacts, folder: Path, names: set[str]) -> ColumnFacts:
    """Return a column whose hierarchy file has a free name, and take that name."""
    if column.hierarchy_file is None:
        return column
    name, text = column.hierarchy_file
    free = find_free_name(folder, name, text, names - {name})
    names.add(free)
    table = column.hierarchy.replace(quote_toml(name), quote_toml(free))
    return replace(column, hierarchy=table, hierarchy_file=(free, text))
