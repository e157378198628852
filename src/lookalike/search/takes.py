"""Takes: the declaration of what a method takes, and the refusal of everything else.

Every method declares beside its function what it takes. A request beyond that would be silently
ignored, so it is refused here, with the names of the methods that take it. The help texts, the
documentation and the verification of a certificate read the same declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.aspects import ASPECTS, Aspect, SearchRequest
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.secrecy import keep_secret

Algorithm = Callable[..., Recoding]


@dataclass(frozen=True)
class Takes:
    """What a method takes, and what its result is like.

    Every method takes k, MaxSup, ``suppressed_rows``, weights (they define Prec) and a time
    limit. Identification levels describe attributes, as weights do, and request nothing.

    Parameters
    ----------
    result
        Its result in a few words, for a choice among methods.
    meaning
        What it does, in a sentence or two.
    several
        Takes several quasi-identifiers.
    apart
        Takes attributes outside the combination or with a k of their own (linking weights).
    level_bounds
        Takes bounds on the levels of attributes.
    conditions
        Takes conditions on solutions, such as ``suppressed <= 10``.
    prefer
        Takes policies that choose among solutions.
    objective
        Takes an objective other than precision.
    tolerance
        Takes tolerances of attributes.
    effort
        Takes an effort without a bound on request.
    bound
        Takes a bound on request, and an effort for it.
    argus
        Takes the options of µ-Argus.
    decoys
        Releases each class as its join, and takes decoys, which hide that.
    persons
        Takes k as a number of persons, who may have several rows.
    protections
        Takes protections of sensitive values.
    average_risk
        Takes a greatest average risk.
    registers
        Takes conditions on the people of a register who match each class.
    lottery
        Takes a lottery that keeps secret what merged classes show.
    cells
        The result is at the cell level: rows may have different levels.
    optimizes
        The method always searches for the best value of its objective.
    """

    result: str = ""
    meaning: str = ""
    several: bool = False
    apart: bool = False
    level_bounds: bool = False
    conditions: bool = False
    prefer: bool = False
    objective: bool = False
    tolerance: bool = False
    effort: bool = False
    bound: bool = False
    argus: bool = False
    decoys: bool = False
    persons: bool = False
    protections: bool = False
    average_risk: bool = False
    registers: bool = False
    lottery: bool = False
    cells: bool = False
    optimizes: bool = False

    def objective_of(self, objective: str, *, bound: bool) -> str | None:
        """Return the objective that a certificate states, if the method optimizes or bounds one.

        Examples
        --------
        >>> Takes(bound=True).objective_of("precision", bound=False)
        >>> Takes(optimizes=True, objective=True).objective_of("loss", bound=False)
        'loss'
        """
        if not (self.optimizes or (self.bound and bound)):
            return None
        return objective if self.objective else DEFAULTS.objective


_DECLARED: dict[str, Takes] = {}


def method(name: str, takes: Takes) -> Callable[[Algorithm], Algorithm]:
    """Declare the name of a method and what it takes; the method then refuses everything else."""

    def declare(function: Algorithm) -> Algorithm:
        @wraps(function)
        def run(
            frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
        ) -> Recoding:
            refuse_untaken(name, frequency.attributes, requirement, options)
            return keep_secret(
                lambda listed, asked: function(listed, asked, options),
                frequency,
                requirement,
                lottery=takes.lottery,
            )

        _DECLARED[name] = takes
        return run

    return declare


def declared() -> Mapping[str, Takes]:
    """Return the declaration of each method by its name."""
    return dict(_DECLARED)


def methods_taking(field: str) -> list[str]:
    """Return the names of the methods that declare a field of :class:`Takes`."""
    return [name for name, takes in _DECLARED.items() if getattr(takes, field)]


def refuse_untaken(
    name: str, attributes: Sequence[str], requirement: Requirement, options: SearchOptions
) -> None:
    """Raise if a method would ignore a part of the request."""
    aspect = find_untaken(name, attributes, requirement, options)
    if aspect is not None:
        raise InvalidInput(
            f"{aspect.option}: method {name} does not take {aspect.meaning}; use "
            f"{_alternatives(methods_taking(aspect.takes))}, or leave {aspect.option} out"
        )


def find_untaken(
    name: str, attributes: Sequence[str], requirement: Requirement, options: SearchOptions
) -> Aspect | None:
    """Return the first part of a request that a method would ignore, if there is one."""
    asked = SearchRequest(tuple(attributes), requirement, options)
    takes = _DECLARED[name]
    ignored = (one for one in ASPECTS if one.is_asked(asked) and not getattr(takes, one.takes))
    return next(ignored, None)


def keep_taken(
    name: str, attributes: Sequence[str], requirement: Requirement, options: SearchOptions
) -> SearchOptions:
    """Return the options without those that only say how to search and are not taken."""
    for aspect in ASPECTS:
        asked = SearchRequest(tuple(attributes), requirement, options)
        taken = getattr(_DECLARED[name], aspect.takes)
        if aspect.without is not None and not taken and aspect.is_asked(asked):
            options = aspect.without(options)
    return options


def _alternatives(names: Sequence[str]) -> str:
    """Join names with commas and an *or* before the last.

    Examples
    --------
    >>> _alternatives(["datafly", "samarati", "mingen"])
    'datafly, samarati or mingen'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
