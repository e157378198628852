"""No byte of a release holds a value that was not released.

Values are long tokens without order. For each format the search is first shown to find those
that were released; Parquet's compressed pages are searched compressed and decompressed.
"""

import itertools
import pickle
import struct
from functools import cache

import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import lookalike as la

from .unreleased_values import (
    CITIES,
    COLUMNS,
    DISK,
    EXPECTED,
    FOLDER_NAME,
    ILLS,
    KEY,
    MEMORY,
    REGIONS,
    TREE,
    WARDS,
)

WRITTEN = [(suffix, "drop") for suffix in ("csv", "tsv", "jsonl", "parquet", "arrow")]
WRITTEN += [("csv", "blank"), ("parquet", "blank")]
STATISTICS = [("pandas", "sav"), ("csv", "dta")]
"""Files of SPSS and Stata are written from Arrow, whatever the kind of table."""


KINDS = MEMORY | DISK


@pytest.fixture(scope="module")
def released_once(tmp_path_factory):
    """Returns the release of a kind of table, and makes it only once."""

    @cache
    def release_of(kind, suppressed_rows):
        folder = tmp_path_factory.mktemp("private") / FOLDER_NAME
        folder.mkdir()
        (folder / "pseudonym.key").write_bytes(KEY.encode())
        (folder / "pseudonym.key").chmod(0o600)
        return make_release(KINDS[kind], folder, suppressed_rows)

    return release_of


def make_release(make, folder, suppressed_rows):
    table = make(pa.table(COLUMNS), folder)
    linkable = {"role": "quasi-identifier"}
    return la.release(
        table,
        k=2,
        method="datafly",
        max_suppressed=2,
        suppressed_rows=suppressed_rows,
        attributes={
            "person": {"role": "identifier"},
            "number": {"role": "identifier", "pseudonym": {"key_file": folder / "pseudonym.key"}},
            "street": linkable | {"hierarchy": la.Taxonomy(TREE["tree"])},
            "city": linkable | {"hierarchy": {"kind": "suppress"}},
            "ill": {"role": "sensitive"},
            "amount": {"role": "other"},
            "ward": {"role": "other"},
        },
    )


def search(content, values):
    """Return the values that some bytes hold, in one form or another."""
    return [value for value in values if any(form in content for form in forms(value))]


def forms(value):
    """Return the bytes that a value may be written as."""
    if isinstance(value, str):
        return [value.encode(), value.encode("utf-16-le")]
    return [str(value).encode(), struct.pack("<q", value), struct.pack(">q", value)]


def check_content(content, suppressed_rows):
    expected = EXPECTED[suppressed_rows]
    assert search(content, expected.shown) == expected.shown, "the search finds what is released"
    assert search(content, expected.hidden) == []


PUBLISHED = [(kind, *written) for kind in KINDS for written in WRITTEN]
PUBLISHED += [(kind, suffix, "drop") for kind, suffix in STATISTICS]


@pytest.mark.parametrize(("kind", "suffix", "suppressed_rows"), PUBLISHED)
def test_published_bytes(kind, suffix, suppressed_rows, released_once, tmp_path):
    made = released_once(kind, suppressed_rows)
    assert made.levels == {"street": 1, "city": 0}
    made.publish(tmp_path / "released" / f"table.{suffix}")

    files = sorted((tmp_path / "released").iterdir())
    assert [file.name for file in files] == ["certificate.json", f"table.{suffix}"]
    assert search(files[0].read_bytes(), EXPECTED[suppressed_rows].hidden) == []
    content = files[1].read_bytes()
    if suffix == "parquet":
        content += b"".join(decompressed_pages(content))
    check_content(content, suppressed_rows)


def decompressed_pages(content):
    """Yield the dictionary page and the data page of each column chunk."""
    group = pyarrow.parquet.read_metadata(pa.BufferReader(content)).row_group(0)
    for chunk in map(group.column, range(group.num_columns)):
        assert chunk.compression == "SNAPPY"
        starts = [chunk.dictionary_page_offset or chunk.data_page_offset, chunk.data_page_offset]
        end = starts[0] + chunk.total_compressed_size
        for start, stop in {(starts[0], starts[1]), (starts[1], end)}:
            if start < stop:
                yield decompress_page(content[start:stop])


def decompress_page(page):
    """Decompress a page that begins with a header of unknown size."""
    for header in range(len(page) - 4):
        try:
            return pa.decompress(page[header:], size_of(page[header:]), "snappy", asbytes=True)
        except OSError:
            continue
    raise AssertionError("no compressed page is found")


def size_of(compressed):
    """Return the number that snappy begins with, in groups of seven bits."""
    groups = list(itertools.takewhile(lambda byte: byte & 0x80, compressed[:4]))
    groups.append(compressed[len(groups)])
    return sum((byte & 0x7F) << 7 * place for place, byte in enumerate(groups))


@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
@pytest.mark.parametrize("kind", MEMORY)
def test_pickled_frame(kind, suppressed_rows, released_once):
    released = released_once(kind, suppressed_rows).table

    assert search(pickle.dumps(released), EXPECTED[suppressed_rows].hidden) == []
    rows = released.collect() if isinstance(released, pl.LazyFrame) else released
    check_content(pickle.dumps(rows), suppressed_rows)


@pytest.mark.parametrize("kind", KINDS)
def test_parquet_dictionaries_and_metadata(kind, released_once, tmp_path):
    made = released_once(kind, "drop")
    made.publish(tmp_path / "released" / "table.parquet")
    path = tmp_path / "released" / "table.parquet"

    described = pyarrow.parquet.read_metadata(path)
    assert described.metadata is None
    text = [name for name in made.certificate.columns if name != "amount"]
    table = pyarrow.parquet.read_table(path, read_dictionary=text)
    assert sorted(dictionary_of(table, "city")) == sorted(CITIES)
    assert sorted(dictionary_of(table, "ill")) == sorted(ILLS)
    assert sorted(dictionary_of(table, "ward")) == sorted(WARDS)
    assert sorted(dictionary_of(table, "street")) == sorted(REGIONS)
    shown = {*map(str, EXPECTED["drop"].shown), *table["number"].to_pylist()}
    assert statistics_of(described) <= shown


def dictionary_of(table, name):
    return {value for chunk in table[name].chunks for value in chunk.dictionary.to_pylist()}


def statistics_of(described):
    groups = [described.row_group(number) for number in range(described.num_row_groups)]
    columns = [group.column(number) for group in groups for number in range(group.num_columns)]
    found = [column.statistics for column in columns if column.statistics is not None]
    return {str(bound) for statistics in found for bound in (statistics.min, statistics.max)}


@pytest.mark.parametrize("kind", KINDS)
def test_arrow_metadata_and_types(kind, released_once, tmp_path):
    made = released_once(kind, "drop")
    made.publish(tmp_path / "released" / "table.arrow")
    reader = pa.ipc.open_file(tmp_path / "released" / "table.arrow")

    assert reader.schema.metadata is None
    assert all(field.metadata is None for field in reader.schema)
    assert not any(pa.types.is_dictionary(field.type) for field in reader.schema)
    assert sorted(set(reader.read_all()["ward"].to_pylist())) == sorted(WARDS)
