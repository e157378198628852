"""Memory and time at 1 and 10 million rows with the same distinct sequences."""

from pathlib import Path

import duckdb

from benchmarks.process import Taken, run_cold

DATA = Path(__file__).parent / "shell" / "data"
MEMORY_LIMIT = "256MB"
SEQUENCES = 100_000
ATTRIBUTES = ("zip", "age", "sex", "race", "marital", "born")
SPECIFICATION = """
[source]
path = "{rows}.parquet"
memory_limit = "{limit}"
[release]
k = 1000
max_suppressed = 0.01
out = "released-{rows}/table.parquet"
[attributes]
zip = {{ role = "quasi-identifier", hierarchy = {{ kind = "mask" }} }}
age = {{ role = "quasi-identifier", hierarchy = {{ kind = "intervals", widths = [5, 10, 20] }} }}
sex = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
race = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
marital = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
born = {{ role = "quasi-identifier", hierarchy = {{ kind = "dates" }} }}
diagnosis = {{ role = "sensitive" }}
cost = {{ role = "other" }}
"""


def run() -> None:
    """1 and 10 million rows from Parquet, 6 quasi-identifiers, DuckDB limited to 256 MB."""
    DATA.mkdir(exist_ok=True)
    taken = {rows: _measure(rows) for rows in (1_000_000, 10_000_000)}
    small, large = taken.values()
    for verb in small:
        memory = large[verb].megabytes / small[verb].megabytes
        seconds = large[verb].seconds / small[verb].seconds
        print(f"{verb}: 10 × the rows took {memory:.2f} × the memory, {seconds:.1f} × the time")


def _measure(rows: int) -> dict[str, Taken]:
    """Check and release one table."""
    table, specification = DATA / f"{rows}.parquet", DATA / f"{rows}.toml"
    _generate(rows, table)
    specification.write_text(SPECIFICATION.format(rows=rows, limit=MEMORY_LIMIT))
    limits = ("--memory-limit", MEMORY_LIMIT)
    taken = {
        "check": run_cold("check", str(table), "-q", ",".join(ATTRIBUTES), *limits),
        "release": run_cold("release", str(specification), "--replace"),
    }
    for verb, one in taken.items():
        print(f"{rows:>10,} rows, {verb:<8} {one.seconds:6.1f} s {one.megabytes:6.0f} MB")
    return taken


def _generate(rows: int, path: Path) -> None:
    """Make a table by hashing row numbers with fixed seeds; values repeat every 100,000 rows."""
    if path.exists():
        return
    duckdb.connect().execute(
        f"""
        COPY (
            SELECT
                lpad((hash(s, 1) % 1000)::VARCHAR, 5, '0') AS zip,
                (18 + hash(s, 2) % 70)::INTEGER AS age,
                CASE WHEN hash(s, 3) % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
                (hash(s, 4) % 6)::VARCHAR AS race,
                (hash(s, 5) % 5)::VARCHAR AS marital,
                DATE '1940-01-01' + (hash(s, 6) % 80)::INTEGER * 365 AS born,
                'd' || (hash(i, 7) % 500) AS diagnosis,
                (hash(i, 8) % 1000) / 10.0 AS cost
            FROM (SELECT i, i % {SEQUENCES} AS s FROM range({rows}) AS r(i))
        ) TO '{path}' (FORMAT parquet)
        """
    )
