"""More distinct sequences than memory: 10 million rows with 8 million distinct sequences."""

from pathlib import Path

import duckdb

from benchmarks.process import Taken, run_cold

DATA = Path(__file__).parent / "data"
MEMORY_LIMIT = "1500MB"
MOST = 2_000_000
"""How many sequences may come to memory."""
ATTRIBUTES = ("zip", "born", "sex", "race", "marital", "schooling")
COMBINATIONS = 216_000
"""The number of combinations of values for each ZIP code."""
SPECIFICATION = """
[source]
path = "{name}.parquet"
memory = "{limit}"
[release]
k = 5
max_suppressed = 0.05
out = "released-{name}/table.parquet"
[attributes]
zip = {{ role = "quasi-identifier", hierarchy = {{ kind = "mask" }} }}
born = {{ role = "quasi-identifier", hierarchy = {{ kind = "dates" }} }}
sex = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
race = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
marital = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
schooling = {{ role = "quasi-identifier", hierarchy = {{ kind = "intervals", widths = [2, 4] }} }}
diagnosis = {{ role = "sensitive" }}
cost = {{ role = "other" }}
"""


def run() -> None:
    """8 million distinct sequences in DuckDB, 6 attributes; and 800,000 there against memory."""
    DATA.mkdir(exist_ok=True)
    large, small = _prepare(10_000_000), _prepare(1_000_000)
    _report("check", _check(large, MOST))
    for method in ("datafly", "mingen"):
        _report(method, _release(large, method, MOST))
    for method in ("datafly", "mingen"):
        kept, held = _release(small, method, MOST // 10), _release(small, method, MOST)
        if kept.answer["levels"] != held.answer["levels"]:
            raise SystemExit(f"{method}: the engine and memory found different levels")
        seconds, memory = kept.seconds / held.seconds, kept.megabytes / held.megabytes
        print(f"{method}, a tenth: {seconds:.2f} × the time in memory, {memory:.2f} × the memory")


def _report(verb: str, taken: Taken) -> None:
    """Print what one command took."""
    print(f"{verb:<8} {taken.seconds:6.1f} s {taken.megabytes:6.0f} MB")


def _check(table: Path, most: int) -> Taken:
    """Check a table for its k."""
    limits = ("--memory", MEMORY_LIMIT, "--max-sequences", str(most))
    return run_cold("check", str(table), "-q", ",".join(ATTRIBUTES), *limits)


def _release(table: Path, method: str, most: int) -> Taken:
    """Make and publish a release."""
    options = ("--method", method, "--max-sequences", str(most), "--replace")
    return run_cold("release", str(table.with_suffix(".toml")), *options)


def _prepare(rows: int) -> Path:
    """Write a table in which 4 of 5 rows have a sequence of their own, and its specification."""
    table = DATA / f"sequences-{rows}.parquet"
    table.with_suffix(".toml").write_text(SPECIFICATION.format(name=table.stem, limit=MEMORY_LIMIT))
    if not table.exists():
        _generate(rows, table)
    return table


def _generate(rows: int, path: Path) -> None:
    """Make a table by hashing row numbers."""
    zips = rows // 100_000
    duckdb.connect().execute(
        f"""
        COPY (
            SELECT
                lpad((2000 + c // {COMBINATIONS})::VARCHAR, 5, '0') AS zip,
                (DATE '1930-01-01' + to_months((c // 240 % 900)::INTEGER))::DATE::VARCHAR AS born,
                CASE WHEN c % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
                'race ' || (c // 2 % 5) AS race,
                'status ' || (c // 10 % 4) AS marital,
                (8 + c // 40 % 6)::VARCHAR AS schooling,
                'd' || (i % 500) AS diagnosis,
                (i % 1000) / 10.0 AS cost
            FROM (
                SELECT i, hash(i) % ({COMBINATIONS} * {zips}) AS c FROM range({rows}) AS r(i)
            )
        ) TO '{path}' (FORMAT parquet)
        """
    )
