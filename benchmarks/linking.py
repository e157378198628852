"""Linking: a voter list of a million against a release of a million rows, and cell by cell."""

import tempfile
import time
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as parquet

import lookalike as la
from benchmarks import records
from lookalike.flow.release import prepare
from lookalike.spec.specification import Specification
from lookalike.tables.read import read_frame

PERSONS = 1_000_000
SEED = 20020502
RULES = {
    "zip": la.Mask(length=5),
    "birth": la.Dates(),
    "sex": la.Suppress(),
}
LEVELS = {"zip": 2, "birth": 2, "sex": 0}
"""Three digits of the ZIP code, the year of birth, the sex."""


def run() -> None:
    """A million persons against a million rows, Adult by cells, and people with known records."""
    with tempfile.TemporaryDirectory() as folder:
        _link_attributes(Path(folder))
    _link_cells()
    with tempfile.TemporaryDirectory() as folder:
        _link_records(Path(folder))


def _draw(rows: int, seed: int) -> pa.Table:
    """Draw people: 1,000 ZIP codes, 60 years of birthdays, two sexes."""
    drawn = np.random.default_rng(seed)
    zips = np.char.zfill(drawn.integers(0, 1000, rows).astype(str), 5)
    days = np.datetime64("1930-01-01") + drawn.integers(0, 365 * 60, rows)
    return pa.table(
        {
            "zip": zips,
            "birth": np.datetime_as_string(days, unit="D"),
            "sex": np.where(drawn.integers(0, 2, rows), "f", "m"),
        }
    )


def _link_attributes(folder: Path) -> None:
    """Link Parquet files, and join the same persons by DuckDB after generalizing every row."""
    people = _draw(PERSONS, SEED)
    parquet.write_table(people, folder / "people.parquet")
    released = _generalize(people)
    parquet.write_table(released, folder / "release.parquet")
    begin = time.perf_counter()
    linked = la.link(
        folder / "release.parquet", folder / "people.parquet", list(RULES), hierarchies=RULES
    )
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    expected = _join(folder)
    theirs = time.perf_counter() - begin
    assert (linked.k_map, linked.rows.total) == expected, (linked.k_map, expected)
    print(
        f"{PERSONS:,} persons, {PERSONS:,} rows, {len(linked.rows.entries):,} classes: "
        f"{ours:.1f} s; SQL that generalizes every person, groups and joins {theirs:.1f} s, "
        f"{theirs / ours:.2f} × as long"
    )


def _generalize(people: pa.Table) -> pa.Table:
    """Show of everybody what a release at the levels would."""
    columns = {}
    for name, rule in RULES.items():
        encoded = people[name].combine_chunks().dictionary_encode()
        shown = [rule.generalize(value, LEVELS[name]) for value in encoded.dictionary.to_pylist()]
        columns[name] = pa.array(shown).take(encoded.indices)
    return pa.table(columns)


def _join(folder: Path) -> tuple[int, int]:
    """Count for each released row the persons, as one would by hand who knows the levels."""
    sql = f"""
        WITH persons AS (
            SELECT left(zip, 3) || '**' AS zip, left(birth, 4) AS birth, sex, count(*) AS number
            FROM '{folder}/people.parquet' GROUP BY ALL
        )
        SELECT min(number), count(*) FROM '{folder}/release.parquet' JOIN persons
        USING (zip, birth, sex)
    """
    smallest, rows = duckdb.sql(sql).fetchall()[0]
    return int(smallest), int(rows)


def _link_cells() -> None:
    """Link Adult, released cell by cell, with itself and with a million people like it."""
    data = Path(la.__file__).parent / "shell" / "data" / "adult"
    specification = Specification.load(data / "adult.toml", {"method": "k-similar"})
    release = prepare(specification)
    names = list(specification.hierarchies())
    private = read_frame(release.plan.table.frame.to_native()).select(names).collect("pyarrow")
    table = private.to_native()
    drawn = np.random.default_rng(SEED).integers(0, len(table), PERSONS)
    for title, people in {"itself": table, "a million like it": table.take(drawn)}.items():
        begin = time.perf_counter()
        linked = la.link(release.table, people, names, spec=specification)
        seconds = time.perf_counter() - begin
        vectors = len(linked.seconds)
        print(
            f"Adult by cells against {title}: {vectors:,} vectors, {seconds:.1f} s, "
            f"{sum(linked.seconds) / vectors:.4f} s each; k-map {linked.k_map}"
        )


def _link_records(folder: Path) -> None:
    """Link people with all of their records, and with one, which SQL counts by joins, too."""
    persons, stays = records.draw(records.PERSONS, records.RECORDS)
    described = {"person": "no", "knows": 1, "attributes": records.describe(records.OF_RECORDS)}
    spec = Specification.build(
        {
            "source": {"person": "no"},
            "release": {"k": 5, "max_suppressed": 0.05},
            "attributes": records.describe(records.OF_PERSONS),
            "records": {"stays": {"path": "stays.parquet", **described}},
        }
    )
    made = la.release_records(persons, records={"stays": stays}, spec=spec)
    made.publish(folder / "released" / "persons.parquet")
    on = [*records.OF_PERSONS, *(f"stays.{name}" for name in records.OF_RECORDS)]
    first = np.unique(stays["no"].to_numpy(), return_index=True)[1]
    one = stays.take(first)
    for known in (stays, one):
        begin = time.perf_counter()
        linked = la.link_records(
            folder / "released", persons, on, records={"stays": known}, identity="no", spec=spec
        )
        ours = time.perf_counter() - begin
        print(
            f"{len(persons):,} persons with {len(known):,} known of {len(stays):,} records: "
            f"{ours:.1f} s, {linked.persons.count(1, 1):,} match one released person; of those "
            f"whom the promise covers, {linked.covered_fewest} at the least"
        )
    rules = {**spec.hierarchies(), **spec.records["stays"].hierarchies()}
    levels = {**made.levels["persons"], **made.levels["stays"]}
    outside = one.join(persons, "no", join_type="inner")
    shown = pa.table(
        {name: _show(outside[name], rules[name], level) for name, level in levels.items()}
    )
    begin = time.perf_counter()
    expected = _count_in_sql(folder / "released", shown)
    theirs = time.perf_counter() - begin
    fewest = linked.persons.smallest
    assert expected == fewest, (expected, fewest)
    print(f"  SQL that joins generalized values: {theirs:.1f} s, {theirs / ours:.2f} × as long")


def _show(column: pa.ChunkedArray, rule: la.Hierarchy, level: int) -> pa.Array:
    """Show a column at a level of its hierarchy."""
    encoded = column.combine_chunks().dictionary_encode()
    values = [str(value) for value in encoded.dictionary.to_pylist()]
    fitted = rule.fit(values)
    labels = pa.array([fitted.generalize(value, level) for value in values])
    return labels.take(encoded.indices)


def _count_in_sql(released: Path, known: pa.Table) -> int:
    """Count the released persons who have each known row and record; return the fewest."""
    connection = duckdb.connect()
    connection.register("known", known)
    for name in ("persons", "stays"):
        connection.read_parquet(str(released / f"{name}.parquet")).create(name)
    every = ", ".join(known.column_names)
    [(fewest,)] = connection.sql(
        f"WITH asked AS (SELECT DISTINCT {every} FROM known), "
        f"had AS (SELECT {every}, count(DISTINCT no) AS persons FROM stays JOIN persons USING (no) "
        f"GROUP BY {every}) SELECT min(persons) FROM asked JOIN had USING ({every})"
    ).fetchall()
    return int(fewest)
