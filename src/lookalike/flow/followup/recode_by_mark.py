"""Turn the levels of each row into one recoding of the table.

Every row is marked with a number for the levels at which it is shown, and the rows are counted by
values and mark. So recoding, recounting and publishing need not know about earlier releases.
"""

import numpy as np

from lookalike.errors import Infeasible, InternalError
from lookalike.flow.source import CountedTable
from lookalike.kernels.numbering import number_columns
from lookalike.kernels.types import Codes, Levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease
from lookalike.ledger.store.row_map import source_changed
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.cells.labels import check_labels
from lookalike.tables.count import count
from lookalike.tables.row_tags import MARK, RowTags, tag_rows

NOT_SHOWN = 0
"""The mark of rows that are not shown."""


def mark_rows(plan: NextRelease, levels: Levels, frequency: FrequencyList) -> tuple[Codes, Levels]:
    """Number the rows that are shown at the same levels.

    Parameters
    ----------
    plan
        The fate of every row.
    levels
        By attribute and row: the level at which the row is shown.
    frequency
        Frequency list of the table.

    Returns
    -------
    marks
        The mark of each row: `NOT_SHOWN`, or a number from 1 on.
    levels
        By attribute and mark: the level.

    Raises
    ------
    Infeasible
        If no row can be shown.
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
    marks = np.full(len(plan.fate), NOT_SHOWN, dtype=np.int32)
    marks[shown] = number + NOT_SHOWN + 1
    return marks, levels[:, shown[first]]


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


def count_by_mark(taken: CountedTable, tags: RowTags) -> CountedTable:
    """Mark the rows of a table, and count them by values and mark.

    Raises
    ------
    InvalidInput
        If the source changed since it was counted.
    """
    table = tag_rows(taken.table, tags)
    counted = count(table.frame, taken.frequency.attributes, MARK)
    if counted.values != taken.counted.values:
        raise source_changed()
    sequence_of, frequency = list_frequencies(
        taken.frequency.hierarchies, counted.positions, counted.counts, counted.marks
    )
    return CountedTable(table, counted, sequence_of, frequency)


def recode_by_mark(
    taken: CountedTable, levels_of_mark: Levels, plan: NextRelease, requirement: Requirement
) -> Recoding:
    """Return the recoding that shows every sequence at the levels of its mark.

    Parameters
    ----------
    taken
        The table, counted by mark.
    levels_of_mark
        By attribute and mark: the level.
    plan
        The fate of every row.
    requirement
        Requirement of the release.
    """
    frequency, marks = taken.frequency, taken.counted.marks
    if marks is None:
        raise InternalError("rows were counted without their marks")
    mark_of = np.zeros(len(frequency), dtype=np.int32)
    mark_of[taken.sequence_of] = marks
    shown = np.flatnonzero(mark_of != NOT_SHOWN).astype(np.int32)
    levels = levels_of_mark[:, mark_of[shown] - NOT_SHOWN - 1]
    uniform = levels_of_mark.shape[1] == 1 and not np.any(levels_of_mark == SUPPRESSED_CELL)
    if not uniform:
        check_labels(frequency, _find_used_levels(levels_of_mark, frequency))
    return Recoding(
        vector=tuple(levels_of_mark[:, 0].tolist()) if uniform else None,
        suppressed=np.where(mark_of == NOT_SHOWN, frequency.counts, 0),
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
