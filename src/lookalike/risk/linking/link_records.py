"""Link a release of people with records with what somebody knows of persons and their records.

Of each external person some rows are known: one of the person table, and records. A released person
may be that person if each known row fits a released row of its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from lookalike.errors import InvalidInput, suggest
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.contained_records import NOBODY, find_holders
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import number_multisets, sort_records
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.progress import Announce
from lookalike.publish.linked_certificate import CertifiedTable, LinkedCertificate
from lookalike.risk.linking.link import On, read_on
from lookalike.risk.linking.linkage import Candidates
from lookalike.risk.linking.linking_columns import (
    ReleaseFacts,
    encode_entries,
    read_column,
    read_facts,
)
from lookalike.risk.linking.matching import Matches, list_options, list_within
from lookalike.risk.linking.owned_rows import LinkedSide, OwnedRows, TablePairs, read_side
from lookalike.risk.linking.record_linkage import RecordLinkage
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.name_options import name_options
from lookalike.tables.read import read_table
from lookalike.tables.released_file import read_released_file
from lookalike.tables.source import ReadingOptions
from lookalike.tables.table import MOST_NAMES


@name_options
def link_records(
    release: str | PathLike[str],
    persons: Any = None,
    on: On = (),
    *,
    records: Mapping[str, Any] | None = None,
    identity: str | None = None,
    spec: Specification | str | PathLike[str] | None = None,
    as_written: bool = False,
    k: int = 2,
    announce: Announce = lambda _: None,
    **source: Unpack[ReadingOptions],
) -> RecordLinkage:
    """Link a release of people with records with what is known of persons and their records.

    The parameters beyond eight are options of the command ``lookalike link``.

    Parameters
    ----------
    release
        A published folder of linked tables.
    persons
        A path or a frame with one row per person, such as a voter list; None if only records are
        known.
    on
        The attributes to link by, those of records after the name of their table
        (``admissions.day``): a list, or a mapping from each to its column in the external table.
    records
        For the name of a table of records in the release, a path or a frame with known records,
        such as what newspapers report.
    identity
        The column that identifies a person in every external table.
    spec
        The specification of the release, for its hierarchies.
    as_written
        As in :func:`~lookalike.risk.linking.link.link`.
    k
        Minimum number of released persons that each external person must match, if any.
    announce
        Callback that receives the name of each step.
    **source
        For paths, further fields of :class:`~lookalike.tables.source.Source` for the external
        tables.
    """
    if k < 2:
        raise InvalidInput(f"k must be at least 2, not {k}: whoever matches one is identified")
    certificate, known = LinkedCertificate.read(Path(release)), records or {}
    asked = _divide(read_on(on), certificate)
    _check(asked, certificate, persons, known, identity)
    announce("reading")
    external = persons, known
    sides = _read_sides(Path(release), certificate, asked, external, identity, source)
    announce("matching")
    holder = Specification.load(Path(spec)) if isinstance(spec, str | PathLike) else spec
    label = certificate.suppressed_label
    compared = [*_compare_all(asked, sides, holder, label, as_written=as_written)]
    ours, theirs = sides
    of_persons, of_released = _match(compared, ours, theirs)
    return RecordLinkage(
        k=k,
        promised=certificate.k,
        on={_name(one, name): column for one, own in asked for name, column in own.items()},
        known={one.name: len(theirs.tables[one.name].entry) for one, _ in asked if one.knows},
        persons=Candidates(*theirs.list_persons(), of_persons),
        released=Candidates(*ours.list_persons(), of_released),
        is_covered=_mark_covered(asked, theirs),
        unlinked=sum(int((theirs.find_owners(one.name) < 0).sum()) for one, _ in asked),
        unknown={name: number for one in compared for name, number in one.unknown.items()},
        unit=certificate.unit,
    )


def _read_sides(
    folder: Path,
    certificate: LinkedCertificate,
    asked: TablePairs,
    external: tuple[Any, Mapping[str, Any]],
    identity: str | None,
    source: Mapping[str, Any],
) -> tuple[LinkedSide, LinkedSide]:
    """Read the tables of a release, and the external ones: of persons, and of records by name."""
    [first, *_] = certificate.tables
    persons, records = external
    ours = read_side(
        asked,
        first if first.knows is None else None,
        lambda one: read_released_file(folder / one.file, Connection()),
        lambda one: one.link,
        list,
        "the release",
    )
    theirs = read_side(
        asked,
        None if persons is None else first,
        lambda one: read_table(persons if one.knows is None else records[one.name], source),
        lambda _: identity,
        lambda pairs: [*pairs.values()],
        "the external table",
    )
    return ours, theirs


def _divide(columns: Mapping[str, str], certificate: LinkedCertificate) -> TablePairs:
    """Divide the attributes to link by among the tables of a release."""
    pairs: dict[str, dict[str, str]] = {one.name: {} for one in certificate.tables}
    place_of = {
        _name(one, name): (one.name, name)
        for one in certificate.tables
        for name in (*one.generalized, *one.released_as_they_are)
    }
    for name, column in columns.items():
        if name not in place_of:
            raise InvalidInput(
                f"{name!r} is no column of the release to link by, and those of records are named "
                f"after their table; {suggest(name, place_of) or 'take one of: '}"
                f"{', '.join([*place_of][:MOST_NAMES])}"
            )
        table, attribute = place_of[name]
        pairs[table][attribute] = attribute if column == name else column
    return [(one, pairs[one.name]) for one in certificate.tables if pairs[one.name]]


def _name(table: CertifiedTable, attribute: str) -> str:
    """Return how an attribute is named: those of records after their table."""
    is_of_person = table.knows is None or table.separator is not None
    return attribute if is_of_person else f"{table.name}.{attribute}"


def _check(
    asked: TablePairs,
    certificate: LinkedCertificate,
    persons: Any,
    records: Mapping[str, Any],
    identity: str | None,
) -> None:
    """Refuse tables that do not fit the attributes to link by."""
    if not certificate.linked:
        raise InvalidInput(
            "the release does not show which rows belong to one person (link = false), so known "
            "records cannot be combined; link each of its files by itself, as a table"
        )
    of_records = {one.name for one, _ in asked if one.knows is not None and one.separator is None}
    if of_records != {*records}:
        raise InvalidInput(
            "each table of records to link by needs an external table, and each external table a "
            f"column to link by (--on {min(of_records ^ {*records})}.…, --records "
            f"{min(of_records ^ {*records})}=FILE)"
        )
    of_persons = [name for one, pairs in asked if one.name not in of_records for name in pairs]
    if (persons is not None) != bool(of_persons):
        raise InvalidInput(
            f"linking by {of_persons[0]!r} needs an external table of persons"
            if of_persons
            else "the external table of persons has no column to link by; name one (--on), or "
            "leave the table out"
        )
    if records and identity is None:
        raise InvalidInput(
            "name the column that identifies a person in all external tables (--identity): known "
            "records are put together by it"
        )


def _list_rules(spec: Specification | None, table: CertifiedTable) -> Mapping[str, Hierarchy]:
    """Return the hierarchies of a table."""
    if spec is None:
        return {}
    if table.knows is None or table.separator is not None:
        return spec.hierarchies()
    return spec.records[table.name].hierarchies() if table.name in spec.records else {}


@dataclass(frozen=True, eq=False)
class _Compared(Discreet):
    """What the rows of one table are on both sides, and which external ones fit which.

    ``table``: its name.
    ``shown``, ``known``: the number of each released row, and of each external one.
    ``starts``, ``options``: the numbers of the former that fit each number of the latter.
    ``unknown``: for each attribute, the external rows with a value that is not in its hierarchy.
    """

    table: str
    shown: Codes
    known: Codes
    starts: Counts
    options: Codes
    unknown: Mapping[str, int]


def _compare_all(
    asked: TablePairs,
    sides: tuple[LinkedSide, LinkedSide],
    holder: Specification | None,
    suppressed: str,
    *,
    as_written: bool,
) -> Iterator[_Compared]:
    """Compare the rows of each table on both sides."""
    for table, pairs in asked:
        ours, theirs = (side.tables[table.name] for side in sides)
        facts = read_facts(table.generalized, suppressed, _list_rules(holder, table), pairs)
        yield _compare((ours, theirs), (table, pairs), facts, as_written=as_written)


def _compare(
    sides: tuple[OwnedRows, OwnedRows],
    asked: tuple[CertifiedTable, Mapping[str, str]],
    facts: ReleaseFacts,
    *,
    as_written: bool,
) -> _Compared:
    """Compare the rows of one table on both sides."""
    (ours, theirs), (table, pairs) = sides, asked
    values = zip(pairs, theirs.counted.values, ours.counted.values, strict=True)
    try:
        columns = [read_column(*one, facts, as_written=as_written) for one in values]
    except InvalidInput as error:
        raise InvalidInput(f"{table.name}: {error}", named=error.named) from None
    persons, rows = encode_entries(columns, theirs.counted, ours.counted)
    (known, _, merged), (shown, _, released) = persons.merge(), rows.merge()
    unknown = [
        int(column.unknown[places[theirs.entry]].sum())
        for column, places in zip(columns, theirs.counted.positions, strict=True)
    ]
    named = zip((_name(table, name) for name in pairs), unknown, strict=True)
    return _Compared(
        table.name,
        shown[ours.entry],
        known[theirs.entry],
        *list_options(merged, released),
        {name: number for name, number in named if number},
    )


def _mark_covered(asked: TablePairs, theirs: LinkedSide) -> Flags:
    """Mark the external persons of whom no more is known than the certificate promises for."""
    covered = np.ones(len(theirs.names), dtype=np.bool_)
    for table, pairs in asked:
        if not {*pairs} <= {*table.generalized}:
            covered[:] = False
        if table.knows not in (None, "all"):
            owners = theirs.find_owners(table.name)
            several = np.bincount(owners[owners >= 0], minlength=len(covered))
            covered &= several <= int(table.knows)
    return covered


def _match(
    compared: Sequence[_Compared], ours: LinkedSide, theirs: LinkedSide
) -> tuple[Matches, Matches]:
    """Return the released persons who fit each external one, and the other way round.

    The rows of all tables get numbers of their own, so that those of a person are one list.
    """
    known, shown, starts, options = [], [], [np.zeros(1, dtype=np.int64)], []
    kinds, classes, pairs = 0, 0, 0
    for one in compared:
        known.append((theirs.find_owners(one.table), one.known + kinds))
        shown.append((ours.find_owners(one.table), one.shown + classes))
        starts.append(one.starts[1:] + pairs)
        options.append(one.options + classes)
        kinds, pairs = kinds + len(one.starts) - 1, pairs + len(one.options)
        classes += int(one.shown.max(initial=-1)) + 1
    known_starts, known_codes = _order(known, len(theirs.names))
    shown_starts, shown_codes = _order(shown, len(ours.names))
    # external persons of whom the same is known have the same matches
    alike = number_multisets(known_starts, known_codes, kinds + 1)
    ones = np.ones(len(alike), dtype=np.int64)
    group_of, first, weights = group_equal(alike[None], [int(alike.max(initial=0)) + 1], ones)
    sizes = np.diff(known_starts)[first]
    group_starts = np.concatenate([[0], np.cumsum(sizes)])
    wanted = known_codes[np.repeat(known_starts[first], sizes) + list_within(sizes)]
    people = max(1, len(ours.names))
    owner = np.repeat(np.arange(len(ours.names)), np.diff(shown_starts))
    held = np.unique(shown_codes.astype(np.int64) * people + owner)
    number, only, fitting, last = find_holders(
        group_starts,
        wanted,
        np.concatenate(starts),
        np.concatenate(options),
        np.searchsorted(held, np.arange(classes + 1) * people),
        (held % people).astype(np.int32),
        shown_starts,
        shown_codes,
        weights,
    )
    pinned, alone = np.full(len(fitting), NOBODY, dtype=np.int32), fitting == 1
    pinned[alone] = first[last[alone]]
    return Matches(number[group_of], only[group_of]), Matches(fitting, pinned)


def _order(rows: Sequence[tuple[Counts, Codes]], persons: int) -> tuple[Counts, Codes]:
    """Put the rows of all tables in the order of their persons, without those of nobody."""
    owner = np.concatenate([one for one, _ in rows])
    codes = np.concatenate([one for _, one in rows]).astype(np.int32)
    linked = np.flatnonzero(owner >= 0)
    linked = linked[np.argsort(owner[linked], kind="stable")]
    sizes = np.bincount(owner[linked], minlength=persons)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    ordered: tuple[Counts, Codes] = sort_records(starts, codes[linked], len(codes) + 1)
    return ordered
