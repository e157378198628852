"""Write: a frame to a file, whose suffix chooses the format."""

from pathlib import Path

import duckdb
import narwhals as nw
import pyarrow as pa

from lookalike.tables.read import FORMATS, Engine
from lookalike.tables.sql import copy_to_file, derive, engine_errors
from lookalike.tables.table import Frame

COPY_OPTIONS = {
    ".csv": "FORMAT csv, HEADER true, DELIMITER ','",
    ".tsv": "FORMAT csv, HEADER true, DELIMITER '\t'",
    ".jsonl": "FORMAT json",
    ".ndjson": "FORMAT json",
    ".parquet": "FORMAT parquet",
}


def write_table(frame: Frame, path: Path) -> pa.Schema:
    """Write a frame to a file; return the names and types of the columns written."""
    engine = Engine(beside=path.parent.parent)
    with engine_errors(path.name):
        relation, schema = _describe(frame, engine)
        if FORMATS[path.suffix.lower()] == "arrow":
            reader = relation.to_arrow_reader()
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, reader.schema) as writer:
                for batch in reader:
                    writer.write_batch(batch)
        else:
            copy_to_file(relation, path, COPY_OPTIONS[path.suffix.lower()])
    return schema


def _describe(frame: Frame, engine: Engine) -> tuple[duckdb.DuckDBPyRelation, pa.Schema]:
    """Hand a frame to SQL, and return its columns with their types."""
    if isinstance(frame, nw.DataFrame):
        rows = frame.to_arrow()
        return engine.connection.from_arrow(rows), rows.schema
    relation: duckdb.DuckDBPyRelation = frame.to_native()
    return relation, derive(relation, "SELECT * FROM t LIMIT 0").to_arrow_table().schema
