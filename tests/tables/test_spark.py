"""What only Spark can do wrong: other rows each time, keys and values in plans, odd columns."""

import gc
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.tables.engines import spark as engine
from lookalike.tables.engines import spark_files
from lookalike.tables.private_folders import machine_of, scratch_folder, token_of
from lookalike.tables.recode import recode, recode_with_trail

from ..flow.monthly_releases import MARCH, Steward, changed, table_of
from ..roles import LINKABLE, MASKED, SENSITIVE
from ..verifying import list_failures
from .conftest import CONNECT

pytestmark = pytest.mark.slow
QUICK = {"max_suppressed": 0.2, "method": "datafly"}
SPLIT = {"k": 7, "max_suppressed": 0.2, "method": "k-similar"}


@pytest.fixture
def spark(make_spark):
    return make_spark()


@pytest.fixture
def people(spark):
    """Rows that share few sequences, so that identical rows are drawn apart."""
    return spark.range(3000).selectExpr(
        "lpad(CAST(id % 23 AS STRING), 2, '0') AS zip",
        "CAST(id * id % 31 AS STRING) AS age",
        "id % 1009 AS ill",
    )


ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE}


def test_the_package_does_not_import_spark():
    script = "import sys, lookalike; print(any('pyspark' in name for name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_a_query_that_gives_other_rows_each_time_is_run_once(people, tmp_path):
    made = la.release(people.where("rand() < 0.5"), attributes=ATTRIBUTES, **SPLIT)
    made.publish(tmp_path / "released" / "table.parquet")

    published = pa.parquet.read_table(tmp_path / "released" / "table.parquet").to_pylist()
    assert made.table.toArrow().to_pylist() == made.table.toArrow().to_pylist() == published


def test_the_order_takes_one_shuffle_and_is_the_same_each_time(people, monkeypatch, capsys):
    monkeypatch.setattr(engine, "ROWS_TOGETHER", 500)
    made = la.release(people, k=3, attributes=ATTRIBUTES, max_suppressed=0.2, method="datafly")
    made.table.explain()
    shown = capsys.readouterr().out
    orders = [[row.ill for row in made.table.collect()] for _ in range(2)]

    assert len(re.findall(r"Exchange \w+partitioning", shown)) == 1
    assert orders[0] == orders[1]
    assert sorted(orders[0]) != orders[0]
    assert made.table.selectExpr("spark_partition_id() AS part").distinct().count() > 3


@pytest.mark.parametrize("method", ["datafly", "mingen"])
def test_more_sequences_than_memory_are_kept_and_give_the_same_release(people, method, tmp_path):
    missing = people.selectExpr("nullif(zip, '07') AS zip", "age", "ill")
    sequences = la.check(missing, ["zip", "age"]).classes
    assert la.check(missing, ["zip", "age"], max_sequences=sequences - 1).classes == sequences
    asked = {"attributes": ATTRIBUTES, "k": 20, "method": method, "max_suppressed": 0.2}
    whole, kept = (
        la.release(missing, **asked, max_sequences=most) for most in (sequences, sequences - 1)
    )
    assert kept.plan.frequency.coarsened is not None
    assert kept.levels == whole.levels
    shown = [Counter(map(tuple, made.table.collect())) for made in (whole, kept)]
    assert shown[0] == shown[1]
    assert kept.publish(tmp_path / "released" / "table.parquet").rows_out == whole.plan.rows_out


def test_a_release_goes_to_a_relative_path(people, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = la.release(people, k=3, attributes=ATTRIBUTES, max_suppressed=0.2, method="datafly")
    assert made.publish("released/table.csv").rows_out == made.table.count()


def test_the_trail_shows_the_fate_that_each_row_was_given(people):
    made = la.release(people, attributes=ATTRIBUTES, **SPLIT)
    released, trail = recode_with_trail(made.plan)

    stays = Counter()
    for rows in trail.follow(["ill"]):
        gone = trail.fates.gone[rows["lookalike fate"].to_numpy()]
        stays.update(rows.filter(pa.array(~gone))["ill"].to_pylist())
    assert stays == Counter(released.to_native().toArrow()["ill"].to_pylist())


@pytest.mark.parametrize(
    ("suppressed_rows", "most"), [("drop", None), ("blank", None), ("drop", 5)]
)
def test_a_row_that_was_not_counted_stops_the_release(people, suppressed_rows, most):
    fields = {"method": "datafly", "suppressed_rows": suppressed_rows, "max_sequences": most}
    made = la.release(people, k=3, attributes=ATTRIBUTES, **fields)
    plan, counted = made.plan, made.plan.counted
    keys, positions = counted.keys.slice(1), counted.positions[:, 1:]
    fewer = replace(counted, positions=positions, counts=counted.counts[1:], keys=keys)
    plan = replace(plan, counted=fewer, sequence_of=np.ascontiguousarray(plan.sequence_of[1:]))
    with pytest.raises(Exception, match="the source changed after it was counted"):
        recode(plan).to_native().toArrow()


def test_secret_keys_are_not_in_the_plan(people, tmp_path, capsys):
    key_file = tmp_path / "pseudonym.key"
    key_file.write_bytes(b"k" * 32)
    key_file.chmod(0o600)
    pseudonym = {"role": "identifier", "pseudonym": {"key_file": key_file}}
    table = people.selectExpr("*", "CAST(ill AS STRING) AS person")
    made = la.release(table, attributes=ATTRIBUTES | {"person": pseudonym}, **SPLIT)
    made.table.explain(extended=True)

    shown = capsys.readouterr().out
    assert "lookalike secret order" in shown
    pad = bytes(ord("k") ^ 0x36 for _ in range(32))
    hidden = [made.plan.draw.key("order"), made.plan.draw.key("choice"), "k" * 32, pad.decode()]
    assert not [key for key in [*hidden, pad.hex().upper(), pad.hex()] if key in shown]


def test_metadata_of_columns_is_not_released(spark):
    table = spark.createDataFrame(pa.table({"zip": ["1"] * 4, "ill": [0, 1, 0, 1]}))
    table = table.withMetadata("ill", {"ml_attr": {"vals": ["flu", "secret"]}})
    made = la.release(table, k=2, method="datafly", attributes={"zip": LINKABLE, "ill": SENSITIVE})
    assert [field.metadata for field in made.table.schema] == [{}, {}]


def test_texts_that_a_collation_holds_equal_are_counted_apart(spark):
    table = spark.createDataFrame(pa.table({"zip": ["a", "A", "a", "A", "a"]}))
    collated = table.selectExpr("collate(zip, 'UTF8_LCASE') AS zip")
    assert la.check(collated, ["zip"], k=2).classes == 2


def test_level_0_keeps_its_type_and_generalized_values_are_text(spark):
    table = spark.range(6).selectExpr(
        "CAST(7 AS TINYINT) AS a",
        "DATE '1965-09-20' AS b",
        "CAST(0.5 AS FLOAT) AS c",
        "CAST(1.50 AS DECIMAL(5, 2)) AS d",
        "id AS e",
    )
    made = la.release(table, k=6, attributes=dict.fromkeys("abcde", LINKABLE), method="mingen")

    kinds = [kind for _, kind in made.table.dtypes]
    assert kinds == ["tinyint", "date", "float", "decimal(5,2)", "string"]
    assert {row.d for row in made.table.collect()} == {Decimal("1.50")}


def test_times_with_a_zone_are_the_same_in_every_zone(spark, tmp_path):
    evening = datetime(2024, 2, 29, 20, 45, tzinfo=UTC)
    table = spark.createDataFrame(
        pa.table({"seen": [evening] * 3, "left": [evening, evening, None]})
    )
    attributes = {"seen": LINKABLE, "left": {"role": "other"}}
    made = la.release(table, k=2, attributes=attributes, method="mingen")
    made.publish(tmp_path / "released" / "table.csv")

    assert "2024-02-29 20:45:00+00" in (tmp_path / "released" / "table.csv").read_text()
    assert list_failures(tmp_path / "released", made, table) == []


def test_a_nested_time_keeps_its_zone(spark, tmp_path):
    seen = "TIMESTAMP '2024-07-01 00:00:00 UTC'"
    table = spark.range(3).selectExpr(f"named_struct('at', {seen}) AS visit", "'1' AS zip")
    made = la.release(
        table, k=2, method="datafly", attributes={"visit": {"role": "other"}, "zip": LINKABLE}
    )
    made.publish(tmp_path / "released" / "table.csv")

    assert "2024-07-01 00:00:00+00" in (tmp_path / "released" / "table.csv").read_text()
    assert spark.conf.get("spark.sql.parquet.outputTimestampType") == "INT96"


def test_a_column_without_values_and_type_is_missing_text(spark):
    table = spark.range(3).selectExpr("NULL AS zip", "'flu' AS ill")
    made = la.release(table, k=3, method="datafly", attributes={"zip": LINKABLE, "ill": SENSITIVE})
    assert [tuple(row) for row in made.table.collect()] == [(None, "flu")] * 3


def test_an_error_shows_no_private_value(spark):
    table = spark.createDataFrame(pa.table({"zip": ["02138"] * 3})).selectExpr(
        "CAST(concat('secret ', zip) AS INT) AS zip"
    )
    with pytest.raises(la.InvalidInput, match="Spark cannot process it") as caught:
        la.check(table, ["zip"], k=2)
    assert "02138" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.skipif(CONNECT, reason="Spark Connect interrupts operations by other means")
def test_a_job_that_is_cancelled_is_no_wrong_input(spark, tmp_path):
    mark = tmp_path / "began"
    spark.udf.register("wait", lambda: mark.write_text("secret") and time.sleep(60))

    def cancel():
        while not mark.exists():
            time.sleep(0.01)
        spark.sparkContext.cancelAllJobs()

    thread = threading.Thread(target=cancel)
    thread.start()
    table = spark.range(9).selectExpr("'secret' AS zip").where("wait() IS NULL")
    with pytest.raises(la.Unavailable, match=r"the job was cancelled \(SparkException") as caught:
        la.release(table, k=2, method="datafly", attributes={"zip": LINKABLE})
    thread.join()
    assert "secret" not in str(caught.value)


def test_kept_rows_are_in_a_private_folder_while_the_release_lives(people, tmp_path):
    made = la.release(people, k=3, attributes=ATTRIBUTES, source={"spill": str(tmp_path)}, **QUICK)
    [folder] = tmp_path.iterdir()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert list(folder.glob("rows/*.parquet"))
    made.publish(tmp_path.parent / f"{tmp_path.name} published" / "released" / "table.csv")
    del made
    gc.collect()
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_was_given_back_outlives_its_release(people, tmp_path):
    fields = {"source": {"spill": str(tmp_path)}, **QUICK}
    derived = la.release(people, k=3, attributes=ATTRIBUTES, **fields).table.where(
        "zip IS NOT NULL"
    )
    gc.collect()
    assert derived.count() > 0


@pytest.mark.skipif(CONNECT, reason="Spark Connect gives no access to file systems")
def test_rows_that_a_dead_process_kept_at_an_address_are_removed(people, tmp_path):
    held = scratch_folder()
    dead = tmp_path / f"_lookalike-rows-{machine_of(held)}-{'0' * 16}"
    living = tmp_path / f"_lookalike-rows-{machine_of(held)}-{token_of(held.path)}"
    foreign = tmp_path / f"_lookalike-rows-{'0' * 8}-{'0' * 16}"
    for folder in (dead, living, foreign):
        folder.mkdir()
    fields = {"source": {"spill": tmp_path.as_uri()}, **QUICK}
    made = la.release(people, k=3, attributes=ATTRIBUTES, **fields)
    [own] = {*tmp_path.iterdir()} - {living, foreign}
    assert own.stat().st_mode & 0o777 == 0o700
    del made
    gc.collect()
    until = time.monotonic() + 600
    while own.exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert {*tmp_path.iterdir()} == {living, foreign}


def test_rows_that_not_everybody_finds_are_refused(people, monkeypatch):
    pattern = spark_files.local_pattern
    monkeypatch.setattr(spark_files, "local_pattern", lambda rows: f"{pattern(rows)}/part-00000*")
    with pytest.raises(la.InvalidInput, match="its executors have other disks than the driver"):
        la.release(people, k=3, attributes=ATTRIBUTES, **QUICK)


def test_rows_of_a_ledger_show_old_values_until_k_rows_have_new_ones(spark, tmp_path):
    steward = Steward(tmp_path)
    steward.release(spark.createDataFrame(table_of(MARCH)))
    before = steward.rows
    made = steward.release(spark.createDataFrame(table_of(changed(MARCH, ann="ulcer"))))
    assert made.basis.rows_outdated == 1
    assert steward.rows == before
