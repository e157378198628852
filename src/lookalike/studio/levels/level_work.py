"""LevelWork: what requests about levels have in common, done once for a counted table."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

from lookalike.hierarchy.discreet import Discreet
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.decide import DecidedLattice, decide_lattice
from lookalike.search.lattice.rollup import RollUps
from lookalike.studio.levels.try_weights import AskedLevels, LevelTrial, find_best

SEARCH_SECONDS = 0.3
"""How long the best vector is searched for; then the best one found and its bound are shown."""
MOST_KEPT = 12
"""How many results are kept, the latest ones."""

KeptResult = TypeVar("KeptResult")


@dataclass(frozen=True, eq=False)
class SettledLevels(Discreet):
    """The best vector, proved, and every vector decided.

    Parameters
    ----------
    key
        What the frequency list was counted for.
    requirement
        The requirement that chose the vectors.
    asked_key
        What the best vector depends on.
    trial
        The best vector.
    decided
        The vectors within the bounds; None if they are too many.
    """

    key: str
    requirement: Requirement
    asked_key: Any
    trial: LevelTrial
    decided: DecidedLattice | None


class LevelWork:
    """The evaluations of a frequency list that requests share, the latest of them."""

    def __init__(self, frequency: FrequencyList) -> None:
        self.frequency = frequency
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._is_loaded = False

    def roll_up(self, requirement: Requirement) -> RollUps:
        """Return the evaluated vectors under a requirement."""
        return self._once(
            ("rollups", requirement), lambda _: self._begin(requirement), lambda _: True
        )

    def _begin(self, requirement: Requirement) -> RollUps:
        """Begin to evaluate vectors; the first time, load what no time limit should cover."""
        rollups = RollUps(self.frequency, requirement)
        if not self._is_loaded:
            for vector in (self.frequency.vector, self.frequency.heights):
                rollups.suppressed(vector)
                rollups.decide(vector)
            self._is_loaded = True
        return rollups

    def find_best(self, asked: AskedLevels, *, is_hasty: bool = False) -> LevelTrial:
        """Return the best vector; one that is not proved is kept if that is enough in haste."""
        return self._once(
            ("best", asked.key),
            lambda _: find_best(
                self.roll_up(asked.requirement), asked, deadline_after(SEARCH_SECONDS)
            ),
            lambda known: is_hasty or known.is_proved,
        )

    def decide(self, asked: AskedLevels, lattice: Lattice, seconds: float) -> DecidedLattice:
        """Decide which vectors satisfy the requirement, as many as the time allows."""
        rollups, allowance = self.roll_up(asked.requirement), asked.allowance(self.frequency)
        return self._once(
            ("decided", asked.requirement, lattice),
            lambda known: decide_lattice(
                rollups, lattice, allowance, deadline_after(seconds), known
            ),
            lambda known: known.is_complete,
        )

    def take(self, settled: "SettledLevels") -> None:
        """Take over what a task has settled."""
        self._kept["best", settled.asked_key] = settled.trial
        if settled.decided is not None:
            known = settled.decided
            self._kept["decided", settled.requirement, known.lattice] = known

    def _once(
        self,
        key: Hashable,
        compute: Callable[[KeptResult | None], KeptResult],
        is_enough: Callable[[KeptResult], bool],
    ) -> KeptResult:
        """Return the result that is kept, if it is enough; or compute more of it, and keep that."""
        kept: KeptResult | None = self._kept.pop(key, None)
        result = compute(kept) if kept is None or not is_enough(kept) else kept
        self._kept[key] = result
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return result
