"""What is random about a release is drawn once: every output of it shows the same rows."""

from collections import Counter

import duckdb
import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.flow.release import prepare
from lookalike.tables.recode import recode, recode_with_trail

from ..roles import LINKABLE, MASKED, SENSITIVE

ROWS = 20_000
ATTRIBUTES = {"zip": MASKED, "age": LINKABLE, "ill": SENSITIVE}
UNSTABLE = {
    "grouped": "SELECT zip, age, ill FROM people GROUP BY no, zip, age, ill",
    "distinct": "SELECT DISTINCT zip, age, ill, no % 5000 AS part FROM people",
    "sampled": "SELECT zip, age, ill FROM people WHERE random() < 0.5",
    "joined": "SELECT a.zip, a.age, b.ill FROM people AS a JOIN people AS b USING (no)",
}


def write_people(folder):
    """Write rows that share few sequences, so that identical rows are drawn apart."""
    number = range(ROWS)
    columns = {
        "no": list(number),
        "zip": [f"{n % 23:02}" for n in number],
        "age": [str(n * n % 31) for n in number],
        "ill": [f"illness {n * 7 % 1009}" for n in number],
    }
    pyarrow.parquet.write_table(pa.table(columns), folder / "people.parquet")
    return str(folder / "people.parquet")


def read_back(path):
    return duckdb.connect().read_parquet(str(path)).fetchall()


def rows_of(made):
    return made.table.fetchall()


def release_query(query, folder, **fields):
    attributes = ATTRIBUTES | ({"part": {"role": "other"}} if "part" in query else {})
    specification = la.Specification.build(
        {
            "source": {"tables": {"people": write_people(folder)}, "query": query},
            "release": {"k": 7, "max_suppressed": 0.2, "method": "k-similar", **fields},
            "attributes": attributes,
        },
        "release",
    )
    return prepare(specification)


def test_the_table_equals_the_published_file(engine, hard, tmp_path):
    """Row by row, whatever kind of table came in, with identical rows that are split."""
    columns = {name: values * 3 for name, values in hard.columns.items()}
    columns["ill"] = [f"{ill} {n}" for n, ill in enumerate(columns["ill"])]
    columns["ssn"] = [f"{ssn} {n}" for n, ssn in enumerate(columns["ssn"])]
    attributes = hard.attributes | {"ill": {"role": "sensitive", "unique": True}}
    made = la.release(
        engine(columns, hard.categorical), k=4, method="k-similar", attributes=attributes
    )
    made.publish(tmp_path / "released" / "table.parquet")

    [*_, ill] = zip(*engine.to_rows(made.table), strict=True)
    published = pyarrow.parquet.read_table(tmp_path / "released" / "table.parquet")
    assert published["ill"].to_pylist() == list(ill)


def test_recoding_again_gives_the_same_rows(engine, hard):
    made = la.release(
        engine(hard.columns, hard.categorical), k=2, method="k-similar", attributes=hard.attributes
    )
    first, second = (engine.to_rows(recode(made.plan).to_native()) for _ in range(2))
    assert first == second


@pytest.mark.parametrize("query", UNSTABLE.values(), ids=UNSTABLE)
def test_a_query_that_gives_other_rows_each_time_is_run_once(query, tmp_path):
    made = release_query(query, tmp_path)
    made.publish(tmp_path / "released" / "table.parquet")

    assert rows_of(made) == rows_of(made) == read_back(tmp_path / "released" / "table.parquet")


@pytest.mark.parametrize("query", UNSTABLE.values(), ids=UNSTABLE)
def test_the_trail_shows_the_fate_that_each_row_was_given(query, tmp_path):
    """The rows that the trail calls released are those that are released."""
    made = release_query(query, tmp_path)
    released, trail = recode_with_trail(made.plan)

    stays = Counter()
    for rows in trail.follow(["ill"]):
        gone = trail.fates.gone[rows["lookalike fate"].to_numpy()]
        stays.update(rows.filter(pa.array(~gone))["ill"].to_pylist())
    assert stays == Counter(ill for ill, *_ in released.select("ill").to_native().fetchall())


def test_a_condition_may_be_random(tmp_path):
    source = {"where": "random() < 0.5"}
    attributes = ATTRIBUTES | {"no": {"role": "identifier"}}
    made = la.release(
        write_people(tmp_path),
        k=7,
        method="datafly",
        max_suppressed=0.2,
        attributes=attributes,
        source=source,
    )
    made.publish(tmp_path / "released" / "table.parquet")

    assert rows_of(made) == read_back(tmp_path / "released" / "table.parquet")


def test_a_relation_of_the_user_is_run_once_on_its_own_connection(tmp_path):
    connection = duckdb.connect()
    connection.execute("SET preserve_insertion_order = false")
    connection.read_parquet(write_people(tmp_path)).create_view("people")
    relation = connection.sql("SELECT DISTINCT zip, age, ill FROM people WHERE random() < 0.9")
    made = la.release(relation, k=7, max_suppressed=0.2, method="k-similar", attributes=ATTRIBUTES)
    made.publish(tmp_path / "released" / "table.parquet")

    assert rows_of(made) == read_back(tmp_path / "released" / "table.parquet")


@pytest.mark.parametrize("engine", ["polars", "duckdb", "csv"], indirect=True)
def test_two_releases_draw_apart(engine):
    """The draw is of one release, not of its data: the order of another one tells nothing."""
    columns = {"zip": ["02138"] * 40, "ill": [f"illness {n}" for n in range(40)]}
    attributes = {"zip": ATTRIBUTES["zip"], "ill": {"role": "sensitive", "unique": True}}
    made = [
        la.release(engine(columns), k=4, method="datafly", attributes=attributes) for _ in range(2)
    ]

    first, second = (engine.to_rows(one.table) for one in made)
    assert first != second
    assert Counter(first) == Counter(second)
