"""Verify levels: read the level of every released value again, by the holder's hierarchies."""

from collections.abc import Iterator, Mapping, Sequence

import duckdb
import pyarrow as pa

from lookalike.certificate import Certificate, Generalized
from lookalike.count import label
from lookalike.hierarchy.bound import Path
from lookalike.read import Engine
from lookalike.sql import derive, engine_errors, quote_name
from lookalike.table import Frame
from lookalike.verify import Finding, as_relation
from lookalike.verify_sides import Claim
from lookalike.verify_values import column_types, list_paths, list_values, recognize


def check_levels(
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    certificate: Certificate,
    claim: Claim,
    engine: Engine,
) -> Iterator[Finding]:
    """Check the height of every hierarchy, and how many values have which level.

    Parameters
    ----------
    private
        The private table.
    release
        The release.
    certificate
        What it says of both.
    claim
        The hierarchies.
    engine
        Reads released text as the type of a private column.
    """
    original = as_relation(private, engine)
    types = column_types(original)
    for name, done in certificate.generalized.items():
        values, _ = _count_values(original, name)
        labels = [label(value) for value in values]
        paths = list_paths(name, claim.hierarchies[name], labels, claim.suppressed_label)
        height = len(paths[0]) - 1 if paths else 0
        yield Finding(
            f"the hierarchy of {name} has height {done.height}", height == done.height, f"{height}"
        )
        if done.cells_by_level is not None:
            shown, rows = _count_values(release, name)
            levels = [level for level in done.cells_by_level if 0 <= level <= height]
            texts = recognize(shown, paths, levels, types[name], engine)
            telling = {
                text: number
                for text, number in zip(texts, rows, strict=True)
                if text != claim.suppressed_label
            }
            yield _check_cells(
                name, done, done.cells_by_level, _find_levels(paths, levels), telling
            )


def _count_values(relation: duckdb.DuckDBPyRelation, name: str) -> tuple[list[object], list[int]]:
    """Return the distinct values of a column, and how many rows have each."""
    with engine_errors():
        counted: pa.Table = derive(
            relation, f"SELECT {quote_name(name)}, count(*) FROM t GROUP BY ALL"
        ).to_arrow_table()
    values, places = list_values(counted.column(0))
    rows = dict(zip(places.tolist(), counted.column(1).to_pylist(), strict=True))
    return values, [rows[place] for place in range(len(values))]


def _find_levels(paths: Sequence[Path], levels: Sequence[int]) -> dict[str | None, set[int]]:
    """Return for every label the levels at which it is written."""
    found: dict[str | None, set[int]] = {}
    for path in paths:
        for level in levels:
            found.setdefault(path[level], set()).add(level)
    return found


def _check_cells(
    name: str,
    done: Generalized,
    told: Mapping[int, int],
    levels_of: Mapping[str | None, set[int]],
    rows_of: Mapping[str | None, int],
) -> Finding:
    """Check how many values have which level; one that is written alike at several may have any."""
    sure, perhaps = dict.fromkeys(told, 0), dict.fromkeys(told, 0)
    for text, rows in rows_of.items():
        levels = levels_of.get(text, set())
        for level in levels:
            (sure if len(levels) == 1 else perhaps)[level] += rows
    holds = all(sure[one] <= told[one] <= sure[one] + perhaps[one] for one in told)
    claim = ", ".join(f"{number:,} at level {level}" for level, number in told.items())
    found = ", ".join(f"{number:,} at level {level}" for level, number in sure.items())
    return Finding(
        f"the values of {name} have the levels of the certificate: {claim or 'none'}",
        holds and sum(told.values()) == sum(rows_of.values()),
        f"{found or 'none'}, of height {done.height}",
    )
