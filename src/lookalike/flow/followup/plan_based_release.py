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
from lookalike.flow.decision import Basis, Decision
from lookalike.flow.followup.find_rows import USE_CHECK_ONLY, find_last_levels, find_rows
from lookalike.flow.followup.place_new_rows import Search, place_new_rows
from lookalike.flow.followup.recode_by_tag import count_by_tag, recode_by_tag, tag_by_levels
from lookalike.kernels.types import Codes, Flags
from lookalike.ledger.policies.based_on import NextFate, NextRelease, finish_plan, plan_next
from lookalike.ledger.policies.label_paths import find_label_paths, refuse_other_hierarchies
from lookalike.ledger.policies.policy import EarlierEntries, refuse_several
from lookalike.ledger.policies.shown_columns import ABSENT, ColumnComparison, ShownColumn
from lookalike.ledger.store.published_file import find_published_file, find_shown_values
from lookalike.model.requirement import Requirement
from lookalike.shown_text import count_rows
from lookalike.tables.row_tags import CURRENT, Old, RowTags


def plan_based_release(
    earlier: EarlierEntries,
    counted_table: CountedTable,
    row_key: str,
    requirement: Requirement,
    search: Search,
) -> Decision:
    """Plan a release that is based on earlier ones.

    ``requirement``: requirement of the specification; the greatest k that was ever promised applies
    as well.
    """
    refuse_several(entry.certificate for entry in earlier.entries)
    _refuse_unsupported(counted_table, requirement)
    paths = find_label_paths(counted_table.counted, counted_table.frequency, earlier.secret)
    refuse_other_hierarchies(earlier.entries, paths)
    requirement = replace(requirement, k=max(requirement.k, earlier.k), suppressed_rows="drop")
    rows = find_rows(earlier, counted_table, row_key)
    history, hashed = earlier.history, rows.hashed
    compared = history.compare(hashed.keys, hashed.values, hashed.ground)
    shape = (len(compared), len(hashed.keys))
    changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
    moved = history.moved(hashed.keys, hashed.quasi_identifier)
    plan = plan_next(history, hashed.keys, moved=moved, changed=changed, k=requirement.k)
    least = find_last_levels(earlier, counted_table.frequency, rows.position)
    placed, levels, in_time = place_new_rows(
        plan, counted_table.frequency, rows.sequence_of, least, requirement, search
    )
    plan = finish_plan(plan, placed)
    tags, levels_of_tag = tag_by_levels(plan, levels, counted_table.frequency)
    old = find_old_values(earlier, rows.position, hashed.types, compared, plan.held_back)
    tagged = count_by_tag(counted_table, RowTags(row_key, hashed.row_keys, tags, old))
    recoding = recode_by_tag(tagged, levels_of_tag, plan, requirement)
    return Decision(
        counted=tagged,
        recoding=replace(recoding, in_time=in_time),
        requirement=requirement,
        basis=_count_fates(earlier, plan),
    )


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
