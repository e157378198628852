"""The screens: forms change the specification, and say beside the field what is wrong."""

import html
import re

import pytest

from lookalike.studio.app import describe_state
from lookalike.studio.releases.release_summary import ReleaseSummary
from lookalike.studio.screens import SCREENS
from lookalike.studio.session import Session

from .conftest import ORIGIN, SPECIFICATION
from .test_guard import ask

ROLES = {"role-0": "quasi-identifier", "role-1": "identifier", "role-2": "sensitive"}
PAGES = [f"/{screen.name}" for screen in SCREENS]
HOSTILE = '<script>alert("x")</script>'


@pytest.mark.parametrize("path", PAGES)
def test_every_screen_is_a_page_without_inline_script_or_style(studio, path):
    page = studio.get(path).text
    assert re.findall(r"<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|javascript:", page) == []
    assert re.findall(r'(?:src|href)="(https?:|//)', page) == []
    assert page.count("<h1>") == 1
    assert page.count('aria-current="step"') == 1
    labels = set(re.findall(r'<label[^>]* for="([^"]+)"', page))
    fields = re.findall(
        r'<(?:select|input)(?![^>]*type="(?:hidden|radio|checkbox)")[^>]* id="([^"]+)"', page
    )
    assert set(fields) <= labels
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("path", PAGES)
def test_every_screen_shows_the_specification_and_its_command(studio, path):
    page = studio.get(path).text
    assert "[attributes.zip]" in page
    assert 'id="command">lookalike ' in page
    assert f'formaction="{path}/undo"' in page
    assert page.count('name="mark"') >= 1


def test_a_role_takes_its_fields_with_it(studio):
    studio.post("/roles/assign", ROLES | {"role-0": "other"})
    assert studio.project.attributes["zip"] == {"role": "other"}
    assert "# known to neighbours" in studio.project.text
    studio.post("/roles/assign", ROLES | {"role-2": "quasi-identifier", "role-0": "other"})
    assert studio.project.attributes["ill"]["hierarchy"] == {"kind": "suppress"}
    studio.post("/roles/undo")
    studio.post("/roles/undo")
    assert studio.project.text == SPECIFICATION
    studio.post("/roles/redo")
    assert studio.project.attributes["zip"] == {"role": "other"}


def test_a_role_that_cannot_be_given_is_refused_beside_its_field(studio):
    studio.post("/protection/ask", ask() | {"source.person": "no"})
    answer = studio.post("/roles/assign", ROLES | {"role-1": "other"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert studio.project.attributes["no"] == {"role": "identifier"}


@pytest.mark.parametrize("role", ["", "?", "admin", HOSTILE])
def test_a_role_that_does_not_exist_is_refused(studio, role):
    answer = studio.post("/roles/assign", ROLES | {"role-0": role})
    assert answer.status_code == 422
    assert HOSTILE not in answer.text
    assert studio.project.text == SPECIFICATION


BAD = [
    ("release.k", "1", "k-problem"),
    ("release.k", "many", "k-problem"),
    ("release.k", "1e99999999", "k-problem"),
    ("release.k", "2.5", "k-problem"),
    ("release.max_suppressed", "-1", "max-suppressed-problem"),
    ("release.max_suppressed", "1.5", "max-suppressed-problem"),
    ("release.max_suppressed", HOSTILE, "max-suppressed-problem"),
    ("distinct-2", "x", "distinct-2-problem"),
]


@pytest.mark.parametrize(("field", "value", "place"), BAD)
def test_a_wrong_number_is_refused_beside_its_field(studio, field, value, place):
    answer = studio.post("/protection/ask", ask() | {field: value})
    assert answer.status_code == 422
    assert f'id="{place}"' in answer.text
    assert f'aria-describedby="{place}"' in answer.text
    assert HOSTILE not in answer.text
    assert studio.project.text == SPECIFICATION


def test_what_the_script_sends_is_refused_without_a_status_that_browsers_log(studio):
    headers = {"origin": ORIGIN, "x-partial": "1"}
    answer = studio.post("/protection/ask", ask(k="many"), headers)
    assert (answer.status_code, 'id="k-problem"' in answer.text) == (200, True)
    answer = studio.post("/protection/undo", {"mark": "an older page"}, headers)
    assert (answer.status_code, "changed in another tab" in answer.text) == (200, True)
    assert studio.post("/protection/ask", {"form_token": "x"}, headers).status_code == 403
    assert studio.project.text == SPECIFICATION


@pytest.mark.parametrize("value", ["0", "0.5"])
def test_a_protection_out_of_range_is_refused(studio, value):
    answer = studio.post("/protection/ask", ask() | {"distinct-2": value})
    assert answer.status_code == 422
    assert studio.project.text == SPECIFICATION


def test_what_is_asked_for_is_promised_in_words(studio):
    given = ask(k="3") | {"source.person": "no", "distinct-2": "2", "closeness-2": "0.4"}
    assert studio.post("/protection/ask", given).status_code == 303
    page = studio.get("/protection").text
    assert "shared by at least 3 persons" in page
    assert "ill has at least 2 distinct values" in page
    assert "at most 0.4 away" in page
    assert studio.project.fields["release"]["secrecy"] == "search"
    studio.post("/protection/ask", ask(k="3"))
    assert studio.project.fields["release"] == {"k": 3, "out": "released/people.csv"}
    assert "protect" not in studio.project.attributes["ill"]
    assert "each person has one row" in studio.get("/protection").text


def test_a_form_of_an_older_page_loses_no_update(studio):
    old = studio.project.mark
    studio.post("/protection/ask", ask(k="3"))
    answer = studio.post("/protection/ask", ask(k="4") | {"mark": old})
    assert answer.status_code == 409
    assert "changed in another tab" in answer.text
    assert studio.project.fields["release"]["k"] == 3
    assert describe_state(studio.session)["mark"] == studio.project.mark != old


def test_the_text_can_be_edited(studio):
    text = SPECIFICATION.replace("k = 2", 'k = 2\r\nmethod = "datafly"')
    assert studio.post("/data/edit", {"text": text}).status_code == 303
    assert studio.project.fields["release"]["method"] == "datafly"
    assert "\r" not in studio.project.text


WRONG_TEXTS = ["[release", "", "k = 2", SPECIFICATION.replace("k = 2", "kk = 2"), HOSTILE]


@pytest.mark.parametrize("text", WRONG_TEXTS)
def test_a_text_that_is_wrong_is_refused_and_shown_again(studio, text):
    answer = studio.post("/data/edit", {"text": text})
    assert answer.status_code == 422
    assert HOSTILE not in answer.text
    assert f">\n{text}</textarea>" in html.unescape(answer.text)
    assert studio.project.text == SPECIFICATION


def test_an_upload_is_profiled(studio, people, monkeypatch):
    begun = []
    monkeypatch.setattr(Session, "begin", lambda _session, *given: begun.append(given))
    files = {"file": ("new.csv", b"a,b\n1,2\n")}
    assert studio.post("/data/upload", files=files).status_code == 303
    assert [given[2] for given in begun] == [people / "new.csv"]
    assert studio.project.name == "new.toml"
    assert (people / "new.csv").read_bytes() == b"a,b\n1,2\n"


@pytest.mark.parametrize("name", ["../x.csv", "people.csv", "x.exe", ""])
def test_an_upload_that_is_wrong_is_refused(studio, people, name):
    before = sorted(people.rglob("*"))
    assert studio.post("/data/upload", files={"file": (name, b"a\n")}).status_code == 422
    assert studio.post("/data/upload", {"file": "text"}).status_code == 422
    assert sorted(people.rglob("*")) == before
    assert studio.session.work is None


def test_a_finding_is_accepted_by_name(studio):
    studio.post("/publish/accept", {"finding": "as-is-unique"})
    assert studio.project.fields["release"]["accept"] == ["as-is-unique"]
    answer = studio.post("/publish/accept", {"finding": HOSTILE})
    assert answer.status_code == 422
    assert HOSTILE not in answer.text


def test_saving_writes_the_file_and_shows_the_difference_before(studio, people):
    studio.post("/protection/ask", ask(k="3"))
    page = studio.get("/roles").text
    assert "+k = 3" in page
    assert "not saved" in page
    assert (people / "people.toml").read_text() == SPECIFICATION
    studio.post("/roles/save")
    assert (people / "people.toml").read_text() == SPECIFICATION.replace("k = 2", "k = 3")
    assert "not saved" not in studio.get("/roles").text


def test_a_file_that_cannot_be_written_is_an_error_of_the_form(studio, people):
    studio.post("/protection/ask", ask(k="3"))
    (people / "people.toml").unlink()
    (people / "people.toml").mkdir()
    answer = studio.post("/roles/save")
    assert answer.status_code == 422
    assert "people.toml cannot be used" in answer.text


def test_a_file_that_was_changed_outside_can_be_loaded(studio, people):
    studio.post("/protection/ask", ask(k="3"))
    (people / "people.toml").write_text(SPECIFICATION.replace("k = 2", "k = 9"))
    answer = studio.post("/roles/save")
    assert answer.status_code == 422
    assert "/roles/load" in answer.text
    studio.post("/roles/load")
    assert studio.project.fields["release"]["k"] == 9


def test_names_from_a_hostile_table_are_text(studio, people):
    name = f'{HOSTILE}" onfocus="x'
    quoted = '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
    text = SPECIFICATION.replace("[attributes.ill]", f"[attributes.{quoted}]")
    studio.session.change(text, HOSTILE)
    (people / f"{HOSTILE.replace('/', '_')}.csv").write_text("a\n")
    for path in PAGES:
        page = studio.get(path).text
        assert "<script>alert" not in page
        assert 'onfocus="x"' not in page


FAULTY = [
    "[release]\n",
    "attributes = 3\nrelease = 4\nsource = 5\n",
    "[attributes]\nzip = 4\n[attributes.x]\nrole = 3\nhierarchy = 5\n"
    "[source]\nperson = 4\n[release]\nk = 'x'\nout = 3\n",
    SPECIFICATION + "protect = 3\n",
    SPECIFICATION + "protect = { closeness = 1, distinct = 'x' }\n",
]


@pytest.mark.parametrize("text", FAULTY)
def test_a_faulty_specification_can_be_opened_and_mended(studio, people, text):
    (people / "people.toml").write_text(text)
    studio.post("/data/load")
    for path in PAGES:
        answer = studio.get(path)
        assert answer.status_code == 200, answer.text
        assert '<ul class="problems" id="problems">' in answer.text
    assert studio.post("/data/edit", {"text": SPECIFICATION}).status_code == 303


def test_a_file_that_is_not_toml_is_not_loaded(studio, people):
    (people / "people.toml").write_text("[release")
    assert studio.post("/data/load").status_code == 422
    assert studio.project.text == SPECIFICATION


def test_released_files_are_read_or_saved_without_rights(studio, people):
    (people / "report.html").write_text("<style>p { color: red }</style>")
    files, own = (people / "people.csv",), (people / "report.html", people / "gone.json")
    summary = ReleaseSummary(SPECIFICATION, 4, 4, 2, 2, 1.0, (), (), (), files, own)
    studio.session.keep_result(summary)
    table, report = studio.get("/released/latest/0"), studio.get("/released/latest/1")
    assert table.headers["content-disposition"].startswith("attachment")
    assert table.headers["content-type"] == "application/octet-stream"
    assert report.headers["content-type"].startswith("text/html")
    assert report.headers["content-security-policy"].endswith("; sandbox")
    assert "script" not in report.headers["content-security-policy"]
    for place in ("2", "3", "-1", "x"):
        assert studio.get(f"/released/latest/{place}").status_code == 404
    page = studio.get("/publish").text
    assert "For you only" in page


def test_an_empty_folder_leads_to_the_data(tmp_path, gate):
    from starlette.testclient import TestClient

    from lookalike.studio.app import make_app

    from .conftest import ORIGIN

    session = Session(tmp_path)
    client = TestClient(make_app(session, gate), base_url=ORIGIN)
    client.get(f"/enter?token={gate.token}")
    assert client.get("/").url.path == "/data"
    for path in PAGES[1:]:
        assert 'href="/data"' in client.get(path).text
    session.close()
