"""The key and the files of a ledger: created once, and refused if they are missing or changed."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event
from sqlalchemy.pool import Pool

import lookalike as la
from lookalike.ledger.store.database import connect_to
from lookalike.spec.ledger_address import LedgerAddress

from .steward import mode_of, publish, reopen, states


def test_a_key_is_used_again(place, tmp_path):
    publish(place, tmp_path / "1")
    key = Path(place["ledger_key"]).read_bytes()
    publish(place, tmp_path / "2")

    assert Path(place["ledger_key"]).read_bytes() == key
    first, second = [entry.files.read_rows(["key"]) for entry in reopen(place).releases()]
    assert first == second


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda key: key.unlink(), "is not at"),
        (lambda key: key.write_bytes(bytes(32)), "is not the key of the ledger"),
        (lambda key: key.write_bytes(b"short"), "does not have 32 bytes"),
        (lambda key: key.chmod(0o640), "is readable by other users"),
    ],
)
def test_without_its_key_a_ledger_records_no_release(spoil, said, place, tmp_path):
    publish(place, tmp_path / "1")
    key = Path(place["ledger_key"])
    content = key.read_bytes()
    spoil(key)
    with pytest.raises(la.InvalidInput, match=f"ledger_key: .*{said}"):
        publish(place, tmp_path / "2")
    with pytest.raises(la.InvalidInput, match=f"ledger_key: .*{said}"):
        reopen(place)

    assert not (tmp_path / "2").exists()
    key.unlink(missing_ok=True)
    key.touch(0o600)
    key.write_bytes(content)
    assert states(place) == ["published"]


def test_the_default_key_is_in_the_configuration_folder(place, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    del place["ledger_key"]
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2")

    head, key = sorted((tmp_path / "settings" / "lookalike").iterdir())
    assert (head.suffix, key.suffix) == (".head", ".key")
    assert (mode_of(head), mode_of(key)) == (0o600, 0o600)
    assert mode_of(key.parent) == 0o700


def test_a_file_that_replaces_another_is_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    publish(place, tmp_path / "2", k=4)
    first, second = (entry.files for entry in reopen(place).releases())
    mixed = replace(first, rows_sha256=second.rows_sha256)
    shutil.copy(second.locations[1], first.locations[1])

    with pytest.raises(la.InvalidInput, match="was changed; restore it"):
        mixed.read_rows()


def test_changed_or_missing_files_are_refused(place, tmp_path):
    publish(place, tmp_path / "1")
    files = reopen(place).release(1).files
    with files.locations[0].open("ab") as stream:
        stream.write(b"!")
    files.locations[1].unlink()

    with pytest.raises(la.InvalidInput, match="was changed; restore it from your backup"):
        files.read_classes()
    with pytest.raises(la.InvalidInput, match="is missing; restore it from your backup"):
        files.read_rows()


def test_a_ledger_has_one_folder_of_files(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(la.InvalidInput, match="ledger_files: the files of the ledger are not in"):
        publish(place | {"ledger_files": str(tmp_path / "others")}, tmp_path / "2")

    assert not (tmp_path / "2").exists()
    assert not (tmp_path / "others").exists()


def test_a_folder_of_files_has_one_ledger(place, tmp_path):
    publish(place, tmp_path / "1")
    with pytest.raises(la.InvalidInput, match="has the files of another ledger"):
        publish(place | {"ledger": str(tmp_path / "private" / "other.db")}, tmp_path / "2")

    assert not (tmp_path / "2").exists()
    other = {"ledger": str(tmp_path / "private" / "other.db"), "ledger_key": str(tmp_path / "k")}
    assert publish(other, tmp_path / "2").earlier_releases.considered == 0


def test_sqlite_waits_until_a_release_is_on_the_disk(tmp_path):
    """Also where SQLite was built not to wait: a crash must not lose what was recorded."""
    modes = []

    def do_not_wait(connection, _):
        connection.execute("PRAGMA synchronous = OFF")

    def note_mode(connection, _):
        modes.append(connection.execute("PRAGMA synchronous").fetchone()[0])

    event.listen(Pool, "connect", do_not_wait)
    try:
        engine = connect_to(LedgerAddress.parse(tmp_path / "ledger.db"), create=True)
        event.listen(engine, "connect", note_mode)
        with engine.connect():
            assert modes == [2], "2 is FULL"
    finally:
        event.remove(Pool, "connect", do_not_wait)
