"""The folder of the studio: nothing outside it exists."""

import io
import os

import pytest

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.studio.folder import find_file, list_files, receive_table

OUTSIDE = [
    "../secret.csv",
    "/etc/passwd",
    "sub/x.csv",
    ".hidden.csv",
    "..",
    "",
    "a\0.csv",
    "a\\b.csv",
]


@pytest.fixture
def inside(tmp_path):
    folder = tmp_path / "inside"
    (folder / "sub").mkdir(parents=True)
    for path in ("secret.csv", "inside/people.csv", "inside/.hidden.csv", "inside/sub/x.csv"):
        (tmp_path / path).write_text("a\n1\n")
    (folder / "notes.docx").write_text("")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    os.mkfifo(folder / "pipe.csv")
    return folder


def test_only_regular_tables_of_the_folder_are_listed(inside):
    assert [path.name for path in list_files(inside, "table")] == ["people.csv"]
    assert find_file(inside, "people.csv", "table") == inside / "people.csv"


@pytest.mark.parametrize("name", [*OUTSIDE, "link.csv", "pipe.csv", "notes.docx", "none.csv"])
def test_nothing_else_can_be_chosen(inside, name):
    with pytest.raises(InvalidInput):
        find_file(inside, name, "table")


def test_an_upload_is_private_and_replaces_nothing(inside):
    written = receive_table(inside, "new.csv", io.BytesIO(b"a\n2\n"))
    assert written.read_bytes() == b"a\n2\n"
    assert written.stat().st_mode & 0o777 == 0o600
    for name in ("new.csv", "people.csv", "link.csv", "pipe.csv"):
        with pytest.raises(AlreadyExists, match="exists already"):
            receive_table(inside, name, io.BytesIO(b"x"))
    assert (inside / "people.csv").read_text() == "a\n1\n"
    assert (inside.parent / "secret.csv").read_text() == "a\n1\n"
    assert not list(inside.glob("*.part"))
    assert not list(inside.glob(".*.part"))


@pytest.mark.parametrize("name", [*OUTSIDE, "x.exe", "x" * 300 + ".csv"])
def test_an_upload_needs_the_plain_name_of_a_table(inside, name):
    before = sorted(inside.parent.rglob("*"))
    with pytest.raises(InvalidInput):
        receive_table(inside, name, io.BytesIO(b"x"))
    assert sorted(inside.parent.rglob("*")) == before


@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "%2e%2e/secret.csv"])
def test_the_form_refuses_paths(studio, name):
    answer = studio.post("/data/choose", {"table": name})
    assert answer.status_code == 422
    assert studio.session.work is None


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/..%2fapp.py", "/static/app.py"])
def test_only_three_static_files_are_served(studio, path):
    assert studio.get(path).status_code == 404
    for name in ("style.css", "studio.css", "studio.js"):
        assert studio.get(f"/static/{name}").status_code == 200
