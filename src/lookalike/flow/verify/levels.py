"""Check hierarchy heights and the levels of released values against the private table."""

from collections.abc import Mapping, Sequence

import duckdb

from lookalike.hierarchy.bound import LabelPath
from lookalike.publish.certificate import Certificate
from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation
from lookalike.tables.labels import label
from lookalike.tables.table import Frame
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.recount import Finding
from lookalike.verify.released_values import count_column_values
from lookalike.verify.values import column_types, list_paths, recognize


def check_released_levels(
    private: Frame,
    release: duckdb.DuckDBPyRelation,
    certificate: Certificate,
    claim: TruthClaim,
    connection: Connection,
) -> Finding:
    """Check the height of every hierarchy, and the number of values at each level."""
    original = as_relation(private, connection)
    types = column_types(original)
    wrong = []
    for name, done in certificate.generalized.items():
        values, _ = count_column_values(original, name)
        labels = [label(value) for value in values]
        paths = list_paths(name, claim.hierarchies[name], labels, claim.suppressed_label)
        height = len(paths[0]) - 1 if paths else done.height
        if height != done.height:
            wrong.append(f"the hierarchy of {name} has height {height}")
        if done.cells_by_level is not None:
            shown, rows = count_column_values(release, name)
            levels = [level for level in done.cells_by_level if 0 <= level <= height]
            texts = recognize(shown, paths, levels, types[name], connection)
            counted = dict(zip(texts, rows, strict=True))
            counted.pop(claim.suppressed_label, None)
            if not _are_possible(done.cells_by_level, _find_levels(paths, levels), counted):
                wrong.append(f"the values of {name} have other levels")
    return Finding(
        "hierarchy heights and the number of values at each level match the certificate",
        not wrong,
        "; ".join(wrong) or "they do",
    )


def _find_levels(paths: Sequence[LabelPath], levels: Sequence[int]) -> dict[str | None, set[int]]:
    """Return for every label the levels at which it occurs."""
    found: dict[str | None, set[int]] = {}
    for path in paths:
        for level in levels:
            found.setdefault(path[level], set()).add(level)
    return found


def _are_possible(
    certified: Mapping[int, int],
    levels_of: Mapping[str | None, set[int]],
    rows_of: Mapping[str | None, int],
) -> bool:
    """Return whether the certified number of values at each level is possible.

    A label that occurs at several levels may stand for any of them.
    """
    certain, ambiguous = dict.fromkeys(certified, 0), dict.fromkeys(certified, 0)
    for text, rows in rows_of.items():
        levels = levels_of.get(text, set())
        for level in levels:
            (certain if len(levels) == 1 else ambiguous)[level] += rows
    complete = sum(certified.values()) == sum(rows_of.values())
    return complete and all(
        certain[level] <= number <= certain[level] + ambiguous[level]
        for level, number in certified.items()
    )
