"""Flow: which pairs of compatible rows some world could have joined.

A *world* says for each person which row of the one release is theirs, or none, and which row
of the other, or none, so that every row is somebody's and rows of one person are compatible.
With so many people, those without a row on a side are as many as the rows that it lacks. So a
world is a flow of people from the nodes of the left, and from *absent* there, to the nodes of
the right and to *absent* there, that uses all of every node.

One such flow is found as a maximum flow. Another differs from it by cycles in the residual
graph, in which every compatible pair is an arc forward, and every pair that has flow one
backward, too. So a pair has flow in some world if and only if both ends lie in the same strongly
connected component: either it has flow already, or a cycle through it can give it some.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.certain_exposure import Worlds
from lookalike.risk.releases.comparable_releases import Nodes
from lookalike.risk.releases.compatible_blocks import Blocks

MOST_PEOPLE = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Possible:
    """What some world allows, as the blocks that remain.

    Parameters
    ----------
    blocks
        Two nodes are together in a block if and only if some world gives a person a row of each.
    left_alone, right_alone
        Which nodes have a row that some world gives to a person without a row on the other side.
    nobody
        Whether some world has a person without any row.
    worlds
        Tells where every world has somebody.
    """

    blocks: Blocks
    left_alone: Flags
    right_alone: Flags
    nobody: bool
    worlds: Worlds

    def has_somebody(self, left: Codes | None, right: Codes | None) -> bool | None:
        """Tell whether every world has somebody with rows of some nodes; nothing if undecided.

        Parameters
        ----------
        left, right
            Nodes of either side; nothing for somebody without a row there.
        """
        return self.worlds.has_somebody(
            np.array([self.worlds.first_block - 1]) if left is None else left + 1,
            np.array([len(self.worlds.component) - 1])
            if right is None
            else right + self.worlds.first_right,
        )


def find_possible(left: Nodes, right: Nodes, blocks: Blocks, people: int) -> Possible:
    """Find what the worlds of two releases allow.

    Parameters
    ----------
    left, right
        The nodes of both.
    blocks
        Which of them are compatible.
    people
        How many people there are, those without a row included.

    Raises
    ------
    InvalidInput
        If there is no world: the releases contradict each other.
    """
    network = _Network(left, right, blocks)
    sent = network.send(people)
    if sent is None:
        raise _contradiction(left.name, right.name, people)
    component = network.components(sent)
    ours, theirs = component[network.left], component[network.right]
    middle = component[network.blocks]
    kept_left = ours[blocks.left] == middle[blocks.left_block]
    kept_right = theirs[blocks.right] == middle[blocks.right_block]
    absent_left, absent_right = component[network.absent_left], component[network.absent_right]
    return Possible(
        Blocks(
            blocks.left[kept_left],
            blocks.left_block[kept_left],
            blocks.right[kept_right],
            blocks.right_block[kept_right],
            blocks.number,
        ),
        left_alone=ours == absent_right,
        right_alone=theirs == absent_left,
        nobody=bool(absent_left == absent_right),
        worlds=network.vary(sent, component),
    )


def find_world(
    left: Nodes, right: Nodes, blocks: Blocks, people: int
) -> tuple[Codes, Codes, Counts] | None:
    """Find one world: which nodes it joins, and for how many people.

    Absent is the node after the last of its side. Nothing, if the releases contradict each other.
    """
    sent = _Network(left, right, blocks).send(people)
    if sent is None:
        return None
    edges = np.cumsum([len(blocks.left), len(blocks.right), len(left), len(right)])
    into, out_of, ours, theirs, _ = np.split(sent.astype(np.int64), edges)
    one, two, counts = _pair_up(blocks, into, out_of)
    alone, other = np.flatnonzero(ours), np.flatnonzero(theirs)
    return (
        np.concatenate([one, alone, np.full(len(other), len(left))]).astype(np.int32),
        np.concatenate([two, np.full(len(alone), len(right)), other]).astype(np.int32),
        np.concatenate([counts, ours[alone], theirs[other]]),
    )


def count_matched(left: Nodes, right: Nodes, blocks: Blocks) -> int:
    """Count the rows that can be joined at most, each with a compatible row of its own."""
    return _Network(left, right, blocks).match()


def _pair_up(blocks: Blocks, into: Counts, out_of: Counts) -> tuple[Codes, Codes, Counts]:
    """Divide what flows through each block among pairs of its nodes, in any way."""
    first = np.argsort(blocks.left_block, kind="stable")
    second = np.argsort(blocks.right_block, kind="stable")
    ours, theirs = np.cumsum(into[first]), np.cumsum(out_of[second])
    ends = np.union1d(ours, theirs)
    ends = ends[ends > 0]
    counts = np.diff(ends, prepend=0)
    one = blocks.left[first][np.searchsorted(ours, ends)]
    two = blocks.right[second][np.searchsorted(theirs, ends)]
    return one, two, counts


class _Network:
    """The nodes of the flow, by number: source, left, absent, blocks, right, absent, sink."""

    def __init__(self, left: Nodes, right: Nodes, blocks: Blocks) -> None:
        self.supply, self.demand = left.counts, right.counts
        self.left = np.arange(1, len(left) + 1)
        self.absent_left = len(left) + 1
        self.blocks = self.absent_left + 1 + np.arange(blocks.number)
        self.right = self.absent_left + 1 + blocks.number + np.arange(len(right))
        self.absent_right = self.absent_left + 1 + blocks.number + len(right)
        self.sink = self.absent_right + 1
        self.tails = np.concatenate(
            [
                self.left[blocks.left],
                self.blocks[blocks.right_block],
                self.left,
                np.full(len(right) + 1, self.absent_left),
            ]
        )
        self.heads = np.concatenate(
            [
                self.blocks[blocks.left_block],
                self.right[blocks.right],
                np.full(len(left), self.absent_right),
                self.right,
                [self.absent_right],
            ]
        )

    def components(self, sent: Codes) -> Codes:
        """Return the component of each node in what is residual of a flow."""
        from scipy.sparse import csr_array  # slow to import, so no sooner than it is needed
        from scipy.sparse.csgraph import connected_components

        back = sent > 0
        tails = np.concatenate([self.tails, self.heads[back]])
        heads = np.concatenate([self.heads, self.tails[back]])
        residual = csr_array((np.ones(len(tails), np.int8), (tails, heads)), (self.sink,) * 2)
        component: Codes = connected_components(residual, connection="strong")[1]
        return component

    def vary(self, sent: Codes, component: Codes) -> Worlds:
        """Keep the arcs that another world may use differently."""
        inside = component[self.tails] == component[self.heads]
        first_right = self.absent_left + 1 + len(self.blocks)
        return Worlds(
            tails=self.tails[inside],
            heads=self.heads[inside],
            sent=sent[inside].astype(np.int64),
            first_block=self.absent_left + 1,
            first_right=first_right,
            component=component,
        )

    def send(self, people: int) -> Codes | None:
        """Return what a flow that uses all of every node sends along each arc, if there is one."""
        if people > MOST_PEOPLE:
            raise InvalidInput(
                f"{people:,} people are too many to match; {MOST_PEOPLE:,} are the most"
            )
        found = self._flow(people - self.supply.sum(), people - self.demand.sum())
        if found.flow_value < people:
            return None
        sent: Codes = np.asarray(found.flow[self.tails, self.heads]).ravel()
        return sent

    def match(self) -> int:
        """Return how many rows a flow joins at most."""
        return int(self._flow(0, 0).flow_value)

    def _flow(self, absent_left: int, absent_right: int) -> Any:
        """Find a maximum flow, with so many people without a row on either side."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import maximum_flow

        supply = np.append(self.supply, absent_left)
        demand = np.append(self.demand, absent_right)
        starts, ends = np.arange(1, len(supply) + 1), np.append(self.right, self.absent_right)
        tails = np.concatenate([np.zeros(len(starts), np.int64), self.tails, ends])
        heads = np.concatenate([starts, self.heads, np.full(len(ends), self.sink)])
        free = np.full(len(self.tails), supply.sum())
        capacity = np.concatenate([supply, free, demand])
        graph = csr_array((capacity.astype(np.int32), (tails, heads)), shape=(self.sink + 1,) * 2)
        return maximum_flow(graph, 0, self.sink, method="dinic")


class Contradiction(InvalidInput):
    """Two releases cannot tell of the same people."""


def _contradiction(left: str, right: str, people: int) -> Contradiction:
    """Say that two releases cannot tell of the same people."""
    return Contradiction(
        f"{left} and {right} contradict each other: {people:,} people cannot have given both, "
        "because too few of their rows are compatible. Are they of one source, and is the "
        "specification theirs? If people left the source between them, tell how many people they "
        "are about together (--people)"
    )
