"""Place rows that were not shown before, or not lately, and recode all rows by their levels.

Only rows of the same history may join a class together
(:mod:`lookalike.ledger.policies.based_on`), so each joining group is searched separately. Then
every row is tagged with a number for the levels at which it is shown, and the rows are counted by
values and tag. So recoding, recounting and publishing need not know about earlier releases.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible, InternalError
from lookalike.flow.counted_table import CountedTable
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease
from lookalike.ledger.policies.history import NEVER_SHOWN
from lookalike.ledger.policies.new_values import number_alike
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.cells.ambiguous_labels import check_labels
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
    for rows in _list_groups(plan.joining_group):
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
        levels[:, rows] = _no_lower(fates.tuples.levels[:, fate_of], least[:, rows])
        classes += len(sizes)
    return placed, levels, in_time


def _list_groups(joining_group: Codes) -> Iterator[Codes]:
    """Yield the rows of each joining group."""
    joining = np.flatnonzero(joining_group != ABSENT)
    if not len(joining):
        return
    joining = joining[np.argsort(joining_group[joining], kind="stable")]
    for rows in np.split(joining, np.flatnonzero(np.diff(joining_group[joining])) + 1):
        yield rows.astype(np.int32)


def _gather(
    frequency: FrequencyList, sequences: Codes, least: Levels
) -> tuple[Codes, FrequencyList]:
    """Return the frequency list of some rows from given levels on, and the sequence of each row."""
    counts = np.bincount(sequences, minlength=len(frequency))
    here = np.flatnonzero(counts)
    some = replace(frequency, codes=frequency.codes[:, here], counts=counts[here])
    known = [None if level == SUPPRESSED_CELL else int(level) for level in least]
    heights = zip(known, frequency.heights, strict=True)
    class_of, raised = some.classify([top if low is None else low for low, top in heights])
    own = FrequencyList(
        hierarchies=tuple(
            hierarchy.raised(low)
            for hierarchy, low in zip(frequency.hierarchies, known, strict=True)
        ),
        vector=frequency.vector,
        codes=raised.codes,
        counts=raised.counts,
    )
    return class_of[np.searchsorted(here, sequences)], own


def _no_lower(levels: Levels, least: Levels) -> Levels:
    """Return levels raised to given least ones; a cell suppressed in either stays suppressed."""
    hidden = (levels == SUPPRESSED_CELL) | (least == SUPPRESSED_CELL)
    raised: Levels = np.where(hidden, SUPPRESSED_CELL, np.maximum(levels, least)).astype(np.int32)
    return raised


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
        raise Infeasible(
            f"none of the {len(plan.fate):,} rows can be shown: fewer than k = {plan.k} have the "
            "same history, so all of them wait; release again when more rows have come"
        )
    levels = _suppress_by_top(levels, frequency)
    number, _ = number_alike(levels[:, shown] - SUPPRESSED_CELL)
    _, first = np.unique(number, return_index=True)
    tags = np.full(len(plan.fate), HIDDEN, dtype=np.int32)
    tags[shown] = number + HIDDEN + 1
    return tags, levels[:, shown[first]]


def _suppress_by_top(levels: Levels, frequency: FrequencyList) -> Levels:
    """Replace suppressed cells by the top level where its label is the suppressed value."""
    tops = np.array(
        [
            hierarchy.height if hierarchy.labels[-1] == (hierarchy.suppressed,) else SUPPRESSED_CELL
            for hierarchy in frequency.hierarchies
        ],
        dtype=np.int32,
    )
    replaced: Levels = np.where(levels == SUPPRESSED_CELL, tops[:, None], levels)
    return replaced


def count_by_tag(counted_table: CountedTable, tags: RowTags) -> CountedTable:
    """Tag the rows of a table, and count them by values and tag."""
    table = tag_rows(counted_table.table, tags)
    counted = count(table.frame, counted_table.frequency.attributes, TAG)
    if counted.values != counted_table.counted.values:
        raise source_changed()
    sequence_of, frequency = list_frequencies(
        counted_table.frequency.hierarchies, counted.positions, counted.counts, counted.tags
    )
    return CountedTable(table, counted, sequence_of, frequency)


def recode_by_tag(
    counted_table: CountedTable, levels_of_tag: Levels, plan: NextRelease, requirement: Requirement
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
        check_labels(frequency, _find_used_levels(levels_of_tag, frequency))
    return Recoding(
        vector=tuple(levels_of_tag[:, 0].tolist()) if uniform else None,
        suppressed=np.where(tag_of == HIDDEN, frequency.counts, 0),
        rows_suppressed=plan.rows(NextFate.WAITS),
        allowance=requirement.allowance(frequency.rows),
        tuples=None if uniform else Tuples(shown, levels, frequency.counts[shown]),
    )


def _find_used_levels(levels: Levels, frequency: FrequencyList) -> Lattice:
    """Return the lattice from the lowest to the highest level that each attribute shows."""
    known = [line[line != SUPPRESSED_CELL] for line in levels]
    heights = frequency.heights
    return Lattice(
        tuple(int(line.min(initial=top)) for line, top in zip(known, heights, strict=True)),
        tuple(
            int(line.max()) if len(line) else top for line, top in zip(known, heights, strict=True)
        ),
    )
