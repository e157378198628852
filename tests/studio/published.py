"""Two releases of one table in the folder of a studio, for the tests of *Releases*."""

import shutil

import pytest

from lookalike.studio.editing.project import Project
from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.releases.release_summary import publish_release
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION, TABLE

HOSTILE = "<script>alert(1)</script>"


def silent(_step):
    """Announce nothing."""


def publish(folder, place, text=SPECIFICATION):
    out = f'out = "{place}/people.csv"'
    project = Project(folder, "people.toml", text.replace('out = "released/people.csv"', out))
    publish_release(TaskLine(), project, False)
    return project


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two releases of a table, the second one at the attribute level."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "people.csv").write_text(TABLE)
    publish(folder, "one")
    publish(folder, "deeper/two", SPECIFICATION.replace("k = 2", 'k = 2\nmethod = "samarati"'))
    return folder


@pytest.fixture
def published(made, people):
    """A folder with a table, its specification, and both releases."""
    for name in ("one", "deeper"):
        shutil.copytree(made / name, people / name)
    return people


def find(folder, place):
    [found] = [one for one in list_past_releases(folder, None).listed if one.place == place]
    return found
