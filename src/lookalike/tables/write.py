"""Write: a frame to a file, whose suffix chooses the format."""

from pathlib import Path

import duckdb
import pyarrow as pa

from lookalike.tables.files import FORMATS
from lookalike.tables.sql import copy_to_file

_COPY_OPTIONS = {
    ".csv": "FORMAT csv, HEADER true, DELIMITER ','",
    ".tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
    ".parquet": "FORMAT parquet",
}


def write_relation(relation: duckdb.DuckDBPyRelation, path: Path) -> None:
    """Write the rows of a relation to a file."""
    suffix = path.suffix.lower()
    if FORMATS[suffix] != "arrow":
        copy_to_file(relation, path, _COPY_OPTIONS[suffix])
        return
    reader = relation.to_arrow_reader()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
        for batch in reader:
            writer.write_batch(batch)
