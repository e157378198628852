"""Paths: what hierarchies made of values in earlier releases, and make of them now.

Labels of two releases can be compared only if every value is generalized in both in the same way.
Values that an earlier release did not have are free.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.ledger.policies.earlier import name_of
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.row_map import HASH, digest_texts, hash_texts
from lookalike.model.frequency import FrequencyList
from lookalike.tables.counted import Counted

PATH = "path"
SCHEMA = pa.schema([("attribute", pa.string()), ("value", HASH), (PATH, HASH)])
Paths = Mapping[str, Mapping[bytes, bytes]]
"""For each attribute: the digest of every value, with that of its labels at all levels."""


def paths_of(counted: Counted, frequency: FrequencyList, secret: bytes) -> Paths:
    """Return what the hierarchies make of the values of a table.

    The labels of all levels are hashed together with how the suppressed value is written.

    Parameters
    ----------
    counted
        Its distinct values.
    frequency
        Its hierarchies.
    secret
        The key of the ledger.
    """
    return {
        hierarchy.column: dict(
            zip(digest_texts(values, secret), _digest_labels(hierarchy, secret), strict=True)
        )
        for hierarchy, values in zip(frequency.hierarchies, counted.values, strict=True)
    }


def _digest_labels(hierarchy: BoundHierarchy, secret: bytes) -> list[bytes]:
    """Return for each value of a column the hash of its labels at all levels."""
    levels = zip(hierarchy.labels, hierarchy.levels, strict=True)
    becomes = [[labels[code] for code in codes.tolist()] for labels, codes in levels]
    digests = [
        hash_texts([*labels, hierarchy.suppressed], secret, PATH)
        for labels in zip(*becomes, strict=True)
    ]
    return [digests[code] for code in hierarchy.ground.tolist()]


def to_arrow(paths: Paths) -> pa.Table:
    """Return a table with a row for each value of each attribute."""
    rows = [(name, *pair) for name, pairs in paths.items() for pair in pairs.items()]
    return pa.Table.from_arrays(
        [pa.array([row[place] for row in rows], kind) for place, kind in enumerate(SCHEMA.types)],
        schema=SCHEMA,
    )


def _from_arrow(table: pa.Table) -> Paths:
    """Read what :func:`to_arrow` wrote."""
    paths: dict[str, dict[bytes, bytes]] = {}
    for name, value, path in zip(*(column.to_pylist() for column in table.columns), strict=True):
        paths.setdefault(name, {})[value] = path
    return paths


def refuse_other_hierarchies(entries: Iterable[Entry], paths: Paths) -> None:
    """Refuse a release that generalizes a value in another way than an earlier one.

    Parameters
    ----------
    entries
        The earlier releases.
    paths
        What the next one makes of its values.

    Raises
    ------
    InvalidInput
        For the first attribute with such a value; the message names the column and the release.
    """
    for entry in entries:
        for name, before in _from_arrow(entry.kept.paths()).items():
            now = paths.get(name, {})
            if any(before.get(value, path) != path for value, path in now.items()):
                raise other_hierarchy(entry, name)


def other_hierarchy(entry: Entry, name: str) -> InvalidInput:
    """Return the error that the hierarchy of an attribute is not what it was."""
    release = name_of(entry)
    return InvalidInput(
        f"column {name!r}: its hierarchy, or how suppressed values are written, has changed since "
        f"{release}, so labels of both would not mean the same; take the hierarchy and the "
        f"suppressed_label of {release} (for a mask whose values are longer now, its length)"
    )
