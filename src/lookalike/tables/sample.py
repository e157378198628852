"""Sample: rows drawn at random, and rows drawn as whole groups of equal values.

Whether the rows with one value of a column agree in others can be judged from a part of a large
table only if groups stay whole. So a value is drawn by its hash, with all of its rows. A column
with few values and many rows of each is judged from rows drawn one by one; if one of its groups is
drawn all the same, and has more rows than a sample, others are drawn instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Flags
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.join_tables import drawn_of
from lookalike.tables.labels import encode_column
from lookalike.tables.table import OWN_PREFIX, Frame, Table, column_names, is_incomparable

SAMPLED_ROWS = 200_000
"""How many rows a sample has in all, about, and at most twice as many; a table of at most so many
rows is taken whole."""
COLUMNS_AT_ONCE = 40
"""How many columns are drawn in one pass over the rows."""
ROWS_OF_A_LARGE_GROUP = 10
"""The mean size of groups among rows drawn one by one from which these are enough."""
NO_VALUE = -1


@dataclass(frozen=True, eq=False)
class Sample(Discreet):
    """Rows of a table as codes.

    ``values``: for each column its distinct values as text.
    ``codes``: for each column the position of every row's value; :data:`NO_VALUE` without one.
    ``one_by_one``: the rows that were drawn one by one.
    ``in_groups``: for each column that was asked for, the rows that were drawn as groups of its
    values; none for columns that are known to have few.
    ``together``: the rows that were drawn as groups with equal values of several columns, if asked
    for.
    ``one_in``: how many groups there are for each that was drawn; 1 if these are all rows of the
    table.
    ``few``: the columns that are known to have few values.
    """

    values: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, Codes]
    one_by_one: Flags
    in_groups: Mapping[str, Flags]
    together: Flags
    one_in: int
    few: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether these are all rows of the table."""
        return self.one_in == 1

    def rows_of(self, column: str, *, missing: bool = False) -> Codes:
        """Return the rows by which the groups of a column are judged; all have a value.

        If a missing value counts as one, rows without a value are among them as far as rows were
        drawn one by one.
        """
        known = self.codes[column] != NO_VALUE
        single = np.flatnonzero(self.one_by_one & known)
        groups = np.count_nonzero(np.bincount(self.codes[column][single]))
        enough = column in self.few or len(single) >= ROWS_OF_A_LARGE_GROUP * groups
        if self.is_whole or enough:
            every = np.flatnonzero(self.one_by_one) if missing else single
            return every.astype(np.int32)
        return np.flatnonzero(self.in_groups[column] & known).astype(np.int32)


def is_sampled(rows: int) -> bool:
    """Return whether a table of so many rows is not taken whole."""
    return rows > SAMPLED_ROWS


def sample_table(
    table: Table, persons: Sequence[str], rows: int, distinct: Mapping[str, int] | None = None
) -> list[Sample]:
    """Draw rows of a private table once, whoever asks.

    The first sample has groups by all columns released as they are together, too.

    ``distinct``: the number of values of columns, where it is known.
    """
    key = tuple(persons), rows
    if key not in table.drawn:
        beside = (*table.quasi_identifier, *persons)
        hidden = table.incomparable
        together = [name for name in table.unchanged if name not in hidden]
        table.drawn[key] = sample_columns(table.frame, beside, rows, together, distinct or {})
    drawn: list[Sample] = table.drawn[key]
    return drawn


def estimate_distinct(
    samples: Sequence[Sample], columns: Sequence[str], rows: int
) -> dict[str, tuple[int, int]]:
    """Estimate how many values columns have, and how many of the table's rows have one.

    A column whose values cannot be compared is in no sample, and is left out.
    """
    estimates = {}
    for sample in samples:
        for name in set(columns) & sample.in_groups.keys():
            codes = sample.codes[name]
            groups = len(np.unique(codes[sample.in_groups[name] & (codes != NO_VALUE)]))
            drawn = codes[sample.one_by_one]
            known = int(rows * (drawn != NO_VALUE).sum() / len(drawn)) if len(drawn) else 0
            estimates[name] = max(len(sample.values[name]), groups * sample.one_in), known
    return estimates


def sample_columns(
    frame: Frame,
    beside: Sequence[str],
    rows: int,
    together: Sequence[str] = (),
    distinct: Mapping[str, int] = MappingProxyType({}),
) -> list[Sample]:
    """Draw rows, and groups of rows by every column whose values can be compared.

    ``together``: columns by whose values together the first sample has groups as well.
    """
    kinds = frame.collect_schema()
    columns = [
        name
        for name in column_names(frame)
        if not name.startswith(OWN_PREFIX) and not is_incomparable(kinds[name])
    ]
    return sample_groups(frame, columns, beside, rows, together, distinct)


def sample_groups(
    frame: Frame,
    keys: Sequence[str],
    columns: Sequence[str],
    rows: int,
    together: Sequence[str] = (),
    distinct: Mapping[str, int] = MappingProxyType({}),
) -> list[Sample]:
    """Draw rows, and whole groups of rows with one value of each key.

    ``keys``: the columns whose groups are drawn; a sample is made for :data:`COLUMNS_AT_ONCE` of
    them.
    ``distinct``: the number of values of columns, where it is known.
    """
    step = COLUMNS_AT_ONCE if is_sampled(rows) else max(1, len(keys))
    parts = [keys[begin : begin + step] for begin in range(0, max(1, len(keys)), step)]
    first, *others = parts
    return [
        _sample(frame, first, columns, rows, together, distinct),
        *(_sample(frame, part, columns, rows, (), distinct) for part in others),
    ]


def _sample(
    frame: Frame,
    keys: Sequence[str],
    columns: Sequence[str],
    rows: int,
    together: Sequence[str],
    distinct: Mapping[str, int],
) -> Sample:
    """Draw one sample."""
    # By chance, fewer rows are drawn one by one than expected, but not fewer than half.
    most = SAMPLED_ROWS // (len(keys) + 2) // (2 * ROWS_OF_A_LARGE_GROUP)
    few = frozenset(key for key in keys if is_sampled(rows) and distinct.get(key, rows) <= most)
    many = [key for key in keys if key not in few]
    groups = [(key,) for key in many] + ([tuple(together)] if together else [])
    one_in = -(-rows * (len(groups) + 1) // SAMPLED_ROWS) if is_sampled(rows) else 1
    names = [*dict.fromkeys((*keys, *columns, *together))]
    drawn = _draw(frame, names, groups, one_in)
    flags = [_mark(drawn, number) for number in range(len(groups) + 1)]
    nothing = np.zeros(len(drawn), dtype=np.bool_)
    encoded = {name: encode_column(name, drawn[name]) for name in names}
    return Sample(
        values={n: tuple(t for t in texts if t is not None) for n, (texts, _) in encoded.items()},
        codes={name: _number(*column) for name, column in encoded.items()},
        one_by_one=flags[0],
        in_groups=dict.fromkeys(keys, nothing) | dict(zip(many, flags[1:], strict=False)),
        together=flags[-1] if together else nothing,
        one_in=one_in,
        few=few,
    )


def _draw(
    frame: Frame, names: Sequence[str], groups: Sequence[tuple[str, ...]], one_in: int
) -> pa.Table:
    """Draw rows and groups, by other hashes as long as groups have too many rows.

    Columns often share their frequent values, as answers to questions do; so all groups with more
    than twice their part of a sample are drawn anew together.
    """
    remainders, most = [0] * len(groups), 2 * SAMPLED_ROWS
    while True:
        keys = [*zip(groups, remainders, strict=True)]
        drawn = engine_of(frame).sample(frame, names, keys, one_in, most + 1)
        if one_in == 1 or len(drawn) <= most:
            return drawn
        part = most // (len(groups) + 1)
        large = [_mark(drawn, number).sum() > part for number in range(1, len(groups) + 1)]
        if not any(large):  # the source has grown since it was counted, and is refused later
            return drawn
        # A remainder that no hash leaves draws nothing, so that this ends.
        remainders = [one + int(is_large) for one, is_large in zip(remainders, large, strict=True)]


def _mark(drawn: pa.Table, number: int) -> Flags:
    """Return the rows that were drawn for one reason; of a whole table, all."""
    name = drawn_of(number)
    if name not in drawn.column_names:
        return np.ones(len(drawn), dtype=np.bool_)
    marks: Flags = drawn[name].to_numpy().astype(np.bool_)
    return marks


def _number(texts: Sequence[str | None], codes: Codes) -> Codes:
    """Return the codes of a column, whose missing value has the last one."""
    if not texts or texts[-1] is not None:
        return codes
    return np.where(codes == len(texts) - 1, np.int32(NO_VALUE), codes)
