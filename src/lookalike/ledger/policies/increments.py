"""Increments: a release shows only rows that no release of the source has shown.

Every row is shown once, so its history is its class, which has at least k rows of its own release;
what a protection promises of a class, it promises of a history. Who left, came or changed makes no
difference to what was shown: two persons of a class were both in the source when it was shown, and
matched it. Rows that are left out wait. Nothing is known of them but that they were not shown.

Which rows wait is decided by the quasi-identifier alone, as every suppression is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Counts, Digests, Flags
from lookalike.ledger.policies.history import History, read_row_map
from lookalike.ledger.policies.shown_columns import ABSENT

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import Entry  # imports sqlalchemy


@dataclass(frozen=True)
class Increment:
    """How many rows of the source earlier releases showed, and how many are new or waited.

    Parameters
    ----------
    considered
        Number of earlier releases.
    rows_before
        Rows of the source that an earlier release showed.
    rows_outdated
        Those of them that have other values now. They are not shown again.
    rows_waited
        Rows that earlier releases left out.
    waited_since
        The date of the first release that left out one of them.
    rows_patient
        Rows that this release leaves out so that they find better company.
    """

    considered: int
    rows_before: int
    rows_outdated: int
    rows_waited: int
    waited_since: str | None
    rows_patient: int = 0


def find_shown(history: History, keys: Digests) -> Flags:
    """Return which rows some release showed."""
    found = history.find(keys)
    shown: Flags = found != ABSENT
    shown[shown] = (history.steps[:, found[shown]] != ABSENT).any(axis=0)
    return shown


def count_waits(entries: Sequence["Entry"], keys: Digests) -> tuple[Counts, Counts]:
    """Return how many releases left out each row, and the first one that did (`ABSENT`: none)."""
    waits = np.zeros(len(keys), dtype=np.int64)
    first = np.full(len(keys), ABSENT, dtype=np.int64)
    for place, entry in enumerate(entries):
        rows = read_row_map(entry.name, entry.files)
        left_out = rows.keys[rows.class_of == ABSENT]
        number, _ = number_keys(np.concatenate([left_out, keys]))
        here = np.isin(number[len(left_out) :], number[: len(left_out)])
        waits += here
        first[here & (first == ABSENT)] = place
    return waits, first


@dataclass(frozen=True)
class WaitingRows:
    """Rows of the last release that no release has shown, by the date since when they wait."""

    since: str
    rows: int


def list_waiting(entries: Sequence["Entry"], history: History) -> tuple[WaitingRows, ...]:
    """List the rows that the last of some releases left out and no release has shown."""
    if not entries:
        return ()
    last = read_row_map(entries[-1].name, entries[-1].files)
    keys = last.keys[~find_shown(history, last.keys)]
    first, rows = np.unique(count_waits(entries, keys)[1], return_counts=True)
    return tuple(
        WaitingRows(entries[place].date, number)
        for place, number in zip(first.tolist(), rows.tolist(), strict=True)
    )
