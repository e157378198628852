"""Linked tables in the studio: tried, published, verified, and listed with other releases."""

import json
import re
from dataclasses import asdict

import pytest

import lookalike as la
from lookalike.errors import InvalidInput
from lookalike.flow import release_records
from lookalike.flow.release_records import make_records
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.studio.editing.project import Project, find_stamps
from lookalike.studio.releases.linked_summary import LinkedSummary, publish_linked, try_records
from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.releases.release_summary import is_same_release
from lookalike.studio.work import TaskLine

from .linked_folder import SPECIFICATION, TABLES, pressed, write_tables
from .test_review import answer, read_subject

__all__ = ["pressed"]


@pytest.fixture
def project(tmp_path):
    """A project with three linked tables."""
    write_tables(tmp_path)
    return Project(tmp_path, "people.toml", SPECIFICATION)


def read_figures(page):
    """Return the figures of a page by their labels: for each of them all."""
    found = {}
    for label, figure in re.findall(r'data-label="([^"]+)">([^<]*)<', page):
        found.setdefault(label, []).append(figure)
    return found


def test_a_dry_run_shows_the_figures_of_the_command_line(pressed):
    page = pressed.submit("/publish/try", {}).text
    asked = pressed.session.project.specification()
    known = make_records(asked, dry_run=True).as_json()
    for title, figure in {
        "Persons released": f"{known['persons_out']}</dd>",
        "Rarest knowledge": f"{known['k_reached']}</dd>",
        "Precision": f"{known['precision']:.4f}</dd>",
    }.items():
        assert re.search(rf"<dt>{title}.*?<dd>{figure}", page, re.DOTALL), title
    assert f"loss {known['loss']:.4f}" in page
    assert f"{known['persons_suppressed']} left out" in page
    shown = read_figures(page)
    assert [*map(int, shown["Rows"])] == [*known["rows_out"].values()]
    assert [*map(int, shown["of"])] == [*known["rows_in"].values()]
    shares = ["–" if one is None else f"{one:.4f}" for one in known["precision_by_table"].values()]
    assert shown["Precision"] == shares
    levels = [one for own in known["levels"].values() for one in own.values()]
    assert [int(one.split()[0]) for one in shown["Level"]] == levels
    assert not (pressed.session.project.folder / "released").exists()


def test_a_release_is_published_verified_and_listed(pressed):
    pressed.submit("/publish/try", {})
    page = pressed.submit("/publish/publish", {}).text
    folder = pressed.session.project.folder
    certificate = LinkedCertificate.read(folder / "released")
    assert {one.name for one in (folder / "released").iterdir()} == {
        *TABLES,
        "certificate.json",
        "report.html",
    }
    for place, name in enumerate((*TABLES, "certificate.json")):
        assert name in page
        cookie = f"{pressed.opened.gate.cookie}={pressed.opened.gate.session}"
        given = pressed.opened.get(f"/released/latest/{place}", cookie=cookie)
        assert given.content == (folder / "released" / name).read_bytes()
    assert "An attacker who knows somebody&#39;s birth_date and sex and any one of their" in page
    verified = pressed.submit("/publish/verify", {}).text
    assert ">Verified<" in verified
    assert "generalize private persons of their own" in verified
    assert "only the data holder has the private tables" not in verified
    [past] = list_past_releases(folder, None).listed
    listed = pressed.send("GET", f"/releases?release={past.key}").text
    assert f"{certificate.persons_out} persons" in listed
    assert "at least 2 people" in listed
    assert 'id="linking"' not in listed
    pressed.submit("/releases/verify", {"release": past.key})
    assert ">Verified<" in show_past(pressed, past)


def show_past(pressed, past):
    return pressed.send("GET", f"/releases?release={past.key}").text


def test_another_place_is_written_if_it_is_in_the_folder(pressed):
    given = {"release.out": "other/persons.csv", "release.dossier": "", "release.purpose": ""}
    for wrong in ({"release.out": "../out/patients.csv"}, {"release.dossier": "/tmp/dossier"}):
        page = pressed.submit("/publish/settle", given | wrong)
        assert page.status_code == 422
        assert "name a place in this folder" in page.text
    assert pressed.submit("/publish/settle", given | {"release.out": ""}).status_code == 422
    kept = {"release.dossier": "private/dossier", "release.purpose": "planning beds"}
    pressed.submit("/publish/settle", given | kept)
    release = pressed.session.project.table("release")
    asked = {name: release[name] for name in ("out", "dossier", "purpose")}
    assert {f"release.{name}": one for name, one in asked.items()} == given | kept


def test_a_review_of_linked_tables_counts_when_publishing(pressed):
    pressed.submit("/publish/try", {})
    page = pressed.send("GET", "/publish/review").text
    named = la.review(pressed.session.project.path)
    assert read_subject(page) == asdict(named.subject)
    given = json.dumps(answer(page, "refuse")).encode()
    sent = {"files": {"file": ("review.json", given, "application/json")}}
    assert "refused on 2026-11-18" in pressed.submit("/publish/answer", {}, **sent).text
    refused = pressed.submit("/publish/publish", {}).text
    assert "R. Reader refused" in refused
    assert 'id="published"' not in refused
    pressed.submit("/publish/set-aside", {})
    assert 'id="published"' in pressed.submit("/publish/publish", {}).text


@pytest.fixture
def kept(project, monkeypatch):
    """A line on which a dry run has kept its release; nothing can be searched any more."""
    line = TaskLine()
    line.shown = try_records(line, project)
    forbidden = "search_linked", lambda *_given: pytest.fail("searches again")
    monkeypatch.setattr(release_records, *forbidden)
    return line


def ask_for(project, old, new):
    return Project(project.folder, project.name, project.text.replace(old, new))


def test_the_release_that_was_shown_is_published_without_another_search(kept, project):
    asked = ask_for(project, "k = 2\n", 'k = 2\naccept = ["record-numbers"]\n')
    asked = ask_for(asked, "released/", "elsewhere/")
    assert is_same_release(kept.shown.text, kept.shown.stamps, asked)
    levels = kept.kept.release.levels
    made = publish_linked(kept, asked, False, kept.shown)
    assert made.files[0] == project.folder / "elsewhere" / "patients.csv"
    stated = {one.name: one.generalized for one in made.certificate.tables}
    for table, known in levels.items():
        assert {name: one.level for name, one in stated[table].items()} == known
    assert made.certificate.persons_out == kept.shown.certificate.persons_out
    assert kept.kept is None


CHANGED = {
    "another k": ("k = 2\n", "k = 3\n"),
    "more known": ("knows = 1", "knows = 2"),
    "another role": ('test = { role = "other" }', 'test = { role = "drop" }'),
}


@pytest.mark.parametrize("case", CHANGED)
def test_another_specification_is_another_release(kept, project, case):
    text, stamps = kept.shown.text, kept.shown.stamps
    assert is_same_release(text, stamps, project)
    assert not is_same_release(text, stamps, ask_for(project, *CHANGED[case]))
    gone = ask_for(project, "lab.csv", "gone.csv")
    assert not is_same_release(gone.text, find_stamps(gone), gone)


@pytest.mark.parametrize("name", TABLES)
def test_a_file_that_has_changed_since_the_dry_run_stops_publishing(kept, project, name):
    path = project.folder / name
    first, *lines = path.read_text().splitlines()
    path.write_text("\n".join([first, *lines[::-1]]) + "\n")
    assert not is_same_release(kept.shown.text, kept.shown.stamps, project)
    with pytest.raises(InvalidInput, match="make a dry run again"):
        publish_linked(kept, project, False, kept.shown)
    assert not (project.folder / "released").exists()


def test_rows_that_have_changed_unnoticed_stop_publishing(project):
    shown = try_records(TaskLine(), project)
    lines = (project.folder / "lab.csv").read_text().splitlines()
    (project.folder / "lab.csv").write_text("\n".join(lines[:-1]) + "\n")
    unnoticed = LinkedSummary(
        shown.text, shown.certificate, shown.loss, shown.findings, find_stamps(project)
    )
    with pytest.raises(InvalidInput, match="make a dry run again"):
        publish_linked(TaskLine(), project, False, unnoticed)
    assert not (project.folder / "released").exists()


[DATED] = [one for one in SPECIFICATION.splitlines() if one.startswith("birth_date")]


def test_a_finding_that_stops_is_accepted_by_name(pressed):
    text = SPECIFICATION.replace(DATED, 'birth_date = { role = "sensitive", unique = true }')
    pressed.session.change(text, "text")
    write_tables(pressed.session.project.folder, 200)
    pressed.submit("/publish/try", {})
    stops = [one for one in pressed.session.find_made().findings if one.stops]
    for one in stops:
        pressed.submit("/publish/accept", {"finding": one.name})
    page = pressed.submit("/publish/publish", {}).text
    assert stops
    assert 'id="published"' in page


def test_a_certificate_of_linked_tables_that_names_a_file_elsewhere_is_of_no_use(pressed):
    pressed.submit("/publish/publish", {})
    folder = pressed.session.project.folder
    path = folder / "released" / "certificate.json"
    stated = json.loads(path.read_text())
    stated["files"]["../people.toml"] = stated["files"].pop("lab.csv")
    path.write_text(json.dumps(stated))
    [past] = list_past_releases(folder, None).listed
    assert past.files == ()
    assert "outside the folder" in show_past(pressed, past)
