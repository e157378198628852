"""Place rows that were not shown before, or not lately, into classes of their own.

Only rows of the same history may join a class together
(:mod:`lookalike.ledger.policies.based_on`), so each joining group is searched separately.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.ledger.policies.based_on import NextRelease
from lookalike.ledger.policies.history import NEVER_SHOWN
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.tables.plan import draw_fates, list_fates

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
