"""Place rows that were not shown before, or not lately, and recode all rows by their levels.

Only rows of the same history may join a class together
(:mod:`lookalike.ledger.policies.based_on`), so each joining group is searched separately. Then
every row is tagged with a number for the levels at which it is shown, and the rows are counted by
values and tag. So recoding, recounting and publishing need not know about earlier releases.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pyarrow as pa

from lookalike.errors import Infeasible, InternalError, InvalidInput
from lookalike.flow.count_beside import describe_beside
from lookalike.flow.counted_table import CountedTable
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease
from lookalike.ledger.policies.history import NEVER_SHOWN
from lookalike.ledger.policies.new_values import divide, number_alike
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.spec.specification import Specification
from lookalike.tables.count import count
from lookalike.tables.plan import draw_fates, list_fates
from lookalike.tables.recode import tag_rows
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import source_changed

Search = Callable[[FrequencyList, Requirement], Recoding]
"""A method with its options: returns the recoding of a frequency list."""


def place_new_rows(
    plan: NextRelease,
    frequency: FrequencyList,
    sequence_of: Codes,
    least: Levels,
    requirement: Requirement,
    search: Search,
) -> tuple[Counts, Levels, bool]:
    """Place the rows that join into classes, one joining group at a time.

    Rows that were never shown may be suppressed within the requirement's limit; they wait. Of the
    rows that were shown before, either the whole joining group joins or none of it, at levels that
    are not lower than before.

    ``least``: by attribute and row: the level of the cell when the row was last shown.
    Returns: the class of each row, with numbers that no other joining group has; `ABSENT` if it
    has none.
    Returns: by attribute and row: the level of the cell; that of `least` if the row has no
    class.
    """
    placed = np.full(len(plan.fate), ABSENT, dtype=np.int64)
    levels, classes, in_time = least.copy(), 0, True
    generator = np.random.default_rng()
    for rows in divide(np.flatnonzero(plan.joining_group != ABSENT), plan.joining_group):
        never = plan.part[rows[0]] == NEVER_SHOWN
        asked = requirement if never else replace(requirement, max_suppressed=0)
        place_of, own = _gather(frequency, sequence_of[rows], least[:, rows[0]])
        try:
            recoding = search(own, asked)
        except Infeasible:
            continue
        in_time &= recoding.in_time
        fates = list_fates(own, recoding)
        fate_of = draw_fates(fates, place_of, generator)
        class_of, sizes = fates.tuples.classes(own, own.attributes)
        placed[rows] = np.where(fates.gone[fate_of], ABSENT, classes + class_of[fate_of])
        found, before = fates.tuples.levels[:, fate_of], least[:, rows]
        hidden = (found == SUPPRESSED_CELL) | (before == SUPPRESSED_CELL)
        levels[:, rows] = np.where(hidden, SUPPRESSED_CELL, np.maximum(found, before))
        classes += len(sizes)
    return placed, levels, in_time


def _gather(
    frequency: FrequencyList, sequences: Codes, least: Levels
) -> tuple[Codes, FrequencyList]:
    """Return the frequency list of some rows from given levels on, and the sequence of each row."""
    counts = np.bincount(sequences, minlength=len(frequency))
    here = np.flatnonzero(counts).astype(np.int32)
    some = frequency.taken(here, counts[here])
    known = [None if level == SUPPRESSED_CELL else int(level) for level in least]
    columns = [*zip(frequency.hierarchies, known, strict=True)]
    class_of, raised = some.classify([one.height if low is None else low for one, low in columns])
    hierarchies = tuple(one.raised(low) for one, low in columns)
    own = replace(raised, hierarchies=hierarchies, vector=frequency.vector)
    return class_of[np.searchsorted(here, sequences)], own


HIDDEN = 0
"""The tag of rows that are not shown."""


def tag_by_levels(
    plan: NextRelease, levels: Levels, frequency: FrequencyList
) -> tuple[Codes, Levels]:
    """Number the rows that are shown at the same levels.

    ``levels``: by attribute and row: the level at which the row is shown.
    Returns: by attribute and tag: the level.
    """
    shown = np.flatnonzero(plan.fate != NextFate.WAITS)
    if not len(shown):
        few = f"fewer than k = {plan.k} have the same history"
        if plan.least.max() > plan.k:
            few += ", or too few to keep the protections of sensitive values whoever left"
        raise Infeasible(
            f"none of the {len(plan.fate):,} rows can be shown: {few}, so all of them wait; "
            "release again when more rows have come"
        )
    levels = hide_at_top(levels, frequency)
    number, _ = number_alike(levels[:, shown] - SUPPRESSED_CELL)
    _, first = np.unique(number, return_index=True)
    tags = np.full(len(plan.fate), HIDDEN, dtype=np.int32)
    tags[shown] = number + HIDDEN + 1
    return tags, levels[:, shown[first]]


def hide_at_top(levels: Levels, frequency: FrequencyList) -> Levels:
    """Return levels in which a suppressed cell has the top level, if its label is the same."""
    tops = [
        one.height if one.labels[-1] == (one.suppressed,) else SUPPRESSED_CELL
        for one in frequency.hierarchies
    ]
    hidden = np.array(tops, dtype=np.int32)[:, None]
    return np.where(levels == SUPPRESSED_CELL, hidden, levels)


def count_by_tag(
    counted_table: CountedTable,
    tags: RowTags,
    appended: pa.Table | None,
    specification: Specification,
) -> CountedTable:
    """Tag the rows of a table, and count them by values and tag.

    ``appended``: rows that the release shows as before, although the source does not have them.
    Only if there are recalled rows may values differ from those that the table had when counted.
    """
    table, known = (
        tag_rows(counted_table.table, tags, appended),
        counted_table.frequency.hierarchies,
    )
    linkable, beside = counted_table.frequency.attributes, specification.protected_columns
    counted = count(table.frame, (*linkable, *beside), TAG)
    if counted.values[: len(linkable)] != counted_table.counted.values[: len(linkable)]:
        if tags.recalled is None:
            raise source_changed()
        rules = specification.hierarchies().items()
        label = specification.release.suppressed_label
        bound = [
            rule.bind(name, values, label)
            for (name, rule), values in zip(rules, counted.values, strict=False)
        ]
        if [one.height for one in bound] != [one.height for one in known]:
            raise InvalidInput(
                "the rows of people who left have values that make a hierarchy higher; give the "
                "hierarchy its length or range, so that it does not depend on the values"
            )
        known = tuple(bound)
    positions, columns = (
        counted.positions[: len(known)],
        describe_beside(specification, counted, beside),
    )
    sequence_of, frequency = list_frequencies(
        known, positions, counted.counts, counted.tags, columns
    )
    return CountedTable(table, counted, sequence_of, frequency)


def recode_by_tag(
    counted_table: CountedTable, levels_of_tag: Levels, requirement: Requirement
) -> Recoding:
    """Return the recoding that shows every sequence at the levels of its tag.

    ``levels_of_tag``: by attribute and tag: the level.
    """
    frequency, tags = counted_table.frequency, counted_table.counted.tags
    if tags is None:
        raise InternalError("rows were counted without their tags")
    tag_of = np.zeros(len(frequency), dtype=np.int32)
    tag_of[counted_table.sequence_of] = tags
    shown = np.flatnonzero(tag_of != HIDDEN).astype(np.int32)
    levels = levels_of_tag[:, tag_of[shown] - HIDDEN - 1]
    uniform = levels_of_tag.shape[1] == 1 and not np.any(levels_of_tag == SUPPRESSED_CELL)
    if not uniform:
        shown_levels = (line[line != SUPPRESSED_CELL].tolist() for line in levels_of_tag)
        columns = zip(shown_levels, frequency.heights, strict=True)
        used = [line or [height] for line, height in columns]
        check_labels(frequency, Lattice(tuple(map(min, used)), tuple(map(max, used))))
    hidden = np.where(tag_of == HIDDEN, frequency.counts, 0)
    return Recoding(
        vector=tuple(levels_of_tag[:, 0].tolist()) if uniform else None,
        suppressed=hidden,
        rows_suppressed=int(hidden.sum()),
        allowance=requirement.allowance(frequency.rows),
        tuples=None if uniform else Tuples(shown, levels, frequency.counts[shown]),
    )
