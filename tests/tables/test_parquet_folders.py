"""Folders of Parquet files: one table in many files, with or without columns in folder names."""

import datetime

import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la

from .text_files import ATTRIBUTES, read, write


def write_parts(folder, parts):
    """Write a Parquet file of one column at each place below a folder."""
    for place, ills in parts.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        write(folder / place, {"ill": ills})
    return str(folder)


PARTS = {
    "zip=02138/year=2023/a.parquet": ["flu", "ache"],
    "zip=02138/year=2024/a.parquet": ["flu"],
    "zip=a%2Fb/year=2024/a.parquet": ["cold"],
    "zip=__HIVE_DEFAULT_PARTITION__/year=2024/a.parquet": ["gout"],
}
ROWS = [
    ("flu", "02138", "2023"),
    ("ache", "02138", "2023"),
    ("flu", "02138", "2024"),
    ("gout", None, "2024"),
    ("cold", "a/b", "2024"),
]


@pytest.mark.parametrize("ending", ["", "/"])
def test_a_folder_is_one_table(ending, tmp_path):
    folder = write_parts(tmp_path / "visits", {"1.parquet": ["flu"], "more/2.parquet": ["ache"]})
    assert read(path=folder + ending) == (["ill"], [("flu",), ("ache",)])


def test_whether_folder_names_are_data_must_be_said(tmp_path):
    folder = write_parts(tmp_path / "visits", PARTS)
    columns, rows = read(path=folder, partitions=False)
    assert (columns, rows) == (["ill"], [row[:1] for row in ROWS])
    for path in (folder, f"{folder}/*/*/*.parquet"):
        with pytest.raises(
            la.InvalidInput, match=r"partitions = true under \[source\] to read them"
        ):
            read(path=path)
    one = f"{folder}/zip=02138/year=2023/a.parquet"
    assert read(path=one)[0] == ["ill"]


def test_a_table_without_a_specification_has_the_columns_of_its_folders(tmp_path):
    folder = write_parts(tmp_path / "visits", PARTS)
    assert la.check(folder, ["zip"], k=2).classes == 3
    drafted = la.draft(folder)
    assert set(drafted.roles) == {"ill", "zip", "year"}
    assert "partitions = true" in drafted.toml()


@pytest.mark.parametrize("below", ["", "/", "/**/*.parquet", "/zip=*/year=*/a.parquet"])
def test_folder_names_are_columns_of_text_if_asked(below, tmp_path):
    folder = write_parts(tmp_path / "top=9" / "visits", PARTS)
    assert read(path=folder + below, partitions=True) == (["ill", "zip", "year"], ROWS)


def test_folders_above_a_table_are_no_data(tmp_path):
    write_parts(tmp_path / "visits", PARTS)
    inside = str(tmp_path / "visits" / "zip=02138")
    assert read(path=inside, partitions=True) == (
        ["ill", "year"],
        [("flu", "2023"), ("ache", "2023"), ("flu", "2024")],
    )


def test_folders_above_a_file_are_no_data(tmp_path):
    folder = write_parts(tmp_path / "visits[1]", {"zip=1/1.parquet": ["flu"]})
    with pytest.raises(la.InvalidInput, match="and there are none"):
        read(path=f"{folder}/zip=1/1.parquet", partitions=True)


def test_files_keep_their_types_and_may_order_columns_differently(tmp_path):
    day = datetime.date(2024, 2, 29)
    (tmp_path / "visits").mkdir()
    one, two = pa.table({"age": [7], "day": [day]}), pa.table({"day": [day], "age": [8]})
    pyarrow.parquet.write_table(one, tmp_path / "visits" / "1.parquet")
    pyarrow.parquet.write_table(two, tmp_path / "visits" / "2.parquet")
    assert read(path=str(tmp_path / "visits")) == (["age", "day"], [(7, day), (8, day)])


def test_marks_of_other_programs_are_left_out(tmp_path):
    folder = write_parts(tmp_path / "visits", {"1.parquet": ["flu"], "_old/2.parquet": ["ache"]})
    for name in ("_SUCCESS", ".1.parquet.crc", "_metadata"):
        (tmp_path / "visits" / name).write_bytes(b"")
    assert read(path=folder) == (["ill"], [("flu",)])


def test_a_release_of_partitions_is_published_and_verified(tmp_path):
    parts = {f"zip=0213{town}/{part}.parquet": ["flu"] for town in (8, 9) for part in (1, 2)}
    folder = write_parts(tmp_path / "visits", parts)
    fields = {
        "source": {"path": folder, "partitions": True},
        "release": {"k": 2, "method": "datafly"},
    }
    specification = la.Specification.build({**fields, "attributes": ATTRIBUTES})
    made = la.release(
        folder, k=2, method="datafly", attributes=ATTRIBUTES, source={"partitions": True}
    )
    made.publish(tmp_path / "released" / "table.parquet")
    assert la.verify(tmp_path / "released", spec=specification).holds
    assert sorted(made.table.fetchall()) == [("flu", "02138")] * 2 + [("flu", "02139")] * 2


@pytest.mark.parametrize(
    ("parts", "fields", "problem"),
    [
        ({"1.parquet": ["x"]}, {"partitions": True}, "and there are none"),
        ({"zip=1/1.parquet": ["x"], "2.parquet": ["x"]}, {"partitions": True}, "different columns"),
        ({"a=1/a=2/1.parquet": ["x"]}, {"partitions": True}, "name the same column"),
        ({"ILL=1/1.parquet": ["x"]}, {"partitions": True}, "columns 1 and 2 have the same name"),
        ({"1.parquet": ["x"], "2.csv": ["x"]}, {}, r"Parquet files only, but 2\.csv is none"),
        ({"1.csv": ["x"]}, {}, r"Parquet files only, but 1\.csv is none"),
    ],
)
def test_a_folder_that_is_no_table_is_refused(parts, fields, problem, tmp_path):
    folder = write_parts(tmp_path / "visits", parts)
    with pytest.raises(la.InvalidInput, match=problem):
        read(path=folder, **fields)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(la.InvalidInput, match="Parquet files only, but it holds none"):
        read(path=str(tmp_path))


def test_partitions_of_text_files_are_refused(tmp_path):
    write_parts(tmp_path / "visits", {"zip=1/1.csv": ["x"]})
    with pytest.raises(la.InvalidInput, match="is for Parquet files below folders"):
        read(path=str(tmp_path / "visits" / "*" / "*.csv"), partitions=True)


def test_a_folder_that_holds_a_release_is_refused(tmp_path):
    source = write(tmp_path / "visits.csv", {"zip": ["1", "1"], "ill": ["flu", "flu"]})
    out = tmp_path / "all" / "released" / "table.parquet"
    la.release(source, k=2, method="datafly", attributes=ATTRIBUTES).publish(out)
    for folder in (out.parent, out.parent.parent):
        with pytest.raises(la.InvalidInput, match="is part of a published release"):
            read(path=str(folder))


def test_a_folder_that_holds_a_file_twice_is_refused(tmp_path):
    folder = write_parts(tmp_path / "visits", {"1.parquet": ["flu"]})
    (tmp_path / "visits" / "2.parquet").symlink_to(tmp_path / "visits" / "1.parquet")
    with pytest.raises(la.InvalidInput, match="are the same file"):
        read(path=folder)


def test_a_folder_whose_name_looks_like_a_glob_is_read(tmp_path):
    folder = write_parts(tmp_path / "visits[1]", {"zip=1/1.parquet": ["flu"]})
    assert read(path=folder, partitions=True) == (["ill", "zip"], [("flu", "1")])
