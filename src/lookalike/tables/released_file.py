"""Read the file of a published release, and count its classes and the values of its columns."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as arrow_compute
from duckdb import DuckDBPyRelation

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.tables.connection import Connection
from lookalike.tables.files.file_format import format_of
from lookalike.tables.labels import encode_column
from lookalike.tables.read import read_source
from lookalike.tables.source import Source
from lookalike.tables.sql import engine_errors, quote_name
from lookalike.tables.table import check_columns, column_names

MOST_SHOWN = 20
"""The number of values of a column that are listed."""
COLUMNS_TOGETHER = 32
"""How many columns one statement counts: it tells groups apart by the bits of a number."""
_NUMBER = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")


def read_released_file(
    file: Path, connection: Connection, *, neutralized: bool = False
) -> nw.LazyFrame[Any]:
    """Return the rows of a released file, as a query that has not run yet.

    The delimiter is the one that :mod:`lookalike.tables.write` uses; it is not detected.

    ``neutralized``: whether an apostrophe at the beginning of a cell or a name is not part of it.
    """
    chosen = format_of(file)
    delimiter = None if chosen is None else chosen.delimiter
    rows = read_source(Source(path=str(file), delimiter=delimiter), connection)
    if not neutralized:
        return rows
    columns = ", ".join(
        f"CASE WHEN starts_with({cell}, '''') THEN substr({cell}, 2) ELSE {cell} END AS "
        f"{quote_name(name.removeprefix(chr(39)))}"
        for name, cell in ((name, quote_name(name)) for name in column_names(rows))
    )
    plain: nw.LazyFrame[Any] = nw.from_native(rows.to_native().project(columns))
    return plain


@dataclass(frozen=True)
class ReleasedValues(Discreet):
    """The values of a released column.

    ``distinct``: the number of distinct values; missing is one of them.
    ``frequent``: the most frequent values as text, with the number of rows of each; ``None`` is
    missing. Values that are equally frequent are in the order of their text.
    ``range``: the least and the greatest value, if all values are numbers, missing or suppressed.
    """

    distinct: int
    frequent: tuple[tuple[str | None, int], ...]
    range: tuple[str, str] | None

    @property
    def more(self) -> int:
        """The number of values that are not listed."""
        return self.distinct - len(self.frequent)


@dataclass(frozen=True)
class CountedRelease(Discreet):
    """The values of each column of a release, and the number of classes of each size.

    ``sizes``: for each quasi-identifier, the smallest size first.
    """

    values: dict[str, ReleasedValues]
    sizes: tuple[dict[int, int], ...]


def count_release(
    rows: DuckDBPyRelation,
    classes: Sequence[Sequence[str]],
    suppressed: str,
    most: int = MOST_SHOWN,
) -> CountedRelease:
    """Count the values of every column of a release, and its classes, in one pass over the rows.

    ``classes``: the attributes of each quasi-identifier.
    """
    for attributes in classes:
        check_columns(rows.columns, attributes)
    columns = {name: _Values(name, suppressed, most) for name in rows.columns}
    linkable = {name: place for place, one in enumerate(classes) for name in one}
    sizes: list[Counter[int]] = [Counter() for _ in classes]
    others = [(name,) for name in rows.columns if name not in linkable]
    for begin in range(0, max(1, len(others)), COLUMNS_TOGETHER):
        groups = [*map(tuple, () if begin else classes), *others[begin : begin + COLUMNS_TOGETHER]]
        with engine_errors("the release"):
            for place, group, counts in _count_groups(rows, groups):
                if groups[place] in others:
                    columns[groups[place][0]].add(group[0], counts)
                    continue
                sizes[place].update(counts.tolist())
                for name, column in zip(groups[place], group, strict=True):
                    if linkable[name] == place:
                        columns[name].add_repeated(column, counts)
    values = {name: one.describe() for name, one in columns.items()}
    return CountedRelease(values, tuple(dict(sorted(one.items())) for one in sizes))


def _count_groups(
    rows: DuckDBPyRelation, groups: Sequence[tuple[str, ...]]
) -> Iterator[tuple[int, list[pa.Array], Counts]]:
    """Group rows in several ways at once; yield some groups of one way, and their rows.

    SQL knows a way by the bits of the columns by which it does not group.
    """
    kinds = dict(zip(rows.columns, map(str, rows.types), strict=True))
    every = [*dict.fromkeys(chain.from_iterable(groups))]
    written = (
        f"CASE WHEN isnan({column}) THEN NULL ELSE {column} END"
        if kinds[name] in ("DOUBLE", "FLOAT")
        else column
        for name, column in zip(every, map(quote_name, every), strict=True)
    )
    plain = rows.project(", ".join(f"{one} AS c{place}" for place, one in enumerate(written)))
    places = [[every.index(name) for name in group] for group in groups]
    names, last = ", ".join(plain.columns), len(every) - 1
    numbers = [sum(1 << last - at for at in range(len(every)) if at not in one) for one in places]
    sets = {", ".join(f"c{at}" for at in sorted(one)) for one in places}
    counted = plain.aggregate(
        f"{names}, GROUPING({names}), count(*)",
        f"GROUPING SETS ({', '.join(f'({one})' for one in sets)})",
    )
    for batch in counted.to_arrow_reader():
        *columns, own, counts = batch.columns
        for number, (group, one) in enumerate(zip(places, numbers, strict=True)):
            here = arrow_compute.equal(own, one)
            chosen = [columns[at].filter(here) for at in group]
            if len(chosen[0]):
                yield number, chosen, counts.filter(here).to_numpy()


def _is_number(text: str) -> bool:
    """Return whether a text is a number that can be compared."""
    return _NUMBER.fullmatch(text) is not None and isfinite(float(text))


class _Values:
    """The values of a column, as far as they were counted."""

    def __init__(self, name: str, suppressed: str, most: int) -> None:
        self.name, self.suppressed, self.most = name, suppressed, most
        self.distinct, self.is_numeric = 0, True
        self.frequent: list[tuple[int, bool, str]] = []
        self.ends: list[tuple[float, str]] = []
        self.repeated: Counter[str | None] = Counter()

    def add_repeated(self, column: pa.Array, counts: Counts) -> None:
        """Add the values of some classes, each with its number of rows."""
        labels, codes = encode_column(self.name, column)
        rows = np.bincount(codes, counts).astype(np.int64).tolist()
        self.repeated.update(dict(zip(labels, rows, strict=True)))

    def add(self, column: pa.Array, counts: Counts) -> None:
        """Add some different values, each with its number of rows."""
        labels, codes = encode_column(self.name, column)
        self.distinct += len(column)
        # Labels are sorted, and a missing one is the last.
        first = np.lexsort((codes, -counts))[: self.most]
        shown = ((-int(counts[one]), labels[codes[one]]) for one in first.tolist())
        found = ((rows, label is None, label or "") for rows, label in shown)
        self.frequent = sorted([*self.frequent, *found])[: self.most]
        others = [label for label in labels if label not in (None, self.suppressed)]
        self.is_numeric = self.is_numeric and all(map(_is_number, others))
        if self.is_numeric:
            numbers = sorted([*self.ends, *((float(label), label) for label in others)])
            self.ends = [*numbers[:1], *numbers[-1:]]

    def describe(self) -> ReleasedValues:
        """Return what was counted."""
        if self.repeated:
            rows = np.array([*self.repeated.values()], dtype=np.int64)
            self.add(pa.array([*self.repeated], pa.string()), rows)
        return ReleasedValues(
            distinct=self.distinct,
            frequent=tuple((None if gone else text, -rows) for rows, gone, text in self.frequent),
            range=(self.ends[0][1], self.ends[-1][1]) if self.is_numeric and self.ends else None,
        )
