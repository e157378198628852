"""Parts of the screen *Hierarchies*: large columns, histograms, and names of files."""

from dataclasses import replace
from decimal import Decimal
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookalike.draft.column import ColumnProfile
from lookalike.draft.numbers import read_column_numbers
from lookalike.hierarchy import Intervals
from lookalike.studio.editing.edit_toml import parse_toml
from lookalike.studio.editing.project import Project
from lookalike.studio.hierarchies.definition_fields import (
    find_form_kind,
    read_definition,
    write_definition,
)
from lookalike.studio.hierarchies.hierarchy_column import build_rule
from lookalike.studio.hierarchies.hierarchy_page import view_hierarchy
from lookalike.studio.hierarchies.interval_bounds import (
    MOST_BARS,
    draw_histogram,
    find_starts,
    toggle_bound,
)
from lookalike.studio.session import Refused, Session
from lookalike.studio.table_facts import LinkedFacts, settle_files

MASK = {"kind": "mask"}


def column(*values, missing=0):
    rows = len(values) + missing
    return ColumnProfile("x", rows, values, (1,) * len(values), len(values), missing)


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_of_very_many_values_the_most_frequent_are_previewed(project):
    many = column(*(f"{n:05}" for n in range(2000)))
    view = view_hierarchy(many, build_rule(project, MASK), labels=600)
    assert (view["previewed"], view["distinct"], view["is_partial"]) == (100, 2000, True)
    assert [one["figures"].values for one in view["levels"]] == [100, 10, 1, 1, 1, 1]
    whole = view_hierarchy(many, build_rule(project, MASK))
    assert not whole["is_partial"]


def test_a_hierarchy_with_very_many_levels_is_not_previewed(project):
    view = view_hierarchy(column("a" * 5000), build_rule(project, MASK))
    assert view["levels"] == []
    assert "5,000 levels, too many to preview" in view["findings"][0].message


def test_missing_and_empty_values_are_labels_like_any_other(project):
    view = view_hierarchy(column("", "a", missing=3), build_rule(project, {"kind": "suppress"}))
    assert dict(view["levels"][0]["labels"]) == {None: 3, "": 1, "a": 1}
    assert view["rows"] == 5


def test_a_column_without_values_has_a_preview(project):
    view = view_hierarchy(column(missing=4), build_rule(project, {"kind": "suppress"}))
    assert view["levels"][0]["labels"] == ((None, 4),)


numbers = st.lists(st.decimals(-1000, 1000, places=2), min_size=1, unique=True)


@given(numbers)
def test_a_histogram_counts_every_row_once(values):
    read = read_column_numbers(column(*(f"{value:f}" for value in values)))
    drawn = draw_histogram(read, read.decimals + 1)
    assert sum(bar["rows"] for bar in drawn["bars"]) == len(values)
    assert len(drawn["bars"]) <= MOST_BARS
    for bar in drawn["bars"]:
        inside = [one for one in values if Decimal(bar["first"]) <= one <= Decimal(bar["last"])]
        assert len(inside) == bar["rows"]
        assert 0 <= bar["height"] <= 100


@given(numbers, st.integers(1, 50), st.integers(-20, 20), st.booleans())
def test_bounds_are_where_labels_change(values, width, origin, is_cut):
    limits = {"bottom": 0, "top": 50} if is_cut else {}
    rule = Intervals([width * 8], origin=origin, decimals=2, **limits)
    texts = [f"{value:f}" for value in values]
    read = read_column_numbers(column(*texts))
    places = max(rule.decimals, read.decimals)
    [starts] = find_starts(rule, read, places)
    if not starts:
        return
    labels = {}
    for text in texts:
        units = int(Decimal(text).scaleb(places))
        at = max(one for one in starts if one <= units)
        labels.setdefault(at, set()).add(rule.ancestors(text)[1])
    assert all(len(found) == 1 for found in labels.values())
    assert len({label for [label] in labels.values()}) == len(labels)


starts = st.lists(st.integers(1, 30), unique=True, max_size=6).map(sorted)


@given(starts, st.data())
def test_a_toggled_bound_keeps_the_levels_nested(finer, data):
    coarser = sorted(data.draw(st.sets(st.sampled_from(finer)))) if finer else []
    level, bound = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 30))
    before = ((0, *finer), (0, *coarser))
    after = toggle_bound(before, level, bound)
    assert set(after[1]) <= set(after[0])
    assert (bound in after[level - 1]) != (bound in before[level - 1])
    given = {"starts": "\n".join(", ".join(map(str, one)) for one in after), "last": "40"}
    Intervals(ranges=read_definition("ranges", given)["ranges"])


DEFINITIONS = [
    {"kind": "mask", "keep": [3, 1], "length": 5},
    {"kind": "dates", "steps": ["month", "5 years"], "formats": ["%d, %m %Y", "%Y"]},
    {"kind": "intervals", "widths": [Decimal("0.5"), 5], "decimals": 1, "top": Decimal("9.5")},
    {"kind": "intervals", "ranges": [[[-5, 17], [18, 90]]], "unknown": "suppress"},
    {"kind": "intervals", "ranges": [[[0, Decimal("1.4")], [Decimal("1.5"), 2]]], "decimals": 1},
    {"kind": "rounding", "bases": [10, 100]},
    {"kind": "file", "path": "a b.csv", "delimiter": ";"},
    {"kind": "suppress", "unknown": "suppress"},
]


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_a_definition_is_shown_in_the_form_and_read_back(definition):
    kind, written = find_form_kind(definition), write_definition(definition)
    assert read_definition(kind, written) == definition


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"kind": 3},
        {"kind": "intervals", "ranges": 3},
        {"kind": "intervals", "ranges": [[1], []]},
        {"kind": "mask", "keep": {"a": 1}},
        {"kind": "taxonomy", "tree": 5},
    ],
)
def test_a_faulty_definition_is_shown_and_refused(project, definition):
    assert write_definition(definition)
    with pytest.raises(Refused):
        build_rule(project, definition)


def test_a_hierarchy_file_of_another_table_is_not_used(folk_facts, tmp_path):
    file, table = (
        ("job-hierarchy.csv", "nurse;a\n"),
        '{ kind = "file", path = "job-hierarchy.csv" }',
    )
    job = replace(folk_facts.find("job"), hierarchy=table, hierarchy_file=file)
    text = f"# why\n[attributes.job]\n# groups\nhierarchy = {table}\n"
    facts = replace(folk_facts, columns=(job,), text=text)
    given = LinkedFacts({None: facts}, facts.text)
    assert settle_files(given, tmp_path) == ({None: facts}, facts.text)
    (tmp_path / "job-hierarchy.csv").write_text("nurse;a\n")
    given = LinkedFacts({None: facts}, facts.text)
    assert settle_files(given, tmp_path) == ({None: facts}, facts.text)
    (tmp_path / "job-hierarchy.csv").write_text("of another table")
    tables, text = settle_files(LinkedFacts({None: facts}, facts.text), tmp_path)
    settled = tables[None]
    assert settled.columns[0].hierarchy_file == ("job-hierarchy-2.csv", "nurse;a\n")
    named = parse_toml(text)["attributes"]["job"]["hierarchy"]
    assert named == parse_toml(f"x = {settled.columns[0].hierarchy}")["x"]
    assert named["path"] == "job-hierarchy-2.csv"
    assert list(settled.files_of(text)) == [settled.columns[0].hierarchy_file]


def test_a_drafted_specification_uses_a_file_of_its_own(folk_facts, tmp_path):
    file, table = ("job.csv", "nurse;a\n"), '{ kind = "file", path = "job.csv" }'
    job = replace(folk_facts.find("job"), hierarchy=table, hierarchy_file=file)
    text = f'[attributes.job]\nrole = "quasi-identifier"\nhierarchy = {table}\n'
    (tmp_path / "job.csv").write_text("of another table")
    session = Session(tmp_path)
    facts = replace(folk_facts, columns=(job,), text=text)
    session.work = SimpleNamespace(
        state="done", result=facts, is_running=False, keeps=False, name="profile"
    )
    session.collect()
    assert session.project.attributes["job"]["hierarchy"]["path"] == "job-2.csv"
    assert (tmp_path / "job.csv").read_text() == "of another table"
    assert (tmp_path / "job-2.csv").read_text() == "nurse;a\n"
    session.work = None
    session.close()
