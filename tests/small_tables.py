"""Build small tables, and run single steps of the flow on them."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from lookalike.hierarchy import Hierarchy, Taxonomy
from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.model.beside import Beside
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.tables.count import count
from lookalike.tables.counted import Counted
from lookalike.tables.plan import Plan
from lookalike.tables.read import read_frame
from lookalike.tables.recode import recode
from lookalike.tables.table import Table

Row = tuple[str | None, ...]

TREE = Taxonomy({"A": ["a", "b"], "C": ["c", "d"]})
"""Four letters below two groups."""
KNOW_SEVERAL = ("datafly", "samarati", "mingen")
"""The methods that take several quasi-identifiers, or attributes with a k of their own."""


def table_of(columns: Sequence[str], rows: Sequence[Sequence[str | None]]) -> pa.Table:
    """Make a table from column names and rows of text."""
    return pa.table(
        {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(columns)}
    )


def rows_of(table: pa.Table, columns: Sequence[str] | None = None) -> list[Row]:
    """List the rows of a table, of all columns or of some."""
    return [tuple(row.values()) for row in table.select(columns or table.column_names).to_pylist()]


def frequency_of(table: pa.Table, hierarchies: Mapping[str, Hierarchy]) -> FrequencyList:
    """Count a table over the attributes that have a hierarchy."""
    return frequency_beside(table, hierarchies, ())


def frequency_beside(
    table: pa.Table, hierarchies: Mapping[str, Hierarchy], beside: Sequence[Beside]
) -> FrequencyList:
    """Count a table together with columns beside the quasi-identifier, a code for each row."""
    counted, bound = count_and_bind(table, hierarchies)
    return list_frequencies(bound, counted.positions, counted.counts, beside=beside)[1]


def frequencies(*rows: Sequence[str | None], **hierarchies: Hierarchy) -> FrequencyList:
    """Count a few rows over attributes that are given with their hierarchies."""
    return frequency_of(table_of(list(hierarchies), rows), hierarchies)


def occurrences(frequency: FrequencyList) -> dict[Row, int]:
    """Return the papers' freq: each sequence with its number of occurrences."""
    return dict(zip(frequency.sequences(), frequency.counts.tolist(), strict=True))


def released_rows(frequency: FrequencyList, recoding: Recoding) -> Counter[Row]:
    """Count the rows that a recoding releases, by their released values."""
    tuples = recoding.released(frequency)
    columns = []
    for attribute in range(len(frequency.attributes)):
        labels, shown = tuples.shown(frequency, attribute)
        columns.append([labels[code] for code in shown])
    rows: Counter[Row] = Counter()
    for row, number in zip(zip(*columns, strict=True), tuples.counts.tolist(), strict=True):
        rows[row] += number
    return rows


def suppress_nothing(frequency: FrequencyList, vector: Sequence[int]) -> Recoding:
    """Return the recoding at a vector that releases every row."""
    return Recoding(tuple(vector), np.zeros(len(frequency), dtype=np.int64), 0)


def suppress_everything(frequency: FrequencyList, vector: Sequence[int]) -> Recoding:
    """Return the recoding at a vector that releases no row."""
    return Recoding(tuple(vector), frequency.counts, frequency.rows)


def generalize(
    table: pa.Table, hierarchies: Mapping[str, Hierarchy], vector: Sequence[int]
) -> pa.Table:
    """Recode a table at a vector, all rows in their order."""
    counted, bound = count_and_bind(table, hierarchies)
    sequence_of, frequency = list_frequencies(bound, counted.positions, counted.counts)
    roles = {
        name: "quasi-identifier" if name in hierarchies else "other" for name in table.column_names
    }
    plan = Plan(
        table=Table(read_frame(table), roles, {}),
        counted=counted,
        sequence_of=sequence_of,
        frequency=frequency,
        recoding=suppress_nothing(frequency, vector),
        requirement=Requirement(2),
        keep_order=True,
    )
    return recode(plan).to_native()


def bind_all(
    hierarchies: Mapping[str, Hierarchy], values: Sequence[Sequence[str | None]]
) -> list[BoundHierarchy]:
    """Bind each hierarchy to the distinct values of its attribute."""
    return [
        rule.bind(name, known)
        for (name, rule), known in zip(hierarchies.items(), values, strict=True)
    ]


def count_and_bind(
    table: pa.Table, hierarchies: Mapping[str, Hierarchy]
) -> tuple[Counted, list[BoundHierarchy]]:
    """Count a table over the attributes that have a hierarchy, and bind the hierarchies."""
    counted = count(read_frame(table), list(hierarchies))
    return counted, bind_all(hierarchies, counted.values)
