"""SharedWork: what several searches of one frequency list have in common, done once."""

import math
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from lookalike.model.clock import is_over
from lookalike.model.stored_list import Frequencies

Computed = TypeVar("Computed")


class SharedWork:
    """Results that one search leaves for the next one on the same frequency list.

    Parameters
    ----------
    frequency
        The frequency list. The work of a search on another list is not shared.

    Examples
    --------
    >>> kept = SharedWork(frequency := object())
    >>> kept.once(frequency, "sum", lambda: 1 + 1), kept.once(frequency, "sum", lambda: 5)
    (2, 2)
    >>> kept.once(object(), "sum", lambda: 5)
    5
    """

    def __init__(self, frequency: Frequencies) -> None:
        self._frequency = frequency
        self._known: dict[Hashable, Any] = {}

    def once(
        self,
        frequency: Frequencies,
        key: Hashable,
        compute: Callable[[], Computed],
        deadline: float = math.inf,
    ) -> Computed:
        """Return the result of a computation, and keep it unless the deadline cut it short."""
        if frequency is not self._frequency:
            return compute()
        if key in self._known:
            known: Computed = self._known[key]
            return known
        result = compute()
        if not is_over(deadline):
            self._known[key] = result
        return result
