"""The best vector with some settings; LevelWork: what requests about levels have in common."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from lookalike.errors import LookalikeError
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.kept import kept_at
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.recoding import check_released
from lookalike.model.requirement import LEAST_K, QuasiIdentifier, Requirement
from lookalike.risk.table.budget import BitBudget, measure_budget, weigh_levels
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.decide import DecidedLattice, decide_lattice
from lookalike.search.lattice.objectives import make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen import find_optimum
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class AskedLevels:
    """What a specification asks for at the attribute level.

    ``requirement`` chooses the vectors: without the protections of ``whole`` if the classes are
    chosen without sensitive values. ``conditions``: the constraints on solutions, which MinGen
    does not take.
    """

    requirement: Requirement
    whole: Requirement
    options: SearchOptions
    conditions: tuple[Constraint, ...]

    @property
    def is_blind(self) -> bool:
        """Whether protections are judged after the classes are chosen."""
        return self.requirement.protections != self.whole.protections

    @property
    def key(self) -> tuple[Any, ...]:
        """What the best vector depends on."""
        asked = self.options
        how = asked.weights, asked.objective, asked.prefer
        return self.requirement, *how, asked.constraints, asked.keep

    def allowance(self, frequency: FrequencyList) -> int:
        """Return the number of rows that may be suppressed."""
        return self.requirement.allowance(frequency.rows)


def ask_levels(specification: Specification, frequency: FrequencyList) -> AskedLevels:
    """Return what a specification asks for at the attribute level."""
    whole = specification.requirement(frequency.rows)
    is_blind = bool(whole.protections) and whole.secrecy != "search"
    given = specification.options()
    bounds = tuple(one for one in given.constraints if one.quantity in frequency.attributes)
    return AskedLevels(
        requirement=replace(whole, protections=(), secrecy=None) if is_blind else whole,
        whole=whole,
        options=SearchOptions(
            weights=given.weights,
            objective=given.objective,
            prefer=given.prefer,
            constraints=bounds,
            keep=given.keep,
        ),
        conditions=tuple(one for one in given.constraints if one not in bounds),
    )


@dataclass(frozen=True)
class LevelTrial:
    """The best vector with some settings, or why there is none.

    ``kept``: the share of each attribute that is kept. ``reached`` and ``bound``: the value of the
    objective, and a bound on it. If the vector is not proved to be the best, or that there is none,
    the time was over.
    """

    vector: Vector | None = None
    problem: str = ""
    precision: float = 0.0
    suppressed: int = 0
    kept: tuple[float, ...] = ()
    objective: str = "precision"
    reached: float = 0.0
    bound: float = 0.0
    is_proved: bool = True


def find_best(rollups: RollUps, asked: AskedLevels, deadline: float) -> LevelTrial:
    """Search the best vector by MinGen, until a deadline.

    If none is found by then, it is not proved that there is none.
    """
    frequency, requirement = rollups.frequency, rollups.requirement
    try:
        requirement.check_feasible(frequency.rows)
        vector, known = find_optimum(rollups, asked.options, deadline)
        here = rollups.decide(vector)
        check_released(frequency.rows, frequency.rows - here.gone, "lower k")
    except LookalikeError as error:
        return LevelTrial(problem=str(error), is_proved=not is_over(deadline))
    weights = asked.options.weights_of(frequency)
    precision = make_objective("precision", rollups, weights, frequency.rows)
    return LevelTrial(
        vector=vector,
        precision=precision.measured(precision.judge(vector).cost),
        suppressed=here.gone,
        kept=kept_at(frequency, here.classes, here.classes.counts - here.given),
        objective=known.objective,
        reached=known.reached,
        bound=known.bound,
        is_proved=known.proved,
    )


SEARCH_SECONDS = 0.3
"""How long the best vector is searched for; then the best one found and its bound are shown."""
HASTY_SECONDS = 0.06
"""The same while a slider moves."""
MOST_KEPT = 24
"""How many results are kept, the latest ones."""

KeptResult = TypeVar("KeptResult")


@dataclass(frozen=True, eq=False)
class SettledLevels(Discreet):
    """The best vector, proved, and every vector decided, unless they are too many.

    ``key``: what the frequency list was counted for. ``asked_key``: what the best vector depends
    on, the requirement first.
    """

    key: str
    asked_key: tuple[Any, ...]
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
        rollups: RollUps = self._once(
            ("rollups", requirement), lambda _: RollUps(self.frequency, requirement), lambda _: True
        )
        if not self._is_loaded:  # the first time, load what no time limit should cover
            for vector in (self.frequency.vector, self.frequency.heights):
                rollups.suppressed(vector)
                rollups.decide(vector)
            self._is_loaded = True
        return rollups

    def find_best(self, asked: AskedLevels, *, is_hasty: bool = False) -> LevelTrial:
        """Return the best vector; one that is not proved is kept if that is enough in haste."""
        seconds = HASTY_SECONDS if is_hasty else SEARCH_SECONDS
        return self._once(
            ("best", asked.key),
            lambda _: find_best(self.roll_up(asked.requirement), asked, deadline_after(seconds)),
            lambda known: is_hasty or known.is_proved,
        )

    def share(self, key: Hashable, make: Callable[[], KeptResult]) -> KeptResult:
        """Return what several requests make alike."""
        return self._once(key, lambda _: make(), lambda _: True)

    def measure_budgets(self, asked: AskedLevels, vector: Vector) -> list[BitBudget]:
        """Measure what each quasi-identifier costs as it is and at a vector."""
        rolled = self.roll_up(asked.requirement).below(vector).roll_up(vector)
        found = []
        for one in asked.requirement.combined(self.frequency.attributes):
            whole = self._measure_ground(replace(one, k=LEAST_K))  # costs do not depend on k
            spent = weigh_levels(rolled, one.attributes, vector)
            found.append(replace(whole, k=one.k, chosen=spent))
        return found

    def _measure_ground(self, protected: QuasiIdentifier) -> BitBudget:
        """Measure what a quasi-identifier costs as it is."""
        return self._once(
            ("budget", protected),
            lambda _: measure_budget(self.frequency, protected),
            lambda _: True,
        )

    def decide(
        self, asked: AskedLevels, lattice: Lattice, seconds: float, allowance: int | None = None
    ) -> DecidedLattice:
        """Decide which vectors satisfy the requirement, as many as the time allows.

        ``allowance``: the rows that may be suppressed, if these are not those that are asked for.
        """
        rollups = self.roll_up(asked.requirement)
        allowance = asked.allowance(self.frequency) if allowance is None else allowance
        return self._once(
            ("decided", asked.requirement, lattice, allowance),
            lambda known: decide_lattice(
                rollups, lattice, allowance, deadline_after(seconds), known
            ),
            lambda known: known.is_complete,
        )

    def take(self, settled: SettledLevels) -> None:
        """Take over what a task has settled."""
        self._kept["best", settled.asked_key] = settled.trial
        if settled.decided is not None:
            requirement, lattice = settled.asked_key[0], settled.decided.lattice
            allowance = requirement.allowance(self.frequency.rows)
            self._kept["decided", requirement, lattice, allowance] = settled.decided

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
