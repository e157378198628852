"""The screen *Compare*: some rows before and after, whole classes, filtered by the address."""

import gc
import pickle

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.editing.project import Project
from lookalike.studio.releases import release_summary
from lookalike.studio.releases.release_summary import (
    ReleaseComparison,
    ReleaseSummary,
    compare_release,
)
from lookalike.studio.session import Session
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION

HOSTILE = "<script>alert(1)</script>"


def compare(folder, text=SPECIFICATION, asked=None):
    return compare_release(TaskLine(), Project(folder, "people.toml", text), asked)


@pytest.fixture
def compared(people):
    return compare(people)


def test_a_dry_run_is_verified_and_writes_nothing(people):
    before, steps = sorted(people.rglob("*")), []
    line = TaskLine(lambda _kind, message: steps.append(message))
    made = compare_release(line, Project(people, "people.toml", SPECIFICATION), None).summary
    assert (made.rows_in, made.rows_out, made.smallest, made.files) == (4, 4, 2, ())
    assert made.text == SPECIFICATION
    assert "occurs at least 2 times" in made.sentences[0]
    assert [one.attribute for one in made.kept] == ["zip"]
    assert {"read", "count", "search", "verify"} <= set(steps)
    line.kept = made = None
    gc.collect()  # with the release, its private rows are removed
    assert sorted(people.rglob("*")) == before


def test_an_undecided_role_is_refused(people):
    with pytest.raises(InvalidInput, match="not decided"):
        compare(people, SPECIFICATION.replace('"sensitive"', '"?"'))


def test_private_rows_stand_beside_released_ones(compared):
    sample = compared.sample
    assert (sample.columns, sample.linkable, sample.left_out) == (("zip", "ill"), 1, 0)
    assert [(one.group, one.alike, one.private, one.released) for one in sample.rows] == [
        (1, 2, ("02138", "flu"), ("0213*", "flu")),
        (1, 2, ("02139", "flu"), ("0213*", "flu")),
        (2, 2, ("02141", "cold"), ("0214*", "cold")),
        (2, 2, ("02142", "cold"), ("0214*", "cold")),
    ]
    assert all(one.private != one.released for one in sample.rows)
    [risk] = compared.classes
    assert (risk.before.uniqueness.unique_rows, risk.after.uniqueness.unique_rows) == (4, 0)
    assert (risk.before.risk.highest, risk.after.risk.highest) == (1.0, 0.5)
    assert pickle.loads(pickle.dumps(compared)) == compared
    assert "02138" not in repr(compared)


@pytest.mark.parametrize("kind", ["drop", "blank"])
def test_suppressed_rows_come_last(people, kind):
    (people / "people.csv").write_text("no,zip,ill\n1,a,x\n2,b,\n3,c,x\n4,b,x\n5,b,x\n6,,x\n")
    text = SPECIFICATION.replace(
        "k = 2", f'k = 2\nmethod = "mingen"\nmax_suppressed = 3\nsuppressed_rows = "{kind}"'
    )
    rows = compare(people, text.replace('"mask"', '"suppress"')).sample.rows
    assert [not one.group for one in rows] == [False] * 3 + [True] * 3
    assert rows[0].private == ("b", None)
    assert [one.private[0] for one in rows[3:]] == ["a", "c", None]
    assert {one.group for one in rows[3:]} == {0}
    released = {"drop": (None, 0), "blank": (("*", "x"), 3)}[kind]
    assert (rows[3].released, rows[3].alike) == released
    assert rows[0].private == rows[0].released


def test_the_sample_is_bounded_and_has_whole_classes(people, monkeypatch):
    monkeypatch.setattr(release_summary, "CLASSES_COMPARED", 2)
    monkeypatch.setattr(release_summary, "ROWS_OF_CLASS_COMPARED", 3)
    monkeypatch.setattr(release_summary, "SUPPRESSED_COMPARED", 1)
    monkeypatch.setattr(release_summary, "COLUMNS_COMPARED", 1)
    lines = [f"{n},{'abc'[n % 3]},x" for n in range(30)] + ["30,d,x", "31,e,x"]
    (people / "people.csv").write_text("\n".join(["no,zip,ill", *lines]))
    text = SPECIFICATION.replace("k = 2", 'k = 2\nmethod = "mingen"\nmax_suppressed = 2')
    sample = compare(people, text.replace('"mask"', '"suppress"')).sample
    assert [one.private for one in sample.rows] == [("a",)] * 3 + [("b",)] * 3 + [("d",)]
    assert [one.alike for one in sample.rows] == [10] * 6 + [0]
    assert sample.left_out == 1


def test_utility_is_measured_on_request(people, compared):
    assert compared.utility is None
    found = compare(people, asked="").utility
    assert [one.column for one in found.columns] == ["zip", "ill"]
    with pytest.raises(InvalidInput, match="target"):
        compare(people, asked="no")


def show(studio, compared):
    studio.session.keep_result(compared)
    return studio.get("/compare").text


def test_cells_that_change_are_marked_by_more_than_colour(studio, compared):
    page = show(studio, compared)
    assert page.count('<del><span class="value">02138</span></del>') == 1
    assert page.count('<ins><span class="value">0213*</span></ins>') == 2
    assert "These rows are private" in page
    assert '<svg class="chart"' in page
    assert "The specification has changed since then" not in page
    studio.session.change(SPECIFICATION.replace("k = 2", "k = 3"), "k")
    assert "The specification has changed since then" in studio.get("/compare").text


def test_rows_are_chosen_by_the_address(studio, compared):
    show(studio, compared)
    page = studio.get("/compare?class=2").text
    assert "02141" in page
    assert "02138" not in page.split('id="attribute-section"')[0]
    assert "The sample has no such row" in studio.get("/compare?rows=suppressed").text
    assert "02138" in studio.get("/compare?rows=changed&page=1&attribute=0").text


@pytest.mark.parametrize(
    "query",
    ["rows=x", "class=9", "class=-1", "class=²", "page=2", "attribute=1", f"rows={HOSTILE}"],
)
def test_a_query_for_what_does_not_exist_is_refused(studio, compared, query):
    show(studio, compared)
    answer = studio.get(f"/compare?{query}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert HOSTILE not in answer.text


def test_values_of_rows_are_text(studio, people):
    (people / "people.csv").write_text(f"no,zip,ill\n1,02138,{HOSTILE}\n2,02139,{HOSTILE}\n")
    page = show(studio, compare(people))
    assert HOSTILE not in page
    assert "&lt;script&gt;" in page


def test_a_comparison_is_the_dry_run_of_publish(studio, compared, people):
    studio.session.keep_result(compared)
    assert studio.session.find_result(ReleaseSummary) is compared.summary
    assert "What would be released" in studio.get("/publish").text
    published = ReleaseSummary(
        SPECIFICATION, 4, 4, 2, 2, 1.0, (), (), (), (people / "people.csv",), ()
    )
    studio.session.keep_result(published)
    studio.session.keep_result(compared)
    assert studio.session.find_result(ReleaseSummary) is published
    assert studio.session.find_result(ReleaseComparison) is compared


def test_the_form_asks_for_utility_and_a_target(studio, monkeypatch):
    begun = []
    monkeypatch.setattr(Session, "begin", lambda _session, *given: begun.append(given[-1]))
    studio.post("/compare/compare", {"target": ""})
    studio.post("/compare/compare", {"target": "", "utility": "on"})
    studio.post("/compare/compare", {"target": "ill"})
    assert begun == [None, "", "ill"]
    answer = studio.post("/compare/compare", {"target": HOSTILE})
    assert answer.status_code == 422
    assert 'aria-describedby="target-problem"' in answer.text
    assert HOSTILE not in answer.text
    assert studio.post("/compare/compare").status_code == 422
