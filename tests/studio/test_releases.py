"""The screen *Releases*: what was published to the folder, and which files may be opened."""

import json
import re

import pytest

from lookalike.studio.editing.project import Project
from lookalike.studio.releases import past_releases
from lookalike.studio.releases.past_releases import list_past_releases
from lookalike.studio.releases.release_attacks import PastVerification, verify_past
from lookalike.studio.releases.release_summary import publish_release
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION
from .published import HOSTILE, find, made, publish, published, silent

__all__ = ["made", "published"]


def change_certificate(folder, **fields):
    path = folder / "certificate.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_releases_are_listed_the_latest_first(published):
    found = list_past_releases(published, None)
    assert [one.place for one in found.listed] == ["deeper/two", "one"]
    assert [one.k for one in found.listed] == [2, 2]
    assert [one.certificate.method for one in found.listed] == ["samarati", "mingen-cells"]
    assert [[path.name for path in one.files] for one in found.listed] == [
        ["people.csv", "certificate.json"]
    ] * 2


def test_links_hidden_folders_and_deeper_ones_are_not_releases(published, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    publish_release(TaskLine(), Project(published, "p.toml", SPECIFICATION), False)
    (published / "released").rename(outside / "released")
    (published / "linked").symlink_to(outside / "released")
    (published / "outer").symlink_to(outside)
    (published / "half").mkdir()
    (published / "half" / "certificate.json").symlink_to(outside / "released/certificate.json")
    publish(published, ".hidden")
    publish(published, "a/b/c")
    places = [one.place for one in list_past_releases(published, None).listed]
    assert sorted(places) == ["deeper/two", "one"]


def test_the_list_is_bounded(published, studio, monkeypatch):
    monkeypatch.setattr(past_releases, "MOST_RELEASES", 1)
    found = list_past_releases(published, None)
    assert (len(found.listed), found.left_out) == (1, 1)
    assert "1 older ones are not listed" in studio.get("/releases").text


CHANGES = [
    {"files": {"../people.csv": {"sha256": "0" * 64, "bytes": 1}}},
    {"files": {"/etc/passwd": {"sha256": "0" * 64, "bytes": 1}}},
    {"files": {}},
    {"method": 3},
    {"rows_in": HOSTILE},
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_certificate_that_was_changed_offers_no_file(published, studio, change):
    change_certificate(published / "one", **change)
    found = find(published, "one")
    assert found.problem
    assert found.files == ()
    for address in (f"/released/{found.key}/0", f"/released/{found.key}/1"):
        assert studio.get(address).status_code == 404
    for address in ("/releases", f"/releases?release={found.key}"):
        page = studio.get(address)
        assert page.status_code == 200
        assert HOSTILE not in page.text
        assert "disabled>" in page.text
    answer = studio.post("/releases/verify", {"release": found.key})
    assert answer.status_code == 422
    assert studio.session.work is None


def test_a_file_that_is_a_link_is_not_offered(published, studio):
    table = published / "one" / "people.csv"
    table.unlink()
    table.symlink_to(published / "people.csv")
    found = find(published, "one")
    assert "symbolic link" in found.problem
    assert studio.get(f"/released/{found.key}/0").status_code == 404


def test_files_of_a_release_are_opened_by_number(published, studio):
    (published / "one" / "report.html").write_text("<style>p { color: red }</style>")
    key = find(published, "one").key
    table, certificate, report = (studio.get(f"/released/{key}/{place}") for place in range(3))
    assert table.content == (published / "one" / "people.csv").read_bytes()
    assert table.headers["content-disposition"].startswith("attachment")
    assert certificate.headers["content-type"] == "application/octet-stream"
    assert report.headers["content-security-policy"].endswith("; sandbox")
    page = studio.get(f"/releases?release={key}").text
    assert re.findall(rf'href="/released/{key}/(\d)"', page) == ["0", "1", "2"]


@pytest.mark.parametrize(
    "address",
    [
        "/released/{key}/3",
        "/released/{key}/-1",
        "/released/{key}/../people.csv",
        "/released/..%2f..%2fpeople.csv/0",
        "/released/../people.toml",
        "/released/one/0",
        "/released/0000000000000000/0",
        "/released/latest/0",
    ],
)
def test_no_other_file_can_be_opened(published, studio, address):
    key = find(published, "one").key
    assert studio.get(address.format(key=key)).status_code == 404


@pytest.mark.parametrize("key", ["x", "../one", HOSTILE, "0" * 16])
def test_a_release_that_does_not_exist_is_refused(published, studio, key):
    answer = studio.get(f"/releases?release={key}")
    assert answer.status_code == 422
    assert "no such release any more" in answer.text
    assert HOSTILE not in answer.text


def test_a_release_is_described_and_verified(published, studio):
    found = find(published, "one")
    verified = verify_past(silent, found.key, found.folder, studio.project.specification())
    assert verified.verification.holds
    studio.session.keep_result(verified)
    page = studio.get(f"/releases?release={found.key}").text
    assert "occurs at least 2 times" in page
    assert '<span class="met">Verified</span>, against its source' in page
    assert "lookalike verify one --spec people.toml" in page
    other = find(published, "deeper/two").key
    assert "Verified" not in studio.get(f"/releases?release={other}").text


def test_a_release_that_was_tampered_with_does_not_verify(published, studio):
    (published / "one" / "people.csv").write_text("zip,ill\n02138,flu\n")
    found = find(published, "one")
    verified = verify_past(silent, found.key, found.folder, None)
    assert isinstance(verified, PastVerification)
    studio.session.keep_result(verified)
    assert "Not verified" in studio.get(f"/releases?release={found.key}").text
