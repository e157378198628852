"""Try settings at the attribute level on the counted table: the best vector, and what it keeps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from lookalike.errors import LookalikeError
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.model.recoding import check_released
from lookalike.model.requirement import Requirement
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.rollup import ClassSuppression, RollUps
from lookalike.search.methods.mingen import find_optimum
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification


@dataclass(frozen=True)
class AskedLevels:
    """What a specification asks for at the attribute level.

    Parameters
    ----------
    requirement
        What chooses the vectors. If the classes are chosen without sensitive values, it is without
        their protections.
    whole
        The requirement with all protections.
    options
        What MinGen takes of the options.
    conditions
        The constraints on solutions, which MinGen does not take.
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

    Parameters
    ----------
    vector
        The vector; None if there is none.
    problem
        Why there is none.
    precision
        The weighted Prec.
    suppressed
        The number of suppressed rows.
    kept
        The share of each attribute that is kept.
    objective, reached, bound
        The measure that was optimized, its value, and a bound on it.
    is_proved
        Whether the vector is proved to be the best; if not, the time was over.
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
