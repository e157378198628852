"""Find the columns that a planned release will be recognized to rename, though its source did not.

Whether a column has the content of an earlier one depends on the rows that are compared
(:mod:`lookalike.ledger.policies.shown_columns`). A release is planned with all rows of its source,
and judged by those that it shows, with the values that it shows. Among few rows, columns may agree
by chance. So a plan is compared once more as it will be judged. What is found then counts from the
beginning when the release is planned again; otherwise it would be refused.
"""

from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Codes
from lookalike.ledger.policies.based_on import NextFate, NextRelease
from lookalike.ledger.policies.history import History
from lookalike.ledger.policies.shown_columns import ColumnComparison, ColumnDigests


def find_further_renamed(
    history: History,
    plan: NextRelease,
    position: Codes,
    compared: Sequence[ColumnComparison],
    values: ColumnDigests,
) -> set[tuple[str, str]]:
    """Return the columns that are recognized in what a plan shows only, each with its earlier name.

    ``position``: position of each row in the history, first those of the source.
    ``values``: for each column that is released unchanged, the digests of the rows of the source.
    """
    shown = plan.fate != NextFate.WAITS
    digests = {}
    for name, now in values.items():
        digests[name] = np.concatenate([now, np.zeros(len(shown) - len(now), dtype=now.dtype)])
        if name in history.columns:
            held = np.arange(len(shown)) >= len(now)
            for one, line in zip(compared, plan.held_back, strict=True):
                held |= line if one.name == name else False
            digests[name][held] = history.columns[name].digest[position[held]]
    seen = {name: each[shown] for name, each in digests.items()}
    judged = history.shown.compare(position[shown], seen, {})
    planned = {(one.name, one.before) for one in compared}
    return {(one.name, one.before) for one in judged} - planned
