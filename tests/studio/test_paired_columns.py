"""Two columns before and after, counted again row by row from what the page shows of each row."""

import random
from collections import Counter

import numpy as np
import pytest

from lookalike.studio.editing.project import Project
from lookalike.studio.releases import paired_columns
from lookalike.studio.releases.paired_columns import pair_columns
from lookalike.studio.releases.release_summary import compare_release
from lookalike.studio.work import TaskLine

from .test_candidates import MORE
from .test_candidates import SPECIFICATION as TWO_COLUMNS

PEOPLE = 60
ASKED = MORE | {
    "left out": 'method = "mingen"\nmax_suppressed = 0.97\nconstraints = ["zip <= 0", "age <= 1"]'
}


def compare(folder, more):
    draw = random.Random(3)
    lines = [
        f"{number},0{draw.randint(20, 29)},{draw.randint(0, 79)},{draw.choice(['flu', 'gout', ''])}"
        for number in range(PEOPLE)
    ]
    (folder / "people.csv").write_text("\n".join(["no,zip,age,ill", *lines]))
    project = Project(folder, "people.toml", TWO_COLUMNS.format(more=more))
    compared = compare_release(TaskLine(), project, None)
    return compared.table, [one.before_level for one in compared.attributes]


def test_a_column_is_laid_out_once(people, monkeypatch):
    """Another page of rows must not wait for a column of a million values."""
    table, levels = compare(people, "")
    pair_columns(table, (0, 1), levels)
    monkeypatch.setattr(paired_columns, "_lay_out", lambda *_: pytest.fail("laid out again"))
    assert pair_columns(table, (1, 0), levels).before.sum() == PEOPLE


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("pair", [(0, 1), (1, 2), (2, 0), (1, 1)])
def test_every_row_is_counted_where_its_values_are(people, asked, pair):
    table, levels = compare(people, ASKED[asked])
    assert table.is_left_out.any() >= (asked == "left out")
    found = pair_columns(table, pair, levels)
    before, after = Counter(), Counter()
    for entry in table.entry_of.tolist():
        columns = [table.columns[place] for place in pair]
        groups = [
            one.labels[one.private[entry]]
            if one.levels is None
            else one.texts[levels[place]][one.private[entry]]
            for place, one in zip(pair, columns, strict=True)
        ]
        before[tuple(groups)] += 1
        if not table.is_left_out[entry]:
            shown = [
                (group, False)
                if one.levels is None or 0 <= one.levels[entry] <= levels[place]
                else (one.shown[one.released[entry]], True)
                for group, place, one in zip(groups, pair, columns, strict=True)
            ]
            after[tuple(shown)] += 1
    axes = found.first, found.second
    labels = [[(text, at >= one.groups) for at, text in enumerate(one.labels)] for one in axes]
    drawn = {
        (one, other): int(found.after[row, column])
        for row, one in enumerate(labels[0])
        for column, other in enumerate(labels[1])
        if found.after[row, column]
    }
    assert drawn == after
    assert found.before[: axes[0].groups, : axes[1].groups].sum() == PEOPLE
    for (one, other), rows in before.items():
        assert found.before[axes[0].labels.index(one), axes[1].labels.index(other)] == rows
    in_groups = sum(rows for pair, rows in after.items() if not any(cell[1] for cell in pair))
    assert found.rows_in_groups == in_groups


def test_many_numbers_are_in_intervals_with_like_numbers_of_rows(people):
    rows = [f"{n},02138,{n % 50}.5" for n in range(100)]
    (people / "people.csv").write_text("\n".join(["no,zip,ill", *rows]))
    text = TWO_COLUMNS.split("[attributes.age]")[0].format(more='accept = ["as-is-unique"]')
    text += '[attributes.no]\nrole = "identifier"\n[attributes.ill]\nrole = "other"\n'
    compared = compare_release(TaskLine(), Project(people, "people.toml", text), None)
    second = pair_columns(compared.table, (0, 1), [0]).second
    assert second.labels[:2] == ("0.5 to 4.5", "5.5 to 9.5")
    assert np.bincount(second.private, compared.table.counts).tolist() == [10] * 10
