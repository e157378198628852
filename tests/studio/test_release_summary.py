"""The tasks of *Publish*: publish and verify."""

import os
import shutil
from dataclasses import replace

import pytest

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.studio.editing.project import Project, find_stamps
from lookalike.studio.releases.release_summary import (
    compare_release,
    publish_release,
    verify_release,
)

from .conftest import SPECIFICATION, TABLE


@pytest.fixture
def project(people):
    return Project(people, "people.toml", SPECIFICATION)


def test_a_release_is_published_and_verified(project, people):
    made = publish_release(lambda _: None, project, False)
    assert [path.name for path in made.files] == ["people.csv", "certificate.json"]
    assert verify_release(lambda _: None, project).holds
    with pytest.raises(AlreadyExists, match="replace"):
        publish_release(lambda _: None, project, False)
    assert publish_release(lambda _: None, project, True).rows_out == 4


def rewrite_rows(path):
    """Write other rows with the same size and time into a file, as a program might."""
    before = path.stat()
    path.write_text(TABLE.replace("02142,cold", "02142,gout"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def replace_file(path):
    """Put another file of the same size and time in its place."""
    rewrite_rows(path)
    other = path.with_name("other.csv")
    shutil.copy2(path, other)
    other.replace(path)


CHANGES = {
    "written": rewrite_rows,
    "replaced": replace_file,
    "removed": lambda path: path.unlink(),
    "added": lambda path: path.with_name("people-2.csv").write_text(TABLE),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("source", ["people.csv", "people*.csv"])
def test_what_was_not_shown_is_not_published(people, change, source):
    project = Project(people, "people.toml", SPECIFICATION.replace("people.csv", source, 1))
    shown = compare_release(lambda _: None, project, None).summary
    CHANGES[change](people / "people.csv")
    if change == "added" and source == "people.csv":
        publish_release(lambda _: None, project, False, shown)
        return
    with pytest.raises(InvalidInput, match=r"dry run again|not found|no file"):
        publish_release(lambda _: None, project, False, shown)
    assert not (people / "released").exists()


def test_a_table_that_changes_while_it_is_released_is_not_published(project, people):
    def change(step):
        if step.startswith("search"):
            rewrite_rows(people / "people.csv")

    with pytest.raises(InvalidInput, match=r"people.csv: changed since .* dry run again"):
        publish_release(change, project, False)
    assert not (people / "released").exists()


def test_other_rows_of_a_source_without_files_are_noticed(project):
    shown = compare_release(lambda _: None, project, None).summary
    unknown = replace(shown, stamps={})
    publish_release(lambda _: None, project, False, unknown)
    for other in (replace(unknown, rows_in=5), replace(unknown, sequences=3)):
        with pytest.raises(InvalidInput, match="the source: changed since"):
            publish_release(lambda _: None, project, True, other)
    asked = replace(project, text=SPECIFICATION.replace('role = "identifier"', 'role = "drop"'))
    publish_release(lambda _: None, asked, True, replace(unknown, sequences=3))


def test_a_database_hierarchies_registers_and_joined_tables_have_stamps(people):
    text = SPECIFICATION.replace('kind = "mask"', 'kind = "file", path = "zip.csv"')
    text = text.replace('path = "people.csv"', 'database = "sqlite:clinic.db"\ntable = "t"')
    text = text.replace("k = 2\n", 'k = 2\nk_map = { k = 2, population = "all.csv" }\n')
    for name in ("zip.csv", "clinic.db", "all.csv"):
        (people / name).write_text("x")
    stamps = find_stamps(Project(people, "people.toml", text))
    assert {path: len(files) for path, files in stamps.items()} == {
        "clinic.db": 1,
        "clinic.db-wal": 0,
        "clinic.db.wal": 0,
        "all.csv": 1,
        "zip.csv": 1,
    }
    joined = '[source]\nquery = "SELECT * FROM a"\ntables = { a = "people.csv" }\n'
    assert [*find_stamps(Project(people, "people.toml", joined))] == ["people.csv"]
