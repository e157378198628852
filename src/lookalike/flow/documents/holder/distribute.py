"""Distribute rows over the values of an attribute, as the holder's report shows it."""

import re
from collections.abc import Sequence

import numpy as np

from lookalike.kernels.types import Counts
from lookalike.report.holder.attribute_facts import Distribution, ValueRows

MOST_FREQUENT = 10
"""How many values are listed if there are more than :data:`FEW_VALUES`."""
FEW_VALUES = 12
"""Up to so many values are all listed."""
_BEGINS_WITH_NUMBER = re.compile(r"\W{0,3}?(-?\d+(?:\.\d+)?)")


def distribute(
    labels: Sequence[str | None], rows: Counts, of_rows: Counts | None = None
) -> Distribution:
    """List the values of an attribute with their numbers of rows.

    Few values are all listed: in the order of the numbers that they begin with, or the most
    frequent first. Of many values, the most frequent are listed. Missing is a value, too.

    Parameters
    ----------
    labels
        The values.
    rows
        The number of rows of each value; values without rows are left out.
    of_rows
        The number of rows that each value has in the whole table, if `rows` are some of them.

    Examples
    --------
    >>> ages = distribute(["30-39", "20-29", None, "40-49"], np.array([5, 2, 1, 0]))
    >>> [(one.label, one.rows) for one in ages.listed], ages.rows
    ([('20-29', 2), ('30-39', 5), (None, 1)], 8)
    """
    present = np.flatnonzero(rows)
    order = present[np.argsort(-rows[present], kind="stable")].tolist()
    listed = order if len(order) <= FEW_VALUES else order[:MOST_FREQUENT]
    if len(order) <= FEW_VALUES:
        listed = _in_order(labels, listed)
    totals = None if of_rows is None else of_rows.tolist()
    return Distribution(
        tuple(
            ValueRows(labels[one], int(rows[one]), None if totals is None else totals[one])
            for one in listed
        ),
        other_values=len(order) - len(listed),
        other_rows=int(rows.sum()) - int(rows[listed].sum()),
    )


def _in_order(labels: Sequence[str | None], listed: list[int]) -> list[int]:
    """Order values by the numbers that they begin with, if all do; missing comes last."""
    found = {one: _BEGINS_WITH_NUMBER.match(labels[one] or "") for one in listed}
    if any(found[one] is None for one in listed if labels[one] is not None):
        return listed
    numbers = {one: float("inf") if at is None else float(at[1]) for one, at in found.items()}
    return sorted(listed, key=lambda one: numbers[one])
