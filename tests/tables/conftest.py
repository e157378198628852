"""The kinds of table that go in, as one fixture, and a table that is hard for all of them."""

import json
import math
import os
import secrets
import shutil
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import ibis
import narwhals as nw
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from lookalike.tables.labels import label

from ..packages import is_left_out, need

Columns = dict[str, list[Any]]
Names = Sequence[str]


@dataclass(frozen=True)
class Engine:
    """One kind of table: makes it from plain columns, and reads it back as text."""

    name: str
    kind: type
    build: Callable[[Columns, Names, Path], Any]
    folder: Path

    def __call__(self, columns: Columns, categorical: Names = ()) -> Any:
        return self.build(columns, categorical, self.folder)

    @staticmethod
    def to_rows(table: Any) -> list[tuple[str | None, ...]]:
        """Return the rows of a table of any kind as tuples of labels."""
        frame = nw.from_native(table)
        arrow = frame.collect("pyarrow") if isinstance(frame, nw.LazyFrame) else frame
        columns = [map(label, column.to_pylist()) for column in arrow.to_arrow().columns]
        return list(zip(*columns, strict=True))


def to_pandas(columns: Columns, categorical: Names, folder: Path) -> pd.DataFrame:
    return pd.DataFrame(columns).astype(dict.fromkeys(categorical, "category"))


def to_pandas_nullable(columns: Columns, categorical: Names, folder: Path) -> pd.DataFrame:
    return pd.DataFrame(columns).convert_dtypes().astype(dict.fromkeys(categorical, "category"))


def to_pandas_arrow(columns: Columns, categorical: Names, folder: Path) -> pd.DataFrame:
    return to_arrow(columns, categorical, folder).to_pandas(types_mapper=pd.ArrowDtype)


def to_polars(columns: Columns, categorical: Names, folder: Path) -> pl.DataFrame:
    return pl.DataFrame(columns).cast(dict.fromkeys(categorical, pl.Categorical))


def to_polars_lazy(columns: Columns, categorical: Names, folder: Path) -> pl.LazyFrame:
    return to_polars(columns, categorical, folder).lazy()


def to_arrow(columns: Columns, categorical: Names, folder: Path) -> pa.Table:
    arrays = {name: pa.array(values) for name, values in columns.items()}
    return pa.table(
        {n: a.dictionary_encode() if n in categorical else a for n, a in arrays.items()}
    )


def to_relation(
    columns: Columns, categorical: Names, folder: Path, connection: Any = None
) -> duckdb.DuckDBPyRelation:
    relation = (connection or duckdb.connect()).from_arrow(to_arrow(columns, (), folder))
    for name in categorical:
        quoted = '"' + name.replace('"', '""') + '"'
        values = ", ".join(f"'{value}'" for value in sorted(set(columns[name]) - {None}))
        cast = f"CAST({quoted} AS ENUM ({values})) AS {quoted}"
        relation = relation.query("t", f"SELECT * REPLACE ({cast}) FROM t")
    return relation


def to_ibis(columns: Columns, categorical: Names, folder: Path) -> ibis.Table:
    """Make a table of DuckDB's backend, in a file: what is made there must be temporary."""
    backend = ibis.duckdb.connect(folder / f"{secrets.token_hex(8)}.duckdb")
    to_relation(columns, categorical, folder, backend.con).create("private")
    return backend.table("private")


CONNECT = os.environ.get("LOOKALIKE_SPARK") == "connect"
"""Whether Spark is used through Spark Connect, which needs a process of its own."""


def kind_of_spark() -> type:
    """Return the class of the DataFrames of Spark in this process; of none, if it is left out."""
    if is_left_out("pyspark"):
        return type(None)
    if CONNECT:
        from pyspark.sql.connect.dataframe import DataFrame as Remote

        return Remote
    from pyspark.sql.classic.dataframe import DataFrame as Classic

    return Classic


@cache
def start_spark() -> Any:
    """Start Spark in this process once; a time without a zone is one in Spark, too."""
    if shutil.which("java") is None:
        pytest.skip("Spark needs Java, and there is none on the PATH")
    need("pyspark")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.config(
        map={
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.memory": "2g",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.timestampType": "TIMESTAMP_NTZ",
            "spark.sql.session.timeZone": "America/New_York",
        }
    )
    with warnings.catch_warnings(action="ignore"):
        started = builder.remote("local[2]") if CONNECT else builder.master("local[2]")
        return started.getOrCreate()


def to_spark(columns: Columns, categorical: Names, folder: Path) -> Any:
    """Make a DataFrame; Spark can neither group nor write times of day, so they are text."""
    known = {
        name: list(map(label, values)) if any(isinstance(one, time) for one in values) else values
        for name, values in columns.items()
    }
    return start_spark().createDataFrame(to_arrow(known, (), folder))


def to_csv(columns: Columns, categorical: Names, folder: Path) -> str:
    return write_delimited(columns, folder / "private.csv", ",")


def to_tsv(columns: Columns, categorical: Names, folder: Path) -> str:
    return write_delimited(columns, folder / "private.tsv", "\t")


def write_delimited(columns: Columns, path: Path, delimiter: str) -> str:
    """Write labels; missing is nothing at all, so that empty text, in quotes, differs."""
    lines = [list(columns), *zip(*(map(label, values) for values in columns.values()), strict=True)]
    text = "".join(delimiter.join(map(quote_field, line)) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def quote_field(text: str | None) -> str:
    return "" if text is None else '"' + text.replace('"', '""') + '"'


def to_json_lines(columns: Columns, categorical: Names, folder: Path) -> str:
    path = folder / "private.jsonl"
    rows = zip(*(map(label, values) for values in columns.values()), strict=True)
    lines = [json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def to_parquet(columns: Columns, categorical: Names, folder: Path) -> str:
    path = folder / "private.parquet"
    pyarrow.parquet.write_table(to_arrow(columns, categorical, folder), path)
    return str(path)


def to_arrow_file(columns: Columns, categorical: Names, folder: Path) -> str:
    path = folder / "private.arrow"
    pyarrow.feather.write_feather(to_arrow(columns, categorical, folder), str(path))
    return str(path)


FRAMES: dict[str, tuple[type, Callable[[Columns, Names, Path], Any]]] = {
    "pandas": (pd.DataFrame, to_pandas),
    "pandas nullable": (pd.DataFrame, to_pandas_nullable),
    "pandas pyarrow": (pd.DataFrame, to_pandas_arrow),
    "polars": (pl.DataFrame, to_polars),
    "polars lazy": (pl.LazyFrame, to_polars_lazy),
    "pyarrow": (pa.Table, to_arrow),
    "duckdb": (duckdb.DuckDBPyRelation, to_relation),
    "ibis": (ibis.Table, to_ibis),
    "spark": (kind_of_spark(), to_spark),
}
FILES: dict[str, tuple[type, Callable[[Columns, Names, Path], Any]]] = {
    "csv": (duckdb.DuckDBPyRelation, to_csv),
    "tsv": (duckdb.DuckDBPyRelation, to_tsv),
    "jsonl": (duckdb.DuckDBPyRelation, to_json_lines),
    "parquet": (duckdb.DuckDBPyRelation, to_parquet),
    "arrow": (duckdb.DuckDBPyRelation, to_arrow_file),
}
KINDS = FRAMES | FILES
ALIKE = (
    "pandas nullable",
    "pandas pyarrow",
    "polars lazy",
    "pyarrow",
    "tsv",
    "jsonl",
    "parquet",
    "arrow",
)
"""Kinds that go most of the way together with another one."""
SLOW = ("polars", "ibis", "spark")


def mark_kind(kind: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a test of one kind of table."""
    if kind in ALIKE:
        return [pytest.mark.slow, pytest.mark.exhaustive]
    return [pytest.mark.slow] if kind in SLOW else []


@pytest.fixture(params=[pytest.param(kind, marks=mark_kind(kind)) for kind in KINDS])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    """Every kind of table that can be released."""
    return Engine(request.param, *KINDS[request.param], tmp_path)


@pytest.fixture
def make_spark() -> Callable[[], Any]:
    """Return what starts Spark, or skips where it cannot run."""
    return start_spark


@dataclass(frozen=True)
class Hard:
    """A table with every kind of value that engines treat differently, and its release."""

    columns: Columns
    categorical: Names
    attributes: dict[str, Any]
    levels: dict[str, int]
    classes: dict[tuple[str | None, ...], int]
    rows_suppressed: int
    precision: float


FIRST, SECOND = date(1965, 9, 20), date(1970, 1, 1)
MIDNIGHT, AFTERNOON = datetime(2024, 1, 1), datetime(2024, 2, 29, 13, 45)
NAMES = ("postal code", 'born "on"', "seen.at", "größe", "children", "smoker", "区", "said; a, b")
GROUPS: list[tuple[Any, ...]] = [
    ("02138", FIRST, MIDNIGHT, 1.5, 2, True, "north", 'she said "no", twice; a\tb|c'),
    ("02139", FIRST, MIDNIGHT, 1.5, 2, True, "north", 'she said "no", twice; a\tb|c'),
    ("02139", FIRST, MIDNIGHT, 1.5, 2, True, "north", 'she said "no", twice; a\tb|c'),
    (None, None, None, None, None, None, None, None),
    (None, None, None, math.nan, None, None, None, None),
    (None, None, None, None, None, None, None, None),
    ("", SECOND, AFTERNOON, 0.0, 0, False, "süd", "two\nlines"),
    ("", SECOND, AFTERNOON, -0.0, 0, False, "süd", "two\nlines"),
    ("", SECOND, AFTERNOON, 0.0, 0, False, "süd", "two\nlines"),
    ("99201", SECOND, AFTERNOON, 3.0, -7, True, "東京", ""),
    ("99202", SECOND, AFTERNOON, 3.0, -7, True, "東京", ""),
    ("99203", SECOND, AFTERNOON, 3.0, -7, True, "東京", ""),
    ("99201", SECOND, AFTERNOON, 3.0, -7, True, "東京", None),
    ("99202", SECOND, AFTERNOON, 3.0, -7, True, "東京", None),
    ("99203", SECOND, AFTERNOON, 3.0, -7, True, "東京", None),
    ("55501", date(2001, 12, 31), datetime(2023, 12, 31), 2.25, 2, False, "north", "alone"),
    ("55502", date(2001, 12, 31), datetime(2023, 12, 31), 2.25, 2, False, "north", "alone"),
]
SEEN = "2024-02-29T13:45:00"


@pytest.fixture
def hard() -> Hard:
    """The hard table, to be released with k = 3: the last two rows are outliers."""
    linkable = dict(zip(NAMES, map(list, zip(*GROUPS, strict=True)), strict=True))
    numbers = range(len(GROUPS))
    quasi = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    masked = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
    first = ("0213*", "1965-09-20", "2024-01-01", "1.5", "2", "true", "north", GROUPS[0][-1])
    third = ("*", "1970-01-01", SEEN, "0", "0", "false", "süd", "two\nlines")
    fourth = ("9920*", "1970-01-01", SEEN, "3", "-7", "true", "東京", "")
    return Hard(
        columns={
            "ssn": [f"ssn-{n:03}" for n in numbers],
            **linkable,
            "ill": ["flu", "ache"] * 8 + ["flu"],
        },
        categorical=("区",),
        attributes={
            "ssn": {"role": "identifier"},
            **dict.fromkeys(NAMES, quasi),
            NAMES[0]: masked,
            "ill": {"role": "sensitive"},
        },
        levels=dict.fromkeys(NAMES, 0) | {NAMES[0]: 1},
        classes={first: 3, (None,) * 8: 3, third: 3, fourth: 3, (*fourth[:-1], None): 3},
        rows_suppressed=2,
        # One step of five for 12 codes; the three empty ones are suppressed by it, as 2 rows are.
        precision=1 - (12 / 5 + 3 + 2 * 8) / (17 * 8),
    )
