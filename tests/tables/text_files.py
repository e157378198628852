"""Write text columns to a file of any format, and read a source back."""

import json

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from lookalike.tables.connection import Connection
from lookalike.tables.read import read_source
from lookalike.tables.source import Source

from ..roles import LINKABLE, SENSITIVE

ATTRIBUTES = {"zip": LINKABLE, "ill": SENSITIVE}


def read(**fields):
    """Return the columns of a source, and its rows in order."""
    relation = read_source(Source(**fields), Connection()).to_native()
    return relation.columns, relation.fetchall()


def write(path, columns):
    """Write columns of text in the format of a path's suffix."""
    table = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    elif path.suffix == ".arrow":
        pyarrow.feather.write_feather(table, str(path))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in table.to_pylist()))
    else:
        lines = [columns, *zip(*columns.values(), strict=True)]
        delimiter = {".csv": ",", ".tsv": "\t"}[path.suffix]
        path.write_text("".join(delimiter.join(line) + "\n" for line in lines))
    return path


SUFFIXES = ["csv", "tsv", "jsonl", "parquet", "arrow"]
