"""A release goes on if a worker dies; where Spark gives up, the error names the cause."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import lookalike as la

from ..spark_cluster import kill, kill_executors, running_cluster
from .nine_people import names

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
DRIVER = """
import json, sys
import lookalike as la
from tests.spark_cluster import start_session

address, out, workers, failures, query = sys.argv[1:]
linkable = {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}
attributes = {"zip": linkable, "age": linkable, "ill": {"role": "sensitive"}}
session = start_session(address, workers, failures)
session.udf.register("sleep", lambda mark: open(mark, "w").close() or __import__("time").sleep(600))
table = session.range(3000, numPartitions=4).selectExpr(
    "CAST(id % 7 AS STRING) AS zip", "CAST(id * id % 11 AS STRING) AS age", "id % 101 AS ill"
).where(query)
try:
    made = la.release(table, k=3, method="k-similar", attributes=attributes, out=out)
    print("ready", flush=True)
    sys.stdin.readline()
    made.publish()
except la.LookalikeError as error:
    print(json.dumps({"error": str(error), "exit": error.exit_code}), flush=True)
else:
    print(json.dumps({"rows": made.plan.rows_out}), flush=True)
"""


def start_driver(cluster, out, temporary, query, workers=2, failures=4):
    """Start a driver that publishes rows of a query; Spark tries each task so many times."""
    command = [sys.executable, "-c", DRIVER, cluster, out, str(workers), str(failures), query]
    own = {"TMPDIR": str(temporary), "SPARK_LOCAL_IP": "127.0.0.1"}
    pipes = {"stdin": -1, "stdout": -1, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env=os.environ | own, **pipes)


@pytest.fixture
def places(tmp_path):
    """The folder around the release, and one for temporary files."""
    found = tmp_path / "data", tmp_path / "temporary"
    for place in found:
        place.mkdir()
    return found


def check_published(driver, data, temporary):
    """Check that the driver published a true release, and left nothing else."""
    printed, _ = driver.communicate("go\n", timeout=300)
    assert json.loads(printed).keys() == {"rows"}
    assert la.verify(data / "released").holds
    assert names(data) == ["released"]
    assert [path for path in temporary.rglob("*") if path.is_file()] == []


def test_a_worker_that_dies_after_the_rows_were_read(places, tmp_path):
    data, temporary = places
    out = (data / "released" / "table.parquet").as_uri()
    with (
        running_cluster(tmp_path, 2) as (cluster, workers),
        start_driver(cluster, out, temporary, "rand() < 0.5") as driver,
    ):
        assert driver.stdout.readline() == "ready\n"
        [kept] = data.glob("_lookalike-rows-*")
        assert kept.stat().st_mode & 0o777 == 0o700
        kill(workers[0])
        check_published(driver, data, temporary)


@pytest.mark.exhaustive
def test_executors_that_die_too_often(places, tmp_path):
    data, temporary = places
    out, mark = (data / "released" / "table.parquet").as_uri(), tmp_path / "sleeping"
    query = f"sleep('{mark}') IS NULL"
    with (
        running_cluster(tmp_path, 1) as (cluster, [worker]),
        start_driver(cluster, out, temporary, query, workers=1, failures=1) as driver,
    ):
        while not mark.exists():
            assert driver.poll() is None
            time.sleep(0.1)
        kill_executors(worker)
        told = json.loads(driver.communicate(timeout=300)[0])
    assert told["exit"] == la.Unavailable.exit_code
    assert "Spark failed because executors were lost" in told["error"]
    assert "(SparkException" in told["error"]
    assert names(data) == []


@pytest.mark.exhaustive
def test_a_worker_that_dies_while_one_file_is_published(places, tmp_path):
    data, temporary = places
    with (
        running_cluster(tmp_path, 2) as (cluster, workers),
        start_driver(cluster, str(data / "released" / "table.csv"), temporary, "true") as driver,
    ):
        assert driver.stdout.readline() == "ready\n"
        kill(workers[0])
        check_published(driver, data, temporary)
