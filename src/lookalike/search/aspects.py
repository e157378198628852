"""Aspects: the parts of a request that some methods do not take.

Each aspect names the field of :class:`lookalike.search.takes.Takes` that declares it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from lookalike.model.requirement import Requirement
from lookalike.search.argus.options import ArgusOptions
from lookalike.search.lattice.constraints import QUANTITIES, Constraint
from lookalike.search.options import DEFAULTS, SearchOptions


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

    @property
    def is_several(self) -> bool:
        """Whether there are several quasi-identifiers."""
        return len(self.requirement.combined(self.attributes)) > 1

    @property
    def is_apart(self) -> bool:
        """Whether some attribute is outside every combination, or has a k of its own."""
        protected = self.requirement.protected(self.attributes)
        combined = {name for one in protected if not one.alone for name in one.attributes}
        return combined != set(self.attributes) or any(one.alone for one in protected)


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
    without
        Returns the options without it, if it only says how to search: a comparison runs a
        method that does not take it without it. None if it says what the result must be.
    """

    takes: str
    option: str
    meaning: str
    is_asked: Callable[[SearchRequest], bool]
    without: Callable[[SearchOptions], SearchOptions] | None = None


def _of_argus(option: str, meaning: str) -> Aspect:
    """Return an aspect that is an option of µ-Argus."""
    default = getattr(ArgusOptions(), option)
    return Aspect(
        "argus",
        option,
        meaning,
        lambda asked: getattr(asked.options.argus, option) != default,
        lambda options: replace(options, argus=replace(options.argus, **{option: default})),
    )


def _asks_register(name: str, asked: SearchRequest) -> bool:
    """Return whether a condition on a register is requested."""
    return any(one.register == name for one in asked.requirement.registers)


ASPECTS: Sequence[Aspect] = (
    Aspect(
        "several",
        "quasi_identifiers",
        "several quasi-identifiers",
        lambda asked: asked.is_several,
    ),
    Aspect(
        "apart",
        "linking",
        "attributes that are protected outside the combination (linking below 1, or a greater "
        "anonymity of their own)",
        lambda asked: asked.is_apart,
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
    Aspect(
        "lottery",
        "secrecy",
        "a lottery",
        lambda asked: asked.requirement.secrecy == "lottery",
    ),
    Aspect("prefer", "prefer", "preferences", lambda asked: bool(asked.options.prefer)),
    Aspect(
        "objective",
        "objective",
        "an objective other than precision",
        lambda asked: asked.options.objective != DEFAULTS.objective,
    ),
    Aspect(
        "tolerance",
        "tolerance",
        "tolerances",
        lambda asked: any(tolerance != 1 for tolerance in asked.options.tolerances),
        lambda options: replace(options, tolerances=()),
    ),
    Aspect(
        "bound",
        "bound",
        "a bound on request",
        lambda asked: asked.options.bound,
        lambda options: replace(options, bound=False),
    ),
    Aspect(
        "effort",
        "effort",
        "an effort without bound = true",
        lambda asked: asked.options.effort != DEFAULTS.effort and not asked.options.bound,
        lambda options: replace(options, effort=DEFAULTS.effort),
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
        lambda options: replace(options, decide=None),
    ),
)
"""Every part of a request that some method does not take."""
