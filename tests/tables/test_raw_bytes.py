"""No byte of a release tells of what was not released.

Values are long tokens without order. For each format the search is first shown to find those
that were released; Parquet's compressed pages are searched as they are and decompressed.
"""

import itertools
import pickle
import random
import string
import struct
from dataclasses import dataclass

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
import pytest

import lookalike as la

WRITTEN = [(suffix, "drop") for suffix in ("csv", "tsv", "jsonl", "parquet", "arrow")]
WRITTEN += [("csv", "blank"), ("parquet", "blank")]
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


@pytest.fixture
def private_folder(tmp_path):
    folder = tmp_path / FOLDER_NAME
    folder.mkdir()
    (folder / "pseudonym.key").write_bytes(KEY.encode())
    (folder / "pseudonym.key").chmod(0o600)
    return folder


def make_release(make, folder, suppressed_rows):
    table = make(pa.table(COLUMNS), folder)
    linkable = {"role": "quasi-identifier"}
    return la.release(
        table,
        k=2,
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


@pytest.mark.parametrize(("suffix", "suppressed_rows"), WRITTEN)
@pytest.mark.parametrize("make", (MEMORY | DISK).values(), ids=MEMORY | DISK)
def test_published_bytes(make, suffix, suppressed_rows, private_folder, tmp_path):
    made = make_release(make, private_folder, suppressed_rows)
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
@pytest.mark.parametrize("make", MEMORY.values(), ids=MEMORY)
def test_pickled_frame(make, suppressed_rows, private_folder):
    released = make_release(make, private_folder, suppressed_rows).table

    assert search(pickle.dumps(released), EXPECTED[suppressed_rows].hidden) == []
    rows = released.collect() if isinstance(released, pl.LazyFrame) else released
    check_content(pickle.dumps(rows), suppressed_rows)


@pytest.mark.parametrize("make", (MEMORY | DISK).values(), ids=MEMORY | DISK)
def test_parquet_dictionaries_and_metadata(make, private_folder, tmp_path):
    made = make_release(make, private_folder, "drop")
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


@pytest.mark.parametrize("make", (MEMORY | DISK).values(), ids=MEMORY | DISK)
def test_arrow_metadata_and_types(make, private_folder, tmp_path):
    made = make_release(make, private_folder, "drop")
    made.publish(tmp_path / "released" / "table.arrow")
    reader = pa.ipc.open_file(tmp_path / "released" / "table.arrow")

    assert reader.schema.metadata is None
    assert all(field.metadata is None for field in reader.schema)
    assert not any(pa.types.is_dictionary(field.type) for field in reader.schema)
    assert sorted(set(reader.read_all()["ward"].to_pylist())) == sorted(WARDS)


# Dictionaries inside of other types

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
    made = la.release(relation, k=4, max_suppressed=1, attributes=linkable | roles)
    shown = f"{made.table.types} {made.table.fetchall()}"
    assert KEPT_WARDS[0] in shown
    assert not [one for one in (*LONELY, *UNUSED) if one in shown]
