"""Bring several releases into one form in which their rows can be compared.

Rows that are equal in every relevant column become one *node* with a count. A column is relevant
if the attacker knows it or at least two releases show it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy import Hierarchy
from lookalike.kernels.grouping import group_equal
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.label_levels import NOT_SHOWN, LabelLevels, build_label_levels
from lookalike.risk.releases.seen_release import AttackerKnowledge, Label, SeenRelease


@dataclass(frozen=True, eq=False)
class Nodes:
    """The rows of a release, where rows with equal values in every relevant column are one node.

    Parameters
    ----------
    name
        The release, or the releases that were joined.
    entries
        One line per column, one place per node: the entry in
        :class:`~lookalike.risk.releases.label_levels.LabelLevels`.
    counts
        The number of rows of each node.
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

    Parameters
    ----------
    columns
        For each relevant column, its labels in all releases.
    releases
        The nodes of each release.
    node_of
        For each release, the node of each of its classes.
    """

    columns: tuple[LabelLevels, ...]
    releases: tuple[Nodes, ...]
    node_of: tuple[Codes, ...]

    def classes(self, nodes: Nodes, known: AttackerKnowledge) -> Codes:
        """Return the class of each node over the attributes that an attacker knows."""
        lines = [i for i, column in enumerate(self.columns) if column.name in known.attributes]
        columns = [self.columns[line] for line in lines]
        written = np.zeros((len(lines), len(nodes)), dtype=np.int32)
        for place, column in enumerate(columns):
            written[place] = column.written[nodes.entries[lines[place]]]
        return group_entries(written, columns, nodes.counts)[0]

    def least_class(self, nodes: Nodes, known: AttackerKnowledge) -> int | None:
        """Return the size of the smallest class over the attributes that an attacker knows."""
        sizes = np.bincount(self.classes(nodes, known), nodes.counts)
        return int(sizes.min()) if len(sizes) else None

    def write_linked(
        self, nodes: tuple[Nodes, Nodes], places: tuple[int, int], columns: Sequence[str]
    ) -> dict[str, Label]:
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
    releases: Sequence[SeenRelease],
    hierarchies: Mapping[str, Hierarchy],
    known: Sequence[AttackerKnowledge],
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
    release: SeenRelease, columns: Sequence[LabelLevels], entries: Sequence[Codes]
) -> tuple[Nodes, Codes]:
    """Merge the classes of a release that have the same entry in every column."""
    codes = np.zeros((len(columns), len(release)), dtype=np.int32)
    blank = release.find_blank()
    for line, column in enumerate(columns):
        if column.name in release.columns:
            shown = entries[line][release.codes[release.position(column.name)]]
            may_be_any = blank if column.name in release.levels else False
            codes[line] = np.where(may_be_any, entries[line][-1], shown)
    node_of, first, counts = group_entries(codes, columns, release.counts)
    return Nodes(release.name, np.take(codes, first, axis=1), counts), node_of


def group_entries(
    entries: Codes, columns: Sequence[LabelLevels], counts: Counts
) -> tuple[Codes, Codes, Counts]:
    """Group equal sequences of entries; see :func:`~lookalike.kernels.grouping.group_equal`."""
    return group_equal(entries, [len(column.labels) for column in columns], counts)
