"""Memory: frames of pandas, polars and pyarrow, whose rows are in memory.

Columns are handed over as Arrow arrays, rows are gathered by position. A row is an entry of its own
when the table is counted, so nothing has to be joined afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

import duckdb
import narwhals as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as arrow_compute

from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.connection import Connection
from lookalike.tables.counted import Counted, label_entries
from lookalike.tables.dominant import DominantValues, Dominated, list_dominant
from lookalike.tables.engines.duckdb import DuckDB
from lookalike.tables.engines.engine import Column, DrawnKeys
from lookalike.tables.labels import encode_column, label_in
from lookalike.tables.plain import plain_column, plain_nested, plain_type
from lookalike.tables.plan import Fates, Plan, draw_fates, label_fates
from lookalike.tables.pseudonyms import pseudonyms
from lookalike.tables.row_tags import CURRENT, RECALLED, TAG, RowTags
from lookalike.tables.sql import engine_errors
from lookalike.tables.storage_url import StorageUrl, not_in_storage
from lookalike.tables.table import Frame, Table
from lookalike.tables.write import write_relation

Eager = nw.DataFrame[Any]


class Memory:
    """The engine of frames in memory."""

    def takes(self, frame: Any) -> TypeGuard[Eager]:
        """Take eager frames of any kind, and polars' lazy ones, which are collected."""
        return isinstance(frame, nw.DataFrame) or frame.implementation.is_polars()

    def adopt(self, frame: Eager | nw.LazyFrame[Any]) -> Eager:
        """Collect a lazy frame, leave out pandas' index, and write Arrow's view types as plain."""
        eager = frame if isinstance(frame, nw.DataFrame) else frame.collect()
        return _without_views(nw.maybe_reset_index(eager))

    def columns(self, frame: Eager) -> Sequence[str]:
        """Return the names of the columns."""
        return frame.columns

    def settle(self, frame: Eager) -> Eager:
        """Write columns of mixed objects as text, so that 1 and "1", counted as one, are one."""
        mixed = [name for name in frame.columns if _is_mixed(frame[name])]
        return frame.with_columns(
            nw.new_series(name, _label_all(frame[name]), nw.String, backend=frame.implementation)
            for name in mixed
        )

    def settle_numbers(self, frame: Eager) -> Eager:
        """Settle the numbers of frames; pandas has several types of fractions."""
        kinds = {name: kind for name, kind in frame.schema.items() if kind.is_float()}
        settled = frame.with_columns(
            nw.when(~nw.col(name).is_nan())
            .then(nw.when(nw.col(name) == 0).then(0.0).otherwise(nw.col(name)))
            .cast(kind)
            .alias(name)
            for name, kind in kinds.items()
        )
        if not frame.implementation.is_pandas():
            return settled
        own = frame.to_native().dtypes[list(kinds)].to_dict()
        return nw.from_native(settled.to_native().astype(own), eager_only=True)

    def coarsen(self, frame: Eager, columns: Mapping[str, NumberCoarsening]) -> Eager:
        """Let DuckDB compute the coarser numbers."""
        asked = [name for name in frame.columns if name in columns]
        if not asked:
            return frame
        rows = pa.table({name: to_arrow_column(frame[name]) for name in asked})
        with engine_errors():
            held = nw.from_native(Connection().duckdb.from_arrow(rows))
            coarse = DuckDB().coarsen(held, columns).to_native().to_arrow_table()
        return _put_back(frame, coarse.cast(rows.schema))

    def materialize(self, frame: Eager, place: Path | StorageUrl | None = None) -> Eager:  # noqa: ARG002
        """Return the frame as it is: its rows stay the same."""
        return frame

    def group(self, frame: Eager, attributes: Sequence[str], tag: str | None) -> Counted:
        """Return every row as an entry of its own."""
        return label_entries(
            {name: to_arrow_column(frame[name]) for name in attributes},
            np.ones(len(frame), dtype=np.int64),
            tags=None if tag is None else frame[tag].to_numpy().astype(np.int32),
        )

    def group_within(
        self,
        frame: Eager,
        attributes: Sequence[str],
        most: int,  # noqa: ARG002
        hashed: Sequence[str] = (),  # noqa: ARG002
    ) -> Counted:
        """Return every row as an entry, however many there are: the rows are in memory."""
        return self.group(frame, attributes, None)

    def count_distinct(
        self,
        frame: Eager,
        columns: Sequence[str],
        at_once: int,  # noqa: ARG002
    ) -> dict[str, tuple[int, int]]:
        """Count the distinct values of columns."""
        arrays = {name: to_arrow_column(frame[name]) for name in columns}
        return {name: (_distinct(a), len(a) - a.null_count) for name, a in arrays.items()}

    def count_unique(self, frame: Eager, columns: Sequence[str]) -> int:
        """Count by the labels of the values."""
        encoded = [encode_column(name, to_arrow_column(frame[name])) for name in columns]
        codes = np.stack([positions for _, positions in encoded])
        sizes = [len(values) for values, _ in encoded]
        counts = group_equal(codes, sizes, np.ones(len(frame), dtype=np.int64))[2]
        return int((counts == 1).sum())

    def list_dominant(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Dominated
    ) -> list[DominantValues]:
        """Compare the codes of the values."""
        persons = () if columns.person is None else (columns.person,)
        named = (*columns.names, *persons)
        own, values = _take_classes(plan, fates, class_of, named)
        pairs = zip(named, values, strict=True)
        codes = [encode_column(name, column)[1] for name, column in pairs]
        person, ones = codes[-1] if persons else None, np.ones(len(own), dtype=np.int64)
        return [
            list_dominant(own, code, ones, columns.share, person)
            for code in codes[: len(columns.names)]
        ]

    def count_classes(
        self,
        plan: Plan,
        fates: Fates,
        class_of: Codes,
        columns: Sequence[str],
        most: int,  # noqa: ARG002
    ) -> tuple[Codes, tuple[Column, ...], Counts]:
        """Return every row by itself, however many there are: the rows are in memory."""
        own, values = _take_classes(plan, fates, class_of, columns)
        return own, values, np.ones(len(own), dtype=np.int64)

    def fetch(self, frame: Eager, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Yield some columns of all rows, in one piece."""
        yield frame.select(columns).to_arrow().select(list(columns))

    def sample(
        self, frame: Eager, columns: Sequence[str], keys: DrawnKeys, one_in: int, most: int
    ) -> pa.Table:
        """Take all rows as they are; let DuckDB draw some of them."""
        rows = pa.table({name: to_arrow_column(frame[name]) for name in columns})
        if one_in == 1:
            return rows
        held = nw.from_native(Connection().duckdb.from_arrow(rows))
        return DuckDB().sample(held, columns, keys, one_in, most)

    def tag_rows(self, frame: Eager, tags: RowTags) -> Eager:
        """Tag the rows, which come in the order of the tags."""
        here = np.arange(len(frame))
        columns = {TAG: pa.array(tags.numbers)}
        if tags.recalled is not None:
            columns[RECALLED] = tags.recalled
        for name, old in tags.old.items():
            [now] = self.fetch(frame, [name])
            both = pa.chunked_array([*now[name].cast(old.values.type).chunks, old.values])
            places = np.where(old.places == CURRENT, here, len(frame) + old.places)
            columns[name] = both.take(pa.array(places))
        beside = nw.from_arrow(pa.table(columns), backend=frame.implementation)
        return frame.with_columns(beside[name] for name in columns)

    def append_rows(self, frame: Eager, rows: pa.Table) -> Eager:
        """Append the rows, with the types of the frame."""
        known = frame.to_arrow()
        more = {
            field.name: rows[field.name].cast(field.type)
            if field.name in rows.column_names
            else pa.nulls(len(rows), field.type)
            for field in known.schema
        }
        both = pa.concat_tables([known, pa.table(more, known.schema)]).unify_dictionaries()
        return nw.from_arrow(both, backend=frame.implementation)

    def recode(self, plan: Plan, fates: Fates) -> tuple[Eager, Eager, Codes]:
        """Gather the rows that stay, in their new order."""
        frame: Eager = plan.table.frame  # type: ignore[assignment]
        generator = plan.draw.generator()
        fate_of = draw_fates(fates, plan.sequence_of, generator)
        rows = np.arange(len(frame)) if plan.blank else np.flatnonzero(~fates.gone[fate_of])
        if not plan.keep_order:
            generator.shuffle(rows)
        written = _written(plan, fates, frame, rows, fate_of)
        kept = [name for name in plan.table.released if name not in written]
        parts = [_strip(frame.select(kept)[rows])] if kept else []
        if written:
            parts.append(nw.from_arrow(pa.table(written), backend=frame.implementation))
        released = nw.concat(parts, how="horizontal").select(plan.table.released)
        return released, frame, fate_of

    def write(self, frame: Eager, path: Path, connection: Connection) -> pa.Schema:
        """Write the rows through DuckDB."""
        rows = frame.to_arrow()
        with engine_errors(path.name):
            write_relation(connection.duckdb.from_arrow(rows), path, connection.duckdb)
        return rows.schema

    def open_store(self, frame: Any, url: StorageUrl) -> NoReturn:  # noqa: ARG002
        """Refuse: only Spark writes part files."""
        raise not_in_storage(url)

    def to_relation(self, frame: Eager, connection: Connection) -> duckdb.DuckDBPyRelation:
        """Hand the rows to DuckDB through Arrow."""
        return connection.duckdb.from_arrow(plain_nested(frame.to_arrow()))

    def collect(self, frame: Eager) -> Eager:
        """Return the frame as it is."""
        return frame

    def like(self, frame: Eager, rows: pa.Table) -> Any:
        """Return an Arrow table as a frame of the same kind."""
        return nw.from_arrow(rows, backend=frame.implementation).to_native()

    def give_back(self, frame: Frame, table: Table) -> Any:
        """Return the frame; a lazy one if a lazy one was given and collected."""
        lazy = isinstance(nw.from_native(table.given), nw.LazyFrame)
        return frame.lazy().to_native() if lazy else frame.to_native()


def _take_classes(
    plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str]
) -> tuple[Codes, tuple[Column, ...]]:
    """Take the released rows of classes: the class of each row, and some columns."""
    own = class_of[draw_fates(fates, plan.sequence_of, plan.draw.generator())]
    kept, frame = np.flatnonzero(own >= 0), plan.table.frame
    return own[kept], tuple(to_arrow_column(frame[name]).take(kept) for name in columns)


def _put_back(frame: Eager, columns: pa.Table) -> Eager:
    """Replace columns by others of the same types; pandas would read whole numbers as fractions."""
    if not frame.implementation.is_pandas():
        beside = nw.from_arrow(columns, backend=frame.implementation)
        return frame.with_columns(beside[name] for name in columns.column_names)
    native = frame.to_native()
    new = {
        name: type(native[name])(columns[name].to_pylist(), dtype=native[name].dtype)
        for name in columns.column_names
    }
    return nw.from_native(native.assign(**new), eager_only=True)


def _without_views(frame: Eager) -> Eager:
    """Write text and bytes of an Arrow table as plain types: Arrow cannot gather views."""
    plain = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    if not frame.implementation.is_pyarrow():
        return frame
    rows: pa.Table = frame.to_native()
    if plain.keys().isdisjoint(rows.schema.types):
        return frame
    fields = [field.with_type(plain.get(field.type, field.type)) for field in rows.schema]
    return nw.from_native(rows.cast(pa.schema(fields)), eager_only=True)


def to_arrow_column(series: nw.Series[Any]) -> Column:
    """Hand a column over to Arrow; a column of mixed objects is labelled first."""
    try:
        return series.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):
        return pa.array(_label_all(series), pa.string())


def _label_all(series: nw.Series[Any]) -> list[str | None]:
    """Label every object of a column; whatever the frame takes for missing is missing."""
    rows = zip(series.to_list(), series.is_null().to_list(), strict=True)
    return [None if missing else label_in(series.name, value) for value, missing in rows]


def _is_mixed(series: nw.Series[Any]) -> bool:
    """Return whether a column holds objects of several types, or of none that Arrow knows."""
    if series.dtype != nw.Object or not series.implementation.is_pandas():
        return series.dtype == nw.Object
    return len({type(value) for value in series.drop_nulls().to_list()}) > 1


def _distinct(column: Column) -> int:
    """Count the distinct values of a column that are not missing."""
    try:
        return int(arrow_compute.count_distinct(column, mode="only_valid").as_py())
    except pa.ArrowNotImplementedError:
        return len({str(value) for value in column.to_pylist() if value is not None})


def _written(
    plan: Plan, fates: Fates, frame: Eager, rows: npt.NDArray[np.integer], fate_of: Codes
) -> dict[str, pa.Array]:
    """Return the columns that are not gathered: pseudonyms, and the labels of fates."""
    hashed = {
        name: pseudonyms(name, to_arrow_column(frame[name]), key).take(pa.array(rows))
        for name, key in plan.table.pseudonym_keys.items()
    }
    shown = pa.array(fate_of[rows])
    labels = label_fates(plan, fates, plan.relabelled)
    return hashed | {name: column.take(shown) for name, column in labels.items()}


def _strip(frame: Eager) -> Eager:
    """Remove from gathered columns what could show values of rows that are not released.

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


def _is_whole(numbers: npt.NDArray[np.float64]) -> bool:
    """Return whether all numbers are whole, and small enough to be exact."""
    return bool(len(numbers) and (np.abs(numbers) <= 2**53).all() and (numbers % 1 == 0).all())


def _strip_pandas(frame: Eager) -> Eager:
    """Take dictionaries from columns that hold Arrow arrays, and infer the types of others again.

    pandas reads whole numbers as fractions, and truth values as objects, if one is missing: the
    types that it inferred would show whether one is missing in a row that is not released.
    """
    native = frame.to_native().infer_objects()
    changed = {}
    for name, kind in native.dtypes.items():
        if kind == np.float64 and _is_whole(native[name].to_numpy()):
            changed[name] = native[name].astype(np.int64)
        held = getattr(kind, "pyarrow_dtype", None)
        if held is not None and not plain_type(held).equals(held, check_metadata=True):
            plain = plain_column(pa.chunked_array(frame[str(name)].to_arrow()))
            changed[name] = type(native[name])(plain, dtype=type(kind)(plain.type))
    return nw.from_native(native.assign(**changed), eager_only=True)
