"""Label paths: check that hierarchies give values the same labels as in earlier releases.

The label path of a value is the sequence of its labels at all levels. Labels of two releases can be
compared only if each value has the same label path in both. A value that no earlier release had may
have any path. Values and paths are stored as keyed hashes.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.row_map import HASH, digest_texts, hash_texts
from lookalike.model.frequency import FrequencyList
from lookalike.tables.counted import Counted

_PATH = "path"
_SCHEMA = pa.schema([("attribute", pa.string()), ("value", HASH), (_PATH, HASH)])
LabelPaths = Mapping[str, Mapping[bytes, bytes]]
"""For each attribute, the digest of each value and the digest of its label path."""


def hash_label_paths(counted: Counted, frequency: FrequencyList, secret: bytes) -> LabelPaths:
    """Return the hashed label paths of all values of a table.

    The labels of all levels are hashed together with the label of the suppressed value.
    """
    bound = frequency.hierarchies
    return {
        hierarchy.column: dict(
            zip(digest_texts(values, secret), _digest_labels(hierarchy, secret), strict=True)
        )
        for hierarchy, values in zip(bound, counted.values[: len(bound)], strict=True)
    }


def _digest_labels(hierarchy: BoundHierarchy, secret: bytes) -> list[bytes]:
    """Return the hash of the label path of each value of a column."""
    levels = zip(hierarchy.labels, hierarchy.levels, strict=True)
    labels_by_level = [[labels[code] for code in codes.tolist()] for labels, codes in levels]
    digests = [
        hash_texts([*labels, hierarchy.suppressed], secret, _PATH)
        for labels in zip(*labels_by_level, strict=True)
    ]
    return [digests[code] for code in hierarchy.ground.tolist()]


def label_paths_to_arrow(paths: LabelPaths) -> pa.Table:
    """Return a table with one row per attribute and value."""
    rows = [(name, *pair) for name, pairs in paths.items() for pair in pairs.items()]
    return pa.Table.from_arrays(
        [pa.array([row[place] for row in rows], kind) for place, kind in enumerate(_SCHEMA.types)],
        schema=_SCHEMA,
    )


def _from_arrow(table: pa.Table) -> LabelPaths:
    """Read the result of :func:`label_paths_to_arrow`."""
    paths: dict[str, dict[bytes, bytes]] = {}
    for name, value, path in zip(*(column.to_pylist() for column in table.columns), strict=True):
        paths.setdefault(name, {})[value] = path
    return paths


def refuse_other_hierarchies(entries: Iterable[Entry], paths: LabelPaths) -> None:
    """Refuse a release that gives a value another label path than an earlier release."""
    for entry in entries:
        for name, before in _from_arrow(entry.files.read_label_paths()).items():
            present = paths.get(name, {})
            if any(before.get(value, path) != path for value, path in present.items()):
                raise hierarchy_changed(entry, name)


def hierarchy_changed(entry: Entry, name: str) -> InvalidInput:
    """Return the error that the hierarchy of an attribute changed since a release."""
    return InvalidInput(
        f"column {name!r}: its hierarchy or its suppressed_label has changed since {entry.name}, "
        "so the labels of the two releases cannot be compared; use the hierarchy and the "
        f"suppressed_label of {entry.name} (for a mask with longer values now, its length)"
    )
