"""Grid: the settings that an exploration tries; Outcome: what each would keep and lose."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from lookalike.describe.attributes import AttributeFigures
from lookalike.describe.frontier import KS, TrialSetting
from lookalike.errors import InvalidInput, not_one_of
from lookalike.model.measures import Measures
from lookalike.model.requirement import Requirement
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.choose_method import DEFAULT_METHODS

COMMON_K = 5
LIMITS = (Decimal("0.0"), Decimal("0.01"), Decimal("0.05"), Decimal("0.1"))
"""The shares of the rows that may be suppressed."""

Tried = TypeVar("Tried")


@dataclass(frozen=True)
class Grid:
    """The values that an exploration tries; an empty one stands for its usual values.

    Parameters
    ----------
    ks
        The values of k.
    limits
        The values of ``max_suppressed``.
    methods
        The methods.

    Examples
    --------
    >>> grid = Grid(ks=(10, 5), limits=(0,), methods=("mingen",))
    >>> [setting.k for setting in grid.settings(TrialSetting("mingen", 5, 0))]
    [5, 10]
    """

    ks: tuple[int, ...] = ()
    limits: tuple[int | Decimal, ...] = ()
    methods: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.methods:
            if name not in ALGORITHMS:
                raise InvalidInput(not_one_of("method", name, ALGORITHMS))
        for k in self.ks:
            Requirement(k)
        for limit in self.limits:
            Requirement(COMMON_K, limit)

    def choose(self, asked: TrialSetting) -> TrialSetting:
        """Return the setting that is looked at closely: what is asked, if the grid has it."""
        return TrialSetting(
            _first(self.methods, asked.method),
            _first(self.ks, asked.k),
            _first(self.limits, asked.max_suppressed),
        )

    def settings(self, chosen: TrialSetting) -> tuple[TrialSetting, ...]:
        """Return all settings: the chosen k first, then a common one, each with every limit."""
        ks = _in_order([chosen.k], [k for k in self.ks or KS if k == COMMON_K], self.ks or KS)
        limits = _in_order([chosen.max_suppressed], self.limits or LIMITS)
        methods = _in_order([chosen.method], self.methods or DEFAULT_METHODS)
        return tuple(
            TrialSetting(method, k, limit) for k in ks for limit in limits for method in methods
        )


def _first(given: tuple[Tried, ...], asked: Tried) -> Tried:
    """Return what is asked for, or the first value if other values are given."""
    return asked if not given or asked in given else given[0]


def _in_order(*parts: Iterable[Tried]) -> list[Tried]:
    """Join values, each where it comes first."""
    return list(dict.fromkeys(value for part in parts for value in part))


@dataclass(frozen=True)
class Outcome:
    """What a release with some setting would keep and lose.

    ``rows_lost`` are suppressed. ``levels`` is None at the cell level. ``precision_bound`` is the
    greatest Prec that is possible for releases of this kind, if it is known, and ``stated_bound``
    says what it is of. ``optimal``: whether the release is proved to be the best possible.
    ``k_minimal``: whether no lower vector satisfies k; None if it is not known, and at the cell
    level. ``one_value``: for each sensitive column, the number of classes whose rows share one
    value; None if there are too many values to compare. ``exposure`` is the greatest rise of the
    belief in a value, for a reader who knows the method; 0 at the attribute level, None if it is
    not defined. ``certain_share`` is the share of the generalized cells in which a finer value is
    certain for some row. ``seconds`` are those of the search.
    """

    rows_in: int
    rows_lost: int
    levels: dict[str, int] | None
    figures: tuple[AttributeFigures, ...]
    measures: Measures
    mean_class: float
    precision_bound: float | None
    stated_bound: str | None
    optimal: bool
    k_minimal: bool | None
    one_value: dict[str, int | None]
    exposure: float | None
    certain_share: float | None
    seconds: float

    @property
    def precision(self) -> float:
        """Prec of the release."""
        return self.measures.precision

    @property
    def kept(self) -> dict[str, float]:
        """The share of the detail of each attribute that is kept, from 0 to 1."""
        return {one.attribute: one.kept for one in self.figures}


@dataclass(frozen=True)
class Point:
    """A setting and its outcome, or why there is none; neither if the time was over."""

    setting: TrialSetting
    outcome: Outcome | None = None
    error: str | None = None

    @property
    def is_reached(self) -> bool:
        """Whether the point was computed."""
        return self.outcome is not None or self.error is not None
