"""Verify truth: prove that every released row generalizes a private row of its own."""

import itertools
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import duckdb
import pyarrow as pa

from lookalike.count import label
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.read import Engine, read_frame
from lookalike.sql import derive, engine_errors, quote_name, quote_text
from lookalike.table import Frame, check_columns
from lookalike.verify import as_relation


@dataclass(frozen=True)
class Claim:
    """What a release says was done to its private table.

    Parameters
    ----------
    hierarchies
        The hierarchy of each attribute of the quasi-identifier.
    levels
        The level that each was generalized to.
    unchanged
        The columns that were released as they are.
    blank
        Whether suppressed rows were kept, blank.
    suppressed_label
        How the suppressed value is written.
    """

    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int]
    unchanged: Sequence[str]
    blank: bool
    suppressed_label: str


def count_untruthful(
    private: Frame, release: duckdb.DuckDBPyRelation, claim: Claim, engine: Engine
) -> int:
    """Count the released rows that are not the generalization of a private row of their own.

    0 proves that there is a mapping as Samarati's Definition 4.1 asks, under which each
    released row has a private row of its own and every value equals or generalizes its
    original. At the attribute level a private row has one image only, so the released rows
    must be a sub-multiset of the images. Blank rows must be, in their other columns, what is
    left of the images.

    Parameters
    ----------
    private
        The private table.
    release
        The release, on the connection of `engine`.
    claim
        What was done.
    engine
        Where to compare them.
    """
    columns = [*claim.levels, *claim.unchanged]
    original = as_relation(private, engine)
    check_columns(original.columns, columns)
    with engine_errors("the private table"):
        images = _as_text(_images(original, claim), columns)
        rows = _as_text(_canonical_rows(release, original, claim), columns)
        if not claim.blank:
            return _count_extra(rows, images)
        shown, blank = _divide(rows, claim)
        left = _as_text(images.except_(shown), claim.unchanged)
        return _count_extra(shown, images) + _count_extra(_as_text(blank, claim.unchanged), left)


def _images(original: duckdb.DuckDBPyRelation, claim: Claim) -> duckdb.DuckDBPyRelation:
    """Generalize every private row as claimed, value by value with the rule itself."""
    images = original
    for name, level in claim.levels.items():
        values = _distinct(original, name)
        labels = [label(value) for value in values]
        paths = claim.hierarchies[name].released_paths(name, labels, claim.suppressed_label)
        images = _replace(images, name, values, [path[level] for path in paths])
    return images


def _canonical_rows(
    release: duckdb.DuckDBPyRelation, original: duckdb.DuckDBPyRelation, claim: Claim
) -> duckdb.DuckDBPyRelation:
    """Write released values the way that private ones are labelled, whatever the file's format."""
    kinds = dict(zip(original.columns, original.types, strict=True))
    rows = release
    for name in claim.levels:
        values = _distinct(release, name)
        shown = [_canonical(value, kinds[name].id) for value in values]
        rows = _replace(rows, name, values, shown)
    return rows


def _canonical(value: Any, kind: str) -> str | None:
    """Label a released value; text that stands for a private number or time is read as one."""
    text = label(value)
    if text is not None and kind in ("float", "double", "decimal"):
        with suppress(ValueError):
            return label(float(text))
    if text is not None and kind.startswith("timestamp"):
        with suppress(ValueError):
            return label(datetime.fromisoformat(text))
    return text


def _distinct(relation: duckdb.DuckDBPyRelation, name: str) -> list[Any]:
    """List the distinct values of a column."""
    found = derive(relation, f"SELECT DISTINCT {quote_name(name)} FROM t").to_arrow_table()
    values: list[Any] = found.column(0).to_pylist()
    return values


def _replace(
    relation: duckdb.DuckDBPyRelation, name: str, values: list[Any], shown: list[str | None]
) -> duckdb.DuckDBPyRelation:
    """Put other text in the place of each value of a column."""
    mapping = pa.table({"before": values, "after": pa.array(shown, pa.string())})
    columns = ", ".join(
        f"m.after AS {quote_name(name)}" if column == name else f"t.{quote_name(column)}"
        for column in relation.columns
    )
    return derive(
        relation,
        f"SELECT {columns} FROM t LEFT JOIN mapping AS m "
        f"ON t.{quote_name(name)} IS NOT DISTINCT FROM m.before",
        mapping,
    )


def _as_text(relation: duckdb.DuckDBPyRelation, columns: Sequence[str]) -> duckdb.DuckDBPyRelation:
    """Keep some columns, as text; of no column at all, keep that there is a row."""
    kept = [f"CAST({quote_name(name)} AS VARCHAR) AS {quote_name(name)}" for name in columns]
    return derive(relation, f"SELECT {', '.join(kept) or '1'} FROM t")


def _divide(
    rows: duckdb.DuckDBPyRelation, claim: Claim
) -> tuple[duckdb.DuckDBPyRelation, duckdb.DuckDBPyRelation]:
    """Divide released rows into those with values and the blank ones."""
    blank = " AND ".join(
        f"{quote_name(name)} IS NOT DISTINCT FROM {quote_text(claim.suppressed_label)}"
        for name in claim.levels
    )
    shown = derive(rows, f"SELECT * FROM t WHERE NOT ({blank})")
    return shown, derive(rows, f"SELECT * FROM t WHERE {blank}")


def _count_extra(rows: duckdb.DuckDBPyRelation, images: duckdb.DuckDBPyRelation) -> int:
    """Count the rows that are not among the images, each image serving one row."""
    extra = derive(rows.except_(images), "SELECT count(*) FROM t")
    return int(extra.fetchall()[0][0])


def is_generalization(
    private: Any,
    release: Any,
    hierarchies: Mapping[str, Hierarchy],
    suppressed_label: str = SUPPRESSED,
) -> bool:
    """Tell whether a table is a generalization of another (Samarati, Definitions 3.1 and 4.1).

    Each attribute must be at one level of its hierarchy, and every row the image of a private
    row of its own. With as many rows as the private table it is one without suppression.

    Parameters
    ----------
    private, release
        Frames of any kind. Columns without a hierarchy must be unchanged.
    hierarchies
        The hierarchy of each attribute that may be generalized.
    suppressed_label
        How the suppressed value is written.

    Examples
    --------
    >>> from lookalike.hierarchy import Mask
    >>> private = pa.table({"zip": ["02138", "02139"]})
    >>> zips = {"zip": Mask(length=5)}
    >>> is_generalization(private, pa.table({"zip": ["0213*", "0213*"]}), zips)
    True
    >>> is_generalization(private, pa.table({"zip": ["0213*", "02139"]}), zips)
    False
    """
    engine = Engine()
    original, rows = read_frame(private), as_relation(read_frame(release), engine)
    relation = as_relation(original, engine)
    check_columns(relation.columns, rows.columns)
    unchanged = [name for name in rows.columns if name not in hierarchies]
    possible = {
        name: _possible_levels(relation, rows, name, rule, suppressed_label)
        for name, rule in hierarchies.items()
    }
    for levels in itertools.product(*possible.values()):
        chosen = dict(zip(possible, levels, strict=True))
        claim = Claim(hierarchies, chosen, unchanged, False, suppressed_label)
        if count_untruthful(original, rows, claim, engine) == 0:
            return True
    return False


def _possible_levels(
    original: duckdb.DuckDBPyRelation,
    release: duckdb.DuckDBPyRelation,
    name: str,
    rule: Hierarchy,
    suppressed_label: str,
) -> list[int]:
    """Return the levels at which every released value of an attribute occurs."""
    labels = [label(value) for value in _distinct(original, name)]
    paths = rule.released_paths(name, labels, suppressed_label)
    released = {label(value) for value in _distinct(release, name)}
    height = len(paths[0]) if paths else 0
    return [level for level in range(height) if released <= {path[level] for path in paths}]
