"""SearchOptions: the options of a search, besides the requirement."""

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, TypeVar

from lookalike.errors import InvalidInput
from lookalike.model.clock import is_over
from lookalike.model.lattice import Lattice
from lookalike.model.progress import Announce
from lookalike.model.stored_list import Frequencies
from lookalike.search.argus.options import ArgusOptions, Decide
from lookalike.search.lattice.constraints import Constraint, restrict

Effort = Literal["quick", "standard", "exact"]
"""How hard to search at the cell level."""
Computed = TypeVar("Computed")


class SharedWork:
    """Results that one search leaves for the next one on the same frequency list.

    Examples
    --------
    >>> kept, frequency = SharedWork(), object()
    >>> kept.once(frequency, "sum", lambda: 1 + 1), kept.once(frequency, "sum", lambda: 5)
    (2, 2)
    >>> kept.once(object(), "sum", lambda: 5)
    5
    """

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(
        self,
        frequency: Frequencies,
        key: Hashable,
        compute: Callable[[], Computed],
        deadline: float = math.inf,
    ) -> Computed:
        """Return the result of a computation, and keep it unless the deadline cut it short."""
        place = frequency, key
        if place in self._known:
            known: Computed = self._known[place]
            return known
        result = compute()
        if not is_over(deadline):
            self._known[place] = result
        return result


@dataclass(frozen=True)
class SearchOptions:
    """Options of a search; each method takes some of them (:mod:`lookalike.search.takes`).

    ``weights``: weight of each attribute, in order; by default all weights are 1.
    ``prefer``: policies that choose among equally good solutions, the most important first.
    ``constraints``: bounds on levels, and conditions on solutions.
    ``keep``: the share of each attribute that must be kept, in order; by default 0.
    ``balanced``: whether to keep as much as possible of the attribute of which least is kept.
    ``time_limit``: seconds after which a search returns the best solution found so far.
    ``bound``: whether to prove a bound on the objective, for a method that does not need one.
    ``keep_best``: callback that is called when a search is interrupted; returns whether to keep the
    best solution found so far.
    ``decide``: callback that decides what µ-Argus generalizes; None generalizes nothing further.
    ``tolerances``: tolerated distortion of each attribute, in order, from 0 (should not be changed)
    to 1 (may be changed freely); by default 1. Datafly multiplies the number of distinct values by
    it.
    ``decoys``: the probability that a level is drawn for a class and attribute if no higher one
    was, so that the class shows at least this level.
    ``shared``: work that searches of the same list have in common; None to share nothing.
    """

    weights: tuple[Decimal, ...] = ()
    objective: str = "precision"
    prefer: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    time_limit: float | None = None
    effort: Effort = "quick"
    bound: bool = False
    keep_best: Callable[[], bool] = field(default=lambda: False)
    argus: ArgusOptions = field(default_factory=ArgusOptions)
    decide: Decide | None = None
    announce: Announce = field(default=lambda _: None)
    tolerances: tuple[Decimal, ...] = ()
    decoys: Decimal = Decimal(0)
    shared: SharedWork | None = None
    keep: tuple[Decimal, ...] = ()
    balanced: bool = False

    def weights_of(self, frequency: Frequencies) -> tuple[Decimal, ...]:
        """Return the weight of each attribute."""
        weights = self.weights or (Decimal(1),) * len(frequency.hierarchies)
        if len(weights) != len(frequency.hierarchies) or min(weights) < 0 or not any(weights):
            raise InvalidInput(
                f"weights: give one for each of {', '.join(frequency.attributes)}, none negative "
                "and at least one above 0"
            )
        return weights

    def tolerances_of(self, frequency: Frequencies) -> tuple[Decimal, ...]:
        """Return the tolerance of each attribute."""
        tolerances = self.tolerances or (Decimal(1),) * len(frequency.hierarchies)
        within = all(0 <= tolerance <= 1 for tolerance in tolerances)
        if len(tolerances) != len(frequency.hierarchies) or not within:
            raise InvalidInput(
                f"tolerances: give one from 0 to 1 for each of {', '.join(frequency.attributes)}"
            )
        return tolerances

    def lattice_of(self, frequency: Frequencies) -> tuple[Lattice, list[Constraint]]:
        """Return the lattice within the bounds on levels, and the other constraints."""
        whole = Lattice.of_heights(frequency.heights)
        return restrict(whole, frequency.attributes, self.constraints)


DEFAULTS = SearchOptions()
"""The options of a search if none are given."""
