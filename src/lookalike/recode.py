"""Recode: from a recoding to the released rows, in the kind of frame that came in."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.count import Counted, encode
from lookalike.errors import InternalError, InvalidInput
from lookalike.frequency import FrequencyList
from lookalike.hierarchy.bound import Codes
from lookalike.recoding import Recoding
from lookalike.requirement import Requirement
from lookalike.sql import SOURCE_CHANGED, derive, quote_bytes, quote_name, quote_text
from lookalike.table import Frame, Table

SEQUENCE = "lookalike sequence"
SUPPRESSED_ROWS = "lookalike suppressed"
GONE = '"lookalike gone"'
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
    suppressed_label
        How the suppressed value is written.
    keep_order
        Whether rows stay in the order of the source; else it is drawn afresh.
    """

    table: Table
    counted: Counted
    sequence_of: Codes
    frequency: FrequencyList
    recoding: Recoding
    requirement: Requirement
    suppressed_label: str
    keep_order: bool = False

    @property
    def blank(self) -> bool:
        """Whether suppressed rows stay, with their quasi-identifier suppressed."""
        return self.requirement.suppressed_rows == "blank"

    @property
    def rows_out(self) -> int:
        """The number of rows that the release must have."""
        return self.frequency.rows - (0 if self.blank else int(self.recoding.suppressed.sum()))

    @property
    def relabelled(self) -> tuple[str, ...]:
        """The attributes that are written as labels; the others stay as the source has them."""
        blank = self.blank and bool(self.recoding.suppressed.any())
        return tuple(
            hierarchy.column
            for hierarchy, level in zip(
                self.frequency.hierarchies, self.recoding.vector, strict=True
            )
            if level > 0 or blank or hierarchy.unknown is not None
        )

    def labels(self) -> dict[str, pa.Array]:
        """Return, for each attribute that is relabelled, the label of every sequence."""
        released = {}
        for attribute, hierarchy in enumerate(self.frequency.hierarchies):
            if hierarchy.column in self.relabelled:
                level = self.recoding.vector[attribute]
                codes = hierarchy.levels[level][self.frequency.codes[attribute]]
                released[hierarchy.column] = pa.array(hierarchy.labels[level], pa.string()).take(
                    pa.array(codes)
                )
        return released


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
    suppressed = _draw_suppressed(plan, generator)
    rows = np.arange(len(frame)) if plan.blank else np.flatnonzero(~suppressed)
    if not plan.keep_order:
        generator.shuffle(rows)
    pseudonyms = {
        name: _pseudonyms(frame[name], key).take(pa.array(rows))
        for name, key in plan.table.pseudonym_keys.items()
    }
    written = pseudonyms | _written_labels(plan, rows, suppressed[rows])
    kept = [name for name in plan.table.released if name not in written]
    numbers = [name for name in plan.frequency.attributes if name in kept]
    parts = [_strip(_settle_numbers(frame.select(kept)[rows], numbers))] if kept else []
    if written:
        parts.append(nw.from_arrow(pa.table(written), backend=frame.implementation))
    return nw.concat(parts, how="horizontal").select(plan.table.released)


def _draw_suppressed(plan: Plan, generator: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Mark the suppressed rows; where a sequence gives some of its rows, draw which."""
    given, counts = plan.recoding.suppressed, plan.frequency.counts
    suppressed: npt.NDArray[np.bool_] = (given == counts)[plan.sequence_of]
    for sequence in np.flatnonzero((given > 0) & (given < counts)):
        rows = np.flatnonzero(plan.sequence_of == sequence)
        suppressed[generator.choice(rows, given[sequence], replace=False)] = True
    return suppressed


def _written_labels(
    plan: Plan, rows: npt.NDArray[np.int64], suppressed: npt.NDArray[np.bool_]
) -> dict[str, pa.Array]:
    """Return the relabelled columns of the rows that stay."""
    written = {}
    for name, labels in plan.labels().items():
        shown = labels.take(pa.array(plan.sequence_of[rows]))
        if plan.blank:
            shown = arrow_compute.if_else(pa.array(suppressed), plan.suppressed_label, shown)
        written[name] = shown
    return written


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
    attributes = plan.frequency.attributes
    on = " AND ".join(
        f"s.{quote_name(a)} IS NOT DISTINCT FROM m.{quote_name(a)}" for a in attributes
    )
    gone = f"{quote_name(SUPPRESSED_ROWS)} > 0"
    if plan.recoding.splits(plan.frequency):
        drawn = f"PARTITION BY {quote_name(SEQUENCE)} ORDER BY {_draw()}"
        gone = f"row_number() OVER ({drawn}) <= {quote_name(SUPPRESSED_ROWS)}"
    stays = "true" if plan.blank else f"NOT {GONE}"
    unknown = f"{quote_name(SEQUENCE)} IS NULL THEN error({quote_text(SOURCE_CHANGED)})"
    return derive(
        source,
        f"""
        WITH numbered AS (SELECT *, row_number() OVER () AS {quote_name(POSITION)} FROM t),
        located AS (
            SELECT {_kept(plan, source)}, m.{quote_name(SEQUENCE)}, m.{quote_name(SUPPRESSED_ROWS)}
            FROM numbered AS s LEFT JOIN mapping AS m ON {on}
        ),
        judged AS (SELECT *, {gone} AS {GONE} FROM located)
        SELECT {_written(plan)} FROM judged
        WHERE CASE WHEN {unknown} ELSE {stays} END
        ORDER BY {quote_name(POSITION) if plan.keep_order else _draw()}
        """,
        _mapping(plan),
    )


def _mapping(plan: Plan) -> pa.Table:
    """Return for every entry that was counted its sequence, what is suppressed, and its labels."""
    if plan.counted.keys is None:
        raise InternalError("a query was recoded without the keys that were counted")
    sequence = pa.array(plan.sequence_of)
    columns = {name: plan.counted.keys[name] for name in plan.frequency.attributes}
    columns[SEQUENCE] = sequence
    columns[SUPPRESSED_ROWS] = pa.array(plan.recoding.suppressed).take(sequence)
    for name, labels in plan.labels().items():
        columns[_label_of(name)] = labels.take(sequence)
    return pa.table(columns)


def _kept(plan: Plan, source: duckdb.DuckDBPyRelation) -> str:
    """List what the join keeps of a row: released columns, or the labels that replace them."""
    kinds = dict(zip(source.columns, source.types, strict=True))
    kept = [f"s.{quote_name(POSITION)}"]
    for name in plan.table.released:
        value = f"s.{quote_name(name)}"
        if name in plan.relabelled:
            value = f"m.{quote_name(_label_of(name))}"
        elif name in plan.table.pseudonym_keys:
            text = _label_sql(name, value, kinds[name].id)
            value = _pseudonym_sql(text, plan.table.pseudonym_keys[name])
        elif kinds[name].id == "enum":
            value = f"CAST({value} AS VARCHAR)"
        elif kinds[name].id in ("float", "double") and name in plan.frequency.attributes:
            value = f"CASE WHEN NOT isnan({value}) THEN {value} + 0.0 END"
        kept.append(f"{value} AS {quote_name(name)}")
    return ", ".join(kept)


def _written(plan: Plan) -> str:
    """List the columns of the release; those of blank rows show the suppressed label."""
    written = []
    for name in plan.table.released:
        if plan.blank and name in plan.relabelled:
            label_sql = quote_text(plan.suppressed_label)
            written.append(
                f"CASE WHEN {GONE} THEN {label_sql} ELSE {quote_name(name)} END "
                f"AS {quote_name(name)}"
            )
        else:
            written.append(quote_name(name))
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
