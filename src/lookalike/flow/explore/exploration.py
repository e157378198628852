"""Exploration: what releases at several settings keep and lose, for the data holder."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import pyarrow as pa

from lookalike.describe.frontier import TrialSetting
from lookalike.flow.compare import write_vector
from lookalike.flow.explore.advise import Advice
from lookalike.flow.explore.grid import Outcome, Point
from lookalike.flow.explore.look_closer import LowerStep, WeightEffect
from lookalike.hierarchy.bound import LabelPath
from lookalike.hierarchy.discreet import Discreet
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table
from lookalike.json_result import JsonResult
from lookalike.tables.engines import as_given
from lookalike.tables.table import Frame


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
    weights
        What changes at the chosen setting if the weight of an attribute is tripled.
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

    json_names = "rows sequences attributes chosen points=tidy_rows weights steps advice seconds"

    rows: int
    sequences: int
    attributes: tuple[str, ...]
    chosen: TrialSetting
    points: tuple[Point, ...]
    weights: tuple[WeightEffect, ...]
    steps: tuple[LowerStep, ...]
    advice: tuple[Advice, ...]
    examples: dict[str, tuple[LabelPath, ...]]
    seconds: float
    frame: Frame | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        done = sum(point.is_reached for point in self.points)
        return f"<Exploration of {self.rows:,} rows at {done} of {len(self.points)} points>"

    def _repr_html_(self) -> str:
        return draw_exploration(self)

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
        table = pa.Table.from_pylist([*self._rows()])
        return table if self.frame is None else as_given(table, self.frame)

    def _rows(self) -> Iterator[dict[str, Any]]:
        """Yield the points as rows with the same columns."""
        rows = self.tidy_rows
        columns = dict.fromkeys(name for row in rows for name in row)
        for row in rows:
            yield {name: row.get(name) for name in columns}

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
    return {
        **row,
        "rows_in": outcome.rows_in,
        "rows_lost": outcome.rows_lost,
        **asdict(outcome.measures),
        "mean_class": outcome.mean_class,
        "precision_bound": outcome.precision_bound,
        "optimal": outcome.optimal,
        "k_minimal": outcome.k_minimal,
        "levels": None if outcome.levels is None else write_vector(tuple(outcome.levels.values())),
        **{f"kept_{name}": share for name, share in outcome.kept.items()},
        **{f"one_value_{name}": classes for name, classes in outcome.one_value.items()},
        "exposure": outcome.exposure,
        "certain_share": outcome.certain_share,
        "seconds": outcome.seconds,
    }


def draw_exploration(found: "Exploration") -> str:
    """Draw the grid, what the methods keep at the chosen setting, and the advice."""
    advice = [one.text for one in found.advice]
    return _draw_grid(found) + _draw_chosen(found) + write_html_notes(*advice)


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
