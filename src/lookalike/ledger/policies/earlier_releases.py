"""EarlierEntries: the earlier releases that matter for the next one, and their history."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.ledger.policies.check_certificates import greatest_k
from lookalike.ledger.policies.history import History, RowMap, build_history
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.released_classes import LEFT_OUT
from lookalike.ledger.store.row_map import (
    CLASS,
    GROUND,
    KEY,
    LINKABLE,
    PERSON,
    VALUE,
    columns_of,
    to_digests,
)


@dataclass(frozen=True, eq=False)
class EarlierEntries(Discreet):
    """The earlier releases that somebody may have together with the next one."""

    entries: tuple[Entry, ...]
    secret: bytes = field(repr=False)

    @property
    def k(self) -> int:
        """The greatest k that an earlier release promised."""
        return greatest_k(entry.certificate for entry in self.entries)

    @cached_property
    def history(self) -> History:
        """What every row showed in every release."""
        return recall_history(self.entries)


def recall_history(entries: Iterable[Entry]) -> History:
    """Return what every row showed in some releases, given in the order of publishing."""
    return build_history(to_row_map(entry.name, entry.files.read_rows()) for entry in entries)


def to_row_map(name: str, rows: pa.Table) -> RowMap:
    """Return the row map of a release as arrays."""
    values, ground = (
        {column: to_digests(rows[place]) for column, place in columns_of(kind, rows).items()}
        for kind in (VALUE, GROUND)
    )
    return RowMap(
        release=name,
        keys=to_digests(rows[KEY]),
        class_of=rows[CLASS].fill_null(LEFT_OUT).to_numpy().astype(np.int64),
        quasi_identifier=to_digests(rows[LINKABLE]),
        values=values,
        ground=ground,
        persons=to_digests(rows[PERSON]) if PERSON in rows.column_names else None,
    )
