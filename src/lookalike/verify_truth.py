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
from lookalike.errors import InvalidInput
from lookalike.hierarchy import SUPPRESSED, Hierarchy
from lookalike.hierarchy.bound import Path
from lookalike.read import Engine, read_frame
from lookalike.sql import derive, engine_errors, quote_name, quote_text
from lookalike.table import Frame, check_columns
from lookalike.verify import as_relation
from lookalike.verify_cells import count_unmatched, read_attribute


@dataclass(frozen=True)
class Claim:
    """What a release says was done to its private table.

    Parameters
    ----------
    hierarchies
        The hierarchy of each attribute of the quasi-identifier.
    levels
        The level that each was generalized to. At the cell level a value may be suppressed
        instead, and None allows any level.
    unchanged
        The columns that were released as they are.
    blank
        Whether suppressed rows were kept, blank.
    suppressed_label
        How the suppressed value is written.
    cells
        Whether levels may differ from cell to cell. A suppressed value then stands for any,
        so blank rows need no mention.
    """

    hierarchies: Mapping[str, Hierarchy]
    levels: Mapping[str, int | None]
    unchanged: Sequence[str]
    blank: bool
    suppressed_label: str
    cells: bool = False

    def level_of(self, name: str) -> int:
        """Return the one level of an attribute."""
        level = self.levels[name]
        if level is None:
            raise InvalidInput(
                f"column {name!r}: no level is claimed, but only a release at the cell level may "
                "have values at any; give the level, or set cells"
            )
        return level


def count_untruthful(
    private: Frame, release: duckdb.DuckDBPyRelation, claim: Claim, engine: Engine
) -> int:
    """Count the released rows that are not the generalization of a private row of their own.

    0 proves that there is a mapping as Samarati's Definition 4.1 asks, under which each
    released row has a private row of its own and every value equals or generalizes its
    original. At the attribute level a private row has one image only, so the released rows
    must be a sub-multiset of the images. Blank rows must be, in their other columns, what is
    left of the images. At the cell level the rows that remain without a private row in a
    maximum matching are counted.

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
        if claim.cells:
            return _count_unmatched(release, original, claim)
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
    for name in claim.levels:
        level = claim.level_of(name)
        values = _distinct(original, name)
        labels = [label(value) for value in values]
        paths = claim.hierarchies[name].released_paths(name, labels, claim.suppressed_label)
        shown = pa.array([path[level] for path in paths], pa.string())
        images = _replace(images, name, values, shown)
    return images


def _canonical_rows(
    release: duckdb.DuckDBPyRelation, original: duckdb.DuckDBPyRelation, claim: Claim
) -> duckdb.DuckDBPyRelation:
    """Write released values the way that private ones are labelled, whatever the file's format."""
    kinds = column_kinds(original)
    rows = release
    for name in claim.levels:
        values = _distinct(release, name)
        shown = pa.array([_canonical(value, kinds[name]) for value in values], pa.string())
        rows = _replace(rows, name, values, shown)
    return rows


def column_kinds(relation: duckdb.DuckDBPyRelation) -> dict[str, str]:
    """Return the type of each column."""
    types = (kind.id for kind in relation.types)
    return dict(zip(relation.columns, types, strict=True))


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
    relation: duckdb.DuckDBPyRelation, name: str, values: list[Any], shown: pa.Array
) -> duckdb.DuckDBPyRelation:
    """Put something else in the place of each value of a column."""
    mapping = pa.table({"before": values, "after": shown})
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


def _count_unmatched(
    release: duckdb.DuckDBPyRelation, original: duckdb.DuckDBPyRelation, claim: Claim
) -> int:
    """Match released with private rows, as codes; the engine finds the distinct ones."""
    kinds = column_kinds(original)
    private, rows, attributes = original, release, []
    for name, level in claim.levels.items():
        values, shown = _distinct(original, name), _distinct(release, name)
        labels = [label(value) for value in values]
        _check_suppressed(name, labels, claim)
        paths = claim.hierarchies[name].released_paths(name, labels, claim.suppressed_label)
        texts = recognize(shown, paths, kinds[name])
        attribute = read_attribute(name, paths, texts, claim.suppressed_label, level)
        private = _replace(private, name, values, pa.array(attribute.private))
        rows = _replace(rows, name, shown, pa.array(attribute.released))
        attributes.append(attribute)
    return count_unmatched(_count_rows(private, claim), _count_rows(rows, claim), attributes)


def recognize(values: list[Any], paths: Sequence[Path], kind: str) -> list[str | None]:
    """Label released values; what the hierarchy writes, such as 0.70 for 0.7, stays as it is."""
    written = {text for path in paths for text in path}
    texts = [label(value) for value in values]
    return [text if text in written else _canonical(text, kind) for text in texts]


def _check_suppressed(name: str, labels: list[str | None], claim: Claim) -> None:
    """Make sure that the suppressed value cannot be taken for a private one."""
    if claim.suppressed_label in labels:
        raise InvalidInput(
            f"column {name!r}: {claim.suppressed_label!r} stands for suppressed but is a value of "
            "the private column; give the suppressed_label of the release"
        )


def _count_rows(relation: duckdb.DuckDBPyRelation, claim: Claim) -> pa.Table:
    """Count equal rows: codes of the quasi-identifier, the unchanged columns as text."""
    codes = [quote_name(name) for name in claim.levels]
    texts = [f"CAST({quote_name(name)} AS VARCHAR)" for name in claim.unchanged]
    columns = ", ".join([*codes, *texts])
    return derive(relation, f"SELECT {columns}, count(*) FROM t GROUP BY ALL").to_arrow_table()


def is_generalization(
    private: Any,
    release: Any,
    hierarchies: Mapping[str, Hierarchy],
    suppressed_label: str = SUPPRESSED,
    *,
    cells: bool = False,
) -> bool:
    """Tell whether a table is a generalization of another (Samarati, Definitions 3.1 and 4.1).

    Each attribute must be at one level of its hierarchy, or each cell if so asked, and every
    row the generalization of a private row of its own. With as many rows as the private table
    it is one without suppression.

    Parameters
    ----------
    private, release
        Frames of any kind. Columns without a hierarchy must be unchanged.
    hierarchies
        The hierarchy of each attribute that may be generalized.
    suppressed_label
        How the suppressed value is written.
    cells
        Whether the levels of an attribute may differ from row to row; a suppressed value then
        stands for any.

    Examples
    --------
    >>> from lookalike.hierarchy import Mask
    >>> private = pa.table({"zip": ["02138", "02139"]})
    >>> zips = {"zip": Mask(length=5)}
    >>> is_generalization(private, pa.table({"zip": ["0213*", "0213*"]}), zips)
    True
    >>> is_generalization(private, pa.table({"zip": ["0213*", "02139"]}), zips)
    False
    >>> is_generalization(private, pa.table({"zip": ["0213*", "02139"]}), zips, cells=True)
    True
    >>> is_generalization(private, pa.table({"zip": ["02139", "02139"]}), zips, cells=True)
    False
    """
    engine = Engine()
    original, rows = read_frame(private), as_relation(read_frame(release), engine)
    relation = as_relation(original, engine)
    check_columns(relation.columns, rows.columns)
    unchanged = [name for name in rows.columns if name not in hierarchies]
    check_columns(rows.columns, [*hierarchies, *unchanged])
    if cells:
        any_level = dict.fromkeys(hierarchies)
        claim = Claim(hierarchies, any_level, unchanged, False, suppressed_label, cells=True)
        return count_untruthful(original, rows, claim, engine) == 0
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
