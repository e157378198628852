"""What a release costs Spark is counted: how often it reads the rows of a source, and sorts them.

The metrics of its queries say how many rows each scan gave.
"""

import re

import pyarrow.parquet as pq
import pytest

import lookalike as la
from lookalike.flow.preflight import facts
from lookalike.tables import sample
from lookalike.tables.connection import Connection
from lookalike.tables.engines.spark_files import keep_in_files
from lookalike.tables.engines.spark_handover import KEPT_FILES, hand_to_duckdb

from ..roles import LINKABLE, MASKED, SENSITIVE
from .conftest import CONNECT

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CONNECT, reason="a client of Spark Connect does not see the plans"),
]
ROWS = 3000
ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE, "ward": {"role": "other"}}
KEPT = r"scratch-\w+/rows"
"""Where the private rows are kept."""


class Costs:
    """What the queries of a session did since it was asked first."""

    def __init__(self, session):
        session.conf.set("spark.sql.maxMetadataStringLength", 1000)
        self.store = session._jsparkSession.sharedState().statusStore()
        self.before = self.store.executionsCount()

    def list_operators(self):
        """Yield for each operator that ran its description, and the rows that it gave."""
        ran = self.store.executionsList()
        for number in range(self.before, ran.size()):
            key = ran.apply(number).executionId()
            counted, nodes = self.store.executionMetrics(key), self.store.planGraph(key).allNodes()
            for node in map(nodes.apply, range(nodes.size())):
                own = map(node.metrics().apply, range(node.metrics().size()))
                metrics = {one.name(): one.accumulatorId() for one in own}
                rows = counted.get(metrics.get("number of output rows", -1))
                yield node.desc(), int(rows.get().replace(",", "")) if rows.isDefined() else 0

    def scans(self, place):
        """Return how often the rows of a place were read; what only counts them reads none."""
        read = sum(
            rows
            for text, rows in self.list_operators()
            if re.search(rf"FileScan parquet .*Location: .*{place}", text)
            and "ReadSchema: struct<>" not in text
        )
        assert read % ROWS == 0
        return read // ROWS

    @property
    def sorts(self):
        """Return how many operators sorted rows."""
        return sum(text.startswith("Sort ") for text, _ in self.list_operators())


@pytest.fixture
def spark(make_spark):
    return make_spark()


@pytest.fixture
def people(spark, tmp_path):
    """A file of rows that share few sequences."""
    rows = spark.range(ROWS).selectExpr(
        "lpad(CAST(id % 23 AS STRING), 2, '0') AS zip",
        "CAST(id * id % 31 AS STRING) AS age",
        "id % 7 AS ill",
        "CONCAT('ward ', id % 1009) AS ward",
    )
    path = tmp_path / "private.parquet"
    pq.write_table(rows.toArrow(), path)
    return path


def release(people, **fields):
    """Make a release by Spark."""
    given = {"method": "datafly", "max_suppressed": 0.2, "k": 3, "attributes": ATTRIBUTES}
    return la.release(people, source={"engine": "spark"}, **given | fields)


@pytest.mark.parametrize("most", [ROWS, ROWS - 1])
def test_a_source_is_read_once_and_its_kept_rows_five_times(
    spark, people, most, tmp_path, monkeypatch
):
    monkeypatch.setattr(sample, "SAMPLED_ROWS", most)
    monkeypatch.setattr(facts, "MOST_ROWS", most)
    costs = Costs(spark)
    made = release(people)
    made.publish((tmp_path / "released" / "table.parquet").as_uri())
    assert [one.name for one in made.preflight if one.name == "not-checked"] == []
    assert costs.scans("private.parquet") == 1
    # The count, a sample, the values of classes, the release, the truth.
    assert costs.scans(KEPT) == 5
    assert costs.scans("staging-released") == 2  # k and the truth
    assert costs.sorts == 1


def test_duckdb_reads_the_kept_rows_to_prove_the_truth_of_one_file(spark, people, tmp_path):
    costs = Costs(spark)
    release(people).publish(tmp_path / "released" / "table.parquet")
    # The count, a sample, the values of classes, the release.
    assert (costs.scans("private.parquet"), costs.scans(KEPT)) == (1, 4)


def test_a_protection_is_counted_and_verified_without_another_scan_by_spark(
    spark, people, tmp_path
):
    costs = Costs(spark)
    attributes = ATTRIBUTES | {"ill": SENSITIVE | {"protect": {"distinct": 2}}}
    release(people, attributes=attributes).publish(tmp_path / "released" / "table.parquet")
    assert (costs.scans("private.parquet"), costs.scans(KEPT)) == (1, 4)


def test_kept_rows_are_handed_over_where_they_are_and_none_may_be_lost(spark):
    kept = keep_in_files(spark.range(ROWS).toDF("zip").repartition(3), None)
    connection = Connection()
    assert hand_to_duckdb(kept, connection).shape == (ROWS, 2)
    assert not list(connection.folder.path.iterdir())
    next(KEPT_FILES[kept][0].glob("*.parquet")).unlink()
    with pytest.raises(la.InvalidInput, match="not all of them are there"):
        hand_to_duckdb(kept, connection)
