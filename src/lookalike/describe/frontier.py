"""Describe what is kept with other k: the best release at the attribute level for each usual k."""

import math
from dataclasses import dataclass
from decimal import Decimal

from lookalike.describe.lattice import find_allowance
from lookalike.errors import LookalikeError
from lookalike.json_result import JsonResult
from lookalike.model.clock import OutOfTime, WorkMeter
from lookalike.model.measures import precision
from lookalike.model.progress import Announce
from lookalike.model.recoding import recode_at
from lookalike.model.stored_list import Frequencies
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen import find_optimum
from lookalike.search.options import SearchOptions
from lookalike.search.takes import find_untaken, keep_taken
from lookalike.shown_text import count_rows
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

KS = (2, 3, 5, 10, 11, 20, 50)
"""The k that are tried; 11 is the least class of several disclosure rules for health data."""
FRONTIER_WORK = 80_000_000
"""The sequences that all searches together evaluate at most: about a second."""
_METHOD = "mingen"


@dataclass(frozen=True)
class TrialSetting(JsonResult):
    """One point of a grid: the method, k, and how many rows may be suppressed."""

    json_names = "method k max_suppressed=written_limit"

    method: str
    k: int
    max_suppressed: int | Decimal

    @property
    def written_limit(self) -> str:
        """How many rows may be suppressed, as text, so that 1 row is not 1.0, all rows."""
        return str(self.max_suppressed)

    def count_other(self, setting: "TrialSetting") -> int:
        """Count in which of method and limit a setting differs from this one."""
        return (setting.method != self.method) + (setting.max_suppressed != self.max_suppressed)

    @property
    def limit(self) -> str:
        """How many rows may be suppressed, in words.

        Examples
        --------
        >>> TrialSetting("mingen", 5, Decimal("0.01")).limit, TrialSetting("mingen", 5, 20).limit
        ('1 % of the rows', '20 rows')
        """
        if isinstance(self.max_suppressed, Decimal):
            return f"{float(100 * self.max_suppressed):g} % of the rows"
        return count_rows(self.max_suppressed)


@dataclass(frozen=True)
class FrontierPoint:
    """What the best release at the attribute level keeps with some k."""

    k: int
    precision: float
    rows_suppressed: int


@dataclass(frozen=True)
class Frontier:
    """What is kept with other k, at the attribute level.

    ``release``: the release itself.
    ``points``: the best releases at the attribute level, by k.
    ``impossible``: the k with which no release is possible.
    ``unfinished``: the k for which the search would have been longer than a report takes.
    """

    release: FrontierPoint
    points: tuple[FrontierPoint, ...]
    impossible: tuple[int, ...]
    unfinished: tuple[int, ...]


def with_setting(specification: Specification, setting: TrialSetting) -> Specification:
    """Return a specification with the method, k and limit of a setting, and without a ledger."""
    fields = {
        "method": setting.method,
        "k": setting.k,
        "max_suppressed": setting.max_suppressed,
        "highest_risk": None,
        "ledger": None,
    }
    groups = [
        one.model_copy(update={"k": setting.k, "anonymity": None})
        for one in specification.quasi_identifiers
    ]
    return specification.model_copy(
        update={
            "release": specification.release.model_copy(update=fields),
            "quasi_identifiers": tuple(groups),
        }
    )


def take_options(
    specification: Specification, frequency: Frequencies, announce: Announce = lambda _: None
) -> SearchOptions:
    """Return the options of a search, without those that the method does not take."""
    return keep_taken(
        specification.release.method,
        frequency.attributes,
        specification.requirement(frequency.rows),
        specification.options(announce),
    )


def find_frontier(specification: Specification, plan: Plan, reached: float) -> Frontier | None:
    """Search the best release at the attribute level for each usual k, the greatest k first.

    None if the search does not take what the specification asks for.
    """
    frequency, requirement = plan.frequency, plan.requirement
    options = keep_taken(_METHOD, frequency.attributes, requirement, specification.options())
    if find_untaken(_METHOD, frequency.attributes, requirement, options) is not None:
        return None
    meter = WorkMeter(FRONTIER_WORK)
    asked = sorted({*KS, requirement.largest_k}, reverse=True)
    searched = [(k, _find_point(specification, plan, k, meter)) for k in asked]
    found = dict(reversed(searched))
    return Frontier(
        release=FrontierPoint(requirement.largest_k, reached, int(plan.recoding.suppressed.sum())),
        points=tuple(one for one in found.values() if isinstance(one, FrontierPoint)),
        impossible=tuple(k for k, one in found.items() if one == "impossible"),
        unfinished=tuple(k for k, one in found.items() if one == "unfinished"),
    )


def _find_point(
    specification: Specification, plan: Plan, k: int, meter: WorkMeter
) -> FrontierPoint | str:
    """Search the best release with one k."""
    frequency, allowance = plan.frequency, find_allowance(plan)
    asked = with_setting(specification, TrialSetting(_METHOD, k, allowance))
    requirement = asked.requirement(frequency.rows)
    options = take_options(asked, frequency)
    try:
        requirement.check_feasible(frequency.rows)
        vector, _ = find_optimum(RollUps(frequency, requirement, meter), options)
        found = recode_at(frequency, vector, requirement, allowance, deadline=-math.inf)
    except OutOfTime:
        return "unfinished"
    except LookalikeError:
        return "impossible"
    kept = precision(frequency, found, options.weights_of(frequency))
    return FrontierPoint(k, kept, int(found.suppressed.sum()))
