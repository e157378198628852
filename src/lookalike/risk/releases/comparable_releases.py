"""Bring several releases into one form in which their rows can be compared.

Rows that are equal in every relevant column become one *node* with a count. A column is relevant
if the attacker knows it or at least two releases show it.

The *pattern* of a node is the level of each of its values. Nodes of one pattern are compared with
nodes of another at the higher of both levels, column by column; compatible nodes are equal there.
Nodes that are equal there form a *block*: each of its nodes on the left is compatible with each on
the right. The program stores which nodes are in which block and never lists the pairs.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.compatible_blocks import join_patterns
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases import seen_release
from lookalike.risk.releases.label_levels import NOT_SHOWN, LabelLevels, build_label_levels


@dataclass(frozen=True, eq=False)
class Nodes:
    """The rows of a release, where rows with equal values in every relevant column are one node.

    ``name``: the release, or the releases that were joined.
    ``entries``: one line per column, one place per node: the entry in
    :class:`~lookalike.risk.releases.label_levels.LabelLevels`.
    """

    name: str
    entries: Codes
    counts: Counts

    def __len__(self) -> int:
        return len(self.counts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class ComparableReleases:
    """Several releases whose rows can be compared.

    ``columns``: for each relevant column, its labels in all releases.
    ``node_of``: for each release, the node of each of its classes.
    """

    columns: tuple[LabelLevels, ...]
    releases: tuple[Nodes, ...]
    node_of: tuple[Codes, ...]

    def classes(self, nodes: Nodes, known: seen_release.AttackerKnowledge) -> Codes:
        """Return the class of each node over the attributes that an attacker knows."""
        lines = [i for i, column in enumerate(self.columns) if column.name in known.attributes]
        columns = [self.columns[line] for line in lines]
        written = np.zeros((len(lines), len(nodes)), dtype=np.int32)
        for place, column in enumerate(columns):
            written[place] = column.written[nodes.entries[lines[place]]]
        return group_equal(written, [len(one.labels) for one in columns], nodes.counts)[0]

    def least_class(self, nodes: Nodes, known: seen_release.AttackerKnowledge) -> int | None:
        """Return the size of the smallest class over the attributes that an attacker knows."""
        sizes = np.bincount(self.classes(nodes, known), nodes.counts)
        return int(sizes.min()) if len(sizes) else None

    def write_linked(
        self, nodes: tuple[Nodes, Nodes], places: tuple[int, int], columns: Sequence[str]
    ) -> dict[str, seen_release.Label]:
        """Return the more specific label of two nodes, for some columns.

        ``places``: A node of each; negative if the person has no row in that release.
        """
        written = {}
        for line, column in enumerate(self.columns):
            if column.name in columns:
                entries = [
                    NOT_SHOWN if place < 0 else int(side.entries[line, place])
                    for side, place in zip(nodes, places, strict=True)
                ]
                shown = [entry for entry in entries if entry != NOT_SHOWN]
                levels = column.levels
                finest = min(shown, key=lambda entry: int(levels[entry]), default=NOT_SHOWN)
                written[column.name] = column.labels[finest]
        return written


def make_comparable(
    releases: seen_release.Releases,
    hierarchies: seen_release.Rules,
    known: seen_release.Known,
    without: Collection[str] = (),
) -> ComparableReleases:
    """Number the labels of all releases and merge equal rows.

    A release that does not have a column is treated as if the column were suppressed in it.
    """
    every = list(dict.fromkeys(name for release in releases for name in release.columns))
    known_names = {name for one in known for name in one.attributes}
    relevant = [
        name
        for name in every
        if name in known_names
        or (name not in without and sum(name in release.columns for release in releases) > 1)
    ]
    built = [build_label_levels(name, releases, hierarchies.get(name)) for name in relevant]
    columns = tuple(column for column, _ in built)
    merged = [
        _merge_rows(release, columns, [entries[number] for _, entries in built])
        for number, release in enumerate(releases)
    ]
    return ComparableReleases(
        columns, tuple(nodes for nodes, _ in merged), tuple(node_of for _, node_of in merged)
    )


def _merge_rows(
    release: seen_release.SeenRelease, columns: Sequence[LabelLevels], entries: Sequence[Codes]
) -> tuple[Nodes, Codes]:
    """Merge the classes of a release that have the same entry in every column."""
    codes = np.zeros((len(columns), len(release)), dtype=np.int32)
    blank = release.find_blank()
    for line, column in enumerate(columns):
        if column.name in release.columns:
            shown = entries[line][release.codes[release.position(column.name)]]
            may_be_any = blank if column.name in release.levels else False
            codes[line] = np.where(may_be_any, entries[line][-1], shown)
    sizes = [len(column.labels) for column in columns]
    node_of, first, counts = group_equal(codes, sizes, release.counts)
    return Nodes(release.name, np.take(codes, first, axis=1), counts), node_of


@dataclass(frozen=True, eq=False)
class Blocks:
    """Which nodes are in which block; two nodes share at most one block.

    ``left``, ``left_block``: the nodes of the left release that are in a block, and the number of
    the block.
    ``right``, ``right_block``: the same for the right release.
    """

    left: Codes
    left_block: Codes
    right: Codes
    right_block: Codes
    number: int


def find_blocks(left: Nodes, right: Nodes, columns: Sequence[LabelLevels]) -> Blocks:
    """Find the blocks of compatible nodes of two releases."""
    ours, our_patterns = _divide(left, columns)
    theirs, their_patterns = _divide(right, columns)
    one, two, number = join_patterns(*our_patterns, *their_patterns, *_stack(columns))
    return Blocks(ours[one[0]], one[1], theirs[two[0]], two[1], number)


def _divide(
    nodes: Nodes, columns: Sequence[LabelLevels]
) -> tuple[Codes, tuple[Codes, Counts, Codes]]:
    """Sort nodes by their pattern, the level of each column; return them as one side of a join."""
    levels = np.zeros((len(columns), len(nodes)), dtype=np.int32)
    for line, column in enumerate(columns):
        levels[line] = column.levels[nodes.entries[line]]
    patterns, place = np.unique(levels, axis=1, return_inverse=True)
    order = np.argsort(place, kind="stable").astype(np.int32)
    starts = np.searchsorted(place[order], np.arange(patterns.shape[1] + 1)).astype(np.int64)
    entries = np.take(nodes.entries, order, axis=1)
    return order, (entries, starts, np.ascontiguousarray(patterns.T))


def _stack(columns: Sequence[LabelLevels]) -> tuple[Codes, Counts]:
    """Concatenate the lifts of all columns; return them and where each level begins."""
    highest = max((len(column.sizes) for column in columns), default=0)
    offsets = np.zeros((len(columns), highest), dtype=np.int64)
    parts, end = [np.zeros(0, dtype=np.int32)], 0
    for line, column in enumerate(columns):
        steps, entries = column.lifts.shape
        offsets[line, :steps] = end + entries * np.arange(steps)
        parts.append(column.lifts.ravel())
        end += steps * entries
    return np.concatenate(parts), offsets
