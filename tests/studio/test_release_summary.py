"""The tasks of *Publish*: publish and verify."""

import os
import shutil
import sqlite3
from dataclasses import replace

import pytest

from lookalike.errors import AlreadyExists, InvalidInput
from lookalike.flow import release
from lookalike.studio.editing.project import Project, find_stamps
from lookalike.studio.releases.release_summary import (
    compare_release,
    is_same_release,
    publish_release,
    verify_release,
)
from lookalike.studio.work import TaskLine

from .conftest import SPECIFICATION, TABLE


@pytest.fixture
def project(people):
    return Project(people, "people.toml", SPECIFICATION)


def test_a_release_is_published_and_verified(project, people):
    made = publish_release(TaskLine(), project, False)
    assert [path.name for path in made.files] == ["people.csv", "certificate.json"]
    assert verify_release(lambda _: None, project).holds
    with pytest.raises(AlreadyExists, match="replace"):
        publish_release(TaskLine(), project, False)
    assert publish_release(TaskLine(), project, True).rows_out == 4


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
    shown = compare_release(TaskLine(), project, None).summary
    CHANGES[change](people / "people.csv")
    if change == "added" and source == "people.csv":
        publish_release(TaskLine(), project, False, shown)
        return
    with pytest.raises(InvalidInput, match=r"dry run again|not found|no file"):
        publish_release(TaskLine(), project, False, shown)
    assert not (people / "released").exists()


def test_a_table_that_changes_while_it_is_released_is_not_published(project, people):
    def change(_kind, step):
        if step.startswith("search"):
            rewrite_rows(people / "people.csv")

    with pytest.raises(InvalidInput, match=r"people.csv: changed since .* dry run again"):
        publish_release(TaskLine(change), project, False)
    assert not (people / "released").exists()


def test_other_rows_of_a_source_without_files_are_noticed(project):
    shown = compare_release(TaskLine(), project, None).summary
    unknown = replace(shown, stamps={})
    publish_release(TaskLine(), project, False, unknown)
    for other in (replace(unknown, rows_in=5), replace(unknown, sequences=3)):
        with pytest.raises(InvalidInput, match="the source: changed since"):
            publish_release(TaskLine(), project, True, other)
    asked = replace(project, text=SPECIFICATION.replace('role = "identifier"', 'role = "drop"'))
    publish_release(TaskLine(), asked, True, replace(unknown, sequences=3))


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
    asked = 'withdrawn = "gone.csv"'
    named = 'map = "ills.csv"\npseudonym = { key_file = "key" }'
    others = SPECIFICATION.replace("k = 2", f"k = 2\n{asked}").replace(
        'role = "sensitive"', f'role = "sensitive"\n{named}'
    )
    files = {*find_stamps(Project(people, "people.toml", others))}
    assert files == {"people.csv", "gone.csv", "ills.csv", "key"}
    joined = '[source]\nquery = "SELECT * FROM a"\ntables = { a = "people.csv" }\n'
    assert [*find_stamps(Project(people, "people.toml", joined))] == ["people.csv"]


def test_a_database_that_keeps_a_log_is_published_as_it_was_shown(people):
    """Reading it creates an empty log; a log with rows is a change."""
    base = sqlite3.connect(people / "clinic.db")
    base.execute("PRAGMA journal_mode = WAL")
    base.execute("CREATE TABLE t (no TEXT, zip TEXT, ill TEXT)")
    lines = [line.split(",") for line in TABLE.splitlines()[1:]]
    base.executemany("INSERT INTO t VALUES (?, ?, ?)", lines)
    base.commit()
    base.close()
    text = SPECIFICATION.replace(
        'path = "people.csv"', 'database = "sqlite:clinic.db"\ntable = "t"'
    )
    project, line = Project(people, "people.toml", text), TaskLine()
    shown = compare_release(line, project, None).summary
    assert publish_release(line, project, False, shown).files
    base = sqlite3.connect(people / "clinic.db")
    base.execute("UPDATE t SET ill = 'gout'")
    base.commit()
    with pytest.raises(InvalidInput, match="dry run again"):
        publish_release(TaskLine(), project, True, shown)
    base.close()


@pytest.fixture
def kept(project, monkeypatch):
    """A line on which a dry run has kept its release; nothing can be searched any more."""
    line = TaskLine()
    line.shown = compare_release(line, project, None).summary
    monkeypatch.setattr(release, "search", lambda *_given, **_more: pytest.fail("searches again"))
    return line


def test_the_release_that_was_shown_is_published_as_it_was_drawn(kept, project, people):
    drawn = kept.kept.made.release.plan
    accepted = project.text.replace("k = 2", 'k = 2\naccept = ["small-k"]')
    asked = replace(project, text=accepted.replace("released/people.csv", "other/people.csv"))
    assert is_same_release(kept.shown.text, kept.shown.stamps, asked)
    again = compare_release(kept, asked, "")
    assert again.summary.text == asked.text
    assert again.utility is not None
    assert kept.kept.made.release.plan is drawn
    made = publish_release(kept, asked, False, again.summary)
    assert (made.rows_out, made.classes) == (kept.shown.rows_out, kept.shown.classes)
    assert (people / "other" / "people.csv").is_file()
    assert verify_release(lambda _: None, asked).holds
    assert kept.kept is None


def test_a_release_that_is_kept_is_not_published_if_its_file_has_changed(kept, project, people):
    rewrite_rows(people / "people.csv")
    assert not is_same_release(kept.shown.text, kept.shown.stamps, project)
    with pytest.raises(InvalidInput, match="dry run again"):
        publish_release(kept, project, False, kept.shown)
    assert not (people / "released").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [("k = 2", "k = 3"), ("k = 2", 'k = 2\nledger = "l.db"'), ('"mask" }', '"mask", length = 5 }')],
)
def test_another_specification_is_another_release(kept, project, old, new):
    assert is_same_release(kept.shown.text, kept.shown.stamps, project)
    assert not is_same_release(
        kept.shown.text, kept.shown.stamps, replace(project, text=project.text.replace(old, new))
    )
    assert not is_same_release(kept.shown.text, {}, project)
