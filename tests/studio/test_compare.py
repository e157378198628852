"""The screen *Compare*: rows before and after, sorted and filtered by the address."""

import gc
import pickle

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.editing.project import Project
from lookalike.studio.releases import paired_table
from lookalike.studio.releases.paired_table import SORTS
from lookalike.studio.releases.release_summary import (
    ReleaseComparison,
    ReleaseSummary,
    compare_release,
)
from lookalike.studio.screens.compare import _list_rows
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


def list_rows(table, sort="class"):
    """Return the rows of a comparison: class, rows alike, private and released values."""
    return [
        (one.group, one.alike, one.private, tuple(cell.label for cell in one.released))
        for one in _list_rows(table, table.find_rows(sort, table.counts > 0).tolist())
    ]


def test_private_rows_stand_beside_released_ones(compared):
    table = compared.table
    assert ([one.name for one in table.columns], table.linkable) == (["zip", "ill"], 1)
    assert list_rows(table) == [
        (1, 2, ("02138", "flu"), ("0213*", "flu")),
        (1, 2, ("02139", "flu"), ("0213*", "flu")),
        (2, 2, ("02141", "cold"), ("0214*", "cold")),
        (2, 2, ("02142", "cold"), ("0214*", "cold")),
    ]
    assert table.is_changed.all()
    assert table.lost.tolist() == pytest.approx([1 / 3] * 4)
    [risk] = compared.classes
    assert (risk.before.uniqueness.unique_rows, risk.after.uniqueness.unique_rows) == (4, 0)
    assert (risk.before.risk.highest, risk.after.risk.highest) == (1.0, 0.5)
    assert list_rows(pickle.loads(pickle.dumps(compared)).table) == list_rows(table)
    assert "02138" not in repr(compared)


@pytest.mark.parametrize("kind", ["drop", "blank"])
def test_suppressed_rows_come_last(people, kind):
    (people / "people.csv").write_text("no,zip,ill\n1,a,x\n2,b,\n3,c,x\n4,b,x\n5,b,x\n6,,x\n")
    text = SPECIFICATION.replace(
        "k = 2", f'k = 2\nmethod = "mingen"\nmax_suppressed = 3\nsuppressed_rows = "{kind}"'
    )
    table = compare(people, text.replace('"mask"', '"suppress"')).table
    rows = list_rows(table)
    assert [one[0] for one in rows] == [1, 1, 1, 0, 0, 0]
    assert rows[0][2] == ("b", None)
    assert [one[2][0] for one in rows[3:]] == ["a", "c", None]
    alike, released = {"drop": (0, ()), "blank": (3, ("*", "x"))}[kind]
    assert (rows[3][1], rows[3][3]) == (alike, released)
    assert rows[0][2] == rows[0][3]
    assert table.is_changed[table.entry_of].tolist() == [True, False, True, False, False, True]


def test_rows_are_sorted_by_class_size_and_loss(people):
    """0214* has 2 rows and one value, 0213* has 3 rows and two values, and one row is left out."""
    zips = ("02141", "02138", "02139", "02138", "90000", "02141")
    lines = [f"{n},{code},x" for n, code in enumerate(zips)]
    (people / "people.csv").write_text("\n".join(["no,zip,ill", *lines]))
    text = SPECIFICATION.replace("k = 2", 'k = 2\nmethod = "mingen"\nmax_suppressed = 1')
    table = compare(people, text).table
    found = {sort: table.find_rows(sort, table.counts > 0) for sort in SORTS}
    rows = {sort: (places + 1).tolist() for sort, places in found.items()}
    assert rows["table"] == [1, 2, 3, 4, 5, 6]
    assert rows["size"] == [1, 6, 2, 4, 3, 5]
    assert rows["loss"] == [2, 4, 3, 1, 6, 5]
    assert rows["class"] in ([1, 6, 2, 4, 3, 5], [2, 4, 3, 1, 6, 5])


def test_the_table_is_bounded_and_says_what_is_left_out(people, monkeypatch):
    monkeypatch.setattr(paired_table, "COLUMNS_PAIRED", 1)
    monkeypatch.setattr(paired_table, "CELLS_PAIRED", 3)
    table = compare(people).table
    assert (table.columns_left_out, table.rows, table.rows_left_out) == (1, 3, 1)
    assert [one[1] for one in list_rows(table)] == [2, 2, 2]


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
    private, released = page.split('aria-label="Released rows"')
    assert private.count('<span class="value">02138</span>') == 1
    shown = '<td class="shade-1"><span class="value">0213*</span> <small title="level 1">1</small>'
    assert released.count(shown) == 2
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
    assert "There are no such rows" in studio.get("/compare?rows=suppressed").text
    assert "02138" in studio.get("/compare?rows=changed&sort=size&page=1&attribute=0").text


def test_two_columns_stand_beside_each_other_and_stay_chosen(studio, compared):
    page = show(studio, compared)
    grids = page.split('class="pairs"')[1:]
    assert [one.count('class="heat-') for one in grids] == [4 * 2, (4 + 2) * 2]
    page = studio.get("/compare?class=2&first=1&second=0").text
    assert "Private rows by ill and zip" in page
    assert 'class=2&amp;attribute=0&amp;first=1&amp;second=0"' in page


def test_rows_are_shown_page_by_page(studio, compared, monkeypatch):
    monkeypatch.setattr("lookalike.studio.screens.compare.PAGE_ROWS", 3)
    show(studio, compared)
    pages = [studio.get(f"/compare?page={page}").text for page in (1, 2)]
    assert [page.count('what an attacker would see"') for page in pages] == [3, 1]
    assert 'id="later"' in pages[0]
    assert 'id="earlier"' in pages[1]


@pytest.mark.parametrize(
    "query",
    [
        "rows=x",
        "sort=x",
        "class=9",
        "class=0",
        "class=-1",
        "class=²",
        "page=2",
        "attribute=1",
        "first=2",
        "second=2",
        "second=-1",
        f"rows={HOSTILE}",
    ],
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
