"""Label paths: check that hierarchies give values the same labels as in earlier releases.

The label path of a value is the sequence of its labels at all levels. Labels of two releases can be
compared only if each value has the same label path in both. A value that no earlier release had may
have any path. Values and paths are stored as keyed hashes.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from lookalike.errors import InvalidInput
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
    bound, found = frequency.hierarchies, {}
    for hierarchy, values in zip(bound, counted.values[: len(bound)], strict=True):
        paths = zip(*hierarchy.list_texts(), strict=True)
        digests = [hash_texts([*path, hierarchy.suppressed], secret, _PATH) for path in paths]
        of_values = (digests[code] for code in hierarchy.ground.tolist())
        found[hierarchy.column] = dict(zip(digest_texts(values, secret), of_values, strict=True))
    return found


def label_paths_to_arrow(paths: LabelPaths) -> pa.Table:
    """Return a table with one row per attribute and value."""
    columns = (([name] * len(one), [*one], [*one.values()]) for name, one in paths.items())
    pieces = [pa.table(dict(zip(_SCHEMA.names, each, strict=True)), _SCHEMA) for each in columns]
    return pa.concat_tables([_SCHEMA.empty_table(), *pieces])


def refuse_other_hierarchies(entries: Iterable[Entry], paths: LabelPaths) -> None:
    """Refuse a release that gives a value another label path than an earlier release."""
    for entry in entries:
        columns = (column.to_pylist() for column in entry.files.read_label_paths().columns)
        for name, value, path in zip(*columns, strict=True):
            if paths.get(name, {}).get(value, path) != path:
                raise hierarchy_changed(entry, name)


def hierarchy_changed(entry: Entry, name: str) -> InvalidInput:
    """Return the error that the hierarchy of an attribute changed since a release."""
    return InvalidInput(
        f"column {name!r}: its hierarchy or its suppressed_label has changed since {entry.name}, "
        "so the labels of the two releases cannot be compared; use the hierarchy and the "
        f"suppressed_label of {entry.name} (for a mask with longer values now, its length)"
    )
