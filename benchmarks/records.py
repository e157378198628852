"""Linked tables: a million records of 100,000 persons, of which one or two may be known."""

import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet

from lookalike.flow.read_linked import read_linked
from lookalike.flow.release import prepare
from lookalike.model.lattice import Vector
from lookalike.model.linked import LinkedTables
from lookalike.model.progress import Stopwatch
from lookalike.model.requirement import Requirement
from lookalike.search.linked import LinkedRecoding, search_linked
from lookalike.search.methods import mingen
from lookalike.search.options import SearchOptions
from lookalike.spec.specification import Specification

PERSONS, RECORDS, SEED = 100_000, 1_000_000, 20260601
REQUIREMENT = Requirement(5, Decimal("0.05"))
KEY = {"role": "identifier"}
OF_PERSONS = {
    "birth": {"kind": "intervals", "widths": [5, 10, 20, 40]},
    "sex": {"kind": "suppress"},
    "zip": {"kind": "mask", "length": 5, "keep": [4, 3]},
}
OF_RECORDS = {
    "day": {"kind": "dates", "steps": ["month", "quarter", "year", "5 years"]},
    "ward": {"kind": "suppress"},
}
Table = Mapping[str, Any]


def run() -> None:
    """CPU time of a vector and of a search, k = 5, at most 5 % of the persons left out."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        persons, records = draw(PERSONS, RECORDS)
        pa.parquet.write_table(persons, folder / "persons.parquet")
        pa.parquet.write_table(records, folder / "stays.parquet")
        joined = records.join(persons, "no").drop_columns(["no"])
        pa.parquet.write_table(joined, folder / "joined.parquet")
        alone = _search_alone(folder)
        for knows in (1, 2):
            linked, found = _search_linked(folder, knows, alone)
            _count_one(linked, knows, found.vector)
    for mean in (2, 5, 10, 20):
        _grow(mean)


def draw(persons: int, records: int) -> tuple[pa.Table, pa.Table]:
    """Draw persons, and records of them: most have few and some have many."""
    random = np.random.default_rng(SEED)
    share = random.gamma(3.0, size=persons)
    owner = random.choice(persons, records, p=share / share.sum())
    days = np.datetime64("2016-01-01") + random.integers(0, 3650, records)
    zips = 10_000 + np.minimum(random.geometric(0.04, persons), 99)
    people = {
        "no": np.arange(persons),
        "birth": random.integers(1935, 2015, persons).astype(str),
        "sex": random.choice(["f", "m"], persons),
        "zip": zips.astype(str),
    }
    wards = random.choice([f"ward {one}" for one in "abcdefgh"], records)
    stays = {"no": owner, "day": np.datetime_as_string(days), "ward": wards}
    return pa.table(people), pa.table(stays)


def describe(hierarchies: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of a table as a specification has them."""
    own = {
        name: {"role": "quasi-identifier", "hierarchy": one} for name, one in hierarchies.items()
    }
    return {"no": KEY, **own}


def _read(folder: Path, knows: int) -> LinkedTables:
    """Read the linked tables of a folder."""
    stays = {"path": str(folder / "stays.parquet"), "person": "no", "knows": knows}
    asked = {
        "source": {"path": str(folder / "persons.parquet"), "person": "no"},
        "release": {"k": 5},
        "attributes": describe(OF_PERSONS),
        "records": {"stays": {**stays, "attributes": describe(OF_RECORDS)}},
    }
    return read_linked(Specification.build(asked), Stopwatch()).linked


def _search_alone(folder: Path) -> float:
    """Search one table with as many rows: each record with the attributes of its person."""
    own = describe({**OF_RECORDS, **OF_PERSONS})
    del own["no"]
    asked = {
        "source": {"path": str(folder / "joined.parquet"), "person": "row"},
        "release": {"k": 5, "method": "mingen", "max_suppressed": 0.05},
        "attributes": own,
    }
    frequency = prepare(Specification.build(asked)).plan.frequency
    frequency.roll_up(frequency.heights)  # compiles it
    spent, found = _measure(lambda: mingen(frequency, REQUIREMENT))
    one, _ = _measure(partial(frequency.roll_up, (2, 0, 5, 0, 2)))
    known = found.optimality
    print(
        f"one table of {RECORDS:,} rows: search {spent:.1f} s, "
        f"{known.evaluated if known else 0:,} vectors, {len(frequency):,} sequences, one vector "
        f"{one:.2f} s"
    )
    return spent


def _search_linked(folder: Path, knows: int, alone: float) -> tuple[LinkedTables, LinkedRecoding]:
    """Search the linked tables."""
    linked = _read(folder, knows)
    options = SearchOptions(weights=(Decimal(1),) * len(linked.attributes))
    linked.mark_released(linked.heights, REQUIREMENT.k)  # compiles it
    spent, found = _measure(lambda: search_linked(linked, REQUIREMENT, "mingen", options))
    known = found.optimality
    print(
        f"{PERSONS:,} persons, {RECORDS:,} records, knows = {knows}: search {spent:.1f} s "
        f"({spent / alone:.1f} × one table), {known.evaluated if known else 0:,} vectors, levels "
        f"{found.vector}, {PERSONS - int(found.released.sum()):,} persons left out"
    )
    return linked, found


def _count_one(linked: LinkedTables, knows: int, vector: Vector) -> None:
    """Count one vector here, and what is rare in SQL, which leaves nobody out again."""
    spent, _ = _measure(partial(linked.mark_released, vector, REQUIREMENT.k))
    connection, levels = duckdb.connect(), linked.divide(vector)
    for name, table, own in zip(("q", "r"), linked.tables, levels, strict=True):
        owner = np.repeat(np.arange(linked.rows, dtype=np.int32), table.sizes)
        held = pa.table({"person": owner, "shown": table.number_rows(own)})
        connection.from_arrow(held).create(name)
    pairs = "JOIN r AS s ON r.person = s.person AND r.rowid < s.rowid" if knows == 2 else ""
    other = "least(r.shown, s.shown), greatest(r.shown, s.shown)" if knows == 2 else "r.shown"
    rare = (
        f"SELECT count(*) FROM (SELECT 1 FROM q JOIN r ON q.person = r.person {pairs} "
        f"GROUP BY q.shown, {other} HAVING count(DISTINCT q.person) < {REQUIREMENT.k})"
    )
    in_sql, _ = _measure(lambda: connection.sql(rare).fetchall())
    print(
        f"  one vector: {spent:.2f} s, all persons without support left out; SQL counts the rare "
        f"ones once in {in_sql:.2f} s ({in_sql / spent:.1f} ×)"
    )


def _grow(mean: int) -> None:
    """Print the cost of one vector for so many records a person on average."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        for name, table in zip(("persons", "stays"), draw(PERSONS, mean * PERSONS), strict=True):
            pa.parquet.write_table(table, folder / f"{name}.parquet")
        spent = []
        for knows in (1, 2):
            linked = _read(folder, knows)
            vector = (linked.heights[0], 0, 2, 2, 0)  # sex, part of the ZIP code, quarter and ward
            spent.append(_measure(partial(linked.mark_released, vector, 5))[0])
    print(f"{mean:>3} records a person: {spent[0]:.2f} s (knows = 1), {spent[1]:.2f} s (knows = 2)")


def _measure(function: Callable[[], Any]) -> tuple[float, Any]:
    """Return the CPU time of a call, and its result."""
    begin = time.process_time()
    result = function()
    return time.process_time() - begin, result
