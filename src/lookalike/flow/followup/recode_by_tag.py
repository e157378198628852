"""Turn the levels of each row into one recoding of the table.

Every row is tagged with a number for the levels at which it is shown, and the rows are counted by
values and tag. So recoding, recounting and publishing need not know about earlier releases.
"""

import numpy as np

from lookalike.errors import Infeasible, InternalError
from lookalike.flow.counted_table import CountedTable
from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.tables.count import count
from lookalike.tables.recode import tag_rows
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import source_changed

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
    ones = np.ones(len(shown), dtype=np.int64)
    number, _ = number_columns(levels[:, shown] - SUPPRESSED_CELL, ones)
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
