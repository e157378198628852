"""Releases of people with records as an attacker sees them: persons, who show all their records.

Pseudonyms are drawn for each release, but a person has the same records in two of them. So each
table of records becomes a column of the person table: equal for persons whose records are equal at
the highest of the levels that the releases show.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import number_multisets, sort_records
from lookalike.kernels.types import Codes, Counts
from lookalike.publish.linked_certificate import CertifiedTable, LinkedCertificate
from lookalike.risk.releases.label_levels import build_label_levels
from lookalike.risk.releases.seen_release import (
    AttackerKnowledge,
    Rules,
    SeenRelease,
    count_classes,
    fit_hierarchies,
    read_rows,
)
from lookalike.tables.labels import divide_column, encode_column

_Owned = tuple[pa.Table, Counts]
"""The records of a table in one release, and the person of each."""


def read_linked_releases(
    folders: Sequence[Path], rules: Rules, record_rules: Mapping[str, Rules]
) -> tuple[list[SeenRelease], Rules]:
    """Read the persons of releases of linked tables, with a column for each table of records.

    ``rules``, ``record_rules``: the hierarchies of the person table and its sets, and of records.
    Returns: the releases, and the fitted hierarchies of their columns.
    """
    certificates = [LinkedCertificate.read(folder) for folder in folders]
    firsts = [_find_person_table(*one) for one in zip(folders, certificates, strict=True)]
    people = [read_rows(folder / one.file) for folder, one in zip(folders, firsts, strict=True)]
    shown = [
        rows.select([*one.generalized, *one.released_as_they_are])
        for rows, one in zip(people, firsts, strict=True)
    ]
    for name in _list_shared(certificates):
        tables = [next(one for one in each.tables if one.name == name) for each in certificates]
        owned = [*map(_read_owned, folders, tables, firsts, people)]
        known = rules if tables[0].separator is not None else record_rules.get(name, {})
        numbers = _number_records(tables, owned, known, [len(rows) for rows in people])
        own = f"{name} (records)" if any(name in rows.column_names for rows in shown) else name
        for place, codes in enumerate(numbers):
            shown[place] = shown[place].append_column(own, pa.array(codes).cast(pa.string()))
    seen = [
        count_classes(
            str(folder),
            rows,
            levels={name: done.level for name, done in first.generalized.items()},
            known=(AttackerKnowledge("persons", tuple(first.generalized), certificate.k),),
            rows_in=certificate.persons_in,
            suppressed=certificate.suppressed_label,
            suppresses="nothing",
        )
        for folder, rows, first, certificate in zip(
            folders, shown, firsts, certificates, strict=True
        )
    ]
    return seen, fit_hierarchies(rules, [one.generalized for one in firsts])


def _find_person_table(folder: Path, certificate: LinkedCertificate) -> CertifiedTable:
    """Return the person table of a release, by whose attributes persons are known."""
    [first, *_] = certificate.tables
    if first.knows is not None or not first.generalized:
        raise InvalidInput(
            f"{folder} shows no attributes of persons by which an attacker knows them; try what "
            "known records find in it (lookalike link)"
        )
    return first


def _list_shared(certificates: Sequence[LinkedCertificate]) -> list[str]:
    """List the tables of records, and sets, by which persons of all releases can be compared."""
    shown = [
        [one.name for one in each.tables if one.knows is not None and not one.is_apart]
        for each in certificates
    ]
    return [name for name in shown[0] if all(name in names for names in shown)]


def _read_owned(
    folder: Path, table: CertifiedTable, first: CertifiedTable, people: pa.Table
) -> _Owned:
    """Read the records of a table, or the items of a set, and the person of each."""
    if table.separator is not None:
        items, owner = divide_column(table.name, people[table.name], table.separator)
        return pa.table({table.name: items}), owner
    rows = read_rows(folder / table.file)
    person_of = {link: place for place, link in enumerate(people[first.link].to_pylist())}
    links, codes = encode_column(table.link or "", rows[table.link])
    numbers = np.array([person_of.get(link, -1) for link in links], dtype=np.int64)
    return rows, numbers[codes]


def _number_records(
    tables: Sequence[CertifiedTable],
    owned: Sequence[_Owned],
    rules: Rules,
    persons: Sequence[int],
) -> Iterator[Codes]:
    """Number for each release what all records of each person are, equal multisets alike."""
    codes = _compare_records(tables, [rows for rows, _ in owned], rules)
    offsets = np.cumsum([0, *persons])
    owner = np.concatenate(
        [own + offset for (_, own), offset in zip(owned, offsets[:-1], strict=True)]
    )
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=offsets[-1]))])
    mine = codes[np.argsort(owner, kind="stable")]
    _, ordered = sort_records(starts, mine, len(mine) + 1)
    numbers = number_multisets(starts, ordered, int(codes.max(initial=0)) + 1)
    yield from np.split(numbers, offsets[1:-1])


def _compare_records(
    tables: Sequence[CertifiedTable], rows: Sequence[pa.Table], rules: Rules
) -> Codes:
    """Number the records of all releases at the highest of their levels, equal ones alike."""
    every = [{*one.generalized, *one.released_as_they_are} for one in tables]
    columns = sorted(set.intersection(*every))
    seen = [
        count_classes(
            table.name,
            held.select(columns),
            levels={name: done.level for name, done in table.generalized.items()},
            known=(),
            rows_in=len(held),
            suppresses="nothing",
        )
        for table, held in zip(tables, rows, strict=True)
    ]
    fitted = fit_hierarchies(
        {name: rules[name] for name in columns if name in rules},
        [
            {name: one.generalized[name] for name in columns if name in one.generalized}
            for one in tables
        ],
    )
    lines = [np.zeros(sum(map(len, rows)), dtype=np.int32)]
    for name in columns:
        built, entries = build_label_levels(name, seen, fitted.get(name))
        shown = [
            numbers[one.codes[one.position(name)]][one.order]
            for one, numbers in zip(seen, entries, strict=True)
        ]
        here = np.concatenate(shown)
        lines.append(built.lifts[built.levels[here].max(initial=0)][here])
    sizes = [int(line.max(initial=0)) + 1 for line in lines]
    return group_equal(np.stack(lines), sizes, np.ones(len(lines[0]), dtype=np.int64))[0]
