"""Nodes: a release as what any other release could be matched with."""

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
    """Rows that nothing tells apart, neither to a person's knowledge nor to another release.

    Parameters
    ----------
    name
        The release, or the releases that were joined.
    entries
        One line a column of any release, one place a node: its entry on the column's ladder.
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
    """Several releases, laid out so that they can be compared.

    Parameters
    ----------
    ladders
        For each column that matters, the values that occur.
    releases
        The nodes of each release.
    node_of
        For each release, the node of each of its classes.
    """

    ladders: tuple[LabelLevels, ...]
    releases: tuple[Nodes, ...]
    node_of: tuple[Codes, ...]

    def classes(self, nodes: Nodes, known: AttackerKnowledge) -> Codes:
        """Number the classes of nodes over what an attacker knows."""
        lines = [i for i, ladder in enumerate(self.ladders) if ladder.column in known.attributes]
        ladders = [self.ladders[line] for line in lines]
        written = np.zeros((len(lines), len(nodes)), dtype=np.int32)
        for place, ladder in enumerate(ladders):
            written[place] = ladder.written[nodes.entries[lines[place]]]
        return number_alike(written, ladders, nodes.counts)[0]

    def least_class(self, nodes: Nodes, known: AttackerKnowledge) -> int | None:
        """Return the size of the smallest class over what an attacker knows."""
        sizes = np.bincount(self.classes(nodes, known), nodes.counts)
        return int(sizes.min()) if len(sizes) else None

    def write_linked(
        self, nodes: tuple[Nodes, Nodes], ends: tuple[int, int], columns: Sequence[str]
    ) -> dict[str, Label]:
        """Write what two nodes tell together: of each column the more specific value.

        A negative end is of somebody who is not in that release.
        """
        written = {}
        for line, ladder in enumerate(self.ladders):
            if ladder.column in columns:
                entries = [
                    NOT_SHOWN if end < 0 else int(side.entries[line, end])
                    for side, end in zip(nodes, ends, strict=True)
                ]
                shown = [entry for entry in entries if entry != NOT_SHOWN]
                finest = min(shown, key=lambda entry: int(ladder.levels[entry]), default=NOT_SHOWN)
                written[ladder.column] = ladder.labels[finest]
        return written


def make_comparable(
    releases: Sequence[SeenRelease],
    hierarchies: Mapping[str, Hierarchy],
    known: Sequence[AttackerKnowledge],
    without: Collection[str] = (),
) -> ComparableReleases:
    """Lay releases out over the columns that somebody knows or that two of them share.

    A column that a release lacks tells nothing there, as if it were suppressed.

    Parameters
    ----------
    releases
        The releases.
    hierarchies
        The hierarchy of each column whose level differs.
    known
        What an attacker knows of a person.
    without
        Columns that are left out, although releases share them.
    """
    every = list(dict.fromkeys(column for release in releases for column in release.columns))
    somebody = {name for one in known for name in one.attributes}
    columns = [
        name
        for name in every
        if name in somebody
        or (name not in without and sum(name in release.columns for release in releases) > 1)
    ]
    laid = [build_label_levels(name, releases, hierarchies.get(name)) for name in columns]
    ladders = tuple(ladder for ladder, _ in laid)
    gathered = [
        _gather(release, ladders, [entries[number] for _, entries in laid])
        for number, release in enumerate(releases)
    ]
    return ComparableReleases(
        ladders, tuple(nodes for nodes, _ in gathered), tuple(place for _, place in gathered)
    )


def _gather(
    release: SeenRelease, ladders: Sequence[LabelLevels], entries: Sequence[Codes]
) -> tuple[Nodes, Codes]:
    """Gather the classes of a release that are alike on every ladder."""
    codes = np.zeros((len(ladders), len(release)), dtype=np.int32)
    blank = release.find_blank()
    for line, ladder in enumerate(ladders):
        if ladder.column in release.columns:
            shown = entries[line][release.codes[release.position(ladder.column)]]
            may_be_any = blank if ladder.column in release.levels else False
            codes[line] = np.where(may_be_any, entries[line][-1], shown)
    node_of, first, counts = number_alike(codes, ladders, release.counts)
    return Nodes(release.name, np.take(codes, first, axis=1), counts), node_of


def number_alike(
    entries: Codes, ladders: Sequence[LabelLevels], counts: Counts
) -> tuple[Codes, Codes, Counts]:
    """Number sequences of entries that are equal; return the first and the rows of each."""
    return group_equal(entries, [len(ladder.labels) for ladder in ladders], counts)
