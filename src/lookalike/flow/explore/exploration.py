"""Exploration: the settings that are tried, and what releases with them would keep and lose."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeVar

import pyarrow as pa

from lookalike.describe.attributes import AttributeFigures
from lookalike.describe.frontier import KS, TrialSetting
from lookalike.errors import InvalidInput, not_one_of
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table
from lookalike.json_result import JsonResult, pick_json
from lookalike.model.lattice import write_vector
from lookalike.model.measures import Measures
from lookalike.model.requirement import Requirement
from lookalike.risk.table.budget import BitBudget
from lookalike.search.methods import ALGORITHMS
from lookalike.spec.choose_method import DEFAULT_METHODS
from lookalike.tables.engines import as_given
from lookalike.tables.table import Frame

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
        """Return all settings, coarse to fine.

        First comes every k with the chosen limit and method, the chosen k before a common one, then
        settings with another limit or another method, and then those with both.
        """
        ks = _in_order([chosen.k], [k for k in self.ks or KS if k == COMMON_K], self.ks or KS)
        limits = _in_order([chosen.max_suppressed], self.limits or LIMITS)
        methods = _in_order([chosen.method], self.methods or DEFAULT_METHODS)
        settings = (
            TrialSetting(method, k, limit) for k in ks for limit in limits for method in methods
        )
        return tuple(sorted(settings, key=chosen.count_other))


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
    not defined. ``bits`` is the joint entropy of the released labels. ``certain_share`` is the
    share of the generalized cells in which a finer value is certain for some row. ``seconds`` are
    those of the search.
    """

    rows_in: int
    rows_lost: int
    levels: dict[str, int] | None
    figures: tuple[AttributeFigures, ...]
    measures: Measures
    mean_class: float
    bits: float
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


@dataclass(frozen=True)
class Advice(JsonResult):
    """A change of the specification, and what it does."""

    json_names = "text release=written_fields weights"

    text: str
    release: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, Any] = field(default_factory=dict)

    @property
    def written_fields(self) -> dict[str, Any]:
        """The fields of ``[release]`` to change; a limit is text, so that 1 row is not 1.0."""
        limits = {"max_suppressed"} & self.release.keys()
        return self.release | {name: str(self.release[name]) for name in limits}


@dataclass(frozen=True)
class WeightEffect:
    """What changes if the weight of one attribute is tripled.

    ``kept`` is the share that is kept of each attribute then, and ``change`` its difference from
    that with the weights as they are, by which Prec is measured. ``levels`` is None at the cell
    level.
    """

    attribute: str
    weight: Decimal
    kept: dict[str, float]
    change: dict[str, float]
    levels: dict[str, int] | None
    precision: float
    precision_change: float


@dataclass(frozen=True)
class KeepStep:
    """What a release keeps if at least ``share`` of every attribute must be kept.

    ``why`` says why no such release was found; the other fields are then None.
    """

    share: float
    kept: dict[str, float] | None = None
    rows_lost: int | None = None
    precision: float | None = None
    why: str | None = None


@dataclass(frozen=True)
class LowerStep(JsonResult):
    """What one level less of one attribute would require.

    ``rows`` would have to be suppressed at the level below; ``allowed`` may be.
    """

    json_names = "method attribute level rows allowed blocked=is_blocked"

    method: str
    attribute: str
    level: int
    rows: int
    allowed: int

    @property
    def is_blocked(self) -> bool:
        """Whether more rows would have to be suppressed than may be."""
        return self.rows > self.allowed


@dataclass(frozen=True, eq=False)
class Exploration(Discreet, JsonResult):
    """What releases at several settings would keep and lose.

    Parameters
    ----------
    rows, sequences
        The number of rows, and of distinct sequences of quasi-identifier values.
    attributes
        The attributes of the quasi-identifier.
    chosen
        The setting that is looked at closely: that of the specification.
    points
        Every point of the grid, in the order in which they were computed.
    budgets
        For each quasi-identifier, how many bits its labels can carry at the chosen k, and what its
        attributes cost.
    weights
        What changes at the chosen setting if the weight of an attribute is tripled.
    keeps
        What releases at the chosen setting keep if a rising share of every attribute must be kept.
    steps
        What one level less would require, at the chosen k and limit.
    advice
        What to try next.
    examples
        For each attribute a few frequent values, each with its labels from the ground to the top.
    seconds
        The seconds that all of it took.
    frame
        The frame that was given, if one was.
    """

    json_names = (
        "rows sequences attributes chosen points=tidy_rows budgets weights keeps steps advice "
        "seconds"
    )

    rows: int
    sequences: int
    attributes: tuple[str, ...]
    chosen: TrialSetting
    points: tuple[Point, ...]
    budgets: tuple[BitBudget, ...] = ()
    weights: tuple[WeightEffect, ...] = ()
    keeps: tuple[KeepStep, ...] = ()
    steps: tuple[LowerStep, ...] = ()
    advice: tuple[Advice, ...] = ()
    examples: dict[str, tuple[LabelPath, ...]] = field(default_factory=dict)
    seconds: float = 0.0
    frame: Frame | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        done = sum(point.is_reached for point in self.points)
        return f"<Exploration of {self.rows:,} rows at {done} of {len(self.points)} points>"

    def _repr_html_(self) -> str:
        advice = [one.text for one in self.advice]
        return _draw_grid(self) + _draw_chosen(self) + write_html_notes(*advice)

    def find(self, setting: TrialSetting) -> Outcome | None:
        """Return the outcome of a setting, if there is one."""
        known = (point.outcome for point in self.points if point.setting == setting)
        return next(known, None)

    def to_frame(self) -> Any:
        """Return one row per point with every measure, as the kind of frame that was given.

        Of a path or a specification, the result is an Arrow table. The columns ``kept_…`` hold
        the share that is kept of each attribute, and ``one_value_…`` the number of classes that
        share one value of a sensitive column.
        """
        rows = self.tidy_rows
        empty = dict.fromkeys(name for row in rows for name in row)
        table = pa.Table.from_pylist([empty | row for row in rows])
        return table if self.frame is None else as_given(table, self.frame)

    @property
    def tidy_rows(self) -> list[dict[str, Any]]:
        """Every point as one row, with every measure that it has."""
        return [as_tidy_row(point) for point in self.points]


def as_tidy_row(point: Point) -> dict[str, Any]:
    """Return a point as one row, with every measure."""
    setting, outcome = point.setting, point.outcome
    row = {
        "method": setting.method,
        "k": setting.k,
        "max_suppressed": setting.written_limit,
        "status": "done" if outcome else "not possible" if point.error else "not reached",
        "error": point.error,
    }
    if outcome is None:
        return row
    measured = "rows_in rows_lost **measures mean_class bits precision_bound optimal k_minimal"
    return {
        **row,
        **pick_json(outcome, measured),
        "levels": None if outcome.levels is None else write_vector(tuple(outcome.levels.values())),
        **{f"kept_{name}": share for name, share in outcome.kept.items()},
        **{f"one_value_{name}": classes for name, classes in outcome.one_value.items()},
        **pick_json(outcome, "exposure certain_share seconds"),
    }


def _draw_grid(found: "Exploration") -> str:
    """Draw the precision of each method at each k and limit."""
    methods = [*dict.fromkeys(one.setting.method for one in found.points)]
    settings = dict.fromkeys((one.setting.k, one.setting.limit) for one in found.points)
    precision: dict[tuple[int, str, str], HtmlCell] = {
        (one.setting.k, one.setting.limit, one.setting.method): ShareBar(one.outcome.precision)
        for one in found.points
        if one.outcome is not None
    }
    lines = [
        [k, limit, *(precision.get((k, limit, name)) for name in methods)]
        for k, limit in sorted(settings, key=lambda one: one[0])
    ]
    caption = f"Precision of releases of {found.rows:,} rows"
    return write_html_table(caption, ["k", "may be suppressed", *methods], lines)


def _draw_chosen(found: "Exploration") -> str:
    """Draw what each method keeps of each attribute at the chosen k and limit."""
    chosen = found.chosen
    outcomes: dict[str, Outcome] = {
        one.setting.method: one.outcome
        for one in found.points
        if one.outcome is not None
        and (one.setting.k, one.setting.limit) == (chosen.k, chosen.limit)
    }
    if not outcomes:
        return write_html_notes(f"No release at k = {chosen.k:,}, {chosen.limit} suppressed.")
    kept: list[list[HtmlCell]] = [
        [name, *(ShareBar(one.kept[name]) for one in outcomes.values())]
        for name in found.attributes
    ]
    lost: list[HtmlCell] = ["rows lost", *(one.rows_lost for one in outcomes.values())]
    caption = f"Kept of each attribute at k = {chosen.k:,}, {chosen.limit} suppressed at most"
    return write_html_table(caption, ["attribute", *outcomes], [*kept, lost])
