"""LevelWork: what requests about levels have in common, done once for a counted table."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.decide import DecidedLattice, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.studio.try_weights import AskedLevels, LevelTrial, find_best

MOST_KEPT = 12
"""How many results are kept, the latest ones."""

KeptResult = TypeVar("KeptResult")


class LevelWork:
    """The evaluations of a frequency list that requests share, the latest of them.

    Parameters
    ----------
    frequency
        The frequency list.
    """

    def __init__(self, frequency: FrequencyList) -> None:
        self.frequency = frequency
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()

    def roll_up(self, requirement: Requirement) -> RollUps:
        """Return the evaluated vectors under a requirement."""
        make = lambda: RollUps(self.frequency, requirement)  # noqa: E731
        return self._once(("rollups", requirement), make, lambda _: True)

    def find_best(self, asked: AskedLevels) -> LevelTrial:
        """Return the best vector; one that is proved is kept."""
        find = lambda: find_best(self.roll_up(asked.requirement), asked)  # noqa: E731
        return self._once(("best", asked.key), find, lambda found: found.is_proved)

    def decide(self, asked: AskedLevels, lattice: Lattice, seconds: float) -> DecidedLattice:
        """Decide which vectors satisfy the requirement, as many as the time allows."""
        rollups, allowance = self.roll_up(asked.requirement), asked.allowance(self.frequency)
        return self._once(
            ("decided", asked.requirement, lattice),
            lambda: decide_lattice(rollups, lattice, allowance, deadline_after(seconds)),
            lambda found: found.is_complete,
        )

    def _once(
        self,
        key: Hashable,
        compute: Callable[[], KeptResult],
        is_final: Callable[[KeptResult], bool],
    ) -> KeptResult:
        """Return a result that is kept, or compute it and keep it if it is final."""
        if key in self._kept:
            self._kept.move_to_end(key)
            kept: KeptResult = self._kept[key]
            return kept
        result = compute()
        if is_final(result):
            self._kept[key] = result
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return result
