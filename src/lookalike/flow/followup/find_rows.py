"""Find every row of a source in the history of its releases and in the frequency list."""

from dataclasses import dataclass

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Levels
from lookalike.ledger.policies.label_paths import hierarchy_changed
from lookalike.ledger.policies.policy import EarlierEntries
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.release_files import ReleasedClasses
from lookalike.ledger.store.row_map import LINKABLE, HashedRows, hash_frame, hash_rows, to_digests
from lookalike.model.frequency import FrequencyList
from lookalike.tables.sql import source_changed

USE_CHECK_ONLY = 'or use policy = "check-only"'
"""The end of messages about tables that the policy based-on does not support."""


@dataclass(frozen=True, eq=False)
class FoundRows(Discreet):
    """The rows of the source, in the order in which they were fetched.

    Parameters
    ----------
    hashed
        Their keys and hashes.
    position
        Position of each row in the history; `ABSENT` for a new row.
    sequence_of
        Sequence of each row in the frequency list.
    """

    hashed: HashedRows
    position: Codes
    sequence_of: Codes


def find_rows(earlier: EarlierEntries, counted_table: CountedTable, row_key: str) -> FoundRows:
    """Hash every row, and find it in the history and in the frequency list."""
    linkable, unchanged = counted_table.frequency.attributes, counted_table.table.unchanged
    hashed = hash_frame(counted_table.table.frame, row_key, linkable, unchanged, earlier.secret)
    return FoundRows(
        hashed=hashed,
        position=earlier.history.find(hashed.keys),
        sequence_of=_find_sequences(earlier, counted_table, hashed.quasi_identifier),
    )


def _find_sequences(
    earlier: EarlierEntries, counted_table: CountedTable, digests: Digests
) -> Codes:
    """Return the sequence of each row.

    A frame is counted row by row. A query is counted by distinct values, which are matched with
    the rows by their digests.
    """
    if counted_table.counted.keys is None:
        return counted_table.sequence_of
    distinct, attributes = counted_table.counted.keys, counted_table.frequency.attributes
    known = to_digests(hash_rows(distinct, attributes, secret=earlier.secret, kind=LINKABLE))
    number, first = number_keys(np.concatenate([known, digests]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise source_changed()
    return counted_table.sequence_of[places]


def find_last_levels(earlier: EarlierEntries, frequency: FrequencyList, position: Codes) -> Levels:
    """Return the level of every cell when its row was last shown; 0 if it was never shown.

    ``position``: position of each row in the history; `ABSENT` for a new row.
    """
    history = earlier.history
    levels = np.zeros((len(frequency.attributes), len(position)), dtype=np.int32)
    last = np.where(position == ABSENT, ABSENT, history.last_release[position])
    for line in np.unique(last[last != ABSENT]):
        here = np.flatnonzero(last == line)
        places, classes = _match_attributes(earlier.entries[line], frequency)
        levels[:, here] = classes.levels[places][:, history.last_class[position[here]]]
    return levels


def _match_attributes(entry: Entry, frequency: FrequencyList) -> tuple[list[int], ReleasedClasses]:
    """Return the classes of a release, and the position of each attribute in them."""
    classes = entry.files.read_classes()
    if set(classes.attributes) != set(frequency.attributes):
        raise InvalidInput(
            f"{entry.name} has the quasi-identifier {', '.join(classes.attributes)}, but this "
            f"release has {', '.join(frequency.attributes)}, so it cannot be based on it; use the "
            f"same attributes, {USE_CHECK_ONLY}"
        )
    places = [classes.attributes.index(name) for name in frequency.attributes]
    for place, height in zip(places, frequency.heights, strict=True):
        if classes.levels[place].max(initial=0) > height:
            raise hierarchy_changed(entry, classes.attributes[place])
    return places, classes
