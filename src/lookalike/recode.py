"""Recode: from a recoding to the released rows, in the kind of frame that came in."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookalike.count import Counted, encode
from lookalike.errors import InternalError, InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts
from lookalike.recoding import Recoding
from lookalike.requirement import Requirement
from lookalike.sql import SOURCE_CHANGED, derive, quote_bytes, quote_name, quote_text
from lookalike.table import Frame, Table
from lookalike.tuples import SUPPRESSED_TEXT, check_conserved

SEQUENCE = "lookalike sequence"
RANK = "lookalike rank"
AFTER = "lookalike after"
UNTIL = "lookalike until"
GONE = "lookalike gone"
POSITION = "lookalike position"


@dataclass(frozen=True, eq=False)
class Plan:
    """How the rows of a table become those of its release.

    Parameters
    ----------
    table
        The private table.
    counted
        Its entries.
    sequence_of
        For each entry, its sequence in the frequency list.
    frequency
        The frequency list.
    recoding
        What a method decided.
    requirement
        What becomes of suppressed rows.
    keep_order
        Whether rows stay in the order of the source; else it is drawn afresh.
    """

    table: Table
    counted: Counted
    sequence_of: Codes
    frequency: FrequencyList
    recoding: Recoding
    requirement: Requirement
    keep_order: bool = False

    @property
    def blank(self) -> bool:
        """Whether suppressed rows stay, with their quasi-identifier suppressed."""
        return self.requirement.suppressed_rows == "blank"

    @property
    def rows_out(self) -> int:
        """The number of rows that the release must have."""
        return self.frequency.rows - (0 if self.blank else int(self.recoding.suppressed.sum()))

    @cached_property
    def relabelled(self) -> tuple[str, ...]:
        """The attributes that are written as labels; the others stay as the source has them."""
        blank = self.blank and bool(self.recoding.suppressed.any())
        levels = self.recoding.released(self.frequency).levels
        return tuple(
            hierarchy.column
            for attribute, hierarchy in enumerate(self.frequency.hierarchies)
            if levels[attribute].any() or blank or hierarchy.unknown is not None
        )


@dataclass(frozen=True, eq=False)
class _Fates:
    """What can become of the rows of every sequence: a released tuple, or suppression.

    Parameters
    ----------
    sequence
        The sequence of each fate; ascending.
    counts
        The number of rows that have it.
    gone
        Whether it is suppression.
    labels
        For each attribute that is relabelled, what is shown.
    """

    sequence: Codes
    counts: Counts
    gone: npt.NDArray[np.bool_]
    labels: dict[str, pa.Array]

    @property
    def splits(self) -> bool:
        """Whether a sequence has several fates, so that its rows must be drawn."""
        return bool(np.any(self.sequence[1:] == self.sequence[:-1]))


def _fates(plan: Plan) -> _Fates:
    """List what can become of the rows of every sequence."""
    tuples = plan.recoding.released(plan.frequency)
    check_conserved(plan.frequency, tuples, plan.recoding.suppressed)
    given = np.flatnonzero(plan.recoding.suppressed).astype(np.int32)
    sequence = np.concatenate([tuples.sequence, given])
    order = np.argsort(sequence, kind="stable")
    labels = {}
    for attribute, name in enumerate(plan.frequency.attributes):
        if name in plan.relabelled:
            texts, shown = tuples.shown(plan.frequency, attribute)
            shown = np.concatenate([shown, np.full(len(given), SUPPRESSED_TEXT, dtype=np.int32)])
            labels[name] = pa.array(texts, pa.string()).take(pa.array(shown[order]))
    return _Fates(
        sequence=sequence[order],
        counts=np.concatenate([tuples.counts, plan.recoding.suppressed[given]])[order],
        gone=(np.arange(len(sequence)) >= len(tuples))[order],
        labels=labels,
    )


def recode(plan: Plan) -> Frame:
    """Return the released rows.

    A frame in memory is recoded now. A query stays a query; what is random about it was drawn
    here, once, so that it gives the same rows each time it runs.
    """
    if isinstance(plan.table.frame, nw.DataFrame):
        return _recode_frame(plan, plan.table.frame)
    return nw.from_native(_recode_relation(plan, plan.table.frame.to_native()))


def _recode_frame(plan: Plan, frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Recode a frame in memory: gather the rows that stay, in their new order."""
    generator = np.random.default_rng()
    fates = _fates(plan)
    fate_of = _draw_fates(fates, plan.sequence_of, generator)
    rows = np.arange(len(frame)) if plan.blank else np.flatnonzero(~fates.gone[fate_of])
    if not plan.keep_order:
        generator.shuffle(rows)
    pseudonyms = {
        name: _pseudonyms(frame[name], key).take(pa.array(rows))
        for name, key in plan.table.pseudonym_keys.items()
    }
    shown = pa.array(fate_of[rows])
    written = pseudonyms | {name: labels.take(shown) for name, labels in fates.labels.items()}
    kept = [name for name in plan.table.released if name not in written]
    numbers = [name for name in plan.frequency.attributes if name in kept]
    parts = [_strip(_settle_numbers(frame.select(kept)[rows], numbers))] if kept else []
    if written:
        parts.append(nw.from_arrow(pa.table(written), backend=frame.implementation))
    return nw.concat(parts, how="horizontal").select(plan.table.released)


def _draw_fates(fates: _Fates, sequence_of: Codes, generator: np.random.Generator) -> Codes:
    """Say what becomes of every row; where its sequence has several fates, draw it."""
    if not fates.splits:
        return sequence_of
    drawn = generator.permutation(len(sequence_of))
    drawn = drawn[np.argsort(sequence_of[drawn], kind="stable")]
    fate_of = np.empty(len(sequence_of), dtype=np.int32)
    fate_of[drawn] = np.repeat(np.arange(len(fates.sequence), dtype=np.int32), fates.counts)
    return fate_of


def _settle_numbers(frame: nw.DataFrame[Any], attributes: list[str]) -> nw.DataFrame[Any]:
    """Write alike what was counted as one value: -0 as 0, and not-a-number as missing."""
    kinds = {name: frame.schema[name] for name in attributes}
    return frame.with_columns(
        nw.when(~nw.col(name).is_nan())
        .then(nw.when(nw.col(name) == 0).then(0.0).otherwise(nw.col(name)))
        .cast(kind)
        .alias(name)
        for name, kind in kinds.items()
        if kind.is_float()
    )


def _strip(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Take from gathered columns what could still tell of rows that are not released.

    That is the index of a pandas frame, unused categories, metadata, and the text buffers
    that polars shares between a frame and what was gathered from it.
    """
    text = [name for name, kind in frame.schema.items() if kind in (nw.Categorical, nw.Enum)]
    frame = nw.maybe_reset_index(frame.with_columns(nw.col(name).cast(nw.String) for name in text))
    if frame.implementation.is_pandas():
        frame.to_native().attrs = {}
        return frame
    arrow = frame.to_arrow()
    plain = pa.table(dict(zip(arrow.column_names, arrow.columns, strict=True)))
    return nw.from_arrow(plain, backend=frame.implementation)


def _pseudonyms(series: nw.Series[Any], key: bytes) -> pa.Array:
    """Replace each value by a keyed hash of its text; missing stays missing."""
    values, codes = encode(series)
    hashed = [
        None if text is None else hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
        for text in values
    ]
    return pa.array(hashed, pa.string()).take(pa.array(codes))


def _recode_relation(plan: Plan, source: duckdb.DuckDBPyRelation) -> duckdb.DuckDBPyRelation:
    """Recode a query by joining it with the list of sequences, on the values that were counted.

    A row whose sequence is not in the list stops the query: the source changed after it was
    counted. Order and choice are a keyed hash of the row's number, with fresh secret keys, so
    that they are the same each time the query runs and nobody else can repeat them.
    """
    fates = _fates(plan)
    located = _draw_by_join(plan, source, fates) if fates.splits else _locate(plan, source, fates)
    gone = quote_name(GONE)
    stays = "true" if plan.blank else f"NOT {gone}"
    return derive(
        located,
        f"""
        SELECT {_written(plan, source)} FROM t
        WHERE CASE WHEN {gone} IS NULL THEN error({quote_text(SOURCE_CHANGED)}) ELSE {stays} END
        ORDER BY {quote_name(POSITION) if plan.keep_order else _draw()}
        """,
    )


def _draw_by_join(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: _Fates
) -> duckdb.DuckDBPyRelation:
    """Give each row a fate of its sequence: the rows of a sequence are ranked at random."""
    sequence, rank = quote_name(SEQUENCE), quote_name(RANK)
    return derive(
        _locate(plan, source, None),
        f"""
        WITH ranked AS (
            SELECT *, row_number() OVER (PARTITION BY {sequence} ORDER BY {_draw()}) AS {rank}
            FROM t
        )
        SELECT s.*, m.* EXCLUDE ({sequence}) FROM ranked AS s LEFT JOIN mapping AS m
        ON s.{sequence} = m.{sequence}
        AND {rank} > {quote_name(AFTER)} AND {rank} <= {quote_name(UNTIL)}
        """,
        _fates_table(fates),
    )


def _locate(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: _Fates | None
) -> duckdb.DuckDBPyRelation:
    """Number the rows and find the sequence of each, with its one fate if these are given."""
    attributes = plan.frequency.attributes
    on = " AND ".join(
        f"s.{quote_name(name)} IS NOT DISTINCT FROM m.{quote_name(name)}" for name in attributes
    )
    keys = ", ".join(quote_name(name) for name in attributes)
    return derive(
        source,
        f"""
        WITH numbered AS (SELECT *, row_number() OVER () AS {quote_name(POSITION)} FROM t)
        SELECT s.*, m.* EXCLUDE ({keys}) FROM numbered AS s LEFT JOIN mapping AS m ON {on}
        """,
        _mapping(plan, fates),
    )


def _mapping(plan: Plan, fates: _Fates | None) -> pa.Table:
    """Return for every entry that was counted its sequence, with its one fate if given."""
    if plan.counted.keys is None:
        raise InternalError("a query was recoded without the keys that were counted")
    columns = {name: plan.counted.keys[name] for name in plan.frequency.attributes}
    sequence = pa.array(plan.sequence_of)
    if fates is None:
        return pa.table(columns | {SEQUENCE: sequence})
    known = _fates_table(fates).take(sequence)
    return pa.table(columns | dict(zip(known.column_names, known.columns, strict=True)))


def _fates_table(fates: _Fates) -> pa.Table:
    """Return the fates for a join: which ranks among the rows of a sequence have which."""
    until = np.cumsum(fates.counts)
    first = np.searchsorted(fates.sequence, fates.sequence)
    before = (until - fates.counts)[first]
    columns = {
        SEQUENCE: pa.array(fates.sequence),
        AFTER: pa.array(until - fates.counts - before),
        UNTIL: pa.array(until - before),
        GONE: pa.array(fates.gone),
    }
    return pa.table(columns | {_label_of(name): shown for name, shown in fates.labels.items()})


def _written(plan: Plan, source: duckdb.DuckDBPyRelation) -> str:
    """List the columns of the release: values as they are, or the labels that replace them."""
    kinds = dict(zip(source.columns, source.types, strict=True))
    written = []
    for name in plan.table.released:
        value = quote_name(name)
        if name in plan.relabelled:
            value = quote_name(_label_of(name))
        elif name in plan.table.pseudonym_keys:
            text = _label_sql(name, value, kinds[name].id)
            value = _pseudonym_sql(text, plan.table.pseudonym_keys[name])
        elif kinds[name].id == "enum":
            value = f"CAST({value} AS VARCHAR)"
        elif kinds[name].id in ("float", "double") and name in plan.frequency.attributes:
            value = f"CASE WHEN NOT isnan({value}) THEN {value} + 0.0 END"
        written.append(f"{value} AS {quote_name(name)}")
    return ", ".join(written)


def _draw() -> str:
    """Return an SQL expression that is random, yet the same each time, for each row."""
    return f"md5_number_lower({quote_text(secrets.token_hex(16))} || {quote_name(POSITION)})"


def _pseudonym_sql(text: str, key: bytes) -> str:
    """Return HMAC-SHA256 (RFC 2104) of a text as an SQL expression."""
    block = (hashlib.sha256(key).digest() if len(key) > 64 else key).ljust(64, b"\0")
    inner = quote_bytes(bytes(byte ^ 0x36 for byte in block))
    outer = quote_bytes(bytes(byte ^ 0x5C for byte in block))
    return f"sha256({outer} || unhex(sha256({inner} || encode({text}))))"


def _label_sql(name: str, value: str, kind: str) -> str:
    """Write a value as text in SQL, the same text that labels it in Python."""
    if kind in ("float", "double"):
        number = f"CAST({value} AS DOUBLE)"
        whole = f"CAST(CAST({number} AS HUGEINT) AS VARCHAR)"
        return (
            f"CASE WHEN isnan({number}) THEN NULL WHEN {number} = trunc({number}) "
            f"AND isfinite({number}) THEN {whole} ELSE CAST({number} AS VARCHAR) END"
        )
    if kind == "decimal":
        whole = f"CAST(CAST({value} AS HUGEINT) AS VARCHAR)"
        return f"CASE WHEN {value} = trunc({value}) THEN {whole} ELSE CAST({value} AS VARCHAR) END"
    if kind not in ("varchar", "enum", "boolean", "date", "uuid") and not kind.endswith(
        ("int", "integer")
    ):
        raise InvalidInput(
            f"column {name!r} is of type {kind}, which cannot be a pseudonym; convert it to text"
        )
    return f"CAST({value} AS VARCHAR)"


def _label_of(name: str) -> str:
    """Name the column that holds an attribute's labels."""
    return f"lookalike label {name}"
