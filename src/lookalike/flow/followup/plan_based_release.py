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
from lookalike.flow.followup.recall_rows import recall_rows
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Digests, Flags, Levels
from lookalike.ledger.policies import label_paths
from lookalike.ledger.policies.based_on import (
    Basis,
    NextFate,
    NextRelease,
    ProtectedParts,
    finish_plan,
    plan_next,
)
from lookalike.ledger.policies.further_renamed import find_further_renamed
from lookalike.ledger.policies.least_rows import count_planned_rows, see_planned
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.policy import EarlierEntries, greatest_k, refuse_several
from lookalike.ledger.policies.shared_classes import WITH_CONTRACTS, find_left_out
from lookalike.ledger.policies.shown_columns import ABSENT, ColumnComparison, ShownColumn
from lookalike.ledger.recall import Recall, find_last_values
from lookalike.ledger.store.entry import Entry, ReleasedClasses
from lookalike.ledger.store.row_map import (
    KEY,
    LINKABLE,
    HashedRows,
    digest_column,
    hash_frame,
    hash_rows,
    to_digests,
)
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.labels import spell
from lookalike.tables.row_tags import Old, RowTags
from lookalike.tables.sql import source_changed
from lookalike.tables.table import Frame


def plan_based_release(
    earlier: EarlierEntries,
    counted_table: CountedTable,
    requirement: Requirement,
    search: Search,
    specification: Specification,
    withdrawn: frozenset[str | None] | None = None,
) -> tuple[CountedTable, Recoding, Requirement, Basis, Frame]:
    """Plan a release that is based on earlier ones.

    ``requirement``: requirement of the specification; the greatest k that was ever promised applies
    as well.
    ``withdrawn``: if rows that left the source stay, the row keys of those that must not.
    Returns: the table with its rows tagged and counted by tag, its recoding, the requirement that
    the recoding satisfies, how many rows are kept, renewed, added and left out, and the private
    rows that the release must be true to.
    """
    _refuse_unsupported(earlier, counted_table, requirement)
    k = max(requirement.k, greatest_k(entry.certificate for entry in earlier.entries))
    requirement = replace(requirement, k=k, suppressed_rows="drop")
    frequency, columns = counted_table.frequency, counted_table.table.unchanged
    row_key = earlier.entries[-1].row_key
    unknown = _count_unknown(withdrawn or frozenset(), earlier, specification)
    hashed = hash_frame(
        counted_table.table.frame, row_key, frequency.attributes, columns, earlier.secret
    )
    sequence_of = find_sequences(
        counted_table, hashed.quasi_identifier, hashed.values, earlier.secret
    )
    absent = find_left_out(earlier, specification.release.recipient, hashed.keys)
    given = frequency, sequence_of, requirement, search
    plan, position, levels, compared, in_time = _plan_compared(
        earlier, hashed, withdrawn, absent, *given
    )
    tags, levels_of_tag = tag_by_levels(plan, levels, frequency)
    values = dict(zip(frequency.attributes, counted_table.counted.values, strict=False))
    recall = Recall(earlier, specification.hierarchies(), values, hashed.types)
    recalled = recall_rows(recall, plan.recalled, position, tags, hashed, row_key)
    here = len(hashed.keys)
    held = plan.held_back[:, :here]
    old = find_old_values(earlier, position[:here], hashed.types, compared, held) | recalled.old
    tagged_rows = RowTags(row_key, hashed.row_keys, tags[:here], old, recalled.hashes)
    tagged = count_by_tag(counted_table, tagged_rows, recalled.appended, specification)
    recoding = replace(recode_by_tag(tagged, levels_of_tag, requirement), in_time=in_time)
    private = recalled.append_to(counted_table.table.frame)
    basis = replace(_count_fates(earlier, plan, here), keys_unknown=unknown)
    return tagged, recoding, requirement, basis, private


def _plan_compared(
    earlier: EarlierEntries,
    hashed: HashedRows,
    withdrawn: frozenset[str | None] | None,
    absent: Flags,
    frequency: FrequencyList,
    sequence_of: Codes,
    requirement: Requirement,
    search: Search,
) -> tuple[NextRelease, Codes, Levels, tuple[ColumnComparison, ...], bool]:
    """Plan what rows show, until no column looks like another one under an earlier name.

    Returns: the plan, the position of each row in the history, its levels, the comparisons of
    columns that the plan is based on, and whether the search ended in time.
    """
    renamed: set[tuple[str, str]] = set()
    while True:
        compared = earlier.history.compare(hashed.keys, hashed.values, hashed.ground, renamed)
        plan, position = _plan_rows(earlier, hashed, compared, requirement, withdrawn, absent)
        least = _recall_levels(earlier, frequency, position)
        placed, levels, in_time = place_new_rows(
            plan, frequency, sequence_of, least, requirement, search
        )
        plan = finish_plan(plan, placed, [one.name for one in compared])
        further = find_further_renamed(earlier.history, plan, position, compared, hashed.values)
        if not further:
            return plan, position, levels, compared, in_time
        renamed |= further


def _plan_rows(
    earlier: EarlierEntries,
    hashed: HashedRows,
    compared: Sequence[ColumnComparison],
    requirement: Requirement,
    withdrawn: frozenset[str | None] | None,
    absent: Flags,
) -> tuple[NextRelease, Codes]:
    """Plan what happens to the rows of the source, and after them to those that left it.

    ``withdrawn``: the row keys of people who withdrew; None if all that left are withdrawn.
    ``absent``: which rows of the source wait, whatever may be shown of them.
    Returns: also the position of each row in the history; `ABSENT` for a new row.
    """
    history, keeps = earlier.history, withdrawn is not None
    position, left = history.find(hashed.keys), np.zeros(0, dtype=np.int32)
    if keeps:
        stayed = np.zeros(len(history.keys), dtype=np.bool_)
        stayed[position[position != ABSENT]] = True
        left = np.flatnonzero((history.steps[-1] != ABSENT) & ~stayed).astype(np.int32)
    keys = np.concatenate([hashed.keys, history.keys[left]])
    shape = (len(compared), len(hashed.keys))
    changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
    moved = history.moved(hashed.keys, hashed.quasi_identifier)
    asked = [(one.column, one.protection) for one in requirement.protections]
    planned = see_planned(history, asked, position, hashed.values)
    least = count_planned_rows(earlier.entries, history, requirement.k, planned)
    fixed = np.array([one.name in dict(asked) for one in compared], dtype=np.bool_)
    plan = plan_next(
        history,
        keys,
        moved=np.pad(moved, (0, len(left))),
        changed=np.pad(changed, ((0, 0), (0, len(left)))),
        k=requirement.k,
        left=np.arange(len(keys)) >= len(hashed.keys) if keeps else None,
        withdrawn=_find_withdrawn(withdrawn or frozenset(), keys, earlier.secret)
        | np.pad(absent, (0, len(left))),
        protected=ProtectedParts(least, fixed if asked else None),
    )
    return plan, np.concatenate([position, left])


def _find_withdrawn(withdrawn: frozenset[str | None], keys: Digests, secret: bytes) -> Flags:
    """Return which keys are of people who withdrew."""
    known = pa.table({KEY: pa.array(sorted(filter(None, withdrawn)), pa.string())})
    gone = to_digests(hash_rows(known, [KEY], secret=secret, kind=KEY))
    number, _ = number_keys(np.concatenate([gone, keys]))
    return np.isin(number[len(gone) :], number[: len(gone)])


def _count_unknown(
    withdrawn: frozenset[str | None], earlier: EarlierEntries, specification: Specification
) -> int:
    """Return how many people withdrew whom no release knows; refuse a file of such keys only."""
    keys = len(withdrawn - {None})
    known = int(np.sum(_find_withdrawn(withdrawn, earlier.history.keys, earlier.secret)))
    if keys and not known and specification.release.withdrawn is not None:
        raise InvalidInput(
            f"withdrawn: no release of the source knows any of the {keys:,} row keys, so nobody "
            "would be withdrawn; write them as the source does, or leave the file out"
        )
    return keys - known


def _count_fates(earlier: EarlierEntries, plan: NextRelease, here: int) -> Basis:
    """Count the rows of each fate.

    ``here``: the number of rows of the source; those after them left it.
    """
    held_back, recalled = plan.held_back.any(axis=0), plan.recalled
    outdated = (held_back & (plan.fate == NextFate.KEEPS)) | recalled
    waits = plan.fate[:here] == NextFate.WAITS
    return Basis(
        considered=len(earlier.entries),
        rows_kept=plan.rows(NextFate.KEEPS),
        rows_outdated=int(np.count_nonzero(outdated[:here])),
        rows_renewed=plan.rows(NextFate.RENEWS),
        rows_partly_renewed=int(np.count_nonzero(held_back & (plan.fate == NextFate.RENEWS))),
        rows_joined=plan.rows(NextFate.JOINS),
        rows_waiting=int(np.count_nonzero(waits)),
        rows_withdrawn=int(np.count_nonzero(waits & plan.shown[:here])),
        rows_left=int(np.count_nonzero(recalled[here:])),
        rows_moved=int(np.count_nonzero(recalled[:here])),
    )


def _refuse_unsupported(
    earlier: EarlierEntries, counted_table: CountedTable, requirement: Requirement
) -> None:
    """Refuse several quasi-identifiers, pseudonyms and other hierarchies than before."""
    refuse_several(entry.certificate for entry in earlier.entries)
    paths = label_paths.hash_label_paths(
        counted_table.counted, counted_table.frequency, earlier.secret
    )
    label_paths.refuse_other_hierarchies(earlier.entries, paths)
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
                raise InvalidInput(
                    f"column {one.name!r} is part of the quasi-identifier of an earlier release, "
                    f"and {count_rows(rows)} with another value since cannot show it yet; make it "
                    "part of the quasi-identifier again, or leave it out"
                )
            old[one.name] = find_last_values(earlier, position, one.name, types[one.name], held)
    return old


def _is_elsewhere(named: ShownColumn | None, other: ShownColumn, rows: Codes) -> bool:
    """Return whether some rows last showed another value than the column's own name did."""
    if named is None:
        return True
    later = other.release[rows] >= named.release[rows]
    return bool(np.any(later & (other.digest[rows] != named.digest[rows])))


def _under_another_name(one: ColumnComparison, rows: int) -> InvalidInput:
    """Return the error that a column has the content of an earlier one under another name."""
    return InvalidInput(
        f"column {one.name!r} has the content of column {one.before!r} of an earlier release, so "
        f"they count as one column, and {count_rows(rows)} with a new value there cannot show it "
        f"yet; if it is the same column, rename it to {one.before!r}; otherwise release both or "
        f"leave out {one.name!r}"
    )


USE_CHECK_ONLY = 'or use policy = "check-only"'
"""The end of messages about tables that the policy based-on does not support."""


def find_sequences(
    counted_table: CountedTable, digests: Digests, values: Mapping[str, Digests], secret: bytes
) -> Codes:
    """Return the sequence of each row.

    A frame is counted row by row. A query is counted by distinct values, which are matched with
    the rows by their digests.

    ``digests``: of the quasi-identifier of each row; ``values``: of its other columns.
    """
    if counted_table.counted.keys is None:
        return counted_table.sequence_of
    distinct, frequency = counted_table.counted.keys, counted_table.frequency
    known = to_digests(hash_rows(distinct, frequency.attributes, secret=secret, kind=LINKABLE))
    number, first = number_keys(np.concatenate([known, digests]))
    for name in [one.column for one in frequency.beside if one.column in values]:
        own = to_digests(digest_column(name, distinct[name], secret, spell))
        value, _ = number_keys(np.concatenate([own, values[name]]))
        number, _ = number_alike(number, value)
        first = np.unique(number, return_index=True)[1].astype(first.dtype)
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise source_changed()
    return counted_table.sequence_of[places]


def _recall_levels(earlier: EarlierEntries, frequency: FrequencyList, position: Codes) -> Levels:
    """Return the level of every cell when its row was last shown; 0 if it was never shown.

    ``position``: position of each row in the history; `ABSENT` for a new row.
    """
    history = earlier.history
    levels = np.zeros((len(frequency.attributes), len(position)), dtype=np.int32)
    last = np.where(position == ABSENT, ABSENT, history.linkable.release[position])
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
            f"same attributes, or {WITH_CONTRACTS}"
        )
    places = [classes.attributes.index(name) for name in frequency.attributes]
    for place, height in zip(places, frequency.heights, strict=True):
        if classes.levels[place].max(initial=0) > height:
            raise label_paths.hierarchy_changed(entry, classes.attributes[place])
    return places, classes
