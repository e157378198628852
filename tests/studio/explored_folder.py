"""A folder with a small table, explored once for all tests."""

from dataclasses import replace
from decimal import Decimal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lookalike.flow.explore.exploration import Grid
from lookalike.studio.editing.project import Project, find_stamps
from lookalike.studio.frontier import try_grid
from lookalike.studio.work import TaskLine

from ..flow.explored_people import PEOPLE

HOSTILE_NAME = '<b>"age" & x'
TEXT = """\
[source]
path = "people.csv"

[release]
k = 3
max_suppressed = 0
method = "mingen"
out = "released/people.csv"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.'<b>"age" & x']
role = "quasi-identifier"
hierarchy = { kind = "intervals", widths = [5, 20] }

[attributes.sex]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }

[attributes.ill]
role = "sensitive"
"""
GRID = Grid((3, 5, 61), (0, Decimal("0.1")), ("mingen", "datafly"))


def fill_folder(folder):
    """Write the table and its specification."""
    names = [f'"{name}"' for name in ("zip", HOSTILE_NAME.replace('"', '""'), "sex", "ill")]
    rows = [",".join(row.values()) for row in PEOPLE.to_pylist()]
    (folder / "people.csv").write_text("\n".join([",".join(names), *rows]) + "\n")
    (folder / "people.toml").write_text(TEXT)
    return Project(folder, "people.toml", TEXT)


@cache
def explore_once():
    """Explore the table; return the steps, too."""
    steps = []
    with TemporaryDirectory() as folder:
        project = fill_folder(Path(folder))
        line = TaskLine(lambda kind, message: steps.append((kind, message)))
        return try_grid(line, project, GRID, 60.0), tuple(steps)


def show_explored(studio):
    """Let a studio show the table and what was found."""
    fill_folder(studio.project.folder)
    studio.post("/data/load")
    tried, _ = explore_once()
    studio.session.keep_result(replace(tried, stamps=find_stamps(studio.project)))
    return tried.exploration
