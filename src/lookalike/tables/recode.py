"""Recode: from a recoding to the released rows, in the kind of frame that came in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import duckdb
import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookalike.errors import InternalError
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes
from lookalike.model.frequency import FrequencyList
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples, check_conserved
from lookalike.tables.count import ROWS, Counted, fetch
from lookalike.tables.draw import Draw
from lookalike.tables.materialize import POSITION
from lookalike.tables.plain import plain_column, plain_sql, plain_type
from lookalike.tables.pseudonyms import pseudonym_sql, pseudonyms
from lookalike.tables.sql import SOURCE_CHANGED, derive, quote_name, quote_text
from lookalike.tables.table import Frame, Table

SEQUENCE = "lookalike sequence"
RANK = "lookalike rank"
AFTER = "lookalike after"
UNTIL = "lookalike until"
GONE = "lookalike gone"
FATE = "lookalike fate"


@dataclass(frozen=True, eq=False)
class Plan(Discreet):
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
        Whether rows stay in the order of the source; else their order is random.
    draw
        The randomness of the release: every recoding of this plan gives the same rows.
    """

    table: Table
    counted: Counted
    sequence_of: Codes
    frequency: FrequencyList
    recoding: Recoding
    requirement: Requirement
    keep_order: bool = False
    draw: Draw = field(default_factory=Draw)

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
class Fates:
    """What can become of the rows of every sequence: a released tuple, or suppression.

    Parameters
    ----------
    tuples
        What the rows of each fate show, suppressed cells throughout if they are suppressed;
        ascending by sequence.
    gone
        Whether a fate is suppression.
    """

    tuples: Tuples
    gone: npt.NDArray[np.bool_]

    @property
    def splits(self) -> bool:
        """Whether a sequence has several fates, so that its rows must be drawn."""
        return bool(np.any(self.tuples.sequence[1:] == self.tuples.sequence[:-1]))


def list_fates(frequency: FrequencyList, recoding: Recoding) -> Fates:
    """List what can become of the rows of every sequence."""
    tuples, suppressed = recoding.released(frequency), recoding.suppressed
    check_conserved(frequency, tuples, suppressed)
    given = np.flatnonzero(suppressed).astype(np.int32)
    hidden = np.full((len(frequency.attributes), len(given)), SUPPRESSED_CELL, dtype=np.int32)
    sequence = np.concatenate([tuples.sequence, given])
    order = np.argsort(sequence, kind="stable")
    return Fates(
        Tuples(
            sequence=sequence[order],
            levels=np.concatenate([tuples.levels, hidden], axis=1)[:, order],
            counts=np.concatenate([tuples.counts, suppressed[given]])[order],
        ),
        gone=(np.arange(len(sequence)) >= len(tuples))[order],
    )


def _labels(plan: Plan, fates: Fates) -> dict[str, pa.Array]:
    """Return for each attribute that is relabelled what every fate shows."""
    labels = {}
    for attribute, name in enumerate(plan.frequency.attributes):
        if name in plan.relabelled:
            texts, shown = fates.tuples.shown(plan.frequency, attribute)
            labels[name] = pa.array(texts, pa.string()).take(pa.array(shown))
    return labels


@dataclass(frozen=True, eq=False)
class Trail(Discreet):
    """Which fate every private row was given; it is for the holder alone.

    Parameters
    ----------
    fates
        The fates.
    source
        The private rows: a frame, or a query that finds the fate of each.
    fate_of
        The fate of each row of a frame.
    """

    fates: Fates
    source: nw.DataFrame[Any] | duckdb.DuckDBPyRelation
    fate_of: Codes | None = None

    def follow(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of the private rows, and as :data:`FATE` the fate of each.

        A row that was not there when the table was counted has none.
        """
        if isinstance(self.source, nw.DataFrame):
            [kept] = fetch(self.source, columns)
            yield kept.append_column(FATE, pa.array(self.fate_of))
        else:
            yield from fetch(nw.from_native(self.source), (*columns, FATE))


def recode(plan: Plan) -> Frame:
    """Return the released rows."""
    return recode_with_trail(plan)[0]


def recode_with_trail(plan: Plan) -> tuple[Frame, Trail]:
    """Return the released rows, and apart from them what became of every private row.

    A frame in memory is recoded now, a query stays a query. The plan holds what is random, so
    both give the same rows each time.
    """
    if isinstance(plan.table.frame, nw.DataFrame):
        return _recode_frame(plan, plan.table.frame)
    return _recode_relation(plan, plan.table.frame.to_native())


def _recode_frame(plan: Plan, frame: nw.DataFrame[Any]) -> tuple[nw.DataFrame[Any], Trail]:
    """Recode a frame in memory: gather the rows that stay, in their new order."""
    generator = plan.draw.generator()
    fates = list_fates(plan.frequency, plan.recoding)
    fate_of = draw_fates(fates, plan.sequence_of, generator)
    rows = np.arange(len(frame)) if plan.blank else np.flatnonzero(~fates.gone[fate_of])
    if not plan.keep_order:
        generator.shuffle(rows)
    hashed = {
        name: pseudonyms(frame[name], key).take(pa.array(rows))
        for name, key in plan.table.pseudonym_keys.items()
    }
    shown = pa.array(fate_of[rows])
    written = hashed | {name: labels.take(shown) for name, labels in _labels(plan, fates).items()}
    kept = [name for name in plan.table.released if name not in written]
    numbers = [name for name in plan.frequency.attributes if name in kept]
    parts = [_strip(_settle_numbers(frame.select(kept)[rows], numbers))] if kept else []
    if written:
        parts.append(nw.from_arrow(pa.table(written), backend=frame.implementation))
    released = nw.concat(parts, how="horizontal").select(plan.table.released)
    return released, Trail(fates, frame, fate_of)


def draw_fates(fates: Fates, sequence_of: Codes, generator: np.random.Generator) -> Codes:
    """Say what becomes of every row; where its sequence has several fates, draw it."""
    if not fates.splits:
        return sequence_of
    drawn = generator.permutation(len(sequence_of))
    drawn = drawn[np.argsort(sequence_of[drawn], kind="stable")]
    fate_of = np.empty(len(sequence_of), dtype=np.int32)
    fate_of[drawn] = np.repeat(np.arange(len(fates.tuples), dtype=np.int32), fates.tuples.counts)
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

    That is the index of a pandas frame, unused categories, also inside of nested types,
    metadata, and the text buffers that polars shares between a frame and what was gathered
    from it.
    """
    text = [name for name, kind in frame.schema.items() if kind in (nw.Categorical, nw.Enum)]
    frame = nw.maybe_reset_index(frame.with_columns(nw.col(name).cast(nw.String) for name in text))
    if frame.implementation.is_pandas():
        frame.to_native().attrs = {}
        return _strip_pandas(frame)
    arrow = frame.to_arrow()
    columns = map(plain_column, arrow.columns)
    plain = pa.table(dict(zip(arrow.column_names, columns, strict=True)))
    return nw.from_arrow(plain, backend=frame.implementation)


def _strip_pandas(frame: nw.DataFrame[Any]) -> nw.DataFrame[Any]:
    """Take dictionaries from columns of pandas that hold Arrow arrays."""
    native = frame.to_native()
    changed = {}
    for name, kind in native.dtypes.items():
        held = getattr(kind, "pyarrow_dtype", None)
        if held is not None and not plain_type(held).equals(held, check_metadata=True):
            plain = plain_column(pa.chunked_array(frame[str(name)].to_arrow()))
            changed[name] = type(native[name])(plain, dtype=type(kind)(plain.type))
    return nw.from_native(native.assign(**changed), eager_only=True)


def _recode_relation(plan: Plan, source: duckdb.DuckDBPyRelation) -> tuple[Frame, Trail]:
    """Recode a query by joining it with the list of sequences, on the values that were counted.

    A row whose sequence is not in the list stops the query: the source changed after it was
    counted. Order and choice are a keyed hash of the row's position under secret keys of the
    plan's draw: the same each time the query runs, and nobody else can repeat them.
    """
    fates = list_fates(plan.frequency, plan.recoding)
    located = _draw_by_join(plan, source, fates) if fates.splits else _locate(plan, source, fates)
    gone = quote_name(GONE)
    stays = "true" if plan.blank else f"NOT {gone}"
    released = derive(
        located,
        f"""
        SELECT {_written(plan, source)} FROM t
        WHERE CASE WHEN {gone} IS NULL THEN error({quote_text(SOURCE_CHANGED)}) ELSE {stays} END
        ORDER BY {quote_name(POSITION) if plan.keep_order else _random(plan.draw, "order")}
        """,
    )
    return nw.from_native(released), Trail(fates, located)


def _draw_by_join(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: Fates
) -> duckdb.DuckDBPyRelation:
    """Give each row a fate of its sequence: the rows of a sequence are ranked at random."""
    sequence, rank = quote_name(SEQUENCE), quote_name(RANK)
    choice = _random(plan.draw, "choice")
    return derive(
        _locate(plan, source, None),
        f"""
        WITH ranked AS (
            SELECT *, row_number() OVER (PARTITION BY {sequence} ORDER BY {choice}) AS {rank}
            FROM t
        )
        SELECT s.*, m.* EXCLUDE ({sequence}) FROM ranked AS s LEFT JOIN mapping AS m
        ON s.{sequence} = m.{sequence}
        AND {rank} > {quote_name(AFTER)} AND {rank} <= {quote_name(UNTIL)}
        """,
        _fates_table(plan, fates),
    )


def _locate(
    plan: Plan, source: duckdb.DuckDBPyRelation, fates: Fates | None
) -> duckdb.DuckDBPyRelation:
    """Number the rows and find the sequence of each, with its one fate if these are given.

    Materialized rows have their position already. Other queries read files in their order.
    """
    counted = _keys(plan).column_names
    numbered = (
        "" if POSITION in source.columns else f", row_number() OVER () AS {quote_name(POSITION)}"
    )
    on = " AND ".join(
        f"s.{quote_name(name)} IS NOT DISTINCT FROM m.{quote_name(name)}" for name in counted
    )
    keys = ", ".join(quote_name(name) for name in counted)
    return derive(
        source,
        f"""
        WITH numbered AS (SELECT * {numbered} FROM t)
        SELECT s.*, m.* EXCLUDE ({keys}) FROM numbered AS s LEFT JOIN mapping AS m ON {on}
        """,
        _mapping(plan, fates),
    )


def _mapping(plan: Plan, fates: Fates | None) -> pa.Table:
    """Return for every entry that was counted its sequence, with its one fate if given."""
    counted = _keys(plan)
    columns = dict(zip(counted.column_names, counted.columns, strict=True))
    sequence = pa.array(plan.sequence_of)
    if fates is None:
        return pa.table(columns | {SEQUENCE: sequence})
    known = _fates_table(plan, fates).take(sequence)
    return pa.table(columns | dict(zip(known.column_names, known.columns, strict=True)))


def _keys(plan: Plan) -> pa.Table:
    """Return what the engine counted over: the values of each entry, and its mark if any."""
    if plan.counted.keys is None:
        raise InternalError("a query was recoded without the keys that were counted")
    return plan.counted.keys.drop_columns([ROWS])


def _fates_table(plan: Plan, fates: Fates) -> pa.Table:
    """Return the fates for a join: which ranks among the rows of a sequence have which."""
    sequence, counts = fates.tuples.sequence, fates.tuples.counts
    until = np.cumsum(counts)
    first = np.searchsorted(sequence, sequence)
    before = (until - counts)[first]
    columns = {
        SEQUENCE: pa.array(sequence),
        AFTER: pa.array(until - counts - before),
        UNTIL: pa.array(until - before),
        GONE: pa.array(fates.gone),
        FATE: pa.array(np.arange(len(counts), dtype=np.int32)),
    }
    labels = _labels(plan, fates)
    return pa.table(columns | {_label_of(name): shown for name, shown in labels.items()})


def _written(plan: Plan, source: duckdb.DuckDBPyRelation) -> str:
    """List the columns of the release: values as they are, or the labels that replace them."""
    kinds = dict(zip(source.columns, source.types, strict=True))
    written = []
    for name in plan.table.released:
        value = quote_name(name)
        if name in plan.relabelled:
            value = quote_name(_label_of(name))
        elif name in plan.table.pseudonym_keys:
            value = pseudonym_sql(name, kinds[name].id, plan.table.pseudonym_keys[name])
        elif plain_sql(str(kinds[name])) != str(kinds[name]):
            value = f"CAST({value} AS {plain_sql(str(kinds[name]))})"
        elif kinds[name].id in ("float", "double") and name in plan.frequency.attributes:
            value = f"CASE WHEN NOT isnan({value}) THEN {value} + 0.0 END"
        written.append(f"{value} AS {quote_name(name)}")
    return ", ".join(written)


def _random(draw: Draw, purpose: str) -> str:
    """Return an SQL expression that is random, yet the same each time, for each row."""
    return f"md5_number_lower({quote_text(draw.key(purpose))} || {quote_name(POSITION)})"


def _label_of(name: str) -> str:
    """Name the column that holds an attribute's labels."""
    return f"lookalike label {name}"
