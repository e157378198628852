"""A file is published only if it shows the rows of the ledger's row map."""

import datetime
import decimal
from collections import Counter

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow import source as intake
from lookalike.ledger.store.row_map import digest_column
from lookalike.tables.labels import spell

from ..small_tables import rows_of
from .steward import ROLES

pytestmark = pytest.mark.slow

HEADER = "id,zip,ill\n"
ROWS = ["a,11111,flu", "b,11111,gout", "c,22222,pox", "d,22222,flu", "e,33333,rash", "f,44444,pox"]
SWAPPED = {
    "two classes": ["a,11111,flu", "b,11111,pox", "c,22222,gout", *ROWS[3:]],
    "a row that is left out": ["a,11111,rash", *ROWS[1:4], "e,33333,flu", ROWS[5]],
    "another value": ["a,11111,ulcer", *ROWS[1:]],
    "a missing value": ["a,11111,", *ROWS[1:]],
}


def publish(folder, table, out="table.csv", *, replace=False, **fields):
    made = la.release(
        table,
        **{
            "k": 2,
            "attributes": ROLES,
            "source": {"row_key": "id", "name": "people"},
            "ledger": str(folder / "l.db"),
            "ledger_key": str(folder / "key"),
            "method": "mingen",
            "max_suppressed": 2,
            **fields,
        },
    )
    return made.publish(folder / "out" / out, replace=replace)


def write(path, rows):
    """Write a source: CSV, or Parquet."""
    text = HEADER + "\n".join(rows) + "\n"
    if path.suffix == ".csv":
        path.write_text(text)
    else:
        options = pa.csv.ConvertOptions(
            column_types=dict.fromkeys(ROLES, pa.string()), strings_can_be_null=True
        )
        table = pa.csv.read_csv(pa.BufferReader(text.encode()), convert_options=options)
        pa.parquet.write_table(table, path)


class TestTheSourceIsReplaced:
    """The source is replaced after the file is written and before the row map is."""

    def test_the_rows_that_were_read_are_published_and_remembered(self, tmp_path):
        source = tmp_path / "source.csv"
        write(source, ROWS)

        def replace(step):
            if step in ("recode", "verify", "publish"):
                write(source, SWAPPED["another value"])

        publish(tmp_path, source, announce=replace)
        assert "ulcer" not in (tmp_path / "out" / "table.csv").read_text()
        write(source, ROWS)
        again = publish(tmp_path, source, "table.csv", replace=True)
        assert again.earlier_releases.considered == 1

    @pytest.mark.parametrize("swapped", SWAPPED)
    @pytest.mark.parametrize("kind", ["csv", "parquet"])
    def test_a_file_and_a_map_of_two_readings_are_neither_published_nor_remembered(
        self, kind, swapped, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(intake, "materialize", lambda table, place: table)
        source = tmp_path / f"source.{kind}"
        write(source, ROWS)
        steps = []

        def replace(step):
            steps.append(step)
            if step == "publish":
                write(source, SWAPPED[swapped])

        with pytest.raises(la.InvalidInput) as refused:
            publish(tmp_path, source, announce=replace)
        assert "publish" in steps
        assert str(refused.value) == (
            "the source changed while it was released: the file does not show the rows that the "
            "ledger would record, so nothing is published; begin again"
        )
        assert not (tmp_path / "out").exists()
        assert la.open_ledger(tmp_path / "l.db", key=tmp_path / "key").releases() == ()
        left = [path.name for path in (tmp_path / "l.db.files").rglob("*") if path.is_file()]
        assert not any(name.endswith(".parquet") for name in left)

    def test_a_source_that_is_written_again_as_it_was_is_published(self, tmp_path):
        source = tmp_path / "source.csv"
        write(source, ROWS)
        publish(tmp_path, source, announce=lambda _: write(source, ROWS))
        assert (tmp_path / "out" / "table.csv").exists()


BERLIN = datetime.timezone(datetime.timedelta(hours=1))
NOW = datetime.datetime(2024, 2, 29, 23, 59, 1, 500)
EVERY_TYPE = {
    "text": pa.array(["", None, "nan", 'a "b",\n', "null", "1"]),
    "category": pa.array(["x", None, "y", "x", "x", "y"]).dictionary_encode(),
    "double": pa.array([0.0, -0.0, float("nan"), None, 1e20, 0.1]),
    "single": pa.array([0.1, -0.0, float("nan"), None, float("-inf"), 3.0], pa.float32()),
    "whole": pa.array([2**63 + 1, 0, None, 1, 2, 3], pa.uint64()),
    "amount": pa.array([decimal.Decimal(n).scaleb(-2) for n in (150, 0, 1, 2, 3, 4)]),
    "yes": pa.array([True, False, None, True, True, False]),
    "day": pa.array([NOW.date()] * 6),
    "hour": pa.array([NOW.time(), None] * 3),
    "instant": pa.array([NOW, None] * 3, pa.timestamp("ns")),
    "abroad": pa.array([NOW.replace(tzinfo=BERLIN)] * 6, pa.timestamp("us", "Europe/Berlin")),
    "nothing": pa.nulls(6),
}
KINDS = {
    "arrow": lambda table: table,
    "pandas": lambda table: table.to_pandas(),
    "polars": pl.from_arrow,
    "duckdb": duckdb.from_arrow,
}


def every_type():
    return pa.table({"id": list("abcdef"), "zip": ["02138"] * 6, **EVERY_TYPE})


FORMATS = ("tsv", "jsonl", "parquet", "arrow")


@pytest.mark.parametrize(
    ("kind", "out"),
    [*((kind, "csv") for kind in [*KINDS, "file"]), *(("arrow", o) for o in FORMATS)],
)
def test_values_of_every_type_are_compared_as_they_are_written(kind, out, tmp_path):
    table = every_type()
    if kind == "file":
        pa.parquet.write_table(table, tmp_path / "source.parquet")
        given = tmp_path / "source.parquet"
    else:
        given = KINDS[kind](table)
    roles = {name: {"role": "other", "unique": True} for name in EVERY_TYPE}
    attributes = {"id": ROLES["id"], "zip": ROLES["zip"], **roles}
    certificate = publish(tmp_path, given, f"table.{out}", attributes=attributes)
    assert certificate.rows_out == 6


@pytest.mark.parametrize("kind", KINDS)
def test_typed_quasi_identifiers_are_compared_as_they_are_written(kind, tmp_path):
    names = ("whole", "amount", "yes", "day", "hour", "instant", "abroad")
    typed = {
        name: pa.array([EVERY_TYPE[name][0].as_py()] * 6, EVERY_TYPE[name].type) for name in names
    }
    suppress = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
    attributes = {"id": ROLES["id"], **dict.fromkeys(names, suppress)}
    table = pa.table({"id": list("abcdef"), **typed})
    assert publish(tmp_path, KINDS[kind](table), attributes=attributes).rows_out == 6


class TestHashesAreOfWhatIsWritten:
    TWINS = ((None, float("nan")), (0.0, -0.0))

    @pytest.mark.parametrize(("first", "second"), TWINS)
    def test_values_that_are_written_differently_have_different_hashes(self, first, second):
        one, other = digest_column("a", pa.array([first, second], pa.float64()), b"k", spell)
        assert one != other

    @pytest.mark.parametrize(
        ("kind", "out"),
        [
            *((kind, "csv") for kind in ("arrow", "polars", "duckdb", "file")),
            *(("arrow", out) for out in ("parquet", "jsonl")),
        ],
    )
    @pytest.mark.parametrize(("first", "second"), TWINS)
    def test_one_of_them_is_a_change_that_is_held_back(self, first, second, out, kind, tmp_path):
        shown = [self.publish(value, kind, out, tmp_path) for value in (first, second)]
        assert shown[0] == shown[1]

    @pytest.mark.parametrize(("first", "second"), TWINS)
    def test_in_the_quasi_identifier_they_are_one_value(self, first, second, tmp_path):
        attributes = {
            "id": ROLES["id"],
            "value": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}},
        }
        table = pa.table({"id": ["a", "b"], "value": pa.array([first, second], pa.float64())})
        certificate = publish(tmp_path, table, attributes=attributes, max_suppressed=0)
        assert certificate.quasi_identifiers[0].classes == 1

    def test_of_pandas_both_are_missing(self, tmp_path):
        shown = [self.publish(value, "pandas", "csv", tmp_path) for value in self.TWINS[0]]
        assert shown[0] == shown[1]

    def publish(self, value, kind, out, folder):
        column = pa.array([value, 1.0, 2.0, 1.0], pa.float64())
        table = pa.table({"id": list("abcd"), "zip": ["02138"] * 4, "value": column})
        if kind == "file":
            given = folder / "source.parquet"
            pa.parquet.write_table(table, given)
        else:
            given = KINDS[kind](table)
        attributes = {"id": ROLES["id"], "zip": ROLES["zip"], "value": {"role": "other"}}
        turn = folder / str(len(list(folder.iterdir())))
        turn.mkdir()
        made = la.release(
            given,
            k=2,
            attributes=attributes,
            source={"row_key": "id", "name": "people"},
            ledger=str(folder / "l.db"),
            ledger_key=str(folder / "key"),
        )
        made.publish(turn / "out" / f"table.{out}")
        path = turn / "out" / f"table.{out}"
        if out == "parquet":
            return Counter(map(str, rows_of(pa.parquet.read_table(path))))
        return Counter(path.read_text().splitlines())
