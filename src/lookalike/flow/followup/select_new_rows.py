"""Select the rows of a source that no release has shown, for the policy ``increments``."""

from dataclasses import dataclass, replace

import narwhals as nw
import numpy as np

from lookalike.errors import Infeasible
from lookalike.flow.counted_table import CountedTable, StoredTable
from lookalike.flow.followup.plan_based_release import find_sequences
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts, Digests, Flags, Reals
from lookalike.ledger.policies.based_on import refuse_equal_keys
from lookalike.ledger.policies.increments import Increment, count_waits, find_shown
from lookalike.ledger.policies.policy import EarlierEntries
from lookalike.ledger.policies.recognized_rows import check_source_recognized
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.ledger.store.row_map import hash_frame
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.read import materialize
from lookalike.tables.recode import tag_rows
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.table import POSITION, Table, column_names

PATIENT = 0.7
"""Rows may wait whose class keeps less than this share of what the largest release kept."""
NEW = 1
"""The tag of rows that no release has shown."""


@dataclass(frozen=True, eq=False)
class NewRows(Discreet):
    """The rows of a source that no release has shown.

    ``quasi_identifier``: the digest of the private values of each of them, and ``values`` those of
    its other columns.
    ``waits``: how many releases left out each of them.
    """

    table: Table
    increment: Increment
    quasi_identifier: Digests
    values: dict[str, Digests]
    waits: Counts
    earlier: EarlierEntries

    def let_wait(
        self, counted: CountedTable | StoredTable, recoding: Recoding, patience: int
    ) -> tuple[Recoding, Increment]:
        """Leave out classes that keep little, if all of their rows may wait for better company.

        They keep little compared with the largest release of the source. A row may wait if fewer
        than `patience` releases left it out; rows with the same values are not told apart.
        """
        if not patience or isinstance(counted, StoredTable):
            return recoding, self.increment
        frequency, tuples = counted.frequency, recoding.released(counted.frequency)
        class_of, rows = tuples.classes(frequency, frequency.attributes)
        kept = np.bincount(class_of, _share_kept(frequency, tuples) * tuples.counts, len(rows))
        certificates = (entry.certificate for entry in self.earlier.entries)
        largest = max(certificates, key=lambda one: one.rows_out)
        waits = kept / rows < PATIENT * largest.precision
        waits[class_of[self._must_go(counted, patience)[tuples.sequence]]] = False
        if waits.all():
            raise Infeasible(
                f"all {count_rows(frequency.rows)} that no release has shown may wait for better "
                "company, and none has waited for long enough; release again when more have come"
            )
        increment = replace(self.increment, rows_patient=int(rows[waits].sum()))
        return _leave_out(frequency, recoding, ~waits[class_of]), increment

    def _must_go(self, counted: CountedTable, patience: int) -> Flags:
        """Return which sequences have a row that has waited for long enough."""
        secret = self.earlier.secret
        sequence_of = find_sequences(counted, self.quasi_identifier, self.values, secret)
        must = np.zeros(len(counted.frequency), dtype=np.bool_)
        must[sequence_of[self.waits >= patience]] = True
        return must


def _share_kept(frequency: FrequencyList, tuples: Tuples) -> Reals:
    """Return the mean share of the detail of its attributes that each tuple keeps."""
    heights = np.maximum(frequency.heights, 1)[:, None]
    lost = np.where(tuples.levels == SUPPRESSED_CELL, 1, tuples.levels / heights)
    kept: Reals = 1 - lost.mean(axis=0)
    return kept


def _leave_out(frequency: FrequencyList, recoding: Recoding, stays: Flags) -> Recoding:
    """Return a recoding in which only some of the tuples are released."""
    if stays.all():
        return recoding
    tuples = recoding.released(frequency)
    left = Tuples(tuples.sequence[stays], tuples.levels[:, stays], tuples.counts[stays])
    return replace(
        recoding,
        suppressed=frequency.counts - left.rows_by_sequence(frequency),
        rows_suppressed=recoding.rows_suppressed + int(tuples.counts[~stays].sum()),
        tuples=None if recoding.tuples is None else left,
        k_minimal=None,
        optimality=None,
    )


def keep_new_rows(
    specification: Specification, earlier: EarlierEntries, found: list[NewRows], table: Table
) -> Table:
    """Return the rows that no release has shown, and note what was found about them."""
    k = specification.requirement(0).largest_k
    found.append(select_new_rows(earlier, specification, table, k))
    return found[0].table


def select_new_rows(
    earlier: EarlierEntries, specification: Specification, table: Table, k: int
) -> NewRows:
    """Return the rows of a table that no release has shown."""
    history, entries, source = earlier.history, earlier.entries, specification.source
    row_key = entries[-1].row_key
    given = table.frame, row_key, table.quasi_identifier, table.unchanged, earlier.secret
    hashed = hash_frame(*given)
    refuse_equal_keys(hashed.keys)
    if source is not None and not source.new_people:
        check_source_recognized(hashed.keys, entries)
    shown = find_shown(history, hashed.keys)
    if np.count_nonzero(~shown) < k:
        raise Infeasible(
            f"{count_rows(int(np.count_nonzero(~shown)))} of the source were shown by no release, "
            f"fewer than k = {k}; they wait: release again when more have come"
        )
    compared = history.compare(hashed.keys, hashed.values, hashed.ground)
    changed = history.moved(hashed.keys, hashed.quasi_identifier)
    changed |= np.any([one.differs for one in compared], axis=0) if compared else False
    waits, first = count_waits(entries, hashed.keys[~shown])
    since = first[first != ABSENT]
    increment = Increment(
        considered=len(entries),
        rows_before=int(np.count_nonzero(shown)),
        rows_outdated=int(np.count_nonzero(shown & changed)),
        rows_waited=len(since),
        waited_since=entries[int(since.min())].date if len(since) else None,
    )
    tags = RowTags(row_key, hashed.row_keys, np.where(shown, 0, NEW).astype(np.int32), {})
    names = [name for name in column_names(table.frame) if name != POSITION]
    new = tag_rows(table, tags).frame.filter(nw.col(TAG) == NEW).select(names)
    kept = replace(table, frame=new, from_files=None, held=None, again=None)
    digests = {name: digests[~shown] for name, digests in hashed.values.items()}
    new_rows = materialize(kept), increment, hashed.quasi_identifier[~shown], digests
    return NewRows(*new_rows, waits, earlier)
