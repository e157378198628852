"""Leave out answers that too few rows of a class share, from the released rows."""

from collections.abc import Sequence
from math import comb

import narwhals as nw
import numpy as np
import pyarrow as pa

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.rare_answers import WITHHELD, leave_out_rare
from lookalike.kernels.types import Codes, Counts
from lookalike.model.requirement import KnownAnswers
from lookalike.tables.count import fetch
from lookalike.tables.labels import encode_column
from lookalike.tables.plan import Plan
from lookalike.tables.sql import derive
from lookalike.tables.table import Frame

CELLS_COMPARED = 200_000_000
"""The most rows times columns of answers, which are compared in memory."""
SETS_COMPARED = 10_000_000_000
"""The most rows times sets of columns, which are compared in minutes."""


def leave_out_answers(
    released: Frame, plan: Plan, asked: KnownAnswers
) -> tuple[Frame, dict[str, int]]:
    """Return released rows in which any known answers, as shown, leave k rows of each class.

    A value of a column is left out of a whole class, or of none of its rows. Answers are the
    columns with role other.

    Returns: also the number of cells that are left out of each column of answers.
    """
    [protected] = plan.requirement.combined(plan.frequency.attributes)
    columns = plan.answers
    if released.implementation.is_spark_like():
        raise InvalidInput(
            "knows_answers is for tables that DuckDB reads and frames in memory, not for Spark"
        )
    _refuse_many(plan.rows_out, len(columns), asked.known)
    table = pa.concat_tables(fetch(released, plan.table.released))
    encoded = [encode_column(name, table[name]) for name in columns]
    for name, (labels, _) in zip(columns, encoded, strict=True):
        if asked.label in labels:
            raise InvalidInput(
                f"column {name!r}: the suppressed label {asked.label!r} is also a value; choose "
                "another suppressed_label"
            )
    k = protected.k if asked.k is None else asked.k
    order, starts = _sort_by_class(table, protected.attributes, k)
    codes = np.stack([line[order] for _, line in encoded]) + np.int32(1)
    leave_out_rare(codes, starts, k, asked.known)
    left_out = dict(zip(columns, (codes == WITHHELD).sum(axis=1).tolist(), strict=True))
    back = np.argsort(order)
    shown = {
        name: pa.array([asked.label, *labels], pa.string()).take(pa.array(line[back]))
        for name, (labels, _), line in zip(columns, encoded, codes, strict=True)
        if left_out[name]
    }
    return _replace(released, table, shown), left_out


def _refuse_many(rows: int, columns: int, known: int) -> None:
    """Refuse answers that take too much memory, or too long to compare."""
    if rows * columns > CELLS_COMPARED:
        raise InvalidInput(
            f"knows_answers: {rows:,} rows of {columns:,} columns are more than the "
            f"{CELLS_COMPARED:,} cells that are compared in memory; release fewer rows (where) or "
            "columns"
        )
    sets = rows * sum(comb(columns, number) for number in range(1, known + 1))
    if sets > SETS_COMPARED:
        raise InvalidInput(
            f"knows_answers = {known}: {rows:,} rows of {columns:,} columns have {sets:,} "
            f"combinations of answers, more than the {SETS_COMPARED:,} that are compared in "
            "minutes; lower it, or release fewer rows (where) or columns"
        )


def _sort_by_class(table: pa.Table, attributes: Sequence[str], k: int) -> tuple[Counts, Codes]:
    """Return the rows class by class, and where each class begins; refuse one of fewer rows."""
    encoded = [encode_column(name, table[name]) for name in attributes]
    codes, sizes = np.stack([line for _, line in encoded]), [len(texts) for texts, _ in encoded]
    class_of, _, rows = group_equal(codes, sizes, np.ones(len(table), dtype=np.int64))
    if rows.min(initial=k) < k:
        raise RequirementNotMet(
            f"the smallest class has {rows.min():,} rows, fewer than the {k:,} that "
            "knows_answers must leave; raise k, or lower k_answers"
        )
    starts = np.concatenate([[0], np.cumsum(rows)]).astype(np.int32)
    return np.argsort(class_of, kind="stable"), starts


def _replace(released: Frame, table: pa.Table, shown: dict[str, pa.Array]) -> Frame:
    """Replace columns by what is shown of them, in a frame of the same kind."""
    if isinstance(released, nw.DataFrame):
        beside = nw.from_arrow(pa.table(shown), backend=released.implementation)
        return released.with_columns(beside[name] for name in shown)
    for name, texts in shown.items():
        table = table.set_column(table.column_names.index(name), name, texts)
    rows: Frame = nw.from_native(derive(released.to_native(), "FROM mapping", table))
    return rows
