"""No dictionary inside a nested type lists a value that was not released."""

import pickle

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import lookalike as la

from .unreleased_values import LONELY_WARDS, METADATA, UNUSED_WARDS, WARDS

KEPT_WARDS, LONELY, UNUSED = WARDS[:1], LONELY_WARDS[:1], UNUSED_WARDS[:1]
CATEGORIES = pa.DictionaryArray.from_arrays([0, 0, 0, 0, 1], [*KEPT_WARDS, *LONELY, *UNUSED])
NOTED = pa.field("ward", CATEGORIES.type, metadata={"noted": METADATA})
NESTED = {
    "struct": pa.StructArray.from_arrays([CATEGORIES], fields=[NOTED]),
    "list": pa.ListArray.from_arrays(pa.array(range(6), pa.int32()), CATEGORIES),
    "large list": pa.LargeListArray.from_arrays(pa.array(range(6), pa.int64()), CATEGORIES),
    "list of structs": pa.ListArray.from_arrays(
        pa.array(range(6), pa.int32()), pa.StructArray.from_arrays([CATEGORIES], fields=[NOTED])
    ),
    "fixed list": pa.FixedSizeListArray.from_arrays(CATEGORIES, 1),
}


def to_arrow_bytes(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def to_pandas(table):
    return table.to_pandas(types_mapper=pd.ArrowDtype)


@pytest.mark.parametrize("name", NESTED)
@pytest.mark.parametrize(
    ("build", "to_bytes"),
    [
        (lambda table: table, to_arrow_bytes),
        (pl.from_arrow, lambda frame: to_arrow_bytes(frame.to_arrow())),
        (to_pandas, lambda frame: to_arrow_bytes(pa.Table.from_pandas(frame))),
        (to_pandas, pickle.dumps),
    ],
)
def test_dictionaries_inside_of_other_types(name, build, to_bytes):
    table = build(pa.table({"zip": ["1", "1", "1", "1", "2"], "ward": NESTED[name]}))
    assert LONELY[0].encode() in to_bytes(table)
    made = la.release(
        table,
        k=4,
        method="datafly",
        max_suppressed=1,
        attributes={
            "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
            "ward": {"role": "other"},
        },
    )
    assert type(made.table) is type(table)
    content = to_bytes(made.table)
    assert KEPT_WARDS[0].encode() in content
    assert not [one for one in (*LONELY, *UNUSED, METADATA) if one.encode() in content]


def test_the_types_of_a_relation_list_no_values():
    kind = f"ENUM('{KEPT_WARDS[0]}', '{LONELY[0]}', '{UNUSED[0]}')"
    ward = f"(CASE WHEN range < 4 THEN '{KEPT_WARDS[0]}' ELSE '{LONELY[0]}' END)::{kind}"
    relation = duckdb.connect().sql(
        f"SELECT (range // 4)::VARCHAR AS zip, {{'ward': {ward}, 'all': [{ward}]}} AS wards, "
        f"map {{{ward}: 1}} AS counts FROM range(5)"
    )
    roles = {"wards": {"role": "other"}, "counts": {"role": "other"}}
    linkable = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
    made = la.release(
        relation, k=4, method="datafly", max_suppressed=1, attributes=linkable | roles
    )
    shown = f"{made.table.types} {made.table.fetchall()}"
    assert KEPT_WARDS[0] in shown
    assert not [one for one in (*LONELY, *UNUSED) if one in shown]
