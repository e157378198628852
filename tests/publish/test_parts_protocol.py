"""The steps of publishing part files, on a store of this machine that stands for Spark's."""

import errno
import os
from itertools import count
from pathlib import Path

import pytest

import lookalike as la
from lookalike.errors import AlreadyExists, InvalidInput, Unavailable
from lookalike.publish.address import staging_of, staging_parts
from lookalike.publish.certificate import Certificate
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.storage_url import StorageUrl

from ..folder_store import FolderStore, path_of
from ..parts_driver import Stop, publish_on_folder, state_of
from .nine_people import names


@pytest.fixture
def place(tmp_path):
    return StorageUrl.parse((tmp_path / "released").as_uri())


def publish(place, name="new", stop=None, *, replace=False, copies=False):
    publish_on_folder(place, name, stop or Stop(0), replace, copies=copies)


def interrupt():
    raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("replace", [False, True])
def test_an_interrupt_at_any_step_leaves_a_whole_release_or_none(replace, copies, tmp_path):
    states = []
    for turn in count(1):
        place = StorageUrl.parse((tmp_path / str(turn) / "released").as_uri())
        if replace:
            publish(place, "old", copies=copies)
        stop = Stop(turn, interrupt)
        try:
            publish(place, "new", stop, replace=replace, copies=copies)
        except KeyboardInterrupt:
            states.append(state_of(path_of(place)))
            publish(place, "new", replace=True, copies=copies)
        assert state_of(path_of(place)) == "new"
        assert names(path_of(place).parent) == ["released"]
        if stop.left > 0:
            break
    order = ["old", "none", "new"] if replace else ["none", "new"]
    assert states == sorted(states, key=order.index)
    assert set(states) == set(order)


def test_what_an_interrupt_left_is_removed_at_once(place, tmp_path):
    """Only an interrupt of the cleaning itself leaves something."""
    publish(place, "old")
    with pytest.raises(KeyboardInterrupt):
        publish(place, "new", Stop(7, interrupt), replace=True)
    assert names(tmp_path) == ["released"]
    assert state_of(tmp_path / "released") == "old"


def test_of_two_at_once_the_second_is_refused(place, tmp_path):
    store = FolderStore(copies=False)
    with staging_parts(store, place / "table.parquet", replace=False):
        with pytest.raises(Unavailable, match="another process is publishing to"):
            publish(place)
        assert state_of(tmp_path / "released") == "none"
    publish(place)
    assert names(tmp_path) == ["released"]


def test_of_two_that_begin_at_the_same_time_neither_disturbs_the_other(place, tmp_path):
    """The other's folder appears after ours was looked for, and before ours is made."""
    held = scratch_folder()
    other = path_of(staging_of(place, held))
    with pytest.raises(Unavailable, match="another process is publishing to"):
        publish(place, stop=Stop(1, lambda: other.mkdir(parents=True)))
    assert names(tmp_path) == [other.name]
    held.remove()


def test_a_process_on_another_machine_is_not_disturbed(place, tmp_path):
    beside = tmp_path / "_lookalike-staging-released-00000000-0123456789abcdef"
    beside.mkdir()
    with pytest.raises(Unavailable, match=f"if it has ended, remove .*{beside.name}"):
        publish(place)
    assert names(tmp_path) == [beside.name]


@pytest.mark.parametrize(
    "name", ["_lookalike-staging-other-00000000-0123456789abcdef", "_lookalike-staging-released-"]
)
def test_folders_of_others_are_not_touched(name, place, tmp_path):
    (tmp_path / name).mkdir()
    publish(place)
    assert names(tmp_path) == [name, "released"]


def leave(place, content, files=()):
    """Leave the private folder of a dead process, and files in the place."""
    dead = scratch_folder()
    folder = path_of(staging_of(place, dead))
    dead.remove()
    folder.mkdir(parents=True)
    for name, text in content.items():
        (folder / name).write_text(text)
    for name in files:
        file = path_of(place) / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("rows")


def certificate_of(tmp_path):
    """Return the text of a certificate, published elsewhere, and the files that it names."""
    elsewhere = StorageUrl.parse((tmp_path / "elsewhere" / "released").as_uri())
    publish(elsewhere)
    text = (path_of(elsewhere) / "certificate.json").read_text()
    return text, [*Certificate.read(path_of(elsewhere)).files]


def test_rows_that_a_dead_process_moved_are_removed(place, tmp_path):
    text, files = certificate_of(tmp_path)
    leave(place, {"certificate.json": text}, files[:2])
    publish(place)
    assert state_of(tmp_path / "released") == "new"


def test_half_a_certificate_is_no_release_and_is_removed(place, tmp_path):
    text, files = certificate_of(tmp_path)
    leave(place, {"certificate.json": text}, files)
    (tmp_path / "released" / "certificate.json").write_text(text[:99])
    assert state_of(tmp_path / "released") == "none"
    publish(place)
    assert state_of(tmp_path / "released") == "new"


@pytest.mark.parametrize("content", [{}, {"certificate.json": "{"}, "certificate"])
def test_files_that_no_certificate_of_ours_names_are_kept(content, place, tmp_path):
    text, files = certificate_of(tmp_path)
    known = {"certificate.json": text} if content == "certificate" else content
    leave(place, known, [files[0], "table.parquet/mine.parquet"])
    with pytest.raises(InvalidInput, match="holds other files"):
        publish(place, replace=True)
    assert names(tmp_path / "released" / "table.parquet") == ["mine.parquet", Path(files[0]).name]


def test_a_complete_release_is_kept_although_its_process_died(place, tmp_path):
    publish(place, "old")
    text = (tmp_path / "released" / "certificate.json").read_text()
    leave(place, {"certificate.json": text, "replaced.json": text})
    with pytest.raises(AlreadyExists, match="holds a release already"):
        publish(place)
    assert state_of(tmp_path / "released") == "old"
    assert names(tmp_path) == ["released"]


def test_a_release_inside_a_release_is_refused(place):
    publish(place)
    with pytest.raises(InvalidInput, match="is inside the release"):
        publish(place / "more")


def test_files_that_appear_while_rows_are_moved_stop_the_release(place, tmp_path, monkeypatch):
    move = FolderStore.move

    def move_and_add(store, source, target):
        move(store, source, target)
        (path_of(target) / "mine.parquet").write_text("mine")

    monkeypatch.setattr(FolderStore, "move", move_and_add)
    with pytest.raises(InvalidInput, match="files changed while they were moved"):
        publish(place)
    assert state_of(tmp_path / "released") == "none"
    assert (tmp_path / "released" / "table.parquet" / "mine.parquet").exists()


def test_the_certificate_is_in_place_after_its_rows_are_on_the_disk(place, tmp_path, monkeypatch):
    certificate, synced = tmp_path / "released" / "certificate.json", []

    def remember(path):
        synced.append((path.name, certificate.exists()))

    monkeypatch.setattr("lookalike.tables.engines.spark_files.sync", remember)
    publish(place)
    before = [name for name, placed in synced if not placed]
    assert {f"part-{number}-new.parquet" for number in range(3)} < set(before)
    assert {"table.parquet", "certificate.json"} < set(before)
    assert synced[-1] == ("released", True)


@pytest.mark.parametrize("late", [False, True])
def test_a_disk_that_fails_does_not_deny_a_release_in_place(late, place, tmp_path, monkeypatch):
    certificate = tmp_path / "released" / "certificate.json"

    def fail(path):
        if certificate.exists() == late:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("lookalike.tables.engines.spark_files.sync", fail)
    with pytest.raises(InvalidInput, match="does not reach the disk: Input/output error"):
        publish(place)
    assert state_of(tmp_path / "released") == ("new" if late else "none")
    assert names(tmp_path) == ["released"]


def test_a_folder_of_part_files_without_a_certificate_is_no_release(tmp_path):
    (tmp_path / "released" / "table.parquet").mkdir(parents=True)
    (tmp_path / "released" / "table.parquet" / "part-0.parquet").write_text("rows")
    with pytest.raises(InvalidInput, match=r"is not a release: it has no certificate\.json"):
        la.verify(tmp_path / "released")
