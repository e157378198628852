"""Show rows as before that left the source, or that have another quasi-identifier there."""

from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Flags
from lookalike.ledger.recall import Recall
from lookalike.ledger.store.row_map import HashedRows
from lookalike.tables.engines import engine_of
from lookalike.tables.row_tags import CURRENT, RECALLED, TAG, Old
from lookalike.tables.table import Frame


@dataclass(frozen=True, eq=False)
class RecalledRows(Discreet):
    """Rows that are shown as before, although the source no longer has them so.

    ``old``: for each attribute, the values that rows of the source with another quasi-identifier
    show instead of theirs.
    ``hashes``: for each row of the source, what the ledger knows it by if it is recalled.
    ``appended``: the rows that left the source.
    ``linkable``: the quasi-identifier of all recalled rows.
    """

    old: dict[str, Old] = field(default_factory=dict)
    hashes: pa.Array | None = None
    appended: pa.Table | None = None
    linkable: pa.Table | None = None

    def append_to(self, frame: Frame) -> Frame:
        """Return private rows, and the recalled ones after them."""
        if self.linkable is None:
            return frame
        return engine_of(frame).append_rows(frame, self.linkable)


def recall_rows(
    recall: Recall,
    recalled: Flags,
    position: Codes,
    tags: Codes,
    hashed: HashedRows,
    row_key: str,
) -> RecalledRows:
    """Find what is shown of recalled rows.

    ``recalled``, ``position``, ``tags``: of each row of the source, and after them of those that
    left: whether it is recalled, its place in the history, its tag.
    ``hashed``: the rows of the source.
    """
    if not recalled.any():
        return RecalledRows()
    here = len(hashed.keys)
    every = np.flatnonzero(recalled)
    moved, left = np.split(every, [np.count_nonzero(every < here)])
    linkable, hashes = recall.find_linkable(position[every]), recall.write_hashes(position[every])
    places = np.full(here, CURRENT, dtype=np.int32)
    places[moved] = np.arange(len(moved))
    appended = None
    if len(left):
        columns = {row_key: _invent_keys(hashed.row_keys, len(left))}
        columns |= {name: values.slice(len(moved)) for name, values in linkable.items()}
        columns |= recall.find_unchanged([*hashed.values], position[left])
        columns |= {TAG: pa.array(tags[left]), RECALLED: hashes.slice(len(moved))}
        appended = pa.table(columns)
    return RecalledRows(
        {name: Old(values, places) for name, values in linkable.items()} if len(moved) else {},
        hashes.take(pa.array(places, mask=places == CURRENT)),
        appended,
        pa.table(linkable),
    )


def _invent_keys(known: pa.ChunkedArray, number: int) -> pa.Array:
    """Return keys that no row has; a recalled row is known by its hashes.

    Missing numbers would turn a column of pandas into floats, which do not hold every key.
    """
    if pa.types.is_integer(known.type):
        first = arrow_compute.max(known).as_py() + 1
        return pa.array(range(first, first + number), known.type)
    if pa.types.is_string(known.type) or pa.types.is_large_string(known.type):
        return pa.array([f"{RECALLED} {place}" for place in range(number)], known.type)
    return pa.nulls(number, known.type)
