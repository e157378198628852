"""What the engines of queries share: SQL that is written once and runs in DuckDB and in Spark.

Names are quoted as :func:`~lookalike.tables.sql.quote_name` does, and Spark's engine writes them in
its own way. An engine brings eight operations: :meth:`SqlEngine.select`, :meth:`SqlEngine.total`,
:meth:`SqlEngine.join`, :meth:`SqlEngine.kinds`, :meth:`SqlEngine.run`, :meth:`SqlEngine.ask`,
:meth:`SqlEngine.is_drawn` and :meth:`SqlEngine.locate`.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts
from lookalike.tables import dominant
from lookalike.tables.cleaning import NumberCoarsening
from lookalike.tables.coarsen import coarsen
from lookalike.tables.counted import Counted
from lookalike.tables.engines import join_tables as joined
from lookalike.tables.engines.engine import FATE, Column, DrawnKeys
from lookalike.tables.plan import NOT_RELEASED, Fates, Plan
from lookalike.tables.row_tags import RECALLED, TAG, RowTags
from lookalike.tables.sql import quote_name

Lazy = nw.LazyFrame[Any]
QueryRows = Any
"""The rows of a query as the engine itself has them."""

_RANK = "lookalike rank"
_HASH = "lookalike hash"


class SqlEngine:
    """An engine whose rows are the result of a query."""

    is_cluster = False
    """Whether rows are on other machines, and private rows are to stay there."""
    random: str
    """A random number from 0 to 1."""
    hash: str
    """The hash of a value as a number of at least 32 bits."""

    def takes(self, frame: Any) -> bool:
        """Return whether the engine holds frames of this kind."""
        raise NotImplementedError

    def errors(self, place: str = "the table") -> AbstractContextManager[None]:
        """Turn an error of the engine into one without its text, which may quote a row."""
        raise NotImplementedError

    def select(self, rows: QueryRows, expressions: Sequence[str], where: str = "") -> QueryRows:
        """Compute expressions for each row that satisfies a condition."""
        raise NotImplementedError

    def total(self, rows: QueryRows, names: Sequence[str], *sums: str) -> QueryRows:
        """Group rows by some columns; missing is a value."""
        raise NotImplementedError

    def join(
        self,
        rows: QueryRows,
        small: pa.Table,
        keys: Sequence[str],
        condition: str = "true",
        *,
        like: Mapping[str, str] | None = None,
        inner: bool = False,
    ) -> QueryRows:
        """Add to each row the other columns of a small table with the same keys.

        A missing key equals a missing one. A row without a partner stays, unless the join is inner.

        ``condition``: what partners must satisfy besides.
        ``like``: for columns of the small table, the column whose type they have.
        """
        raise NotImplementedError

    def kinds(self, rows: QueryRows) -> dict[str, str]:
        """Return the type of each column, as SQL of the engine writes it."""
        raise NotImplementedError

    def run(self, rows: QueryRows) -> pa.Table:
        """Run a query, and fetch all of its rows."""
        raise NotImplementedError

    def ask(self, rows: QueryRows, statement: str) -> pa.Table:
        """Run a statement over rows, which it calls ``t``, and fetch the answer."""
        raise NotImplementedError

    def is_drawn(self, value: str, one_in: int, part: int) -> str:
        """Write whether the hash of a value is in one of so many parts of all hashes."""
        raise NotImplementedError

    def locate(self, plan: Plan, fates: Fates) -> QueryRows:
        """Return the private rows of a plan, with the fate of each."""
        raise NotImplementedError

    def number(self, rows: QueryRows) -> QueryRows:
        """Return rows with the position of each; those that were kept have it."""
        return rows

    def columns(self, frame: Lazy) -> Sequence[str]:
        """Return the names of the columns, also where two differ only in case."""
        names: list[str] = frame.to_native().columns
        return names

    def settle(self, frame: Lazy) -> Lazy:
        """Return the query as it is: its columns have one type each."""
        return frame

    def coarsen(self, frame: Lazy, columns: Mapping[str, NumberCoarsening]) -> Lazy:
        """Compute the coarser numbers where the rows are read."""
        rows = frame.to_native()
        with self.errors():
            coarse = coarsen(rows, self.kinds(rows), columns, self.select, self.run)
            coarser: Lazy = nw.from_native(coarse)
        return coarser

    def group(self, frame: Lazy, attributes: Sequence[str], tag: str | None) -> Counted:
        """Let the engine count, and fetch the distinct sequences."""
        names = (*attributes, *(() if tag is None else (tag,)))
        with self.errors():
            entries = self.run(self.total(frame.to_native(), names, COUNTED))
        return joined.read_grouped(entries, attributes, tag)

    def count_distinct(
        self, frame: Lazy, columns: Sequence[str], at_once: int
    ) -> dict[str, tuple[int, int]]:
        """Ask for the distinct values of columns and the rows that have one, some at a time."""
        answers: dict[str, tuple[int, int]] = {}
        for begin in range(0, len(columns), at_once):
            names = columns[begin : begin + at_once]
            known = map(quote_name, names)
            asked = [part for one in known for part in (f"count(DISTINCT {one})", f"count({one})")]
            with self.errors():
                numbers = read_one_row(self.run(self.select(frame.to_native(), asked)))
            answers |= dict(zip(names, zip(numbers[::2], numbers[1::2], strict=True), strict=True))
        return answers

    def count_unique(self, frame: Lazy, columns: Sequence[str]) -> int:
        """Let the engine group by hashes and count.

        Two of n hashes of 64 bits are equal by chance with a probability below n² / 2^65. Spark's
        hash leaves out missing values, so whether one is missing is hashed, too.
        """
        known = (f"{name} IS NULL, {name}" for name in map(quote_name, columns))
        hashed = f"{self.hash.format(', '.join(known))} AS {quote_name(_HASH)}"
        with self.errors():
            groups = self.total(self.select(frame.to_native(), [hashed]), [_HASH], COUNTED)
            alone = self.select(groups, ["count(*)"], f"{quote_name(joined.ENTRY_ROWS)} = 1")
            return read_one_row(self.run(alone))[0]

    def list_dominant(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: dominant.Dominated
    ) -> list[dominant.DominantValues]:
        """Rule out most classes by the bits of hashes, and count the values of the others."""
        rows, placed = fates.tuples.counts, [class_of] * len(columns.names)
        everybody = int(rows[class_of != NOT_RELEASED].sum())
        found = []
        with self.errors():
            if columns.person is None:
                bits = self._count_bits(plan, fates, columns.names)
                placed = dominant.rule_out(class_of, rows, columns, bits)
            for name, own in zip(columns.names, placed, strict=True):
                if not (own >= 0).any():
                    found.append(dominant.NO_VALUES)
                    continue
                shown = self._place(plan, fates, own, columns.named(name))
                found.append(dominant.read_dominant(self.ask(shown, columns.sql), everybody))
        return found

    def sum_bits(self, names: Sequence[str]) -> list[str]:
        """Write the number of rows with each bit of the hashes of columns."""
        return [
            f"count(*) FILTER (WHERE ({self.hash.format(quote_name(name))} & {1 << bit}) <> 0) AS "
            f"{quote_name(joined.bit_of(name, bit))}"
            for name in names
            for bit in range(dominant.BITS)
        ]

    def _count_bits(self, plan: Plan, fates: Fates, names: Sequence[str]) -> pa.Table:
        """Count for each fate the rows with each bit of the hashes of columns.

        Where a sequence has one fate, its rows are counted before they are joined with the list,
        unless they were when the list was counted.
        """
        if fates.splits:
            return self.run(self.total(self.locate(plan, fates), [FATE], *self.sum_bits(names)))
        columns = [joined.bit_of(name, bit) for name in names for bit in range(dominant.BITS)]
        bits = plan.counted.bits
        if bits is not None and set(columns) <= set(bits.column_names):
            return bits.select(columns).add_column(0, FATE, pa.array(plan.sequence_of))
        keys = joined.counted_keys(plan).column_names
        counted = self.total(plan.located.to_native(), keys, *self.sum_bits(names))
        known = joined.tabulate_entries(plan, fates).select([*keys, FATE])
        shown = map(quote_name, (FATE, *columns))
        return self.run(self.select(self.join(counted, known, keys), [*shown]))

    def _place(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Mapping[str, str]
    ) -> QueryRows:
        """Return the class of every row, with some columns under new names."""
        if fates.splits:
            numbers = np.arange(len(class_of), dtype=np.int32)
            classes = pa.table({FATE: numbers, joined.RELEASED_CLASS: class_of})
            rows = self.join(self.locate(plan, fates), classes, [FATE])
        else:
            classes = joined.tabulate_classes(plan, class_of)
            rows = self.join(plan.located.to_native(), classes, classes.column_names[:-1])
        own = f"coalesce({quote_name(joined.RELEASED_CLASS)}, {dominant.RULED_OUT}) AS class"
        named = (f"{quote_name(name)} AS {quote_name(new)}" for new, name in columns.items())
        return self.select(rows, [own, *named])

    def count_classes(
        self, plan: Plan, fates: Fates, class_of: Codes, columns: Sequence[str], most: int
    ) -> tuple[Codes, tuple[Column, ...], Counts] | None:
        """Join the rows with the entries of the classes, and group them."""
        named = {f"column {number}": name for number, name in enumerate(columns)}
        with self.errors():
            placed = self._place(plan, fates, class_of, named)
            wanted = self.select(placed, ["*"], "class >= 0")
            found = self.run(self.total(wanted, ("class", *named), COUNTED).limit(most + 1))
        if len(found) > most:
            return None
        own, *values, counts = found.columns
        return own.to_numpy(), tuple(values), counts.to_numpy().astype(np.int64)

    def sample(
        self, frame: Lazy, columns: Sequence[str], keys: DrawnKeys, one_in: int, most: int
    ) -> pa.Table:
        """Draw rows by a random number, and groups by the engine's hash of their value."""
        names, rows = list(map(quote_name, columns)), frame.to_native()
        reasons = [f"{self.random} < {1 / one_in}"]
        for key, remainder in keys:
            reasons.append(self.is_drawn(", ".join(map(quote_name, key)), one_in, remainder))
        marks = [quote_name(joined.drawn_of(number)) for number in range(len(reasons))]
        flags = (f"{one} AS {mark}" for one, mark in zip(reasons, marks, strict=True))
        with self.errors():
            if one_in == 1:
                return self.run(self.select(rows, names))
            drawn = self.select(rows, [*names, *flags])
            return self.run(self.select(drawn, ["*"], " OR ".join(marks)).limit(most))

    def tag_rows(self, frame: Lazy, tags: RowTags) -> Lazy:
        """Tag the rows, found by their keys."""
        rows = frame.to_native()
        like = {joined.old_of(name): name for name in tags.old}
        tagged = self.join(rows, joined.tabulate_tags(tags), [tags.row_key], like=like)
        shown = [
            f"CASE WHEN {quote_name(joined.kept_of(name))} THEN {quote_name(joined.old_of(name))} "
            f"ELSE {quote_name(name)} END AS {quote_name(name)}"
            if name in tags.old
            else quote_name(name)
            for name in rows.columns
        ]
        added = [TAG] if tags.recalled is None else [TAG, RECALLED]
        shown_rows: Lazy = nw.from_native(self.select(tagged, [*shown, *map(quote_name, added)]))
        return shown_rows

    def append_rows(self, frame: Lazy, rows: pa.Table) -> Lazy:  # noqa: ARG002
        """Refuse: the rows of people who left are added on this machine only."""
        raise InvalidInput(
            'leavers = "keep" is for tables that DuckDB reads and frames in memory; give one of '
            'these, or set leavers = "withdraw"'
        )

    def draw(self, plan: Plan, rows: QueryRows, fates: Fates, random: str) -> QueryRows:
        """Find the sequence of each row, and its fate.

        Where a sequence has several fates, its rows are ranked at random.
        """
        keys = joined.counted_keys(plan).column_names
        if not fates.splits:
            return self.join(rows, joined.tabulate_entries(plan, fates), keys)
        found = self.join(rows, joined.tabulate_entries(plan, None), keys)
        sequence, rank = quote_name(joined.SEQUENCE_NUMBER), quote_name(_RANK)
        ranks = f"row_number() OVER (PARTITION BY {sequence} ORDER BY {random}) AS {rank}"
        after, until = quote_name(joined.AFTER_RANK), quote_name(joined.UNTIL_RANK)
        among = f"{rank} > {after} AND {rank} <= {until}"
        ranked = self.select(found, ["*", ranks])
        return self.join(
            ranked, joined.tabulate_fates(plan, fates), [joined.SEQUENCE_NUMBER], among
        )


COUNTED = f"count(*) AS {quote_name(joined.ENTRY_ROWS)}"
"""The number of rows of a group, as a column."""


def read_one_row(answer: pa.Table) -> list[int]:
    """Return the numbers of an answer that has one row."""
    return [int(column[0].as_py()) for column in answer.columns]


def write_stays(plan: Plan, changed: str) -> str:
    """Return the condition for rows that are released; an unknown sequence calls for `changed`."""
    gone = quote_name(joined.GONE)
    stays = "true" if plan.blank else f"NOT {gone}"
    return f"CASE WHEN {gone} IS NULL THEN {changed} ELSE {stays} END"


def write_columns(plan: Plan, others: Mapping[str, str]) -> list[str]:
    """List the columns of the release: values as they are, or what replaces them."""
    labels = {name: quote_name(joined.label_of(name)) for name in plan.relabelled}
    shown = {**others, **labels}
    return [f"{shown.get(n, quote_name(n))} AS {quote_name(n)}" for n in plan.table.released]
