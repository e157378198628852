"""Plan a release that is based on earlier ones (Model, section 4.2, second remedy).

Every row is hashed and found in the history of its source. The rules in
:mod:`lookalike.ledger.policies.based_on` decide which rows stay, join or wait. Rows that join are
placed into classes by the method that the specification names. The result is one recoding of the
table.
"""

from dataclasses import replace

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.flow.counted_table import CountedTable
from lookalike.flow.decision import Basis, Decision
from lookalike.flow.followup.find_rows import USE_CHECK_ONLY, find_last_levels, find_rows
from lookalike.flow.followup.hold_back import find_old_values
from lookalike.flow.followup.place_new_rows import Search, place_new_rows
from lookalike.flow.followup.recode_by_tag import count_by_tag, recode_by_tag, tag_by_levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease, finish_plan, plan_next
from lookalike.ledger.policies.check_certificates import refuse_several
from lookalike.ledger.policies.earlier_releases import EarlierEntries
from lookalike.ledger.policies.label_paths import find_label_paths, refuse_other_hierarchies
from lookalike.model.requirement import Requirement
from lookalike.tables.row_tags import RowTags


def plan_based_release(
    earlier: EarlierEntries,
    counted_table: CountedTable,
    row_key: str,
    requirement: Requirement,
    search: Search,
) -> Decision:
    """Plan a release that is based on earlier ones.

    Parameters
    ----------
    earlier
        The earlier releases.
    counted_table
        The present table.
    row_key
        Column that identifies a row.
    requirement
        Requirement of the specification; the greatest k that was ever promised applies as well.
    search
        The method that places new rows into classes.

    Raises
    ------
    Infeasible
        If no row can be shown.
    InvalidInput
        If the release cannot be based on the earlier ones: other attributes, other hierarchies, or
        a missing file.
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
    placed, levels = place_new_rows(
        plan, counted_table.frequency, rows.sequence_of, least, requirement, search
    )
    plan = finish_plan(plan, placed)
    tags, levels_of_tag = tag_by_levels(plan, levels, counted_table.frequency)
    old = find_old_values(earlier, rows.position, hashed.types, compared, plan.held_back)
    tagged = count_by_tag(counted_table, RowTags(row_key, hashed.row_keys, tags, old))
    return Decision(
        counted=tagged,
        recoding=recode_by_tag(tagged, levels_of_tag, plan, requirement),
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
