"""Draw an exploration for a notebook: precision by k, limit and method; kept by attribute."""

from typing import TYPE_CHECKING

from lookalike.flow.explore.point import Outcome
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table

if TYPE_CHECKING:
    from lookalike.flow.explore.exploration import Exploration


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
