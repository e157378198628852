"""Unfinished publications: leftovers of dead processes, races, interrupts and late errors."""

import errno
import os
import subprocess
import sys
from itertools import count

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.publish.certificate import Certificate
from lookalike.tables.private_folders import PrivateFolder

from .nine_people import ATTRIBUTES, COLUMNS, make, names

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("kind", ["staging", "ready"])
def test_what_a_dead_process_left_is_swept(kind, tmp_path):
    left = tmp_path / f".released.lookalike-{kind}-0123456789abcdef"
    left.mkdir()
    (left / "table.csv").write_text("private")
    make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


def test_what_belongs_to_another_release_is_not_swept(tmp_path):
    other = tmp_path / ".released2.lookalike-staging-0123456789abcdef"
    other.mkdir()
    make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == [other.name, "released"]


@pytest.mark.parametrize("replace", [False, True])
def test_an_old_release_alone_is_moved_back(replace, tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released").rename(tmp_path / ".released.lookalike-old-0123456789abcdef")
    if replace:
        make().publish(tmp_path / "released" / "new.csv", replace=True)
    else:
        with pytest.raises(la.AlreadyExists, match="holds a release already"):
            make().publish(tmp_path / "released" / "new.csv")

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds
    assert (tmp_path / "released" / "new.csv").exists() == replace


def test_a_ready_release_takes_the_place_that_the_old_one_left(tmp_path):
    make().publish(tmp_path / "old" / "old.csv")
    make().publish(tmp_path / "new" / "new.csv")
    (tmp_path / "old").rename(tmp_path / ".released.lookalike-old-0123456789abcdef")
    (tmp_path / "new").rename(tmp_path / ".released.lookalike-ready-0123456789abcdef")
    with pytest.raises(la.AlreadyExists, match="holds a release already"):
        make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "new.csv"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("kind", ["staging", "ready"])
def test_what_a_living_process_holds_is_not_swept(kind, tmp_path):
    held = PrivateFolder(tmp_path, f".released.lookalike-{kind}-")
    with pytest.raises(la.Unavailable, match="another process is publishing to"):
        make().publish(tmp_path / "released" / "table.csv")

    assert names(tmp_path) == [held.path.name]


def publish_twice(tmp_path, monkeypatch, *, replace):
    """Publish while another release is about to be put into the same folder."""

    def publish_another(step):
        if step == "publish":
            with monkeypatch.context() as patch:
                patch.setattr("lookalike.publish.publish.recover", lambda folder: None)
                make().publish(tmp_path / "released" / "first.csv")

    second = make(announce=publish_another)
    second.publish(tmp_path / "released" / "second.csv", replace=replace)


def test_of_two_at_once_the_second_is_refused(tmp_path, monkeypatch):
    with pytest.raises(la.AlreadyExists, match="holds a release already"):
        publish_twice(tmp_path, monkeypatch, replace=False)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "first.csv"]
    assert la.verify(tmp_path / "released").holds


def test_of_two_at_once_the_second_replaces_the_first(tmp_path, monkeypatch):
    publish_twice(tmp_path, monkeypatch, replace=True)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "second.csv"]
    assert la.verify(tmp_path / "released").holds


RACE = """
import sys
import pyarrow as pa
import lookalike as la
columns = {"zip": ["1"] * 4 + ["2"] * 4, "ill": ["flu", "ache"] * 4}
linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
attributes = {"zip": linkable, "ill": {"role": "sensitive"}}
made = la.release(pa.table(columns), k=2, attributes=attributes, report=False)
print("ready", flush=True)
sys.stdin.readline()
for turn in range(8):
    try:
        made.publish(sys.argv[1], replace=sys.argv[2] == "replace")
    except (la.AlreadyExists, la.Unavailable) as refused:
        print(refused)
"""


@pytest.mark.slow
@pytest.mark.parametrize("replace", ["replace", "keep"])
def test_processes_that_race_for_a_folder_leave_it_whole(replace, tmp_path):
    out = tmp_path / "released" / "table.csv"
    command = [sys.executable, "-c", RACE, str(out), replace]
    racers = [subprocess.Popen(command, stdin=-1, stdout=-1, stderr=-1, text=True) for _ in "ab"]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    results = [racer.communicate("go\n") for racer in racers]

    assert [stderr for _, stderr in results] == ["", ""]
    said = {line for stdout, _ in results for line in stdout.splitlines()}
    known = ("another process is publishing to", "holds a release already")
    assert [line for line in said if not any(words in line for words in known)] == []
    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("step", ["recode", "verify", "publish"])
@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupt_leaves_nothing(step, replace, tmp_path):
    def interrupt(begun):
        if begun == step and armed:
            raise KeyboardInterrupt

    armed = []
    made = make(announce=interrupt)
    if replace:
        made.publish(tmp_path / "released" / "table.csv")
    before = names(tmp_path)
    armed.append(True)
    with pytest.raises(KeyboardInterrupt):
        made.publish(tmp_path / "released" / "table.csv", replace=replace)

    assert names(tmp_path) == before
    assert not replace or la.verify(tmp_path / "released").holds


# Errors of the file system after the rename


class FailsLater:
    """Lets the n-th operation on files after the final rename fail."""

    def __init__(self, monkeypatch, turn):
        self.left, self.renamed = turn, False
        release = PrivateFolder.release

        def rename(folder, target):
            release(folder, target)
            self.renamed = True

        monkeypatch.setattr(PrivateFolder, "release", rename)
        for name in ("open", "fsync", "rename", "unlink"):
            monkeypatch.setattr(os, name, self.fail_in_turn(getattr(os, name)))

    def fail_in_turn(self, operation):
        def operate(*arguments, **fields):
            self.left -= self.renamed
            if self.renamed and not self.left:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return operation(*arguments, **fields)

        return operate


@pytest.mark.slow
@pytest.mark.parametrize("replace", [pytest.param(False, marks=pytest.mark.exhaustive), True])
def test_an_error_after_the_rename_does_not_deny_the_release(replace, tmp_path):
    attributes = ATTRIBUTES | {"name": {"role": "identifier"}}
    source = {"row_key": "name", "name": "people"}
    errors = []
    for turn in count(1):
        place = tmp_path / str(turn)
        fields = {"method": "mingen-cells", "ledger": f"sqlite:///{place}/ledger.db"}
        place.mkdir()
        if replace:
            make().publish(place / "released" / "table.csv")
        made = la.release(
            pa.table(COLUMNS), k=3, attributes=attributes, source=source, max_suppressed=1, **fields
        )
        with pytest.MonkeyPatch.context() as patched:
            failing = FailsLater(patched, turn)
            try:
                made.publish(
                    place / "released" / "table.csv", replace=replace, dossier=place / "dossier"
                )
            except la.InvalidInput as error:
                errors.append(str(error))
        assert Certificate.read(place / "released").method == "mingen-cells"
        if failing.left > 0:
            break
    assert len(errors) > 3
    assert all("released is published, but" in one for one in errors)
    assert not any("nothing is published" in one for one in errors)
