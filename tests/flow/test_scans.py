"""What a release costs is counted: scans of its files, statements, sorts and connections.

DuckDB itself logs every statement that it runs and every part of a file that it reads.
"""

import json
import random
import re
from collections import Counter
from dataclasses import dataclass, field

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import lookalike as la
from lookalike.flow.preflight import facts
from lookalike.tables import connection, read, sample

from ..roles import MASKED, SENSITIVE

pytestmark = [pytest.mark.reports, pytest.mark.usefixtures("own_duckdb")]
FOOTER = 16 * 1024
"""DuckDB reads so many bytes at the end of a Parquet file to learn what it holds."""
ROWS = 3000
MADE = random.Random(4)
WARDS = [MADE.randbytes(30).hex() for _ in range(1200)]
TABLE = pa.table(
    {
        "zip": [f"{MADE.randrange(60):05}" for _ in range(ROWS)],
        "ill": [MADE.choice(("flu", "ache", "gout", "mumps")) for _ in range(ROWS)],
        "ward": [MADE.choice(WARDS) for _ in range(ROWS)],
    }
)
ATTRIBUTES = {"zip": MASKED, "ill": SENSITIVE, "ward": {"role": "other"}}


@dataclass
class Costs:
    """What the connections of a release did."""

    opened: list = field(default_factory=list)

    def connect(self, *given, **named):
        """Connect, and let DuckDB log from now on."""
        made = CONNECT(*given, **named)
        made.execute("SET enable_external_file_cache = false")
        made.execute("CALL enable_logging(['FileSystem', 'QueryLog'])")
        self.opened.append(made)
        return made

    @property
    def statements(self):
        """The statements that ran, without settings and the log itself."""
        texts = self._logged("QueryLog")
        return [one for one in texts if not re.match(r"\s*(SET|CALL|SELECT type, message)\b", one)]

    @property
    def sorts(self):
        """The statements that sort rows."""
        ran = [one for one in self.statements if not one.startswith("CREATE TEMPORARY VIEW")]
        return [one for one in ran if "ORDER BY" in one]

    def scans(self, path):
        """How often the same part of a file was read, apart from the end of a Parquet file."""
        size, edges = path.stat().st_size, Counter()
        last = size - FOOTER if path.suffix == ".parquet" else size
        assert last > FOOTER, "the table of this test is too small to tell a scan from a footer"
        for event in map(json.loads, self._logged("FileSystem")):
            if event["op"] == "READ" and event["path"].endswith(f"/{path.name}"):
                begin = int(event["pos"])
                edges[begin] += begin < last
                edges[begin + int(event["bytes"])] -= begin < last
        depth = most = 0
        for _, change in sorted(edges.items()):
            depth += change
            most = max(most, depth)
        return most

    def _logged(self, kind):
        """Return what every DuckDB logged of one kind."""
        query = f"SELECT type, message FROM duckdb_logs WHERE type = '{kind}'"
        return [text for one in self.opened for _, text in one.execute(query).fetchall()]


CONNECT = duckdb.connect


@pytest.fixture
def costs(monkeypatch):
    counted = Costs()
    monkeypatch.setattr(connection.duckdb, "connect", counted.connect)
    return counted


def release(tmp_path, suffix, costs, *, report=True, attributes=ATTRIBUTES):
    """Publish a release of the table in a file, and return both files."""
    source = tmp_path / f"private.{suffix}"
    write = pq.write_table if suffix == "parquet" else pyarrow.csv.write_csv
    write(TABLE, source)
    made = la.release(source, k=5, method="mingen", attributes=attributes, report=report)
    target = tmp_path / "released" / f"table.{suffix}"
    made.publish(target)
    assert len(costs.opened) == 1
    assert not [one for one in made.preflight if one.name == "not-checked"]
    return source, target


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_small_file_is_read_once_and_once_more_to_prove_the_truth(suffix, tmp_path, costs):
    source, target = release(tmp_path, suffix, costs)
    assert costs.scans(source) == 2
    assert costs.scans(target) == 3  # k, truth and the report of the recipient
    assert len(costs.statements) <= 9
    assert not costs.sorts


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_without_a_report_the_written_file_is_read_twice(suffix, tmp_path, costs):
    _, target = release(tmp_path, suffix, costs, report=False)
    assert costs.scans(target) == 2
    assert len(costs.statements) <= 8


def test_large_text_files_are_parsed_once_and_the_source_once_more_to_prove_the_truth(
    tmp_path, costs, monkeypatch
):
    monkeypatch.setattr(read, "SMALL_BYTES", 0)
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    source, target = release(tmp_path, "csv", costs)
    assert costs.scans(source) == 2
    assert costs.scans(target) == 1  # k, truth and the report of the recipient
    assert len(costs.sorts) == 1


@pytest.fixture
def in_place(monkeypatch):
    """Let the files of a test be read in place, as large ones are."""
    monkeypatch.setattr(read, "SMALL_BYTES", 0)
    monkeypatch.setattr(facts, "MOST_ROWS", 500)
    monkeypatch.setattr(sample, "SAMPLED_ROWS", 500)


@pytest.mark.usefixtures("in_place")
def test_a_protection_needs_one_more_scan_to_verify_it(tmp_path, costs):
    attributes = ATTRIBUTES | {"ill": SENSITIVE | {"protect": {"distinct": 2}}}
    source, _ = release(tmp_path, "parquet", costs, attributes=attributes)
    assert costs.scans(source) == 6


@pytest.mark.usefixtures("in_place")
def test_a_large_parquet_file_is_read_in_place(tmp_path, costs):
    source, target = release(tmp_path, "parquet", costs)
    assert costs.scans(source) == 5  # the count, a sample, classes of rows, the release, the truth
    assert costs.scans(target) == 3
    assert len(costs.sorts) == 1
