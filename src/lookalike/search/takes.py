"""Takes: the declaration of what a method takes, and the refusal of everything else.

Every method declares beside its function what it takes. A request beyond that would be silently
ignored, so it is refused here, with the names of the methods that take it. The help texts, the
documentation and the verification of a certificate read the same declaration.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from typing import Self

from lookalike.errors import InvalidInput
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.search.balance import balance
from lookalike.search.lattice.constraints import QUANTITIES, Constraint
from lookalike.search.options import DEFAULTS, SearchOptions
from lookalike.search.secrecy import keep_secret

LINKED_METHODS = ("mingen", "samarati", "datafly")
"""The methods that take linked tables."""
LINKED_OBJECTIVES = ("precision", "loss")
"""The objectives of linked tables."""


@dataclass(frozen=True)
class SearchRequest:
    """What is requested of a method: requirement and options over some attributes."""

    attributes: tuple[str, ...]
    requirement: Requirement
    options: SearchOptions

    @property
    def conditions(self) -> list[Constraint]:
        """The constraints on solutions, without the bounds on levels."""
        return [
            one
            for one in self.options.constraints
            if one.quantity in QUANTITIES and one.quantity not in self.attributes
        ]


@dataclass(frozen=True)
class Aspect:
    """A part of a request that some methods do not take.

    Parameters
    ----------
    takes
        The field of :class:`Takes` that declares it.
    option
        The field of a specification that requests it.
    meaning
        A description of the request, for messages.
    is_asked
        Returns whether it is requested.
    resets
        The field of the options that has its default without it, if it only says how to search: a
        comparison runs a method that does not take it without it. None if it says what the result
        must be.
    """

    takes: str
    option: str
    meaning: str
    is_asked: Callable[[SearchRequest], bool]
    resets: str | None = None


def _of_argus(option: str, meaning: str) -> Aspect:
    """Return an aspect that is an option of µ-Argus."""
    default = getattr(DEFAULTS.argus, option)
    return Aspect(
        "argus",
        option,
        meaning,
        lambda asked: getattr(asked.options.argus, option) != default,
        "argus",
    )


def _asks_register(name: str, asked: SearchRequest) -> bool:
    """Return whether a condition on a register is requested."""
    return any(one.register == name for one in asked.requirement.registers)


def _is_apart(asked: SearchRequest) -> bool:
    """Return whether some attribute is outside every combination, or has a k of its own."""
    protected = asked.requirement.protected(asked.attributes)
    combined = {name for one in protected if not one.alone for name in one.attributes}
    return combined != set(asked.attributes) or any(one.alone for one in protected)


ASPECTS: Sequence[Aspect] = (
    Aspect(
        "several",
        "quasi_identifiers",
        "several quasi-identifiers",
        lambda asked: len(asked.requirement.combined(asked.attributes)) > 1,
    ),
    Aspect(
        "apart",
        "linking",
        "attributes that are protected outside the combination (linking below 1, or a greater "
        "anonymity of their own)",
        _is_apart,
    ),
    Aspect(
        "level_bounds",
        "constraints",
        "bounds on levels",
        lambda asked: len(asked.conditions) < len(asked.options.constraints),
    ),
    Aspect(
        "conditions",
        "constraints",
        "conditions on solutions (height, suppressed, distinct, precision, generalized-attributes)",
        lambda asked: bool(asked.conditions),
    ),
    Aspect(
        "keep",
        "keep",
        "a share of an attribute that must be kept",
        lambda asked: asked.options.balanced or any(asked.options.keep),
    ),
    Aspect(
        "persons",
        "person",
        "k as a number of persons",
        lambda asked: any(one.respondent for one in asked.requirement.protected(asked.attributes)),
    ),
    Aspect(
        "protections",
        "protect",
        "protections of sensitive values",
        lambda asked: bool(asked.requirement.protections),
    ),
    Aspect(
        "average_risk",
        "average_risk",
        "a greatest average risk",
        lambda asked: asked.requirement.average_risk is not None,
    ),
    Aspect("registers", "k_map", "a register of people", partial(_asks_register, "k_map")),
    Aspect("registers", "presence", "a register of people", partial(_asks_register, "presence")),
    Aspect("lottery", "secrecy", "a lottery", lambda asked: asked.requirement.secrecy == "lottery"),
    Aspect("prefer", "prefer", "preferences", lambda asked: bool(asked.options.prefer)),
    Aspect(
        "loss",
        "objective",
        "the objective loss",
        lambda asked: asked.options.objective == "loss",
        "objective",
    ),
    Aspect(
        "objective",
        "objective",
        "an objective other than precision or loss",
        lambda asked: asked.options.objective not in (DEFAULTS.objective, "loss"),
    ),
    Aspect(
        "tolerance",
        "tolerance",
        "tolerances",
        lambda asked: any(tolerance != 1 for tolerance in asked.options.tolerances),
        "tolerances",
    ),
    Aspect("bound", "bound", "a bound on request", lambda asked: asked.options.bound, "bound"),
    Aspect(
        "effort",
        "effort",
        "an effort without bound = true",
        lambda asked: asked.options.effort != DEFAULTS.effort and not asked.options.bound,
        "effort",
    ),
    Aspect(
        "decoys",
        "decoys",
        "decoys (they are for methods that release each class as its join)",
        lambda asked: bool(asked.options.decoys),
    ),
    _of_argus("dimension", "a dimension of combinations"),
    _of_argus("combinations", "a choice of combinations"),
    _of_argus("suppress_by", "a cost of suppressed cells"),
    _of_argus("repair", "a repair"),
    Aspect(
        "argus",
        "generalize",
        "decisions about what to generalize",
        lambda asked: asked.options.decide is not None,
        "decide",
    ),
)
"""Every part of a request that some method does not take."""


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
    keep
        Takes shares of attributes that must be kept.
    prefer
        Takes policies that choose among solutions.
    loss
        Takes the objective loss.
    objective
        Takes any objective.
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
    keep: bool = False
    prefer: bool = False
    loss: bool = False
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

    @classmethod
    def of(cls, fields: str, *, result: str, meaning: str) -> Self:
        """Declare that a method takes what these fields say, which are separated by spaces."""
        return cls(result, meaning, **dict.fromkeys(fields.split(), True))

    def objective_of(self, objective: str, *, bound: bool) -> str | None:
        """Return the objective that a certificate states, if the method optimizes or bounds one.

        Examples
        --------
        >>> Takes(bound=True).objective_of("precision", bound=False)
        >>> Takes(optimizes=True, loss=True).objective_of("loss", bound=False)
        'loss'
        """
        if not (self.optimizes or (self.bound and bound)):
            return None
        return objective if self.loss or self.objective else DEFAULTS.objective


_DECLARED: dict[str, Takes] = {}


def method(name: str, takes: Takes) -> Callable[[Algorithm], Algorithm]:
    """Declare the name of a method and what it takes; the method then refuses everything else."""

    def declare(function: Algorithm) -> Algorithm:
        @wraps(function)
        def run(
            frequency: FrequencyList, requirement: Requirement, options: SearchOptions = DEFAULTS
        ) -> Recoding:
            refuse_untaken(name, frequency.attributes, requirement, options)
            search = partial(balance, function) if options.balanced else function
            return keep_secret(
                lambda listed, asked: search(listed, asked, options),
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
        if aspect.resets and not taken and aspect.is_asked(asked):
            options = replace(options, **{aspect.resets: getattr(DEFAULTS, aspect.resets)})
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
