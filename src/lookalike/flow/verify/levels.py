"""Verify levels: read the level of every released value again, by the holder's hierarchies."""

from collections.abc import Mapping, Sequence

import duckdb
import pyarrow as pa

from lookalike.hierarchy.bound import LabelPath
from lookalike.publish.certificate import Certificate
from lookalike.tables.count import label
from lookalike.tables.read import Engine
from lookalike.tables.sql import derive, engine_errors, quote_name
from lookalike.tables.table import Frame
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.recount import Finding, as_relation
from lookalike.verify.values import column_types, list_paths, list_values, recognize


def check_released_levels(
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    certificate: Certificate,
    claim: TruthClaim,
    engine: Engine,
) -> Finding:
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
    wrong = []
    for name, done in certificate.generalized.items():
        values, _ = _count_values(original, name)
        labels = [label(value) for value in values]
        paths = list_paths(name, claim.hierarchies[name], labels, claim.suppressed_label)
        height = len(paths[0]) - 1 if paths else done.height
        if height != done.height:
            wrong.append(f"the hierarchy of {name} has height {height}")
        if done.cells_by_level is not None:
            shown, rows = _count_values(release, name)
            levels = [level for level in done.cells_by_level if 0 <= level <= height]
            texts = recognize(shown, paths, levels, types[name], engine)
            counted = dict(zip(texts, rows, strict=True))
            counted.pop(claim.suppressed_label, None)
            if not _are_possible(done.cells_by_level, _find_levels(paths, levels), counted):
                wrong.append(f"the values of {name} have other levels")
    return Finding(
        "heights, and how many values have which level, are as the certificate says",
        not wrong,
        "; ".join(wrong) or "they are",
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


def _find_levels(paths: Sequence[LabelPath], levels: Sequence[int]) -> dict[str | None, set[int]]:
    """Return for every label the levels at which it is written."""
    found: dict[str | None, set[int]] = {}
    for path in paths:
        for level in levels:
            found.setdefault(path[level], set()).add(level)
    return found


def _are_possible(
    told: Mapping[int, int],
    levels_of: Mapping[str | None, set[int]],
    rows_of: Mapping[str | None, int],
) -> bool:
    """Tell whether so many values can have each level.

    A value that is written alike at several levels may have any of them.
    """
    sure, perhaps = dict.fromkeys(told, 0), dict.fromkeys(told, 0)
    for text, rows in rows_of.items():
        levels = levels_of.get(text, set())
        for level in levels:
            (sure if len(levels) == 1 else perhaps)[level] += rows
    whole = sum(told.values()) == sum(rows_of.values())
    return whole and all(sure[one] <= told[one] <= sure[one] + perhaps[one] for one in told)
