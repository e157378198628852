"""Sample: rows drawn at random, and rows drawn as whole groups of equal values.

Whether the rows with one value of a column agree in others can be judged from a part of a large
table only if groups stay whole. So a value is drawn by its hash, with all of its rows. A column
with few values and many rows of each is judged from rows drawn one by one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Flags
from lookalike.tables.engines import engine_of
from lookalike.tables.engines.join_tables import drawn_of
from lookalike.tables.labels import encode_column
from lookalike.tables.table import OWN_PREFIX, Frame, column_names, is_incomparable

SAMPLED_ROWS = 200_000
"""How many rows a sample has in all, about; a table of at most so many rows is taken whole."""
COLUMNS_AT_ONCE = 40
"""How many columns are drawn in one pass over the rows."""
ROWS_OF_A_LARGE_GROUP = 10
"""The mean size of groups among rows drawn one by one from which these are enough."""
NO_VALUE = -1


@dataclass(frozen=True, eq=False)
class Sample(Discreet):
    """Rows of a table as codes.

    Parameters
    ----------
    values
        For each column its distinct values as text.
    codes
        For each column the position of every row's value; :data:`NO_VALUE` without one.
    one_by_one
        The rows that were drawn one by one.
    in_groups
        For each column that was asked for, the rows that were drawn as groups of its values.
    together
        The rows that were drawn as groups with equal values of several columns, if asked for.
    one_in
        How many groups there are for each that was drawn; 1 if these are all rows of the table.
    """

    values: Mapping[str, tuple[str, ...]]
    codes: Mapping[str, Codes]
    one_by_one: Flags
    in_groups: Mapping[str, Flags]
    together: Flags
    one_in: int

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
        groups = len(np.unique(self.codes[column][single]))
        if self.is_whole or len(single) >= ROWS_OF_A_LARGE_GROUP * groups:
            every = np.flatnonzero(self.one_by_one) if missing else single
            return every.astype(np.int32)
        return np.flatnonzero(self.in_groups[column] & known).astype(np.int32)


def sample_columns(
    frame: Frame, beside: Sequence[str], rows: int, together: Sequence[str] = ()
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
    return sample_groups(frame, columns, beside, rows, together)


def sample_groups(
    frame: Frame,
    keys: Sequence[str],
    columns: Sequence[str],
    rows: int,
    together: Sequence[str] = (),
) -> list[Sample]:
    """Draw rows, and whole groups of rows with one value of each key.

    ``keys``: the columns whose groups are drawn; a sample is made for :data:`COLUMNS_AT_ONCE` of
    them.
    """
    step = max(1, len(keys)) if rows <= SAMPLED_ROWS else COLUMNS_AT_ONCE
    parts = [keys[begin : begin + step] for begin in range(0, max(1, len(keys)), step)]
    first, *others = parts
    return [
        _sample(frame, first, columns, rows, together),
        *(_sample(frame, part, columns, rows, ()) for part in others),
    ]


def _sample(
    frame: Frame,
    keys: Sequence[str],
    columns: Sequence[str],
    rows: int,
    together: Sequence[str],
) -> Sample:
    """Draw one sample."""
    groups = [(key,) for key in keys] + ([tuple(together)] if together else [])
    one_in = -(-rows * (len(groups) + 1) // SAMPLED_ROWS) if rows > SAMPLED_ROWS else 1
    names = [*dict.fromkeys((*keys, *columns, *together))]
    drawn = engine_of(frame).sample(frame, names, groups, one_in)
    flags = [_mark(drawn, number) for number in range(len(groups) + 1)]
    encoded = {name: encode_column(name, drawn[name]) for name in names}
    return Sample(
        *_list_columns(encoded),
        one_by_one=flags[0],
        in_groups=dict(zip(keys, flags[1 : len(keys) + 1], strict=True)),
        together=flags[-1] if together else np.zeros(len(drawn), dtype=np.bool_),
        one_in=one_in,
    )


def _list_columns(
    encoded: Mapping[str, tuple[Sequence[str | None], Codes]],
) -> tuple[dict[str, tuple[str, ...]], dict[str, Codes]]:
    """Return the values of each column, and the codes of its rows."""
    values = {
        name: tuple(text for text in texts if text is not None)
        for name, (texts, _) in encoded.items()
    }
    return values, {name: _number(*column) for name, column in encoded.items()}


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
