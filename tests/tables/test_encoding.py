"""The encoding of a file is found, also of one that is large or compressed."""

import gzip

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.tables.connection import Connection
from lookalike.tables.files import encoding as file_bytes
from lookalike.tables.files.encoding import detect_encoding
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

TEXT = "town;note\nMünster;“gut”\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (b"", "utf-8"),
        (b"plain", "utf-8"),
        (TEXT.encode(), "utf-8"),
        (TEXT.encode("utf-8-sig"), "utf-8"),
        (TEXT.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("cp1252"), "cp1252"),
        (b"\x81\xe9", "latin-1"),
        ("ü".encode()[:1], "cp1252"),
    ],
)
@pytest.mark.parametrize("block", [1, 3, 1 << 20])
def test_the_first_encoding_that_reads_every_byte_is_found(
    content, encoding, block, tmp_path, monkeypatch
):
    monkeypatch.setattr(file_bytes, "BLOCK", block)
    file = tmp_path / "towns.csv"
    file.write_bytes(content)
    assert detect_encoding(file) == encoding
    content.decode(encoding)


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_a_compressed_file_is_decoded(compression, tmp_path):
    content = TEXT.encode("cp1252")
    file = tmp_path / f"towns.csv.{compression}"
    if compression == "gz":
        file.write_bytes(gzip.compress(content))
    else:
        file.write_bytes(pa.compress(content, codec="zstd", asbytes=True))
    assert detect_encoding(file) == "cp1252"


def test_one_wrong_byte_at_the_end_of_many_blocks_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(file_bytes, "BLOCK", 1000)
    file = tmp_path / "towns.csv"
    file.write_bytes(b"a\n" * 5000 + b"\xe9\n")
    assert detect_encoding(file) == "cp1252"


@pytest.mark.parametrize("suffix", ["csv", "csv.gz", "jsonl"])
def test_the_proposed_encoding_reads_the_file(suffix, tmp_path):
    line = '{"town": "Münster"}' if suffix == "jsonl" else "Münster"
    first = '{"town": "Bonn"}' if suffix == "jsonl" else "town"
    content = f"{first}\n{first}\n{line}\n".encode("cp1252")
    file = tmp_path / f"towns.{suffix}"
    file.write_bytes(gzip.compress(content) if suffix.endswith("gz") else content)
    with pytest.raises(la.InvalidInput) as error:
        la.check(file, ["town"])
    shown = 'line 3: not in the encoding utf-8; it can be read with encoding = "cp1252"'
    assert f"towns.{suffix}, {shown}" in str(error.value)
    assert "nster" not in str(error.value)
    rows = read_source(Source(path=str(file), encoding="cp1252"), Connection()).collect()
    assert rows["town"].to_list()[-1] == "Münster"


def test_a_line_is_counted_over_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(file_bytes, "BLOCK", 10)
    file = tmp_path / "towns.csv"
    file.write_bytes(b"a\n" * 500 + b"\xe9\n")
    with pytest.raises(la.InvalidInput, match=r'line 501: not in the encoding ascii.*"cp1252"'):
        read_source(Source(path=str(file), encoding="ascii"), Connection())


def test_all_files_of_a_table_decide_on_the_encoding(tmp_path):
    texts = {"a.csv": "Bonn", "b.csv": "Münster"}
    files = [tmp_path / name for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_bytes(f"town\n{text}\n".encode("cp1252"))
    assert detect_encoding(files[0]) == "utf-8"
    assert detect_encoding(*files) == "cp1252"


@pytest.mark.parametrize("other", ["utf-8", "utf-16"])
def test_files_with_different_encodings_are_refused(other, tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_bytes("Münster".encode("cp1252"))
    second.write_bytes("Köln".encode(other))
    with pytest.raises(la.InvalidInput, match=r"a\.csv in cp1252 and b\.csv in utf-"):
        detect_encoding(first, second)


def test_a_plain_file_beside_one_in_utf_16_is_refused(tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    first.write_bytes(b"Bonn")
    second.write_bytes("Bonn".encode("utf-16"))
    with pytest.raises(la.InvalidInput, match="different encodings"):
        detect_encoding(first, second)
