"""The screen Data: open a specification, and say how the table is read."""

import re
from dataclasses import replace

import pytest

from lookalike.studio.app import _environment
from lookalike.studio.folder import find_file, list_files
from lookalike.studio.screens import SCREENS

from .conftest import SPECIFICATION
from .test_folder import OUTSIDE

READING = {
    "source.encoding": "",
    "source.delimiter": "",
    "source.header_row": "",
    "source.skip_rows": "",
    "source.last_rows": "",
    "source.missing": "",
    "source.where": "",
}


def wait(studio):
    studio.session.work.wait(600)
    return studio.get("/data").text


def test_a_specification_of_the_folder_is_opened_with_its_table(studio):
    other = SPECIFICATION.replace("k = 2", "k = 3")
    (studio.project.folder / "other.toml").write_text(other)
    assert studio.post("/data/open", {"specification": "other.toml"}).status_code == 303
    assert studio.project.text == other
    assert "What the table looks like" in wait(studio)


def test_only_specifications_of_the_folder_are_opened(studio):
    folder = studio.project.folder
    (folder / ".hidden.toml").write_text("")
    (folder / "link.toml").symlink_to(folder / "people.toml")
    assert [path.name for path in list_files(folder, "specification")] == ["people.toml"]
    assert find_file(folder, "people.toml", "specification") == folder / "people.toml"
    for name in (*OUTSIDE, ".hidden.toml", "link.toml", "people.csv", "../people.toml"):
        assert studio.post("/data/open", {"specification": name}).status_code == 422
    assert studio.project.text == SPECIFICATION


def test_the_table_is_read_in_another_way_as_one_change(studio):
    studio.post("/data/choose", {"table": "people.csv"})
    wait(studio)
    given = {
        **READING,
        "source.where": "zip < '02142'",
        "source.missing": "flu\n\n ? \nflu\n",
        "missing-empty": "on",
        "trim": "on",
        "source.delimiter": ",",
    }
    assert studio.post("/data/read", given).status_code == 303
    source = studio.project.table("source")
    assert source == {
        "path": "people.csv",
        "where": "zip < '02142'",
        "missing": ["", "flu", "?"],
        "trim": True,
        "delimiter": ",",
    }
    page = wait(studio)
    assert studio.session.facts.rows == 3
    assert studio.session.find_facts(("attributes", "ill")).figures.missing_share == pytest.approx(
        2 / 3
    )
    assert "reads it, has changed since then" not in page
    studio.post("/data/undo")
    assert studio.project.text == SPECIFICATION
    assert "reads it, has changed since then" in studio.get("/data").text


def test_a_field_that_a_form_does_not_have_takes_its_default(studio):
    studio.post("/data/choose", {"table": "people.csv"})
    wait(studio)
    given = {**READING, "source.skip_rows": "1", "source.delimiter": ";", "source.missing": "flu"}
    studio.post("/data/read", given)
    assert {"skip_rows", "delimiter", "missing"} <= studio.project.table("source").keys()
    wait(studio)
    assert studio.post("/data/read", {}).status_code == 303
    assert studio.project.table("source") == {"path": "people.csv"}


def test_a_table_that_cannot_be_read_is_read_with_another_encoding(studio):
    folder = studio.project.folder
    (folder / "towns.csv").write_bytes("town\nBräunlingen\n".encode("utf-16-le"))
    studio.post("/data/choose", {"table": "towns.csv"})
    assert "Profile failed" in wait(studio)
    assert studio.project.text == ""
    given = {**READING, "source.encoding": "utf-16-le"}
    assert studio.post("/data/read", given).status_code == 303
    assert "What the table looks like" in wait(studio)
    assert studio.project.table("source")["encoding"] == "utf-16-le"


def test_a_table_below_a_title_is_read_by_the_row_with_the_names(studio):
    rows = "".join(f"{age},f,flu\n" for age in range(30, 40))
    content = f"Patients\n\nage,sex,ill\nyears,,\n{rows}Total,,\n"
    (studio.project.folder / "titled.csv").write_text(content)
    studio.post("/data/choose", {"table": "titled.csv"})
    assert "header_row = 3" in wait(studio)
    asked = {"header_row": 3, "skip_rows": 1, "last_rows": 1}
    given = {**READING, **{f"source.{name}": str(rows) for name, rows in asked.items()}}
    assert studio.post("/data/read", given).status_code == 303
    page = wait(studio)
    assert studio.session.facts.rows == 10
    assert studio.project.table("source").items() >= asked.items()
    assert 'name="source.header_row" value="3"' in page


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("source.last_rows", "-1", "must be a whole number"),
        ("source.delimiter", "::", "choose one of the delimiters"),
        ("source.encoding", "klingon", "klingon"),
    ],
)
def test_a_wrong_way_of_reading_is_refused(studio, field, value, says):
    studio.post("/data/choose", {"table": "people.csv"})
    wait(studio)
    answer = studio.post("/data/read", {**READING, field: value})
    assert answer.status_code == 422
    assert says in answer.text
    assert studio.project.text == SPECIFICATION


def test_without_a_table_nothing_can_be_read(studio):
    answer = studio.post("/data/read", READING)
    assert answer.status_code == 422
    assert "choose a table first" in answer.text


def test_the_only_table_of_a_folder_is_chosen_already(studio, people):
    studio.session.store.change(lambda project: replace(project, text=""))
    assert re.search(r'value="people.csv" required checked', studio.get("/data").text)
    (people / "other.csv").write_text("a\n1\n")
    assert "checked" not in studio.get("/data").text


def test_an_earlier_draft_is_continued_although_it_was_not_saved(studio, people):
    (people / "other.csv").write_text("a\n1\n2\n")
    changed = SPECIFICATION.replace("k = 2", "k = 3")
    studio.session.change(changed, "k")
    studio.post("/data/choose", {"table": "other.csv"})
    page = wait(studio)
    assert studio.project.name == "other.toml"
    assert re.search(r'value="people.toml" id="continue-1" >Continue people.toml, \d\d:\d\d<', page)
    for name in ("../people.toml", "people.csv", "none.toml", ""):
        assert studio.post("/data/continue", {"draft": name}).status_code == 422
    assert studio.post("/data/continue", {"draft": "people.toml"}).status_code == 303
    assert studio.project.text == changed
    assert not studio.project.is_saved
    assert "Continue people.toml" not in studio.get("/data").text


def test_the_tour_opens_a_table_of_its_own_and_can_be_ended(studio, people):
    assert 'id="begin-tour"' not in studio.get("/data").text
    studio.session.store.change(lambda project: replace(project, text=""))
    assert 'id="begin-tour"' in studio.get("/data").text
    assert studio.post("/data/tour").status_code == 303
    assert "600" in wait(studio)
    assert studio.project.name == "tour-hospital.toml"
    tour = _environment().globals["glossary"]["tour"]
    assert set(tour) == {one.name for one in SCREENS if not one.step}
    for name in tour:
        assert studio.get(f"/{name}").text.count('id="tour"') == 1
    assert studio.post("/data/tour").status_code == 303
    (people / "tour-hospital.csv").write_text("another table\n")
    studio.session.work.wait(60)
    assert studio.post("/data/tour").status_code == 422
    assert studio.post("/roles/end-tour").status_code == 303
    assert 'id="tour"' not in studio.get("/roles").text
