"""Compressed text files: read whole or refused, and released."""

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from .text_files import ATTRIBUTES, read, write

TEXT = ["csv", "tsv", "jsonl", "ndjson"]
ENDINGS = ["gz", "zst"]


def compress(path: Path, content: bytes) -> Path:
    """Write content to a file, compressed as its suffix says."""
    compression = {".gz": "gzip", ".zst": "zstd"}[path.suffix.lower()]
    with pa.output_stream(str(path), compression=compression) as stream:
        stream.write(content)
    return path


def text_of(suffix: str, columns: dict[str, list[str]], folder: Path) -> bytes:
    """Return columns as the content of a text file."""
    kind = {"ndjson": "jsonl"}.get(suffix, suffix)
    return write(folder / f"plain.{kind}", columns).read_bytes()


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("suffix", TEXT)
def test_compressed_text_is_read_as_the_text(suffix, ending, tmp_path):
    content = text_of(suffix, {"zip": ["02138", "é"], "a;b": ["x", "y"]}, tmp_path)
    path = compress(tmp_path / f"visits.{suffix}.{ending}", content)

    assert read(path=str(path)) == (["zip", "a;b"], [("02138", "x"), ("é", "y")])


@pytest.mark.parametrize("ending", ["GZ", "ZST"])
def test_the_suffix_may_be_in_capitals(ending, tmp_path):
    path = compress(tmp_path / f"VISITS.CSV.{ending}", b"zip\n1\n")
    assert read(path=str(path)) == (["zip"], [("1",)])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1", "utf-16", "utf-16-le"])
def test_compressed_text_is_decoded_across_blocks(encoding, tmp_path, monkeypatch):
    monkeypatch.setattr("lookalike.tables.files.encoding.BLOCK", 7)
    text = "größe,ü\n" + "é,x\n" * 100
    path = compress(tmp_path / "private.csv.zst", text.encode(encoding))

    fields = {} if encoding == "utf-8-sig" else {"encoding": encoding}
    columns, rows = read(path=str(path), **fields)
    assert columns == ["größe", "ü"]
    assert rows == [("é", "x")] * 100


def test_a_glob_reads_plain_and_compressed_parts(tmp_path):
    write(tmp_path / "visits-1.csv", {"zip": ["1"]})
    compress(tmp_path / "visits-2.csv.gz", b"zip\n2\n")
    compress(tmp_path / "visits-3.csv.zst", b"zip\n3\n")
    assert read(path=str(tmp_path / "visits-*")) == (["zip"], [("1",), ("2",), ("3",)])


def test_a_glob_that_reaches_a_file_and_its_compressed_copy_is_refused(tmp_path):
    path = write(tmp_path / "visits.csv", {"zip": ["1"]})
    compress(tmp_path / "visits.csv.gz", path.read_bytes())
    with pytest.raises(la.InvalidInput, match="are the same but compressed, so"):
        read(path=str(tmp_path / "visits*"))


def test_the_parts_of_a_compressed_file_are_read(tmp_path):
    for ending in ENDINGS:
        path = compress(tmp_path / f"visits.csv.{ending}", b"zip\n1\n")
        more = compress(tmp_path / f"more.csv.{ending}", b"2\n")
        path.write_bytes(path.read_bytes() + more.read_bytes())
        assert read(path=str(path)) == (["zip"], [("1",), ("2",)])


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_file_that_is_cut_off_is_refused(suffix, ending, tmp_path):
    columns = {"zip": [str(number * 7919 % 99991) for number in range(50_000)]}
    path = compress(tmp_path / f"visits.{suffix}.{ending}", text_of(suffix, columns, tmp_path))
    whole = path.read_bytes()
    for missing in (1, 4, 8, 1000, len(whole) // 2):
        path.write_bytes(whole[:-missing])
        with pytest.raises(la.InvalidInput, match=r"visits.* is not a whole (gzip|zstd) file"):
            read(path=str(path))


def test_a_changed_gzip_file_is_refused_by_its_checksum(tmp_path):
    content = bytearray(gzip.compress(b"zip\n1\n2\n"))
    content[-8] ^= 0xFF
    (tmp_path / "visits.csv.gz").write_bytes(content)
    with pytest.raises(la.InvalidInput, match="is not a whole gzip file"):
        read(path=str(tmp_path / "visits.csv.gz"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_that_is_not_compressed_is_refused(ending, tmp_path):
    path = tmp_path / f"visits.csv.{ending}"
    path.write_text("zip\nprivate-value\n")
    with pytest.raises(la.InvalidInput, match="is not a whole") as raised:
        read(path=str(path))
    assert "private-value" not in str(raised.value)


@pytest.mark.parametrize(
    ("suffix", "content", "problem"),
    [
        ("csv", b"a,b\n1,2\n1\n", r"private\.csv\.gz, line 3: the header has 2 fields"),
        ("csv", b"a,,b\n1,2,3\n", r"private\.csv\.gz, line 1: column 2 has no name"),
        (
            "csv",
            "a\né\n".encode("latin-1"),
            "line 2: not in the encoding utf-8",
        ),
        ("csv", "a\né\n".encode("utf-16"), 'is UTF-16; set encoding = "utf-16"'),
        ("csv", b"", "line 1: is empty"),
        ("jsonl", b'{"a": "1"}\n{"a": x}\n', r"private\.jsonl\.gz, line 2: not JSON lines"),
    ],
)
def test_an_error_names_the_compressed_file_and_its_line(suffix, content, problem, tmp_path):
    path = compress(tmp_path / f"private.{suffix}.gz", content)
    with pytest.raises(la.InvalidInput, match=problem) as raised:
        la.check(path, ["a"])
    assert "scratch" not in str(raised.value)


@pytest.mark.parametrize("name", ["visits.parquet.gz", "visits.gz", "visits.csv.bz2", "visits.xls"])
def test_other_suffixes_are_refused(name, tmp_path):
    (tmp_path / name).write_bytes(b"zip\n1\n")
    with pytest.raises(la.InvalidInput, match=r"the suffix determines the format.*\.csv\.gz"):
        read(path=str(tmp_path / name))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("suffix", TEXT)
def test_a_compressed_release_is_published_and_verified(suffix, ending, tmp_path):
    table = pa.table({"zip": ["1", "1", "2", "2", "3"], "ill": ["flu", "ache"] * 2 + ["secret"]})
    out = tmp_path / "released" / f"table.{suffix}.{ending}"
    la.release(table, k=2, method="datafly", attributes=ATTRIBUTES, max_suppressed=1).publish(out)

    assert la.verify(out.parent).holds
    with pa.input_stream(str(out)) as stream:
        content = stream.read()
    assert b"secret" not in content
    assert len(content.splitlines()) == 4 + (suffix in ("csv", "tsv"))
    columns, rows = read(path=str(out))
    assert columns == ["zip", "ill"]
    assert sorted(rows) == [("1", "ache"), ("1", "flu"), ("2", "ache"), ("2", "flu")]


def test_a_compressed_release_holds_no_time_and_no_name(tmp_path):
    table = pa.table({"zip": ["1", "1"], "ill": ["flu", "flu"]})
    out = tmp_path / "released" / "table.csv.gz"
    la.release(table, k=2, method="datafly", attributes=ATTRIBUTES).publish(out)

    magic, flags, time = out.read_bytes()[:2], out.read_bytes()[3], out.read_bytes()[4:8]
    assert (magic, flags, time) == (b"\x1f\x8b", 0, bytes(4))


def test_a_released_file_with_one_column_keeps_its_delimiter(tmp_path):
    table = pa.table({"zip": ["a;b", "a;b"]})
    out = tmp_path / "released" / "table.csv.gz"
    la.release(table, k=2, method="datafly", attributes={"zip": ATTRIBUTES["zip"]}).publish(out)
    assert la.verify(out.parent).holds


def test_the_decompressed_copy_is_private(tmp_path):
    path = compress(tmp_path / "visits.jsonl.gz", json.dumps({"zip": "1"}).encode())
    connection = Connection()
    read_source(Source(path=str(path)), connection)
    [copy] = connection.folder.path.rglob("visits.jsonl.gz")
    assert connection.folder.path.stat().st_mode & 0o077 == 0
    assert copy.read_bytes() == b'{"zip": "1"}'
