"""Plan a release that is based on earlier ones (Model, section 4.2, second remedy).

Every row is hashed and found in the history of its source. The rules in
:mod:`lookalike.ledger.policies.based_on` decide which rows stay, join or wait. Rows that join are
placed into classes by the method that the specification names. The result is one recoding of the
table.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.followup.place_new_rows import (
    Search,
    count_by_tag,
    place_new_rows,
    recode_by_tag,
    tag_by_levels,
)
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Flags, Levels
from lookalike.ledger.policies import label_paths
from lookalike.ledger.policies.based_on import Basis, NextFate, NextRelease, finish_plan, plan_next
from lookalike.ledger.policies.policy import EarlierEntries, refuse_several
from lookalike.ledger.policies.shown_columns import ABSENT, ColumnComparison, ShownColumn
from lookalike.ledger.store.entry import Entry, ReleasedClasses
from lookalike.ledger.store.published_file import find_published_file, find_shown_values
from lookalike.ledger.store.row_map import LINKABLE, hash_frame, hash_rows, to_digests
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.shown_text import count_rows
from lookalike.tables.row_tags import CURRENT, Old, RowTags
from lookalike.tables.sql import source_changed


def plan_based_release(
    earlier: EarlierEntries,
    counted_table: CountedTable,
    requirement: Requirement,
    search: Search,
) -> tuple[CountedTable, Recoding, Requirement, Basis]:
    """Plan a release that is based on earlier ones.

    ``requirement``: requirement of the specification; the greatest k that was ever promised applies
    as well.
    Returns: the table with its rows tagged and counted by tag, its recoding, the requirement that
    the recoding satisfies, and how many rows are kept, renewed, added and left out.
    """
    refuse_several(entry.certificate for entry in earlier.entries)
    _refuse_unsupported(counted_table, requirement)
    paths = label_paths.hash_label_paths(
        counted_table.counted, counted_table.frequency, earlier.secret
    )
    label_paths.refuse_other_hierarchies(earlier.entries, paths)
    requirement = replace(requirement, k=max(requirement.k, earlier.k), suppressed_rows="drop")
    history, row_key, frequency = earlier.history, earlier.row_key, counted_table.frequency
    columns = frequency.attributes, counted_table.table.unchanged
    hashed = hash_frame(counted_table.table.frame, row_key, *columns, earlier.secret)
    position = history.find(hashed.keys)
    sequence_of = _find_sequences(earlier, counted_table, hashed.quasi_identifier)
    compared = history.compare(hashed.keys, hashed.values, hashed.ground)
    shape = (len(compared), len(hashed.keys))
    changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
    moved = history.moved(hashed.keys, hashed.quasi_identifier)
    plan = plan_next(history, hashed.keys, moved=moved, changed=changed, k=requirement.k)
    least = recall_last_levels(earlier, frequency, position)
    placed, levels, in_time = place_new_rows(
        plan, frequency, sequence_of, least, requirement, search
    )
    plan = finish_plan(plan, placed)
    tags, levels_of_tag = tag_by_levels(plan, levels, frequency)
    old = find_old_values(earlier, position, hashed.types, compared, plan.held_back)
    tagged = count_by_tag(counted_table, RowTags(row_key, hashed.row_keys, tags, old))
    recoding = recode_by_tag(tagged, levels_of_tag, plan, requirement)
    basis = _count_fates(earlier, plan)
    return tagged, replace(recoding, in_time=in_time), requirement, basis


def _count_fates(earlier: EarlierEntries, plan: NextRelease) -> Basis:
    """Count the rows of each fate."""
    held_back = plan.held_back.any(axis=0)
    return Basis(
        considered=len(earlier.entries),
        rows_kept=plan.rows(NextFate.KEEPS),
        rows_outdated=int(np.count_nonzero(held_back & (plan.fate == NextFate.KEEPS))),
        rows_renewed=plan.rows(NextFate.RENEWS),
        rows_partly_renewed=int(np.count_nonzero(held_back & (plan.fate == NextFate.RENEWS))),
        rows_joined=plan.rows(NextFate.JOINS),
        rows_waiting=plan.rows(NextFate.WAITS),
        rows_withdrawn=plan.rows_withdrawn,
    )


def _refuse_unsupported(counted_table: CountedTable, requirement: Requirement) -> None:
    """Refuse several quasi-identifiers and pseudonyms, which the policy does not support."""
    if requirement.quasi_identifiers:
        raise InvalidInput(
            "the policy based-on supports a single quasi-identifier over all linkable attributes, "
            f"and no attribute that is protected alone; remove them, {USE_CHECK_ONLY}"
        )
    if counted_table.table.pseudonym_keys:
        raise InvalidInput(
            "the policy based-on does not support pseudonyms, because they show whose identifier "
            f"changed; remove them, {USE_CHECK_ONLY}"
        )


def find_old_values(
    earlier: EarlierEntries,
    position: Codes,
    types: Mapping[str, pa.DataType],
    compared: Sequence[ColumnComparison],
    held_back: Flags,
) -> dict[str, Old]:
    """Return for each column the old values that rows show instead of new ones.

    ``position``: position of each row in the history; `ABSENT` for a new row.
    ``held_back``: by comparison and row: whether a new value of the row is held back.
    """
    old = {}
    for one, held in zip(compared, held_back, strict=True):
        if held.any():
            rows = int(np.count_nonzero(held))
            named = earlier.history.columns.get(one.name)
            for other in compared:
                if other.name == one.name and _is_elsewhere(named, other.earlier, position[held]):
                    raise _under_another_name(other, rows)
            if named is None or not named.exact.issuperset(named.release[position[held]].tolist()):
                raise _once_generalized(one.name, rows)
            old[one.name] = _find_column(earlier, position, one.name, types[one.name], held)
    return old


def _is_elsewhere(named: ShownColumn | None, other: ShownColumn, rows: Codes) -> bool:
    """Return whether some rows last showed another value than the column's own name did."""
    if named is None:
        return True
    later = other.release[rows] >= named.release[rows]
    return bool(np.any(later & (other.digest[rows] != named.digest[rows])))


def _find_column(
    earlier: EarlierEntries, position: Codes, name: str, kind: pa.DataType, held: Flags
) -> Old:
    """Return the values that some rows last showed in a column, file by file."""
    column = earlier.history.columns[name]
    places = np.full(len(held), CURRENT, dtype=np.int32)
    values: list[pa.Array] = []
    last = np.where(held, column.release[position], ABSENT)
    for release in np.unique(last[held]):
        here = np.flatnonzero(last == release)
        file, wanted = find_published_file(earlier.entries[release]), column.digest[position[here]]
        shown, at = find_shown_values(file, name, kind, wanted, earlier.secret)
        places[here] = sum(map(len, values)) + at
        values.append(shown)
    return Old(pa.concat_arrays(values), places)


def _under_another_name(one: ColumnComparison, rows: int) -> InvalidInput:
    """Return the error that a column has the content of an earlier one under another name."""
    return InvalidInput(
        f"column {one.name!r} has the content of column {one.before!r} of an earlier release, so "
        f"they count as one column, and {count_rows(rows)} with a new value there cannot show it "
        f"yet; if it is the same column, rename it to {one.before!r}; otherwise release both or "
        f"leave out {one.name!r}"
    )


def _once_generalized(name: str, rows: int) -> InvalidInput:
    """Return the error that an earlier release shows only generalized values of a column."""
    return InvalidInput(
        f"column {name!r} is part of the quasi-identifier of an earlier release, and "
        f"{count_rows(rows)} with another value since cannot show it yet; make it part of the "
        "quasi-identifier again, or leave it out"
    )


USE_CHECK_ONLY = 'or use policy = "check-only"'
"""The end of messages about tables that the policy based-on does not support."""


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


def recall_last_levels(
    earlier: EarlierEntries, frequency: FrequencyList, position: Codes
) -> Levels:
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
            raise label_paths.hierarchy_changed(entry, classes.attributes[place])
    return places, classes
