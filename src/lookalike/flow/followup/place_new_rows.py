"""Join: put rows that were not shown before, or not lately, into classes of their own.

Rows may join a class together with those of the same history only
(:mod:`lookalike.ledger.policies.based_on`), so each company is searched by itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from lookalike.errors import Infeasible
from lookalike.kernels.types import Codes, Counts, Levels
from lookalike.ledger.policies.based_on import NextRelease
from lookalike.ledger.policies.columns import ABSENT
from lookalike.ledger.policies.history import NEVER_SHOWN
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL
from lookalike.tables.plan import draw_fates, list_fates

Search = Callable[[FrequencyList, Requirement], Recoding]


def place_new_rows(
    plan: NextRelease,
    frequency: FrequencyList,
    sequence_of: Codes,
    least: Levels,
    requirement: Requirement,
    search: Search,
) -> tuple[Counts, Levels]:
    """Put the rows that join into classes, company by company.

    Rows that were never shown may be suppressed as the requirement allows, and wait. Of those that
    were shown either all of a company join or none, at levels that tell no more than before.

    Parameters
    ----------
    plan
        Which rows may join together.
    frequency
        The frequency list of the source.
    sequence_of
        The sequence of each row.
    least
        For each row the level of every cell when it was last shown.
    requirement
        What a class must satisfy.
    search
        The method.

    Returns
    -------
    placed
        The class of each row, a number of its own for every company; `ABSENT` if it has none.
    levels
        The level of every cell of each row that has a class; those of `least` for all others.
    """
    placed = np.full(len(plan.fate), ABSENT, dtype=np.int64)
    levels, classes = least.copy(), 0
    generator = np.random.default_rng()
    for rows in _companies(plan.company):
        never = plan.part[rows[0]] == NEVER_SHOWN
        asked = requirement if never else replace(requirement, max_suppressed=0)
        place_of, own = _gather(frequency, sequence_of[rows], least[:, rows[0]])
        try:
            recoding = search(own, asked)
        except Infeasible:
            continue
        fates = list_fates(own, recoding)
        fate_of = draw_fates(fates, place_of, generator)
        class_of, sizes = fates.tuples.classes(own, own.attributes)
        placed[rows] = np.where(fates.gone[fate_of], ABSENT, classes + class_of[fate_of])
        levels[:, rows] = _no_lower(fates.tuples.levels[:, fate_of], least[:, rows])
        classes += len(sizes)
    return placed, levels


def _companies(company: Codes) -> Iterator[Codes]:
    """Yield the rows of each company."""
    joining = np.flatnonzero(company != ABSENT)
    if not len(joining):
        return
    joining = joining[np.argsort(company[joining], kind="stable")]
    for rows in np.split(joining, np.flatnonzero(np.diff(company[joining])) + 1):
        yield rows.astype(np.int32)


def _gather(
    frequency: FrequencyList, sequences: Codes, least: Levels
) -> tuple[Codes, FrequencyList]:
    """Return the frequency list of some rows at no lower levels, and the place of each in it."""
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
    """Return levels that tell no more than some least ones; a suppressed cell tells nothing."""
    hidden = (levels == SUPPRESSED_CELL) | (least == SUPPRESSED_CELL)
    raised: Levels = np.where(hidden, SUPPRESSED_CELL, np.maximum(levels, least)).astype(np.int32)
    return raised
