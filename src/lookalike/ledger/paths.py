"""Paths: what hierarchies made of values in earlier releases, and make of them now.

Labels of two releases can be compared only if every value is generalized in both in the same way.
Values that an earlier release did not have are free.
"""

from collections.abc import Iterable, Mapping

import pyarrow as pa

from lookalike.count import Counted
from lookalike.errors import InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.ledger.earlier import name_of
from lookalike.ledger.entry import Entry
from lookalike.ledger.row_map import GROUND, PATH, digest_paths, digest_texts

Paths = Mapping[str, Mapping[bytes, bytes]]
"""For each attribute: the digest of every value, with that of its labels at all levels."""


def paths_of(counted: Counted, frequency: FrequencyList, secret: bytes) -> Paths:
    """Return what the hierarchies make of the values of a table.

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
        name: dict(zip(digest_texts(list(becomes), secret), becomes.values(), strict=True))
        for name, becomes in digest_paths(counted, frequency, secret).items()
    }


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
        for name in entry.kept.classes().attributes:
            before = _read_paths(entry, name)
            now = paths.get(name, {})
            if any(before.get(value, path) != path for value, path in now.items()):
                raise other_hierarchy(entry, name)


def _read_paths(entry: Entry, name: str) -> dict[bytes, bytes]:
    """Return what the hierarchy of an attribute made of the values of a release."""
    ground, path = f"{GROUND} {name}", f"{PATH} {name}"
    pairs: pa.Table = entry.kept.rows([ground, path]).group_by([ground, path]).aggregate([])
    return dict(zip(pairs[ground].to_pylist(), pairs[path].to_pylist(), strict=True))


def other_hierarchy(entry: Entry, name: str) -> InvalidInput:
    """Return the error that the hierarchy of an attribute is not what it was."""
    release = name_of(entry)
    return InvalidInput(
        f"column {name!r}: its hierarchy, or how suppressed values are written, has changed since "
        f"{release}, so labels of both would not mean the same; take the hierarchy and the "
        f"suppressed_label of {release} (for a mask whose values are longer now, its length)"
    )
