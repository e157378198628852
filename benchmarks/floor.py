"""The least that a release could take: DuckDB itself reads, counts and writes the table back.

It is a script, run in a process of its own like the command that it is compared with::

    python -m benchmarks.floor SOURCE TARGET MEMORY SPILL [random]
"""

import sys

import duckdb

from benchmarks.scale_data import ATTRIBUTES


def main() -> None:
    """Group by the quasi-identifier and copy the table, in random order if asked."""
    source, target, memory, spill, *order = sys.argv[1:]
    connection = duckdb.connect()
    connection.execute("SET memory_limit = ?", [memory])
    connection.execute("SET temp_directory = ?", [spill])
    read = (
        f"'{source}'" if source.endswith(".parquet") else f"read_csv('{source}', all_varchar=true)"
    )
    keys = ", ".join(ATTRIBUTES)
    counted = connection.sql(f"SELECT {keys}, count(*) AS n FROM {read} GROUP BY ALL")
    sequences = counted.to_arrow_table().num_rows
    ordered = "ORDER BY random()" if order else ""
    connection.execute(f"COPY (FROM {read} {ordered}) TO '{target}'")
    print(f'{{"sequences": {sequences}}}')


if __name__ == "__main__":
    main()
