"""Find which compatible rows of two releases can belong to the same person.

A *world* assigns to each person a row of either release, or no row, so that every row belongs to
one person and the two rows of a person are compatible. The number of people is fixed, so the people
without a row in a release number people minus rows. A world is therefore a flow of people: from the
nodes of the left release, and from a node *absent*, to the nodes of the right release and to
another node *absent*, where every node is used completely.

One such flow is found as a maximum flow. Any other differs from it by cycles in the residual graph,
which has an arc forward for every compatible pair and an arc backward for every pair with flow. So
some world joins a pair if and only if both ends lie in the same strongly connected component: the
pair has flow already, or a cycle through it can give it flow.

:class:`Worlds` decides whether every world has a person in a given pair of classes. Worlds differ
inside of the components only, so each component is checked on its own. In a world without a person
in both classes, the flow does not use the arcs between them: people of the one class pass through
copies of their blocks that do not lead to the other class. If the maximum flow under this
restriction is as large as before, such a world exists. Otherwise every world has a person in both.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.comparable_releases import Blocks, Nodes

Places = npt.NDArray[np.int_ | np.int32]
"""Numbers of nodes."""


def find_maximum_flow(
    capacity: npt.NDArray[np.integer[Any]], tails: Places, heads: Places, source: int, sink: int
) -> Any:
    """Return scipy's result for a maximum flow; the sink must be the last node.

    Examples
    --------
    >>> tails, heads = np.array([0, 0, 1, 2]), np.array([1, 2, 3, 3])
    >>> int(find_maximum_flow(np.array([2, 3, 1, 5]), tails, heads, 0, 3).flow_value)
    4
    """
    from scipy.sparse import csr_array  # imported late because it is slow
    from scipy.sparse.csgraph import maximum_flow

    network = csr_array((capacity.astype(np.int32), (tails, heads)), shape=(sink + 1,) * 2)
    return maximum_flow(network, source, sink, method="dinic")


MOST_ARCS = 5_000_000
"""The check stops after so many arcs; the remaining sequences stay undecided."""


class Worlds:
    """The arcs of one world that another may use differently, ordered by component.

    ``tails``, ``heads``: the ends of each arc, which lie in one component.
    ``sent``: the number of people on each arc in the world that was found.
    ``first_block``, ``first_right``: the numbers at which blocks and nodes of the right release
    begin.
    ``work``: the number of arcs that may still be read.
    """

    def __init__(self, network: "_Network", sent: Codes, component: Codes) -> None:
        inside = np.flatnonzero(component[network.tails] == component[network.heads])
        order = inside[np.argsort(component[network.tails[inside]], kind="stable")]
        self.tails, self.heads = network.tails[order], network.heads[order]
        self.sent, self.component = sent[order].astype(np.int64), component
        self.first_block = network.absent_left + 1
        self.first_right = self.first_block + len(network.blocks)
        self.work = MOST_ARCS
        numbers = np.arange(int(component.max(initial=0)) + 2)
        self._starts = np.searchsorted(component[self.tails], numbers).astype(np.int64)

    def has_somebody(self, left: Codes | None, right: Codes | None) -> bool | None:
        """Return whether every world sends people from some nodes to others; None if undecided."""
        ours = np.array([self.first_block - 1]) if left is None else left + 1
        theirs = np.array([len(self.component) - 1]) if right is None else right + self.first_right
        common = np.intersect1d(self.component[ours], self.component[theirs])
        places = [slice(self._starts[one], self._starts[one + 1]) for one in common]
        cost = int(sum(place.stop - place.start for place in places))
        if cost > self.work:
            return None
        self.work -= cost
        return any(self._is_certain(place, ours, theirs) for place in places)

    def _is_certain(self, place: slice, left: Places, right: Places) -> bool:
        """Return whether every world sends people between the nodes within one component."""
        tails, heads, sent = self.tails[place], self.heads[place], self.sent[place]
        ours, theirs = np.isin(tails, left), np.isin(heads, right)
        into, out_of = heads < self.first_right, tails >= self.first_block
        ends, local = np.unique(np.concatenate([tails, heads]), return_inverse=True)
        tails, heads, number = local[: len(tails)], local[len(tails) :], len(ends)

        def add_up(ends: Places, some: Flags) -> Counts:
            return np.bincount(ends[some], sent[some], number).astype(np.int64)

        surplus = add_up(heads, ours & into) + add_up(tails, theirs & out_of)
        surplus -= add_up(tails, out_of)
        if not ((surplus > 0).any() or sent[ours & theirs].any()):
            return False  # this world has nobody there
        every, source, sink = np.arange(number), 2 * number, 2 * number + 1
        kept, onward = ~(ours & theirs), out_of & ~theirs
        turned = heads + np.where(ours & into, number, 0)  # to the copies of blocks
        starts = [tails[kept], tails[onward] + number, np.full(number, source), every]
        stops = [turned[kept], heads[onward], every, np.full(number, sink)]
        supply, demand = add_up(tails, ~out_of), add_up(heads, ~into)
        free = np.full(kept.sum() + onward.sum(), supply.sum())
        capacity = np.concatenate([free, supply, demand])
        arcs = np.concatenate(starts), np.concatenate(stops)
        avoiding = find_maximum_flow(capacity, *arcs, source, sink)
        return bool(avoiding.flow_value < supply.sum())


MOST_PEOPLE = 2**31 - 1
"""The largest flow that scipy can count."""


@dataclass(frozen=True, eq=False)
class Possible:
    """What is possible in at least one world.

    ``blocks``: two nodes share a block if and only if some world gives one person a row of each.
    ``left_alone``, ``right_alone``: which nodes have a row that some world gives to a person
    without a row in the other release.
    ``nobody``: whether some world has a person without any row.
    ``worlds``: decides where every world has a person.
    """

    blocks: Blocks
    left_alone: Flags
    right_alone: Flags
    nobody: bool
    worlds: Worlds


def find_possible(left: Nodes, right: Nodes, blocks: Blocks, people: int) -> Possible:
    """Find what is possible in some world of two releases."""
    network = _Network(left, right, blocks)
    sent = network.send(people)
    if sent is None:
        raise Contradiction(
            f"{left.name} and {right.name} contradict each other: they cannot both be about the "
            f"same {people:,} people, because too few of their rows are compatible. Check that "
            "they come from one source and that the specification belongs to them. If people left "
            "the source between the releases, give the number of people in all sources together "
            "(--people)"
        )
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
        worlds=Worlds(network, sent, component),
    )


def find_world(
    left: Nodes, right: Nodes, blocks: Blocks, people: int
) -> tuple[Codes, Codes, Counts] | None:
    """Find one world: which nodes it joins, and for how many people.

    The node after the last one of a release stands for *absent*. The result is None if the
    releases contradict each other.
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
    """Return the largest number of rows that can be paired with compatible rows, one to one."""
    return int(_Network(left, right, blocks).flow(0, 0).flow_value)


def _pair_up(blocks: Blocks, into: Counts, out_of: Counts) -> tuple[Codes, Codes, Counts]:
    """Divide the flow through each block among pairs of its nodes, in any way."""
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
    """The flow network, its nodes numbered: source, left, absent, blocks, right, absent, sink."""

    def __init__(self, left: Nodes, right: Nodes, blocks: Blocks) -> None:
        self.supply, self.demand = left.counts, right.counts
        self.left = np.arange(1, len(left) + 1)
        self.absent_left = len(left) + 1
        self.blocks = self.absent_left + 1 + np.arange(blocks.number)
        self.right = self.absent_left + 1 + blocks.number + np.arange(len(right))
        self.absent_right = self.absent_left + 1 + blocks.number + len(right)
        self.sink = self.absent_right + 1
        arcs = (
            (self.left[blocks.left], self.blocks[blocks.left_block]),
            (self.blocks[blocks.right_block], self.right[blocks.right]),
            (self.left, np.full(len(left), self.absent_right)),
            (np.full(len(right) + 1, self.absent_left), np.append(self.right, self.absent_right)),
        )
        self.tails, self.heads = (np.concatenate(ends) for ends in zip(*arcs, strict=True))

    def components(self, sent: Codes) -> Codes:
        """Return the strongly connected component of each node in the residual graph of a flow."""
        from scipy.sparse import csr_array  # imported late because it is slow
        from scipy.sparse.csgraph import connected_components

        back = sent > 0
        tails = np.concatenate([self.tails, self.heads[back]])
        heads = np.concatenate([self.heads, self.tails[back]])
        residual = csr_array((np.ones(len(tails), np.int8), (tails, heads)), (self.sink,) * 2)
        component: Codes = connected_components(residual, connection="strong")[1]
        return component

    def send(self, people: int) -> Codes | None:
        """Return the flow along each arc if a flow uses every node completely, else None."""
        if people > MOST_PEOPLE:
            raise InvalidInput(
                f"{people:,} people are too many to match; the limit is {MOST_PEOPLE:,}"
            )
        found = self.flow(people - self.supply.sum(), people - self.demand.sum())
        if found.flow_value < people:
            return None
        sent: Codes = np.asarray(found.flow[self.tails, self.heads]).ravel()
        return sent

    def flow(self, absent_left: int, absent_right: int) -> Any:
        """Find a maximum flow, given the numbers of people without a row in either release."""
        supply = np.append(self.supply, absent_left)
        demand = np.append(self.demand, absent_right)
        starts, ends = np.arange(1, len(supply) + 1), np.append(self.right, self.absent_right)
        tails = np.concatenate([np.zeros(len(starts), np.int64), self.tails, ends])
        heads = np.concatenate([starts, self.heads, np.full(len(ends), self.sink)])
        free = np.full(len(self.tails), supply.sum())
        capacity = np.concatenate([supply, free, demand])
        return find_maximum_flow(capacity, tails, heads, 0, self.sink)


class Contradiction(InvalidInput):
    """Two releases cannot be about the same people."""
