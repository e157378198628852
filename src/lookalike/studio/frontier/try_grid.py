"""TriedSettings: what releases with many settings keep and lose, tried in a process of its own."""

from dataclasses import dataclass

from markupsafe import Markup

from lookalike.flow.explore.exploration import Exploration
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.explore.grid import Grid
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.studio.editing.project import Project
from lookalike.studio.frontier.draw_points import AXES, draw_points
from lookalike.studio.stamps import Stamps, find_stamps


@dataclass(frozen=True, eq=False)
class TriedSettings(Discreet):
    """An exploration, and what it was made from."""

    text: str
    stamps: Stamps
    grid: Grid
    time_limit: float | None
    exploration: Exploration
    charts: dict[str, Markup]


def try_grid(
    announce: Announce, project: Project, grid: Grid, time_limit: float | None
) -> TriedSettings:
    """Try the settings of a grid on the table of a project.

    The charts are drawn here, because the first chart of a process takes most of a second.
    """
    stamps, specification = find_stamps(project), project.specification()
    found = explore_specification(specification, grid, time_limit=time_limit, announce=announce)
    announce("drawing")
    charts = {name: draw_points(found, name) for name in AXES}
    return TriedSettings(project.text, stamps, grid, time_limit, found, charts)
