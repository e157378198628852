"""What is released shows nothing of suppressed rows: neither its types nor the bytes around it.

Two private tables that differ in suppressed rows only are released. What is compared are the
schema, the metadata and the statistics of the file, and the types of the frame.
"""

import gzip

import duckdb
import ibis
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la

from .conftest import FILES, FRAMES, mark_kind

ROWS = {
    "zip": ["02138", "02138", "02139", "02139", "99999"],
    "age": [41, 42, 41, 42, 77],
    "pay": [1.5, 2.5, 1.5, 2.5, 9.5],
    "whole": [10, 20, 10, 20, 30],
    "flag": [True, False, True, False, True],
    "ill": ["flu", "gout", "flu", "gout", "none"],
}
WORLDS = ("kept", "lost")
SUFFIXES = ("csv", "tsv", "jsonl", "csv.gz", "jsonl.gz", "parquet", "arrow")
KINDS = {**FRAMES, **FILES}


def release_world(kind, folder, *, lost):
    """Release the rows; the last one, which is suppressed, has values or lacks them."""
    last = {name: None if lost and name != "zip" else values[4] for name, values in ROWS.items()}
    columns = {name: [*values[:4], last[name]] for name, values in ROWS.items()}
    folder.mkdir()
    table = KINDS[kind][1](columns, (), folder)
    return la.release(
        table,
        k=2,
        method="datafly",
        max_suppressed=1,
        keep_order=True,
        attributes={
            "zip": {"role": "quasi-identifier", "hierarchy": la.Mask()},
            **{name: {"role": "other"} for name in list(ROWS)[1:]},
        },
    )


def describe_parquet(path):
    file = pyarrow.parquet.ParquetFile(path)
    group = file.metadata.row_group(0)
    assert all(file.schema.column(number).max_definition_level == 1 for number in range(len(ROWS)))
    chunks = [group.column(number).to_dict() for number in range(group.num_columns)]
    return str(file.schema).partition("\n")[2], file.metadata.metadata, chunks


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=mark_kind(kind)) for kind in KINDS])
def test_a_file_is_the_same_whatever_was_missing_in_suppressed_rows(kind, tmp_path):
    one, other = (release_world(kind, tmp_path / lost, lost=lost == "lost") for lost in WORLDS)
    assert one.certificate.rows_suppressed == other.certificate.rows_suppressed == 1
    for suffix in SUFFIXES:
        files = [tmp_path / world / suffix / f"table.{suffix}" for world in WORLDS]
        for made, file in zip((one, other), files, strict=True):
            made.publish(file)
        if suffix == "parquet":
            assert describe_parquet(files[0]) == describe_parquet(files[1])
        open_bytes = gzip.decompress if suffix.endswith("gz") else bytes
        assert open_bytes(files[0].read_bytes()) == open_bytes(files[1].read_bytes()), suffix


def describe_frame(native):
    """Return the types of a frame, as its kind has them."""
    if isinstance(native, pd.DataFrame):
        return native.dtypes.to_dict()
    if isinstance(native, pl.LazyFrame | ibis.Table):
        return native.collect_schema() if isinstance(native, pl.LazyFrame) else native.schema()
    if isinstance(native, pl.DataFrame | pa.Table):
        return native.schema
    if isinstance(native, duckdb.DuckDBPyRelation):
        return [str(kind) for kind in native.types]
    return nw.from_native(native).collect_schema()


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=mark_kind(kind)) for kind in KINDS])
def test_a_frame_has_the_same_types_whatever_was_missing_in_suppressed_rows(kind, tmp_path):
    made = [release_world(kind, tmp_path / lost, lost=lost == "lost") for lost in WORLDS]
    one, other = (str(describe_frame(release.table)) for release in made)
    assert one == other
