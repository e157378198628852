"""A table of long random tokens, as every kind of table, to search the bytes of its releases.

Twelve rows are in three classes of four; the two rows at the end are outliers.
"""

import random
import string
from dataclasses import dataclass

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet

RANDOM = random.Random(20020501)


def draw_token():
    return "".join(RANDOM.choices(string.ascii_letters + string.digits, k=28))


def draw_tokens(count):
    return [draw_token() for _ in range(count)]


def draw_numbers(count):
    return [RANDOM.getrandbits(62) for _ in range(count)]


REGIONS, STREETS, CITIES, WARDS = draw_tokens(2), draw_tokens(12), draw_tokens(3), draw_tokens(3)
LONELY_STREETS, LONELY_CITIES, LONELY_ILLS = draw_tokens(2), draw_tokens(2), draw_tokens(2)
LONELY_WARDS, UNUSED_WARDS = draw_tokens(2), draw_tokens(2)
ILLS, PEOPLE, NUMBERS, INDEX = draw_tokens(4), draw_tokens(14), draw_tokens(14), draw_tokens(14)
AMOUNTS, LONELY_AMOUNTS = draw_numbers(4), draw_numbers(2)
FILE_NAME, FOLDER_NAME, METADATA, KEY = draw_tokens(4)


# twelve rows in three classes of four, and two outliers at the end
WARD_CODES = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 4]
COLUMNS = {
    "person": PEOPLE,
    "number": NUMBERS,
    "street": STREETS + LONELY_STREETS,
    "city": [city for city in CITIES for _ in range(4)] + LONELY_CITIES,
    "ill": ILLS * 3 + LONELY_ILLS,
    "amount": AMOUNTS * 3 + LONELY_AMOUNTS,
    "ward": pa.DictionaryArray.from_arrays(WARD_CODES, WARDS + LONELY_WARDS + UNUSED_WARDS),
}
TREE = {
    "tree": {
        REGIONS[0]: STREETS[:8],
        REGIONS[1]: STREETS[8:] + LONELY_STREETS,
    }
}
QUASI_VALUES = [*LONELY_CITIES, *STREETS, *LONELY_STREETS]
OTHER_VALUES = [*LONELY_ILLS, *LONELY_WARDS, *LONELY_AMOUNTS]
NEVER = [*PEOPLE, *NUMBERS, *INDEX, *UNUSED_WARDS, FILE_NAME, FOLDER_NAME, METADATA, KEY]


@dataclass(frozen=True)
class Expected:
    """What must and what must not be found in a release."""

    shown: list[str | int]
    hidden: list[str | int]


EXPECTED = {
    "drop": Expected(
        [*REGIONS, *CITIES, *ILLS, *WARDS, *AMOUNTS], [*QUASI_VALUES, *OTHER_VALUES, *NEVER]
    ),
    "blank": Expected(
        [*REGIONS, *CITIES, *ILLS, *WARDS, *AMOUNTS, *OTHER_VALUES], [*QUASI_VALUES, *NEVER]
    ),
}


def as_pandas(table, folder):
    frame = table.to_pandas()
    frame.index = pd.Index(INDEX, name=METADATA)
    frame.attrs = {METADATA: METADATA}
    return frame


def as_pandas_nullable(table, folder):
    return as_pandas(table, folder).convert_dtypes()


def as_pandas_arrow(table, folder):
    return table.to_pandas(types_mapper=pd.ArrowDtype).set_index(pd.Index(INDEX, name=METADATA))


def as_polars(table, folder):
    return pl.from_arrow(table)


def as_polars_lazy(table, folder):
    return pl.from_arrow(table).lazy()


def as_arrow(table, folder):
    return table.replace_schema_metadata({METADATA: METADATA})


def as_relation(table, folder):
    labels = ", ".join(f"'{ward}'" for ward in [*WARDS, *LONELY_WARDS, *UNUSED_WARDS])
    relation = duckdb.connect().from_arrow(table)
    return relation.query("t", f"SELECT * REPLACE (CAST(ward AS ENUM ({labels})) AS ward) FROM t")


def as_csv(table, folder):
    pyarrow.csv.write_csv(with_text(table), folder / f"{FILE_NAME}.csv")
    return folder / f"{FILE_NAME}.csv"


def as_json_lines(table, folder):
    as_relation(table, folder).query(
        "t", f"COPY (SELECT * FROM t) TO '{folder / FILE_NAME}.jsonl' (FORMAT json)"
    )
    return folder / f"{FILE_NAME}.jsonl"


def as_parquet(table, folder):
    frame = as_pandas(table, folder)
    frame.to_parquet(folder / f"{FILE_NAME}.parquet", index=False)
    return folder / f"{FILE_NAME}.parquet"


def as_arrow_file(table, folder):
    described = table.replace_schema_metadata({METADATA: METADATA})
    pyarrow.feather.write_feather(described, str(folder / f"{FILE_NAME}.arrow"))
    return folder / f"{FILE_NAME}.arrow"


def with_text(table):
    position = table.column_names.index("ward")
    return table.set_column(position, "ward", table["ward"].cast(pa.string()))


MEMORY = {
    "pandas": as_pandas,
    "pandas nullable": as_pandas_nullable,
    "pandas pyarrow": as_pandas_arrow,
    "polars": as_polars,
    "polars lazy": as_polars_lazy,
    "pyarrow": as_arrow,
}
DISK = {
    "duckdb": as_relation,
    "csv": as_csv,
    "jsonl": as_json_lines,
    "parquet": as_parquet,
    "arrow": as_arrow_file,
}
