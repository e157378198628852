"""Draw the points of an exploration: what is kept across k, rows lost, class size or exposure."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from markupsafe import Markup

from lookalike.describe.frontier import TrialSetting
from lookalike.flow.explore.exploration import Exploration
from lookalike.flow.explore.grid import Outcome
from lookalike.report.chart import draw_chart
from lookalike.shown_text import count_rows

_BESIDE = {"xOffset": {"field": "method", "scale": {"domain": {"expr": "methods"}}}}
"""Points with the same k stand beside each other."""
_FROM_ZERO = {"labelExpr": "datum.value < 0 ? '' : datum.label"}
"""The room to the left of 0 has no numbers."""


@dataclass(frozen=True)
class Axis:
    """What a chart shows from left to right.

    Parameters
    ----------
    title
        Its name.
    find
        Returns its value at a point, if there is one.
    share
        Returns what the points that a line joins have in common.
    kind
        The type of its values in Vega-Lite.
    scale, axis
        Fields of its scale and of its axis in Vega-Lite.
    more
        Other channels of the chart.
    """

    title: str
    find: Callable[[TrialSetting, Outcome], float | None]
    share: Callable[[TrialSetting], int | Decimal]
    kind: str = "quantitative"
    scale: Mapping[str, Any] = field(default_factory=lambda: {"padding": 12})
    axis: Mapping[str, Any] = field(default_factory=dict)
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def encoding(self) -> dict[str, Any]:
        """The channels of the chart in Vega-Lite."""
        across = {
            "field": "across",
            "type": self.kind,
            "scale": self.scale,
            "axis": {"title": self.title, "aria": False, "labelAngle": 0, **self.axis},
        }
        return {"x": across, **self.more}


AXES: Mapping[str, Axis] = {
    "k": Axis(
        "k",
        lambda setting, _: setting.k,
        lambda setting: setting.max_suppressed,
        "ordinal",
        scale={},
        more=_BESIDE,
    ),
    "lost": Axis(
        "rows lost",
        lambda _, outcome: outcome.rows_lost / max(1, outcome.rows_in),
        lambda setting: setting.k,
        axis={"format": ".1~%", **_FROM_ZERO},
    ),
    "class": Axis(
        "rows in a class, on average",
        lambda _, outcome: outcome.mean_class,
        lambda setting: setting.k,
        scale={"type": "log", "nice": False, "padding": 12},
        axis={"format": ",~r", "tickCount": 6},
    ),
    "exposure": Axis(
        "exposure",
        lambda _, outcome: outcome.exposure,
        lambda setting: setting.k,
        axis={"format": ".0%", **_FROM_ZERO},
    ),
}
"""What the points can be drawn across, by the name in the address of a page."""


def draw_points(found: Exploration, across: str) -> Markup:
    """Draw the points of an exploration; each is a link to its own view."""
    axis, rows = AXES[across], [*_list_rows(found, across)]
    tried = [*dict.fromkeys(row["method"] for row in rows)]
    summary = (
        f"Chart of {len(rows)} points: detail kept across {axis.title}, by method. "
        "The table of points has the same figures."
    )
    methods = [{"name": "methods", "value": tried}]
    return draw_chart(
        "explored_points", rows, summary, links=True, encoding=axis.encoding, params=methods
    )


def _list_rows(found: Exploration, across: str) -> Iterator[dict[str, Any]]:
    """Yield what is drawn of each point that has a value of the axis."""
    axis = AXES[across]
    for place, point in enumerate(found.points):
        setting, outcome = point.setting, point.outcome
        value = None if outcome is None else axis.find(setting, outcome)
        if outcome is None or value is None:
            continue
        joined = axis.share(setting) == axis.share(found.chosen)
        yield {
            "across": value,
            "kept": outcome.precision,
            "series": outcome.precision if joined else None,
            "bound": outcome.precision_bound,
            "method": setting.method,
            "safe": not outcome.measures.rows_below_k,
            "href": address_point(place, across),
            "label": f"{name_setting(setting)}: {outcome.precision:.1%} of the detail kept, "
            f"{count_rows(outcome.rows_lost)} lost",
        }


def address_point(place: int, across: str) -> str:
    """Return the address of the view of a point."""
    return f"?across={across}&point={place}"


def name_setting(setting: TrialSetting) -> str:
    """Name a setting in words."""
    return f"{setting.method}, k = {setting.k:,}, {name_limit(setting)}"


def name_limit(setting: TrialSetting) -> str:
    """Say how many rows a setting may suppress."""
    limited = f"at most {setting.limit} suppressed"
    return limited if setting.max_suppressed else "no rows suppressed"
