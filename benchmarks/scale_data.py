"""A large table, made by hashing row numbers with fixed seeds."""

from pathlib import Path

import duckdb

SEQUENCES = 300_000
"""How many sequences of quasi-identifier values occur, if there are rows enough."""
ATTRIBUTES = ("zip", "age", "sex", "race", "marital", "born")
SPECIFICATION = """
[source]
path = "{source}"
memory = "{memory}"
spill = "{spill}"
[release]
k = 1000
method = "mingen"
max_suppressed = 0.01
out = "{target}"
accept = ["as-is-unique"]
[attributes]
zip = {{ role = "quasi-identifier", hierarchy = {{ kind = "mask" }} }}
age = {{ role = "quasi-identifier", hierarchy = {{ kind = "intervals", widths = [5, 10, 20] }} }}
sex = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
race = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
marital = {{ role = "quasi-identifier", hierarchy = {{ kind = "suppress" }} }}
born = {{ role = "quasi-identifier", hierarchy = {{ kind = "dates" }} }}
diagnosis = {{ role = "sensitive" }}
cost = {{ role = "other" }}
ward = {{ role = "other" }}
days = {{ role = "other" }}
"""


def generate(rows: int, path: Path, memory: str) -> None:
    """Write the table; the suffix of the path chooses the format."""
    connection = duckdb.connect()
    connection.execute("SET memory_limit = ?", [memory])
    connection.execute(
        f"""
        COPY (
            SELECT
                lpad((hash(s, 1) % 500)::VARCHAR, 5, '0') AS zip,
                (18 + hash(s, 2) % 70)::INTEGER AS age,
                CASE WHEN hash(s, 3) % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
                (hash(s, 4) % 6)::VARCHAR AS race,
                (hash(s, 5) % 5)::VARCHAR AS marital,
                DATE '1940-01-01' + (hash(s, 6) % 80)::INTEGER * 365 AS born,
                'd' || (hash(i, 7) % 500) AS diagnosis,
                (hash(i, 8) % 1000) / 10.0 AS cost,
                'ward ' || (hash(i, 9) % 40) AS ward,
                (hash(i, 10) % 60)::INTEGER AS days
            FROM (SELECT i, hash(i, 0) % {SEQUENCES} AS s FROM range({rows}) AS r(i))
        ) TO '{path}'
        """
    )
