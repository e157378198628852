"""SearchOptions: what a holder or recipient can ask of a search, beside the requirement."""

from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce
from lookalike.search.argus.options import ArgusOptions, Decide
from lookalike.search.lattice.constraints import Constraint, restrict

Effort = Literal["quick", "standard", "exact"]


@dataclass(frozen=True)
class SearchOptions:
    """What to make best, what to prefer, and what to stay within.

    Parameters
    ----------
    weights
        Of the attributes, in order; nothing weighs all alike.
    objective
        The measure that MinGen makes best.
    prefer
        Policies that choose among equally good solutions, the most important first.
    constraints
        Bounds on levels, and conditions on solutions.
    time_limit
        Seconds after which a search answers with the best that it has.
    effort
        How hard to search at the cell level.
    bound
        Whether a method at the cell level that does not need one proves a bound, too.
    keep_best
        Asked, when a search is interrupted, whether the best found so far is to be kept.
    argus
        What is asked of µ-Argus alone.
    decide
        Asked by µ-Argus what to generalize; nothing, if not given.
    announce
        Told from time to time, in words, how far the search is.
    tolerances
        Of the attributes, in order: from 0, for one that should not be changed, to 1, for one
        that may be distorted at will; nothing lets all be distorted alike. Datafly weighs with
        them which attribute to generalize next.
    """

    weights: tuple[Decimal, ...] = ()
    objective: str = "precision"
    prefer: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    time_limit: float | None = None
    effort: Effort = "standard"
    bound: bool = False
    keep_best: Callable[[], bool] = field(default=lambda: False)
    argus: ArgusOptions = field(default_factory=ArgusOptions)
    decide: Decide | None = None
    announce: Announce = field(default=lambda _: None)
    tolerances: tuple[Decimal, ...] = ()

    def weights_of(self, frequency: FrequencyList) -> tuple[Decimal, ...]:
        """Return the weight of each attribute."""
        weights = self.weights or (Decimal(1),) * len(frequency.hierarchies)
        if len(weights) != len(frequency.hierarchies) or min(weights) < 0 or not any(weights):
            raise InvalidInput(
                f"weights: give one for each of {', '.join(frequency.attributes)}, none negative "
                "and one at least above 0"
            )
        return weights

    def tolerances_of(self, frequency: FrequencyList) -> tuple[Decimal, ...]:
        """Return how much distortion of each attribute is tolerated."""
        tolerances = self.tolerances or (Decimal(1),) * len(frequency.hierarchies)
        within = all(0 <= tolerance <= 1 for tolerance in tolerances)
        if len(tolerances) != len(frequency.hierarchies) or not within:
            raise InvalidInput(
                f"tolerances: give one from 0 to 1 for each of {', '.join(frequency.attributes)}"
            )
        return tolerances

    def lattice_of(self, frequency: FrequencyList) -> tuple[Lattice, list[Constraint]]:
        """Return the vectors that the bounds on levels leave, and the other constraints."""
        whole = Lattice.of_heights(frequency.heights)
        return restrict(whole, frequency.attributes, self.constraints)


DEFAULTS = SearchOptions()
