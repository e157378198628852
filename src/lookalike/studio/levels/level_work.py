"""The best vector with some settings; LevelWork: what requests about levels have in common."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, TypeVar

from lookalike.errors import LookalikeError
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.clock import deadline_after
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector
from lookalike.model.recoding import check_released
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.decide import DecidedLattice, decide_lattice
from lookalike.search.lattice.rollup import ClassSuppression, RollUps
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
    def key(self) -> Any:
        """What the best vector depends on."""
        options = self.options
        return (
            self.requirement,
            options.weights,
            options.objective,
            options.prefer,
            options.constraints,
        )

    def allowance(self, frequency: FrequencyList) -> int:
        """Return the number of rows that may be suppressed."""
        return self.requirement.allowance(frequency.rows)


def ask_levels(specification: Specification, frequency: FrequencyList) -> AskedLevels:
    """Return what a specification asks for at the attribute level."""
    whole = specification.requirement(frequency.rows)
    is_blind = bool(whole.protections) and whole.secrecy != "search"
    given = specification.options()
    bounds = [one for one in given.constraints if one.quantity in frequency.attributes]
    return AskedLevels(
        requirement=replace(whole, protections=(), secrecy=None) if is_blind else whole,
        whole=whole,
        options=SearchOptions(
            weights=given.weights,
            objective=given.objective,
            prefer=given.prefer,
            constraints=tuple(bounds),
        ),
        conditions=tuple(one for one in given.constraints if one not in bounds),
    )


@dataclass(frozen=True)
class LevelTrial:
    """The best vector with some settings, or why there is none.

    ``kept``: the share of each attribute that is kept. ``reached`` and ``bound``: the value of the
    objective, and a bound on it. If the vector is not proved to be the best, the time was over.
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
    """Search the best vector by MinGen, until a deadline."""
    frequency, requirement = rollups.frequency, rollups.requirement
    try:
        requirement.check_feasible(frequency.rows)
        vector, known = find_optimum(rollups, asked.options, deadline)
        here = rollups.decide(vector)
        check_released(frequency.rows, frequency.rows - here.gone, "lower k")
    except LookalikeError as error:
        return LevelTrial(problem=str(error))
    kept = find_kept(here, frequency.rows)
    return LevelTrial(
        vector=vector,
        precision=average(kept, asked.options.weights_of(frequency)),
        suppressed=here.gone,
        kept=kept,
        objective=known.objective,
        reached=known.reached,
        bound=known.bound,
        is_proved=known.proved,
    )


def find_kept(here: ClassSuppression, rows: int) -> tuple[float, ...]:
    """Return what the classes at a vector keep of each attribute, as Prec counts it."""
    classes, left = here.classes, here.classes.counts - here.given
    visible = ~classes.suppressed_cells()
    shares = zip(classes.vector, classes.heights, visible, strict=True)
    return tuple(
        float((1 - level / height) * (left @ seen) / rows) if height else 1.0
        for level, height, seen in shares
    )


def average(kept: Sequence[float], weights: Sequence[Decimal]) -> float:
    """Return Prec, the weighted mean of the shares of the attributes that are kept."""
    shares = zip(kept, weights, strict=True)
    return sum(share * float(weight) for share, weight in shares) / float(sum(weights))


SEARCH_SECONDS = 0.3
"""How long the best vector is searched for; then the best one found and its bound are shown."""
MOST_KEPT = 12
"""How many results are kept, the latest ones."""

KeptResult = TypeVar("KeptResult")


@dataclass(frozen=True, eq=False)
class SettledLevels(Discreet):
    """The best vector, proved, and every vector decided, unless they are too many.

    ``key``: what the frequency list was counted for. ``asked_key``: what the best vector depends
    on.
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
