"""Wrap a method of the cell level, so that its release keeps the share of attributes that it must.

The search minimizes the sum of what attributes lose, each times its weight. A greater weight makes
an attribute keep more, at the cost of the others (Lagrange's multiplier of the condition). So the
weights of the attributes of which too little is kept are raised until enough is kept, and then
lowered again as far as that allows. Of the releases that keep enough, the best one by the weights
that were asked for is the answer. It need not be the best that there is.
"""

import functools
import time
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from lookalike.errors import Infeasible, InvalidInput
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.kept import find_lacking, kept_shares, name_share
from lookalike.model.measures import reach
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.cells.satisfy.satisfy import CellSearch
from lookalike.search.options import DEFAULTS, SearchOptions

RAISES = (*(Decimal("1.5"),) * 4, *(Decimal(2),) * 2, *(Decimal(4),) * 3)
"""By what a weight is multiplied while too little is kept: about 1,300 times in all. Small steps
come first, because a large one takes so much from the others that too little is kept of them."""
HALVINGS = 3
"""How often the interval between too small a weight and a sufficient one is halved."""
QUARTERS = 4
"""Factors of weights are multiples of 1 ∕ 4, so that costs stay whole numbers of few units."""

Factors = tuple[Decimal, ...]
"""By what the weight of each attribute is multiplied."""


def keeping(search: CellSearch) -> CellSearch:
    """Let a method keep at least the shares that its options ask for.

    The bound of the first search, which ignores them, holds for any release that keeps them, too.
    """

    @functools.wraps(search)
    def run(
        frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
    ) -> Recoding:
        if not any(options.keep):
            return search(frequency, requirement, options)
        if requirement.secrecy == "lottery" and requirement.protections:
            raise InvalidInput(
                "keep: a lottery must be drawn once, and not again until enough is kept, because "
                'that would reveal sensitive values; leave keep out, or set secrecy = "blind"'
            )
        deadline, limit = deadline_after(options.time_limit), options.time_limit
        half = replace(options, time_limit=None if limit is None else limit / 2)
        found = search(frequency, requirement, half)
        if not find_lacking(frequency, found, options.keep):
            return found
        trials = _Trials(search, frequency, requirement, options, deadline)
        return _with_bound_of(found, trials.search_kept(found), frequency, options)

    return run


def _with_bound_of(
    first: Recoding, kept: Recoding, frequency: FrequencyList, options: SearchOptions
) -> Recoding:
    """Describe a release that keeps enough by what was proved of every release."""
    if first.optimality is None:
        return replace(kept, optimality=None)
    alone = first.optimality
    reached = reach(frequency, kept, options.weights_of(frequency), options.objective)
    more = reached - alone.reached
    optimality = replace(
        alone,
        reached=reached,
        proved=alone.proved and (more <= 0 if options.objective == "loss" else more >= 0),
        reached_alone=alone.searched,
    )
    return replace(kept, optimality=optimality)


class _Trials:
    """Searches with greater weights, and the best release of theirs that keeps enough."""

    def __init__(
        self,
        search: CellSearch,
        frequency: FrequencyList,
        requirement: Requirement,
        options: SearchOptions,
        deadline: float,
    ) -> None:
        self.search = search
        self.frequency = frequency
        self.requirement = requirement
        self.options = options
        self.deadline = deadline
        self.best: Recoding | None = None
        self.most = [0.0] * len(options.keep)
        """The most that any release has kept of each attribute."""

    def search_kept(self, first: Recoding) -> Recoding:
        """Return the best release found that keeps enough."""
        self._note(first)
        for objective in dict.fromkeys((self.options.objective, "loss")):
            enough = self._raise_weights(first, objective)
            if enough is not None:
                self._lower_weights(enough, objective)
                break
        if self.best is None:
            raise Infeasible(self._explain())
        return self.best

    def _raise_weights(self, first: Recoding, objective: str) -> Factors | None:
        """Raise the weights of attributes of which too little is kept, until enough is."""
        lacking = find_lacking(self.frequency, first, self.options.keep)
        factors = (Decimal(1),) * len(self.options.keep)
        for step in RAISES:
            raised = [
                factor * step if place in lacking else factor
                for place, factor in enumerate(factors)
            ]
            factors = _lower(raised, 1.0)
            found = self._try(factors, objective)
            lacking = find_lacking(self.frequency, found, self.options.keep)
            if not lacking:
                return factors
            if is_over(self.deadline):
                break
        return None

    def _lower_weights(self, enough: Factors, objective: str) -> None:
        """Halve the interval of the weights, and search the least sufficient ones with effort."""
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            if is_over(self.deadline):
                return
            middle = (low + high) / 2
            if self._keeps_enough(self._try(_lower(enough, middle), objective)):
                high = middle
            else:
                low = middle
        if self.options.effort != "quick":
            for share in dict.fromkeys((high, (1 + high) / 2, 1.0)):
                thorough = self._try(_lower(enough, share), objective, thorough=True)
                if self._keeps_enough(thorough) or is_over(self.deadline):
                    return

    def _try(self, factors: Factors, objective: str, *, thorough: bool = False) -> Recoding:
        """Search with the weights times some factors."""
        asked, left = self.options, self.deadline - time.monotonic()
        self.options.announce(f"weights times {', '.join(map(str, factors))}, to keep enough")
        found = self.search(
            self.frequency,
            self.requirement,
            replace(
                asked,
                keep=(),
                bound=False,
                objective=objective,
                effort="standard" if thorough else "quick",
                time_limit=None if asked.time_limit is None else max(left, 0.0),
                weights=_multiply(asked.weights_of(self.frequency), factors),
            ),
        )
        self._note(found)
        return found

    def _keeps_enough(self, found: Recoding) -> bool:
        """Return whether a release keeps what must be kept."""
        return not find_lacking(self.frequency, found, self.options.keep)

    def _note(self, found: Recoding) -> None:
        """Keep a release if it keeps enough and none before was better by what was asked for."""
        kept = kept_shares(self.frequency, found)
        self.most = [max(pair) for pair in zip(self.most, kept, strict=True)]
        if not self._keeps_enough(found):
            return
        if self.best is None or self._reach(found) > self._reach(self.best):
            self.best = found

    def _reach(self, found: Recoding) -> float:
        """Return the value of the objective as it was asked for; more is better."""
        weights, objective = self.options.weights_of(self.frequency), self.options.objective
        reached = reach(self.frequency, found, weights, objective)
        return -reached if objective == "loss" else reached

    def _explain(self) -> str:
        """State what could not be kept, and the most that was found."""
        asked = [
            f"{name_share(least)} of {name} (the most that was found is {name_share(most)})"
            for name, least, most in zip(
                self.frequency.attributes, self.options.keep, map(Decimal, self.most), strict=True
            )
            if least
        ]
        when = " in time" if is_over(self.deadline) else ""
        return (
            f"keep: no release was found{when} that keeps at least {' and '.join(asked)}; lower "
            "keep, lower k, allow more suppressed rows, or give the hierarchy finer levels"
        )


def _lower(factors: Sequence[Decimal], share: float) -> Factors:
    """Return factors to the power of a share, as multiples of a quarter."""
    return tuple(Decimal(round(QUARTERS * float(one) ** share)) / QUARTERS for one in factors)


def _multiply(weights: Sequence[Decimal], factors: Factors) -> tuple[Decimal, ...]:
    """Multiply weights; a weight of 0 that is to be raised counts as the least other one."""
    least = min(weight for weight in weights if weight)
    pairs = zip(weights, factors, strict=True)
    return tuple((weight or least * (factor > 1)) * factor for weight, factor in pairs)
