"""The figures of the README are those that were recorded, and nobody has written them by hand."""

import json

from benchmarks.figures import BEGIN, END, MEASURED, README, RECORDED, fill_table


def test_the_table_of_the_readme_shows_the_recorded_figures():
    written = README.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    assert written == fill_table()


def test_every_figure_that_is_measured_is_recorded():
    assert json.loads(RECORDED.read_text())["figures"].keys() == MEASURED.keys()
