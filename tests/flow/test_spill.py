"""Releases of tables larger than the memory that DuckDB may use."""

import gc
import os
import threading
from contextlib import contextmanager
from pathlib import Path

import duckdb
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.errors import InvalidInput

from ..roles import LINKABLE, MASKED, SENSITIVE, UNIQUE

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("own_duckdb")]

ROWS = 400_000
ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE, "no": UNIQUE}
FIELDS = {"k": 7, "max_suppressed": 0.2, "attributes": ATTRIBUTES}
MEMORY = "120MB"
"""Less than the rows need, and more than the buffers of each thread."""


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("people") / "people.parquet")
    duckdb.sql(
        f"""
        SELECT lpad((i % 23)::VARCHAR, 2, '0') AS zip, (i * i % 31)::VARCHAR AS age,
            'illness ' || (i * 7 % 1009) || ' of a long list of illnesses' AS ill,
            lpad(i::VARCHAR, 80, '0') AS no
        FROM range({ROWS}) r(i)
        """
    ).write_parquet(path)
    return path


def list_below(folder):
    """List what is below a folder; a folder that vanishes meanwhile is no error."""
    for around, folders, files in os.walk(folder):
        yield from (Path(around, name) for name in (*folders, *files))


@contextmanager
def watch(folder):
    """Collect the sizes and permissions of what is below a folder while a block runs."""
    seen, done = {}, threading.Event()

    def look():
        while not done.wait(0.002):
            for path in list_below(folder):
                try:
                    found = path.stat()
                except OSError:
                    continue
                size = max(found.st_size, seen.get(path, (0, 0))[0])
                seen[path] = (size, found.st_mode & 0o777)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        done.set()
        watcher.join()


def publish(people, place, **source):
    la.release(people, source=source, **FIELDS).publish(place / "released" / "people.parquet")
    return pyarrow.parquet.read_table(place / "released" / "people.parquet")


def test_a_release_that_spills_has_the_same_rows_as_one_in_memory(people, tmp_path):
    spill, place = tmp_path / "spill", tmp_path / "place"
    spill.mkdir()
    with watch(tmp_path) as seen:
        small = publish(people, place, memory=MEMORY, spill=str(spill))
    gc.collect()

    large = publish(people, tmp_path / "other")
    assert small.sort_by("no").equals(large.sort_by("no"))
    spilled = {path: size for path, (size, _) in seen.items() if spill in path.parents}
    assert sum(spilled.values()) > 1_000_000
    assert not any(".lookalike-scratch" in str(path) for path in seen if spill not in path.parents)
    assert {mode for path, (_, mode) in seen.items() if path.parent == spill} == {0o700}
    assert list(spill.iterdir()) == []
    assert sorted(path.name for path in place.rglob("*")) == [
        "certificate.json",
        "people.parquet",
        "released",
    ]


@pytest.mark.parametrize("memory", ["1MB", "12MB"])
def test_too_little_memory_is_an_error_with_the_remedy(people, tmp_path, memory):
    spill = tmp_path / "spill"
    spill.mkdir()
    with pytest.raises(InvalidInput, match=r"more memory than it may use; raise memory") as caught:
        publish(people, tmp_path / "place", memory=memory, spill=str(spill))
    assert "illness" not in str(caught.value)
    del caught
    gc.collect()
    assert list(spill.iterdir()) == []
    assert list((tmp_path / "place").rglob("*")) == []
