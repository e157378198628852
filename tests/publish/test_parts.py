"""Releases of part files, written, recounted and proved by Spark, on two kinds of file system."""

import re
import tempfile
from collections import Counter
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import narwhals as nw
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.publish.address import staging_of
from lookalike.publish.certificate import Certificate
from lookalike.tables.engines import spark_files
from lookalike.tables.engines.spark_files import Store
from lookalike.tables.private_folders import scratch_folder
from lookalike.tables.storage_url import StorageUrl

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE
from ..tables.conftest import CONNECT, start_spark
from ..verifying import list_failures
from .nine_people import names

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CONNECT, reason="Spark Connect gives no access to file systems"),
]
ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE}
ROWS = 600


@pytest.fixture(scope="module")
def people():
    """Rows of which a few are outliers."""
    return start_spark().range(ROWS).selectExpr(
        "lpad(CAST(id % 23 AS STRING), 2, '0') AS zip",
        "CAST(id * id % 31 AS STRING) AS age",
        "id % 101 AS ill",
    )  # fmt: skip


@pytest.fixture(scope="module")
def made(people):
    return la.release(people, k=5, method="datafly", attributes=ATTRIBUTES, max_suppressed=0.1)


@pytest.fixture
def several_files(monkeypatch):
    """Let Spark write many small files."""
    monkeypatch.setitem(spark_files._WRITING, "maxRecordsPerFile", "100")


@pytest.fixture(params=["file", "viewfs"])
def url(request, tmp_path):
    """A folder, by its own address, and through Hadoop's view of several file systems."""
    if request.param == "file":
        return tmp_path.as_uri()
    settings = start_spark().sparkContext._jsc.hadoopConfiguration()
    cluster = re.sub(r"\W", "-", tmp_path.name)
    settings.set(f"fs.viewfs.mounttable.{cluster}.link./data", tmp_path.as_uri())
    return f"viewfs://{cluster}/data"


def count_rows(folder):
    """Count the rows of the part files of a release."""
    rows = pa.dataset.dataset(folder / "table.parquet", format="parquet").to_table()
    return Counter(tuple(row.values()) for row in rows.to_pylist())


def test_the_files_hold_the_release_and_verify(made, people, url, several_files, tmp_path):
    certificate = made.publish(f"{url}/released/table.parquet")

    folder = tmp_path / "released"
    assert names(tmp_path) == ["released"]
    assert names(folder) == ["certificate.json", "table.parquet"]
    assert len(certificate.files) > 3
    assert sorted(certificate.files) == [
        f"table.parquet/{n}" for n in names(folder / "table.parquet")
    ]
    assert list_failures(folder, made, people) == []
    shown = Counter(tuple(row.asDict().values()) for row in made.table.collect())
    assert count_rows(folder) == shown
    assert certificate.rows_suppressed > 0


def test_a_release_is_replaced_only_if_asked(made, url, tmp_path):
    folder, out = tmp_path / "released", f"{url}/released/table.parquet"
    first = made.publish(out)
    with pytest.raises(
        la.AlreadyExists, match="holds a release already; replace it with --replace"
    ):
        made.publish(out)
    assert Certificate.read(folder) == first

    second = made.publish(f"{url}/released/other.parquet", replace=True)
    assert Certificate.read(folder) == second != first
    assert names(folder) == ["certificate.json", "other.parquet"]
    assert la.verify(folder).holds
    assert names(tmp_path) == ["released"]


def test_one_file_and_part_files_replace_each_other(made, tmp_path):
    folder = tmp_path / "released"
    made.publish(folder / "table.csv")
    made.publish((folder / "table.parquet").as_uri(), replace=True)
    assert names(folder) == ["certificate.json", "table.parquet"]
    assert la.verify(folder).holds
    made.publish(folder / "table.csv", replace=True)
    assert names(folder) == ["certificate.json", "table.csv"]
    assert la.verify(folder).holds


HARD = {
    "name": ["a", "b", None, "d", "e", "f"],
    "zip": ["02138", "02139", None, None, "99999", "02138"],
    "cost": [0.0, -0.0, None, float("nan"), 1.5, float("nan")],
    "seen": [datetime(2024, 2, 29, 20, 45, 1, 5), None] * 3,
    "left": [None, datetime(2024, 2, 29, 20, 45, tzinfo=UTC)] * 3,
    "fee": [Decimal("1.50"), Decimal("2.00"), None] * 2,
    "wards": [["x", None], [None, "x"], [], None, ["x"], ["x", None]],
}  # fmt: skip


@pytest.mark.parametrize("suppressed_rows", ["drop", "blank"])
@pytest.mark.parametrize("method", ["datafly", "mingen-cells"])
def test_values_of_every_type_are_proved_true(suppressed_rows, method, tmp_path, monkeypatch):
    monkeypatch.setitem(spark_files._WRITING, "compression", "none")
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    table = start_spark().createDataFrame(pa.table(HARD))
    attributes = dict.fromkeys(HARD, SENSITIVE | {"unique": True}) | {
        "name": IDENTIFIER | {"pseudonym": {"key_file": key}},
        "zip": MASKED,
    }
    fields = {"suppressed_rows": suppressed_rows, "max_suppressed": 2, "method": method}
    made = la.release(table, k=2, attributes=attributes, **fields)
    made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert list_failures(tmp_path / "released", made, table) == []
    [part] = (tmp_path / "released" / "table.parquet").iterdir()
    assert b"02139" not in part.read_bytes()
    assert b"99999" not in part.read_bytes()
    schema = pa.parquet.read_schema(part)
    assert (schema.field("seen").type.tz, schema.field("left").type.tz) == (None, "UTC")


def falsify(monkeypatch, change):
    """Let Spark write other rows than it should."""
    write = Store.write_rows

    def write_others(store, frame, folder):
        write(store, nw.from_native(change(frame.to_native())), folder)

    monkeypatch.setattr(Store, "write_rows", write_others)


def swap_a_value(rows):
    return rows.selectExpr("zip", "age", "CASE WHEN ill = 7 THEN 8 ELSE ill END AS ill")


def exchange_between_classes(rows):
    """Keep all counts of labels and of values, but not of both together."""
    from pyspark.sql import Window
    from pyspark.sql.functions import expr, lag

    order = Window.orderBy("zip", "age", "ill")
    moved = lag("ill").over(order)
    first = rows.agg(expr("max_by(ill, struct(zip, age, ill)) AS last"))
    shifted = rows.withColumn("before", moved).crossJoin(first)
    return shifted.selectExpr("zip", "age", "coalesce(before, last) AS ill")


FALSE = {
    "another value": (swap_a_value, "do not generalize a private row"),
    "exchanged values": (exchange_between_classes, "do not generalize a private row"),
    "another label": (
        lambda rows: rows.selectExpr("replace(zip, '0', '9') AS zip", "age", "ill"),
        "do not generalize a private row",
    ),
    "a lost row": (lambda rows: rows.limit(rows.count() - 1), "rows, not"),
    "a row twice": (lambda rows: rows.union(rows.limit(1)), "rows, not"),
    "another column": (lambda rows: rows.selectExpr("*", "1 AS more"), "has the columns"),
    "a small class": (
        lambda rows: rows.selectExpr(
            "CASE WHEN ill = 7 THEN '00' ELSE zip END AS zip", "age", "ill"
        ),
        "the smallest class",
    ),
}


@pytest.mark.parametrize("case", FALSE)
def test_false_rows_are_not_published(case, made, monkeypatch, tmp_path):
    change, message = FALSE[case]
    falsify(monkeypatch, change)
    with pytest.raises(la.RequirementNotMet, match=message):
        made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert names(tmp_path) == []


@pytest.mark.parametrize("case", ["another value", "exchanged values"])
def test_false_rows_are_not_published_at_the_cell_level(case, monkeypatch, tmp_path):
    two = start_spark().range(20).selectExpr("id DIV 10 AS zip", "1 AS age", "7 + id DIV 10 AS ill")
    made = la.release(two, k=5, attributes=ATTRIBUTES, method="k-similar")
    change, message = FALSE[case]
    falsify(monkeypatch, change)
    with pytest.raises(la.RequirementNotMet, match=message):
        made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert names(tmp_path) == []


def test_a_file_that_changes_while_it_is_moved_is_not_published(made, monkeypatch, tmp_path):
    move = Store.move

    def move_and_change(store, source, target):
        move(store, source, target)
        if target.name == "table.parquet":
            part = next((tmp_path / "released" / "table.parquet").iterdir())
            part.write_bytes(part.read_bytes() + b"!")

    monkeypatch.setattr(Store, "move", move_and_change)
    with pytest.raises(la.InvalidInput, match="files changed while they were moved"):
        made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_other_files_in_the_place_are_kept(made, tmp_path):
    kept = tmp_path / "released" / "table.parquet" / "mine.parquet"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert kept.read_text() == "mine"


def test_a_place_in_which_another_process_publishes_is_refused(made, tmp_path):
    out = StorageUrl.parse((tmp_path / "released" / "table.parquet").as_uri())
    held = scratch_folder()
    beside = Path("/", *staging_of(out.parent, held).parts)
    beside.mkdir()
    with pytest.raises(la.Unavailable, match="another process is publishing to"):
        made.publish(str(out))
    assert names(tmp_path) == [beside.name]

    held.remove()
    made.publish(str(out))
    assert names(tmp_path) == ["released"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"out": "file:///released/table.csv"}, "Spark writes Parquet files into a folder"),
        ({"out": "file:///table.parquet"}, "name both"),
        ({"out": "file:///released/../table.parquet"}, "must name one place"),
        ({"out": "file:///released/*/table.parquet"}, "reads as patterns"),
        ({"out": "file:///my%20data/released/table.parquet"}, "each character as it is"),
        ({"out": Path("hdfs://cluster/released/table.parquet")}, "two slashes"),
        ({"out": "nowhere://released/table.parquet"}, "Spark cannot reach the store"),
        ({"out": "file:///released/table.parquet", "dossier": "private"}, "neither a ledger nor"),
    ],
)
def test_addresses_that_cannot_be_published_to(fields, message, made):
    with pytest.raises(la.InvalidInput, match=message):
        made.publish(**fields)


def test_only_spark_publishes_to_an_address(tmp_path):
    made = la.release(
        pa.table({"zip": ["1"] * 4}), k=2, method="datafly", attributes={"zip": LINKABLE}
    )
    with pytest.raises(la.InvalidInput, match="only Spark writes to an address"):
        made.publish((tmp_path / "released" / "table.parquet").as_uri())


def test_a_specification_is_read_and_published_by_spark(type_in, answer, folder):
    """The command line, from files to part files, and verified by DuckDB."""
    start_spark()
    spec = (folder / "patients.toml").read_text()
    (folder / "patients.toml").write_text(spec.replace("[source]", '[source]\nengine = "spark"'))
    out = (folder / "published" / "table.parquet").as_uri()
    report = answer(f"release patients.toml --out {out}")
    assert report["files"] == [out, out.replace("table.parquet", "certificate.json")]
    place = out.removesuffix("/table.parquet")
    for verified in ("published", place, f"{place}/"):
        assert type_in(f"verify {verified}")[0] == 0
        assert type_in(f"verify {verified} --spec patients.toml")[0] == 0
    code, _, said = type_in(f"verify {place}/elsewhere")
    assert (code, "is not a release: it has no certificate.json" in said) == (2, True)


def test_a_release_at_an_address_is_verified_there(
    made, people, url, type_in, tmp_path, monkeypatch
):
    made.publish(f"{url}/released/table.parquet")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    fields = {"spec": made.specification, "table": people}
    assert la.verify(f"{url}/released", **fields).holds
    assert type_in(f"verify {url}/released")[0] == 0
    assert la.report(f"{url}/released").html
    part = next((tmp_path / "released" / "table.parquet").iterdir())
    part.write_bytes(part.read_bytes() + b"!")
    assert type_in(f"verify {url}/released")[0] == 1
    with pytest.raises(la.InvalidInput, match=r"is not a release: it has no certificate\.json"):
        la.verify(f"{url}/elsewhere")
    assert list(temporary.rglob("certificate.json")) == []


def test_a_session_without_a_process_of_its_own_is_refused():
    session = object()
    with pytest.raises(la.InvalidInput, match="Spark Connect gives no access to file systems"):
        Store(session, StorageUrl.parse("file:///released/table.parquet"))


def test_part_files_are_no_source(made, tmp_path):
    made.publish((tmp_path / "released" / "table.parquet").as_uri())
    with pytest.raises(la.InvalidInput, match="is part of a published release"):
        la.check(str(tmp_path / "**" / "*.parquet"), ["zip"], k=2)
    assert la.check(str(tmp_path / "released" / "table.parquet"), ["zip", "age"], k=5).holds


def test_secrets_are_not_in_the_plan_of_the_proof(people, tmp_path, monkeypatch, capsys):
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    key.chmod(0o600)
    table = people.selectExpr("*", "CAST(ill AS STRING) AS person")
    attributes = ATTRIBUTES | {"person": IDENTIFIER | {"pseudonym": {"key_file": key}}}
    fields = {"method": "datafly", "max_suppressed": 0.1, "accept": ["repeated-persons"]}
    made = la.release(table, k=5, attributes=attributes, **fields)
    from lookalike.verify import spark_tables

    count = spark_tables._count_sequences

    def explain(native, *others):
        native.explain(extended=True)
        return count(native, *others)

    monkeypatch.setattr(spark_tables, "_count_sequences", explain)
    made.publish((tmp_path / "released" / "table.parquet").as_uri())
    shown = capsys.readouterr().out
    assert "hide(" in shown
    assert "k" * 32 not in shown
    assert (b"k" * 32).hex() not in shown.lower()
