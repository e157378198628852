"""Check for columns of which little is kept, and compute what would keep more of them.

Every figure comes from a search that was made. The searches have a budget of counted work; what it
does not afford is left out.
"""

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal

from lookalike.draft.toml_text import quote_key
from lookalike.errors import Infeasible, LookalikeError
from lookalike.flow.preflight.facts import Facts
from lookalike.model.clock import OutOfTime, WorkMeter
from lookalike.model.kept import kept_share, kept_shares, kept_shares_released
from lookalike.model.recoding import Recoding, recode_at
from lookalike.risk.finding import PreflightFinding
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.rollup import EVALUATION_WORK, RollUps
from lookalike.search.methods import ALGORITHMS, TAKES
from lookalike.search.methods.mingen import find_optimum
from lookalike.search.options import SearchOptions
from lookalike.shown_text import count_rows
from lookalike.spec.policies import BASED_ON, INCREMENTS
from lookalike.spec.preflight_names import COLUMN_LITTLE_KEPT
from lookalike.tables.plan import Plan

_AT_ATTRIBUTES = "mingen"
"""The method of the searches for a release at the attribute level; their work can be counted."""
_SEARCHED = (_AT_ATTRIBUTES, "mingen-cells")
"""The methods that search for a release of their own."""
_LITTLE = 0.2
"""A column of which less is kept is named."""
_HALF = Decimal("0.5")
"""The share whose price is computed."""
_MOST_COLUMNS = 2
"""Of so many columns, those that keep least, ways out are computed."""
_MOST_REMOVED = 3
"""So many other columns are left out on trial, those with the most values."""
_WORK = 20_000_000
"""The sequences that all searches together evaluate at most: about a quarter of a second."""
_SEARCHES = 10
"""The searches at the cell level that are made for one column, about."""
_IMPOSSIBLE = "no release was found that keeps half of it"
_CHANGED = 0.01
"""A change of what is kept of another column that is mentioned."""


def check_little_kept(facts: Facts) -> Iterator[PreflightFinding]:
    """Name the attributes of which little is kept, unless a share of them was asked for.

    Rows that wait for a later release are not lost: then the released rows are judged.
    """
    if facts.plan is None:
        return
    frequency, asked = facts.plan.frequency, facts.specification.options().keep
    method = facts.specification.release.method
    waits = _follows(facts) and not facts.plan.blank
    measure = kept_shares_released if waits else kept_shares
    where = " in the released rows" if waits else ""
    kept = dict(enumerate(measure(frequency, facts.plan.recoding)))
    poor = [place for place, share in kept.items() if share < _LITTLE and not asked[place]]
    trials = _Trials.of(facts) if poor else None
    for number, place in enumerate(sorted(poor, key=lambda one: kept[one])):
        name = frequency.attributes[place]
        ways = [] if trials is None or number >= _MOST_COLUMNS else [*trials.find_ways(place)]
        is_own = TAKES[method].keep and (trials is None or trials.method == method)
        other = "" if is_own else f', with method = "{_AT_ATTRIBUTES}"'
        if _IMPOSSIBLE not in ways:
            line = f"write keep = {_HALF} under [attributes.{quote_key(name)}]{other}"
            ways.append(f"to keep half of it, {line}")
        elif ways == [_IMPOSSIBLE]:
            ways.append("allow more suppressed rows, lower k, or leave another column out")
        yield PreflightFinding(
            COLUMN_LITTLE_KEPT,
            "warning",
            f"Of column {name!r}, {_percent(kept[place])} is kept{where}.",
            "; ".join(ways),
        )


def _follows(facts: Facts) -> bool:
    """Return whether rows that are left out may wait for a later release."""
    return bool(facts.earlier) and facts.specification.release.policy in (BASED_ON, INCREMENTS)


@dataclass(frozen=True, eq=False)
class _Trials:
    """Searches like that of a release, with one change each."""

    plan: Plan
    options: SearchOptions
    method: str
    rollups: RollUps

    @classmethod
    def of(cls, facts: Facts) -> "_Trials | None":
        """Return the searches for a release; None if they would not be like its own."""
        plan, asked = facts.plan, facts.specification.release
        if plan is None or plan.frequency.coarsened is not None or plan.requirement.protections:
            return None
        if (
            _follows(facts)
            or plan.counted.tags is not None
            or asked.method not in (*_SEARCHED, "samarati", "datafly")
        ):
            return None
        options = facts.specification.options()
        if any(one.quantity not in plan.frequency.attributes for one in options.constraints):
            return None
        quick = replace(options, effort="quick", bound=False, time_limit=None, balanced=False)
        method = asked.method if asked.method in _SEARCHED else _AT_ATTRIBUTES
        rollups = RollUps(plan.frequency, plan.requirement, WorkMeter(_WORK))
        return cls(plan, quick, method, rollups)

    def find_ways(self, place: int) -> Iterator[str]:
        """Yield the price of keeping half of an attribute, and what leaving out another frees."""
        if TAKES[self.method].cells and not self._affords_cells():
            return
        keep = tuple(
            _HALF if one == place else share for one, share in enumerate(self.options.keep)
        )
        found = self._try(replace(self.options, keep=keep))
        if isinstance(found, Recoding):
            yield self._state_price(place, found)
        elif found == "impossible":
            yield _IMPOSSIBLE
        yield from self._find_freeing(place)

    def _find_freeing(self, place: int) -> Iterator[str]:
        """Yield how much more is kept without the column that frees most of it."""
        frequency = self.plan.frequency
        others = [one for one in range(len(frequency.heights)) if one != place]
        others.sort(key=lambda one: -frequency.ground_distinct[one])
        kept = {}
        for one in others[:_MOST_REMOVED] if len(others) > 1 else ():
            found = self._try(self._without(one))
            if isinstance(found, Recoding):
                kept[one] = kept_share(frequency, found, place)
        now = kept_share(frequency, self.plan.recoding, place)
        best = max(kept, key=lambda one: kept[one], default=None)
        if best is not None and kept[best] >= now + _CHANGED:
            yield f"without column {frequency.attributes[best]!r}, {_percent(kept[best])} is kept"

    def _without(self, place: int) -> SearchOptions:
        """Return the options of a search to which an attribute costs nothing and shows nothing."""
        frequency = self.plan.frequency
        name, top = frequency.attributes[place], frequency.heights[place]
        own = [one for one in self.options.constraints if one.quantity != name]
        weights = list(self.options.weights_of(frequency))
        weights[place] = Decimal(0)
        return replace(
            self.options,
            weights=tuple(weights) if any(weights) else self.options.weights,
            constraints=(*own, Constraint(name, ">=", Decimal(top))),
        )

    def _try(self, options: SearchOptions) -> Recoding | str:
        """Search; return why there is no result, if there is none."""
        frequency, requirement = self.plan.frequency, self.plan.requirement
        try:
            if TAKES[self.method].cells:
                return ALGORITHMS[self.method](frequency, requirement, options)
            vector, _ = find_optimum(self.rollups, options)
            return recode_at(frequency, vector, requirement, 0, deadline=-math.inf)
        except OutOfTime:
            return "unfinished"
        except Infeasible:
            return "impossible"
        except LookalikeError:
            return "not taken"

    def _state_price(self, place: int, found: Recoding) -> str:
        """State what a release that keeps half of an attribute takes from the others."""
        frequency, recoding = self.plan.frequency, self.plan.recoding
        now, then = kept_shares(frequency, recoding), kept_shares(frequency, found)
        lost = sorted(range(len(now)), key=lambda one: then[one] - now[one])
        names = frequency.attributes
        changes = [
            f"{_percent(then[one])} instead of {_percent(now[one])} of {names[one]!r}"
            for one in lost
            if one != place and abs(then[one] - now[one]) >= _CHANGED
        ]
        more = int(found.suppressed.sum()) - int(recoding.suppressed.sum())
        if more:
            changes.append(f"{count_rows(abs(more))} {'more' if more > 0 else 'fewer'} suppressed")
        price = f", with {', '.join(changes)}" if changes else ""
        return f"keep = {_HALF} keeps {_percent(then[place])} of it{price}"

    def _affords_cells(self) -> bool:
        """Spend the work of the searches at the cell level, judged by that of the release."""
        known = self.plan.recoding.optimality
        vectors = math.inf if known is None else known.evaluated
        with suppress(OutOfTime):
            work = vectors * (len(self.plan.frequency) + EVALUATION_WORK)
            self.rollups.meter.spend(_SEARCHES * work)
            return True
        return False


def _percent(share: float) -> str:
    """Write a share in percent, without decimals."""
    return f"{100 * share:.0f} %"
