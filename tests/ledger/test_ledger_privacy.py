"""A ledger protects private data: file modes, encryption, and what is readable without its key."""

from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from sqlalchemy import select

import lookalike as la
from lookalike.ledger import record
from lookalike.ledger.store.key import write_encrypted
from lookalike.ledger.store.row_map import hash_rows
from lookalike.ledger.store.schema import metadata

from .steward import OUTLIER, fields_of, mode_of, publish, reopen, table_of


def private_files(place):
    files = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    database = Path(place["ledger"])
    return [*files, Path(place["ledger_key"]), *([database] if database.exists() else [])]


def test_files_are_private_and_contain_no_value(place, tmp_path):
    publish(place, tmp_path / "out")

    files = private_files(place)
    assert {mode_of(path) for path in files} == {0o600}
    folders = [path for path in Path(place["ledger_files"]).rglob("*") if path.is_dir()]
    assert {mode_of(path) for path in (Path(place["ledger_files"]), *folders)} == {0o700}
    for path in files:
        for value in (b"person-", OUTLIER.encode(), b"02138", b"smallpox", b"gout"):
            assert value not in path.read_bytes(), path.name


def stored(place):
    """The content of the database and the files, which a thief without the key can read."""
    ledger = reopen(place)
    files = [path.read_bytes() for path in Path(place["ledger_files"]).rglob("*") if path.is_file()]
    with ledger.engine.begin() as connection:
        rows = [row for one in metadata.sorted_tables for row in connection.execute(select(one))]
    cells = [cell for row in rows for cell in row]
    return b"\n".join(
        [*files, *(cell if isinstance(cell, bytes) else str(cell).encode() for cell in cells)]
    )


def test_without_the_key_no_hash_of_a_row_can_be_read(place, tmp_path):
    table = table_of()
    publish(place, tmp_path / "1", table=table)

    secret, thief = reopen(place).secret(), stored(place)
    for column, kind in (("id", "key"), ("zip", "quasi_identifier"), ("ill", "other")):
        for digest in hash_rows(table, [column], secret=secret, kind=kind).to_pylist():
            assert digest not in thief
    for path in reopen(place).release(1).files.locations:
        with pytest.raises(OSError, match="no decryption found"):
            parquet.read_table(path)


def test_without_the_key_no_guess_of_the_table_can_be_tried(place, tmp_path, monkeypatch):
    plain = []
    for name in ("digest_table", "digest_hierarchies"):
        digest = getattr(record, name)
        monkeypatch.setattr(
            record, name, lambda one, digest=digest: plain.append(digest(one)) or plain[-1]
        )
    publish(place, tmp_path / "1")

    assert len(plain) == 2
    assert not [digest for digest in plain if digest.encode() in stored(place)]


def test_without_the_key_the_specification_cannot_be_read(place, tmp_path):
    table = tmp_path / "people.csv"
    table_of().to_pandas().to_csv(table, index=False)
    source = {"row_key": "id", "where": f"zip <> '{OUTLIER}'"}
    la.release(table, **fields_of(place) | {"source": source}).publish(tmp_path / "1" / "table.csv")

    assert reopen(place).release(1).specification["source"]["where"] == source["where"]
    assert source["where"].encode() not in stored(place)


def test_the_length_of_a_file_does_not_depend_on_repeated_values():
    rare = pa.table({"hash": pa.array([bytes([row] * 16) for row in range(200)], pa.binary(16))})
    common = pa.table({"hash": pa.array([bytes(16)] * 200, pa.binary(16))})
    lengths = []
    for table in (rare, common):
        stream = BytesIO()
        write_encrypted(stream, table, bytes(32), "rows")
        lengths.append(len(stream.getvalue()))

    assert lengths[0] == lengths[1]


def test_a_password_is_never_shown_nor_recorded(place, tmp_path):
    if "@" not in place["ledger"]:
        pytest.skip("a file has no password")
    password = place["ledger"].partition("@")[0].rpartition(":")[2]
    publish(place, tmp_path / "1")
    entry = reopen(place).release(1)
    assert password not in repr(entry)
    wrong = place | {"ledger": place["ledger"].replace(password, "sesame")}
    with pytest.raises(la.InvalidInput, match="cannot be used") as refused:
        publish(wrong, tmp_path / "2")
    assert "sesame" not in str(refused.value)
