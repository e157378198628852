"""What *Explore* is made of: many settings, tried in a process of its own, drawn and listed."""

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from operator import ge
from typing import Any

from markupsafe import Markup, escape

from lookalike.describe.frontier import TrialSetting
from lookalike.errors import InvalidInput, not_one_of
from lookalike.flow.explore.exploration import Exploration, Grid, Outcome, Point
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.explore.run_settings import read_setting
from lookalike.hierarchy.discreet import Discreet
from lookalike.report.chart import draw_chart
from lookalike.shown_text import count_rows
from lookalike.spec.choose_method import names_method
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import Project, Stamps, find_stamps
from lookalike.studio.work import TaskLine

_BESIDE = {"xOffset": {"field": "method", "scale": {"domain": {"expr": "methods"}}}}
"""Points with the same k stand beside each other."""
_FROM_ZERO = {"labelExpr": "datum.value < 0 ? '' : datum.label"}
"""The room to the left of 0 has no numbers."""


@dataclass(frozen=True)
class Axis:
    """What a chart shows from left to right, with its scale and channels in Vega-Lite.

    ``find`` returns the value at a point, if there is one, and ``share`` what the points have in
    common that a line joins.
    """

    title: str
    find: Callable[[TrialSetting, Outcome], float | None]
    axis: Mapping[str, Any]
    share: Callable[[TrialSetting], int | Decimal] = lambda setting: setting.k
    kind: str = "quantitative"
    scale: Mapping[str, Any] = field(default_factory=lambda: {"padding": 12})
    more: Mapping[str, Any] = field(default_factory=dict)


AXES: Mapping[str, Axis] = {
    "k": Axis(
        "k",
        lambda setting, _: setting.k,
        {},
        lambda setting: setting.max_suppressed,
        "ordinal",
        scale={},
        more=_BESIDE,
    ),
    "lost": Axis(
        "rows lost",
        lambda _, outcome: outcome.rows_lost / max(1, outcome.rows_in),
        {"format": ".1~%", **_FROM_ZERO},
    ),
    "class": Axis(
        "rows in a class, on average",
        lambda _, outcome: outcome.mean_class,
        {"format": ",~r", "tickCount": 6},
        scale={"type": "log", "nice": False, "padding": 12},
    ),
    "exposure": Axis(
        "extra certainty", lambda _, outcome: outcome.exposure, {"format": ".0%", **_FROM_ZERO}
    ),
}
"""What the points can be drawn across, by the name in the address of a page."""


def draw_points(found: Exploration, across: str) -> Markup:
    """Draw the points of an exploration; each is a link to its own view."""
    axis, rows = AXES[across], [*_list_rows(found, across)]
    tried = [*dict.fromkeys(row["method"] for row in rows)]
    summary = (
        f"Chart of {len(rows)} points: precision across {axis.title}, by method. "
        "The table of points has the same figures."
    )
    x = {
        "field": "across",
        "type": axis.kind,
        "scale": axis.scale,
        "axis": {"title": axis.title, "aria": False, "labelAngle": 0, **axis.axis},
    }
    encoding, methods = {"x": x, **axis.more}, [{"name": "methods", "value": tried}]
    return draw_chart(
        "explored_points", rows, summary, links=True, encoding=encoding, params=methods
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
            "label": f"{name_setting(setting)}: precision {outcome.precision:.1%}, "
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


@dataclass(frozen=True, eq=False)
class TriedSettings(Discreet):
    """An exploration, and what it was made from."""

    text: str
    stamps: Stamps
    grid: Grid
    time_limit: float | None
    exploration: Exploration
    charts: dict[str, Markup]


SHOWN_EVERY = 1.0
"""The seconds between two looks at the points that were found so far."""


def try_grid(
    line: TaskLine, project: Project, grid: Grid, time_limit: float | None
) -> TriedSettings:
    """Try the settings of a grid on the table of a project, and show points as they are found.

    The charts are drawn here, because the first chart of a process takes most of a second.
    """
    stamps, specification = find_stamps(project), project.specification()
    last = -math.inf

    def draw(found: Exploration, axes: Iterable[str]) -> TriedSettings:
        charts = {name: draw_points(found, name) for name in axes}
        return TriedSettings(project.text, stamps, grid, time_limit, found, charts)

    def show(found: Exploration) -> None:
        nonlocal last
        if time.monotonic() >= last + SHOWN_EVERY and any(one.outcome for one in found.points):
            line.show(draw(found, list(AXES)[:1]))
            last = time.monotonic()

    found = explore_specification(
        specification,
        grid,
        time_limit=time_limit,
        announce=line,
        show=show,
        is_enough=line.is_enough,
    )
    line("drawing")
    return draw(found, AXES)


_TRIED = {("release", name) for name in ("method", "k", "max_suppressed", "highest_risk")}
_OUTSIDE = {("release", name) for name in ("out", "dossier", "report", "accept", "ledger")}
"""The fields that a setting has itself, and those that no setting depends on."""
_MARKS = {"opened": 'aria-current="true"', "own": 'aria-describedby="own-setting"'}
"""How the link of a marked point is described."""


def find_own_setting(project: Project, found: Exploration) -> TrialSetting:
    """Return the setting of the specification as it is now; if that is wrong, as it was."""
    if project.problems:
        return found.chosen
    specification = project.specification()
    own = read_setting(specification, found.rows)
    return own if names_method(specification) else replace(own, method=found.chosen.method)


def find_point_place(found: Exploration, setting: TrialSetting) -> int | None:
    """Return the place of the point of a setting, if it has an outcome."""
    places = (place for place, one in enumerate(found.points) if one.setting == setting)
    return next((place for place in places if found.points[place].outcome is not None), None)


def read_point_place(found: Exploration, text: str) -> int:
    """Return the place of a point with an outcome."""
    made = [str(place) for place, one in enumerate(found.points) if one.outcome is not None]
    if text not in made:
        raise InvalidInput("there is no such point; choose one of the chart or of the table")
    return int(text)


_Order = Callable[[Point], Any]


def _by_outcome(find: Callable[[Outcome], float | None]) -> _Order:
    """Return an order of points by a figure; points without it come last."""

    def find_key(point: Point) -> float:
        figure = None if point.outcome is None else find(point.outcome)
        return math.inf if figure is None else figure

    return find_key


POINT_ORDERS: Mapping[str, _Order] = {
    "k": lambda point: (point.setting.k, float(point.setting.max_suppressed)),
    "limit": lambda point: (
        isinstance(point.setting.max_suppressed, Decimal),
        point.setting.max_suppressed,
        point.setting.k,
    ),
    "method": lambda point: (point.setting.method, point.setting.k),
    "kept": _by_outcome(lambda outcome: -outcome.precision),
    "lost": _by_outcome(lambda outcome: outcome.rows_lost),
    "classes": _by_outcome(lambda outcome: -outcome.measures.classes),
    "smallest": _by_outcome(lambda outcome: -outcome.measures.smallest_class),
    "mean": _by_outcome(lambda outcome: outcome.mean_class),
    "exposure": _by_outcome(lambda outcome: outcome.exposure),
    "seconds": _by_outcome(lambda outcome: outcome.seconds),
}
"""The orders of the table of points, by the name in the address of a page: the best first."""


def list_points(found: Exploration, order: str) -> list[tuple[int, Point]]:
    """Return the points that have an outcome, each with its place, in an order."""
    if order not in POINT_ORDERS:
        raise InvalidInput(not_one_of("sort", order, POINT_ORDERS))
    made = [(place, one) for place, one in enumerate(found.points) if one.outcome is not None]
    return sorted(made, key=lambda one: POINT_ORDERS[order](one[1]))


def find_better(found: Exploration, place: int) -> int | None:
    """Return which point beats another one in every respect; None if it is on the frontier.

    A better point has at least the same k, keeps at least as much, loses no more rows and exposes
    no more; among several, it is the one that keeps most.
    """
    own = _rank(found.points[place])
    ranks = {other: _rank(one) for other, one in enumerate(found.points)}
    better = [
        (rank[0], other)
        for other, rank in ranks.items()
        if rank and rank != own and all(map(ge, rank, own))
    ]
    return max(better)[1] if own and better else None


def _rank(point: Point) -> tuple[float, ...]:
    """Return in what respects a point may be better; nothing, if it is not comparable."""
    outcome = point.outcome
    if outcome is None or outcome.exposure is None or outcome.measures.rows_below_k:
        return ()
    return outcome.precision, point.setting.k, -outcome.rows_lost, -outcome.exposure


def mark_point(chart: Markup, place: int | None, across: str, mark: str) -> Markup:
    """Return a chart in which a point has a ring, which no other point hides.

    ``place``: the place of the point; if there is none, the chart stays as it is.
    """
    link = "" if place is None else f'href="{escape(address_point(place, across))}" '
    found = re.search(rf"{re.escape(link)}.*?(<path [^>]*/>)", chart) if link else None
    if found is None:
        return chart
    marked = str(chart).replace(link, f"{link}{_MARKS[mark]} ", 1)
    rest, last, end = marked.rpartition("</a>")
    ring = found[1].replace("<path ", f'<path class="ring {mark}" ', 1)
    return Markup(f"{rest}{last}{ring}{end}")


def list_differences(tried: TriedSettings, project: Project) -> list[str]:
    """Return the places of the specification that were changed since settings were tried.

    Fields that a setting has itself, and those that no setting depends on, do not count.
    """
    before, after = (dict(_flatten(parse_toml(text))) for text in (tried.text, project.text))
    places = [one for one in {**before, **after} if before.get(one) != after.get(one)]
    changed = [".".join(one) for one in places if one not in _TRIED | _OUTSIDE]
    return changed or (["the files that it reads"] if find_stamps(project) != tried.stamps else [])


def _flatten(
    fields: Mapping[str, Any], above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield each field of a specification with its place; a column has fields of its own."""
    for name, value in fields.items():
        place = (*above, name)
        if isinstance(value, Mapping) and len(place) < 3:
            yield from _flatten(value, place)
        else:
            yield place, value
