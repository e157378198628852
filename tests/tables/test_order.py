"""The order of released rows: random, the same within a release, or kept on request."""

from dataclasses import replace

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.kernels.siphash import siphash
from lookalike.tables import read
from lookalike.tables.connection import Connection, keyed_hash_sql
from lookalike.tables.draw import Draw
from lookalike.tables.recode import recode

from ..roles import LINKABLE, UNIQUE

ROWS = 300_000
"""More than DuckDB reads at once, so that several threads read."""
ATTRIBUTES = {"sex": LINKABLE, "no": UNIQUE}


@pytest.fixture(scope="module", params=["parquet", "csv"])
def people(request, tmp_path_factory):
    """Numbered people in a file that several threads read."""
    path = str(tmp_path_factory.mktemp("people") / f"people.{request.param}")
    made = duckdb.sql(f"SELECT chr(102 + 7 * (i % 2)::INT) AS sex, i AS no FROM range({ROWS}) r(i)")
    if request.param == "parquet":
        made.write_parquet(path, row_group_size=5000)
    else:
        made.write_csv(path)
    return path


def order_of(made):
    """Return the numbers of the people in the order in which the rows are released."""
    return made.table.select("no").to_arrow_table()["no"].cast(pa.int64()).to_numpy()


def test_the_rows_are_a_permutation_that_is_repeated_within_a_release(people, tmp_path):
    made = la.release(people, k=2, method="datafly", attributes=ATTRIBUTES)
    first = order_of(made)
    assert np.array_equal(np.sort(first), np.arange(ROWS))
    assert np.array_equal(order_of(made), first)

    made.publish(tmp_path / "released" / "people.parquet")
    published = pyarrow.parquet.read_table(tmp_path / "released" / "people.parquet")
    assert np.array_equal(published["no"].cast(pa.int64()).to_numpy(), first)


def test_the_order_says_nothing_about_the_source_or_another_release(people):
    """Numbers that are independent have a correlation of 0 within 8 standard deviations."""
    first, second = (
        order_of(la.release(people, k=2, method="datafly", attributes=ATTRIBUTES)) for _ in range(2)
    )
    for other in (second, np.arange(ROWS)):
        assert abs(np.corrcoef(first, other)[0, 1]) < 8 / np.sqrt(ROWS)


def test_the_order_of_large_files_is_that_of_the_keyed_hash_of_each_position(people, monkeypatch):
    """Its uniformity is tested where the hash is: in tests/kernels/test_siphash.py."""
    monkeypatch.setattr(read, "SMALL_BYTES", 0)
    plan = replace(
        la.release(people, k=2, method="datafly", attributes=ATTRIBUTES).plan, draw=Draw(bytes(32))
    )
    found = recode(plan).to_native().select("no").to_arrow_table()["no"].cast(pa.int64())
    key = np.frombuffer(bytes.fromhex(Draw(bytes(32)).key("order")), dtype=np.uint64)
    hashes = siphash(key, np.arange(1, ROWS + 1, dtype=np.uint64))
    assert np.array_equal(found.to_numpy(), hashes.argsort())


def test_the_order_is_kept_on_request(people):
    made = la.release(people, k=2, method="datafly", attributes=ATTRIBUTES, keep_order=True)
    assert np.array_equal(order_of(made), np.arange(ROWS))


def test_a_connection_of_the_user_has_a_keyed_hash_too():
    """It is left as it is, so the hash is one that DuckDB has itself."""
    statement = "SELECT i AS no FROM range(1000) r(i)"
    theirs, ours = duckdb.connect().sql(statement), Connection().duckdb.sql(statement)
    keys = [Draw(bytes(32)).key("order"), Draw().key("order")]
    for relation in (theirs, ours):
        hashes = [
            relation.project(keyed_hash_sql(relation, key, "no")).fetchall()
            for key in (*keys, keys[0])
        ]
        assert hashes[0] == hashes[2]
        assert len({*hashes[0], *hashes[1]}) == 2000
    assert "md5" in keyed_hash_sql(theirs, keys[0], "no")
