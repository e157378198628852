"""TriedSettings: what releases with many settings keep and lose, tried in a process of its own."""

from dataclasses import dataclass

from markupsafe import Markup

from lookalike.flow.explore.exploration import Exploration
from lookalike.flow.explore.explore import explore_specification
from lookalike.flow.explore.grid import Grid
from lookalike.hierarchy.discreet import Discreet
from lookalike.model.progress import Announce
from lookalike.studio.counted_list import find_stamps
from lookalike.studio.editing.project import Project
from lookalike.studio.frontier.draw_points import AXES, draw_points


@dataclass(frozen=True, eq=False)
class TriedSettings(Discreet):
    """An exploration, and what it was made from.

    Parameters
    ----------
    text
        The specification.
    stamps
        The size and the time of each file that was read.
    grid
        The settings that were tried.
    time_limit
        The seconds after which it had to end.
    exploration
        What was found.
    charts
        The points, drawn across each of :data:`AXES`.
    """

    text: str
    stamps: tuple[tuple[int, int], ...]
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
