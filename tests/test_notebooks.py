"""The notebooks run, and show what is written in them."""

import json
import re

import pytest

from .packages import need
from .rewrite_notebooks import METADATA, NOTEBOOKS, run_notebook

nbformat = need("nbformat")
RANDOM = "random"
"""The tag of a cell whose output differs from run to run."""


def named(path):
    return path.stem


def list_outputs(notebook):
    """Return what each code cell shows, without cells that are random."""
    return [
        [output.get("data") or output.get("text") for output in cell.outputs]
        for cell in notebook.cells
        if cell.cell_type == "code" and RANDOM not in cell.metadata.get("tags", ())
    ]


def test_there_are_notebooks_of_the_papers_of_a_project_and_of_linked_tables():
    assert [*map(named, NOTEBOOKS)] == ["adult", "papers", "records"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_a_notebook_was_run_from_top_to_bottom(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    assert not [one for cell in cells for one in cell.outputs if one.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_a_notebook_does_not_show_where_it_was_run(path):
    assert nbformat.read(path, as_version=4).metadata == METADATA
    text = json.dumps(json.loads(path.read_text(encoding="utf-8")))
    assert not [place for place in ("/home/", "/root/", "/tmp/", "/work/") if place in text]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_every_link_of_a_notebook_leads_somewhere(path):
    for link in re.findall(r"\]\((?!http)([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.exhaustive] * (named(path) == "adult"))
        for path in NOTEBOOKS
    ],
    ids=named,
)
def test_a_notebook_shows_what_is_written_in_it(path, tmp_path):
    written = nbformat.read(path, as_version=4)
    assert list_outputs(run_notebook(path, tmp_path)) == list_outputs(written)
