"""Match released rows with private rows where levels differ from cell to cell.

A private row can then become any of many released rows, and a released row can come from any of
many private rows. Samarati's Definition 4.1 requires a mapping from released rows to different
private rows. Whether it exists is a question of bipartite matching, and a maximum flow answers it.
There is no greedy choice, so the answer is exact.

Rows are never matched one by one. The flow goes from distinct released tuples to distinct private
sequences, with their counts as capacities:

- Private values that no released value distinguishes are treated as one value.
- Tuples with the same levels, a *pattern*, are compared with all sequences at once: the sequences
  are generalized to these levels, and each then equals at most one tuple. So time grows with
  patterns × sequences, and in the worst case the number of edges does too.
- Rows can only match if their unchanged values are equal, so each group of rows with equal
  unchanged values is matched on its own, in batches. Memory grows with the edges of the largest
  batch, about 75 bytes per edge.
- A tuple that covers its whole group, such as a fully suppressed one, needs no edge: it takes the
  rows that the other tuples leave.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lookalike.errors import InvalidInput
from lookalike.hierarchy.released_values import NOWHERE, ReleasedAttribute, list_comparable
from lookalike.kernels import group_sequences
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts

BATCH = 100_000
"""The number of private sequences in a batch of groups, approximately."""

MOST_ROWS_MATCHED = 2**31 - 1
"""The largest flow that scipy can count."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of a table.

    ``codes``: first a line with the group of each row; the rows of a group have equal unchanged
    values. Then one line per attribute.
    ``counts``: the number of occurrences of each row.
    """

    codes: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def groups(self) -> Codes:
        """The group of each row."""
        line: Codes = self.codes[0]
        return line

    def take(self, positions: npt.NDArray[np.integer[Any]]) -> "Rows":
        """Return the rows at some positions; np.take, unlike indexing, keeps lines contiguous."""
        return Rows(np.take(self.codes, positions, axis=1), self.counts[positions])


def count_unmatched(
    private: pa.Table, release: pa.Table, attributes: Sequence[ReleasedAttribute]
) -> int:
    """Count the released rows without a private row in a maximum matching.

    ``private, release``: distinct rows: a column of codes for each attribute, then the unchanged
    columns, and last the number of occurrences.

    Examples
    --------
    >>> from lookalike.hierarchy.released_values import read_attribute
    >>> sex = read_attribute("sex", [("f", "*"), ("m", "*")], ["*", "f"], "*")
    >>> private = pa.table({"sex": sex.private, "rows": [1, 1]})
    >>> count_unmatched(private, pa.table({"sex": sex.released, "rows": [1, 1]}), [sex])
    0
    >>> count_unmatched(private, pa.table({"sex": sex.released, "rows": [1, 2]}), [sex])
    1
    """
    groups = _number_groups(private, release, len(attributes))
    originals = _read_rows(private, groups[: private.num_rows], len(attributes))
    rows = _read_rows(release, groups[private.num_rows :], len(attributes))
    possible = (_find_patterns(rows, attributes) != NOWHERE).all(axis=0)
    impossible = int(rows.counts[~possible].sum())
    parts = _divide(originals, rows.take(np.flatnonzero(possible)))
    return impossible + sum(_count_left(*part, attributes) for part in parts)


def _number_groups(private: pa.Table, release: pa.Table, attributes: int) -> Codes:
    """Number the distinct sequences of unchanged values over the rows of both tables."""
    both = pa.concat_tables(
        table.select(range(attributes, table.num_columns - 1)).rename_columns(
            [str(number) for number in range(attributes, table.num_columns - 1)]
        )
        for table in (private, release)
    )
    encoded = [
        column.combine_chunks().dictionary_encode(null_encoding="encode") for column in both.columns
    ]
    total = private.num_rows + release.num_rows
    values = np.empty((len(encoded), total), dtype=np.int32)
    for line, one in zip(values, encoded, strict=True):
        line[:] = one.indices.to_numpy()
    sizes = [len(one.dictionary) for one in encoded]
    return group_equal(values, sizes, np.ones(total, dtype=np.int64))[0]


def _read_rows(table: pa.Table, groups: Codes, attributes: int) -> Rows:
    """Read the codes and counts of a table."""
    codes = np.empty((1 + attributes, table.num_rows), dtype=np.int32)
    codes[0] = groups
    for line, column in zip(codes[1:], table.columns, strict=False):
        line[:] = column.to_numpy()
    return Rows(codes, table.columns[-1].to_numpy().astype(np.int64))


def _find_patterns(rows: Rows, attributes: Sequence[ReleasedAttribute]) -> Codes:
    """Return the level of every released cell, one line per attribute."""
    levels = np.empty_like(rows.codes[1:])
    for line, codes, attribute in zip(levels, rows.codes[1:], attributes, strict=True):
        line[:] = attribute.levels[codes]
    return levels


def _divide(originals: Rows, rows: Rows) -> Iterator[tuple[Rows, Rows]]:
    """Divide both tables into batches of whole groups, numbered from 0 in each."""
    number = 1 + max(int(one.groups.max(initial=-1)) for one in (originals, rows))
    batch_of = np.cumsum(np.bincount(originals.groups, minlength=number)) // BATCH
    for batch in np.unique(batch_of[rows.groups]):
        ours, theirs = (
            one.take(np.flatnonzero(batch_of[one.groups] == batch)) for one in (originals, rows)
        )
        for part in (ours, theirs):
            part.codes[0] -= np.searchsorted(batch_of, batch)
        yield ours, theirs


def _count_left(originals: Rows, rows: Rows, attributes: Sequence[ReleasedAttribute]) -> int:
    """Count the released rows of a batch without a private row.

    Tuples that cover their whole group are matched last. They can take any row of the group, so
    they take the rows that the other tuples leave.
    """
    number = 1 + max(int(originals.groups.max(initial=0)), int(rows.groups.max()))
    size_of = np.bincount(originals.groups, minlength=number)
    edges, covered = _find_edges(originals, rows, attributes, size_of)
    whole = covered == size_of[rows.groups]
    matched = match_rows(originals, rows, edges)
    left = _total(originals, originals.counts, number) - _total(rows, matched, number)
    last = _total(rows, np.where(whole, rows.counts, 0), number)
    return int(rows.counts.sum() - matched.sum() - np.minimum(last, left).sum())


def _total(rows: Rows, counts: Counts, groups: int) -> Counts:
    """Add up counts of rows by group."""
    totals = np.zeros(groups, dtype=np.int64)
    np.add.at(totals, rows.groups, counts)
    return totals


def _find_edges(
    originals: Rows, rows: Rows, attributes: Sequence[ReleasedAttribute], size_of: Counts
) -> tuple[list[tuple[Codes, Codes]], Counts]:
    """Find which private sequences each released tuple covers, pattern by pattern."""
    covered = np.zeros(len(rows), dtype=np.int64)
    edges = []
    for members, member, found in pair_patterns(originals, rows, attributes, len(size_of)):
        covered[members] = np.bincount(member, minlength=len(members))
        part = (covered[members] != size_of[rows.groups[members]])[member]
        edges.append((members[member[part]].astype(np.int32), found[part]))
    return edges, covered


def pair_patterns(
    originals: Rows, rows: Rows, attributes: Sequence[ReleasedAttribute], groups: int
) -> Iterator[tuple[Counts, Codes, Codes]]:
    """Yield the tuples of each pattern, and as pairs which of them covers which sequence."""
    levels = _find_patterns(rows, attributes)
    sizes = [len(attribute.lifts) for attribute in attributes]
    pattern_of, first, _ = group_equal(levels, sizes, np.ones(len(rows), dtype=np.int64))
    order = np.argsort(pattern_of, kind="stable")
    ends = np.cumsum(np.bincount(pattern_of))[:-1]
    parts = np.split(order, ends)[: len(first)]  # without tuples, there is one part, of none
    for pattern, members in zip(levels[:, first].T, parts, strict=True):
        yield members, *_join(originals, rows.take(members), attributes, pattern, groups)


def _join(
    originals: Rows,
    tuples: Rows,
    attributes: Sequence[ReleasedAttribute],
    pattern: Codes,
    groups: int,
) -> tuple[Codes, Codes]:
    """Pair the tuples of one pattern with the sequences that generalize to them."""
    lifts, sizes = [np.arange(groups, dtype=np.int32)], [groups]
    for attribute, level in zip(attributes, pattern.tolist(), strict=True):
        lifts.append(attribute.lifts[level])
        sizes.append(attribute.sizes[level])
    comparable = list_comparable(originals.codes, tuples.codes, lifts, sizes)
    together = np.concatenate([np.take(originals.codes, comparable, axis=1), tuples.codes], axis=1)
    ones = np.ones(together.shape[1], dtype=np.int64)
    class_of, first, _ = group_sequences(together, lifts, sizes, ones)
    tuple_of = np.full(len(first), -1, dtype=np.int32)
    tuple_of[class_of[len(comparable) :]] = np.arange(len(tuples), dtype=np.int32)
    covering = tuple_of[class_of[: len(comparable)]]
    return covering[covering >= 0], comparable[covering >= 0]


def match_rows(originals: Rows, rows: Rows, edges: Sequence[tuple[Codes, Codes]]) -> Counts:
    """Return for each tuple how many of its rows have a private row in a maximum matching.

    The flow goes from a source through tuples and sequences to a sink. At most `most` rows can
    flow, so larger counts are reduced to `most`.
    """
    most = min(int(originals.counts.sum()), int(rows.counts.sum()))
    if most > MOST_ROWS_MATCHED:
        raise InvalidInput(
            f"{most:,} rows must be matched at once, but the limit is {MOST_ROWS_MATCHED:,}; "
            "divide both tables by a column that is released as it is, and compare part by part"
        )
    supply, demand = np.minimum(rows.counts, most), np.minimum(originals.counts, most)
    tuples = np.arange(len(rows), dtype=np.int32)
    sequences = np.arange(len(originals), dtype=np.int32) + np.int32(len(rows))
    source = len(rows) + len(originals)
    sink = source + 1
    above, below = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    capacities = np.concatenate([supply, np.minimum(supply[above], demand[below]), demand])
    tails = np.concatenate([np.full_like(tuples, source), above, sequences])
    heads = np.concatenate([tuples, sequences[below], np.full_like(sequences, sink)])
    sent = _flow(capacities.astype(np.int32), tails, heads, source)
    return sent[: len(rows)]


def _flow(capacities: Codes, tails: Codes, heads: Codes, source: int) -> Counts:
    """Return the flow from the source to every node in a maximum flow to the last node."""
    from scipy.sparse import csr_array  # imported late because it is slow
    from scipy.sparse.csgraph import maximum_flow

    nodes = source + 2
    network = csr_array((capacities, (tails, heads)), shape=(nodes, nodes))
    flow = maximum_flow(network, source, nodes - 1, method="dinic").flow
    sent: Counts = flow[[source]].toarray()[0].astype(np.int64)
    return sent
