"""Search for a finer table by maximum flows of rows through joins, in whole numbers.

Rows flow from their sequences through joins to released tuples. A join takes no rows or at least
k. A maximum flow that ignores this condition shows either that no table exists, or where to
branch.
"""

from dataclasses import dataclass

import numpy as np

from lookalike.errors import InternalError
from lookalike.kernels.types import Counts, Flags
from lookalike.model.clock import is_over

MOST_FLOWS = 20_000
"""The number of flows after which a search is given up."""


@dataclass(frozen=True, eq=False)
class Network:
    """The network of a component, from sequences through joins to released tuples.

    ``supplied``: the number of rows of each sequence.
    ``needed``: the least number of rows of each join, if it takes any.
    ``wanted``: the number of rows of each released tuple.
    ``taken``: pairs of a sequence and a join that covers it.
    ``given``: pairs of a join and a released tuple that generalizes it.
    ``strict``: which of these pairs make rows more specific.
    """

    supplied: Counts
    needed: Counts
    wanted: Counts
    taken: Counts
    given: Counts
    strict: Flags

    def check(self, taken: Counts, given: Counts) -> None:
        """Check that a flow is a k-anonymous table between the private table and the release."""
        inflow = np.bincount(self.taken[:, 1], taken, minlength=len(self.needed))
        outflow = np.bincount(self.given[:, 0], given, minlength=len(self.needed))
        released = np.bincount(self.given[:, 1], given, minlength=len(self.wanted))
        sent = np.bincount(self.taken[:, 0], taken, minlength=len(self.supplied))
        if not (
            (inflow == outflow).all()
            and (released == self.wanted).all()
            and (sent == self.supplied).all()
            and ((inflow == 0) | (inflow >= self.needed)).all()
            and given[self.strict].sum() > 0
        ):
            raise InternalError("the flow search found a finer table that violates the requirement")


class FlowSearch:
    """A branch-and-bound search over the joins that sequences use, by maximum flows.

    A flow may send fewer rows through a join than it must take. Then the search branches on one
    of its sequences: which of the remaining joins it uses first, or that it uses only joins
    already decided on. All numbers are whole.
    """

    def __init__(self, network: Network, deadline: float) -> None:
        self.network, self.deadline = network, deadline
        self.flows = 0
        self.gave_up = False

    def use(self, allowed: Flags, pair: int) -> Counts | None:
        """Return the rows of each pair in a finer table that uses a pair; ``None`` if none does."""
        number = len(self.network.taken)
        stack = [(np.ones(number, dtype=np.bool_), np.zeros(number, dtype=np.bool_))]
        while stack:
            self.flows += 1
            if self.flows > MOST_FLOWS or is_over(self.deadline):
                self.gave_up = True
                return None
            able, forced = stack.pop()
            flow = _flow(self.network, able, forced, allowed, pair)
            if flow is None:
                continue
            taken, given = flow
            sequence = self._choose(taken, able, forced)
            if sequence is None:
                self.network.check(taken, given)
                return given
            stack += _branch(self.network, able, forced, sequence)
        return None

    def _choose(self, taken: Counts, able: Flags, forced: Flags) -> int | None:
        """Return a sequence with few open ways that uses a join with too few rows."""
        network = self.network
        inflow = np.bincount(network.taken[:, 1], taken, minlength=len(network.needed))
        short = (inflow > 0) & (inflow < network.needed)
        astray = network.taken[:, 0][(taken > 0) & short[network.taken[:, 1]]]
        if not len(astray):
            return None
        ways = np.bincount(network.taken[:, 0][able & ~forced], minlength=len(network.supplied))
        return int(astray[np.argmin(ways[astray])])


def _branch(
    network: Network, able: Flags, forced: Flags, sequence: int
) -> list[tuple[Flags, Flags]]:
    """Return the branches: the first open way that a sequence uses, or none of them."""
    ways = np.flatnonzero((network.taken[:, 0] == sequence) & able & ~forced)
    closed = able.copy()
    children = []
    for way in ways.tolist():
        chosen = forced.copy()
        chosen[way] = True
        children.append((closed.copy(), chosen))
        closed[way] = False
    return [(closed, forced), *reversed(children)]


def _flow(
    network: Network, able: Flags, forced: Flags, allowed: Flags, pair: int
) -> tuple[Counts, Counts] | None:
    """Send all rows through the network; ``None`` if that is impossible.

    At least one row must pass a forced pair, and a join in use takes at least the rows that it
    needs. Such lower limits are modelled by a flow from the source to the head of the arc, and
    one from its tail to the sink.
    """
    from scipy.sparse import csr_array  # slow to import, so only where it is needed
    from scipy.sparse.csgraph import maximum_flow

    sequences, joins = len(network.supplied), len(network.needed)
    inward, outward = sequences, sequences + joins
    end = outward + joins
    source = end + len(network.wanted)
    sender, taker = network.taken[:, 0], inward + network.taken[:, 1]
    giver, getter = outward + network.given[:, 0], end + network.given[:, 1]
    used = np.zeros(joins, dtype=np.bool_)
    used[network.taken[forced, 1]] = used[network.given[pair, 0]] = True
    least = np.where(used, network.needed, 0)
    must_take, must_give = forced.astype(np.int64), np.zeros(len(network.given), dtype=np.int64)
    must_give[pair] = 1
    rows = int(network.supplied.sum())
    middle = np.arange(joins)
    nodes = source + 2
    born, gone = np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    born[:sequences] = network.supplied
    gone[end:source] = network.wanted
    np.add.at(born, taker, must_take)
    np.add.at(gone, sender, must_take)
    np.add.at(born, outward + middle, least)
    np.add.at(gone, inward + middle, least)
    np.add.at(born, getter, must_give)
    np.add.at(gone, giver, must_give)
    places = np.arange(nodes)
    tails = np.concatenate([sender, inward + middle, giver, np.full(nodes, source), places])
    heads = np.concatenate([taker, outward + middle, getter, places, np.full(nodes, source + 1)])
    most = np.concatenate([able * rows, np.full(joins, rows), allowed * rows, born, gone])
    graph = csr_array((most.astype(np.int32), (tails, heads)), shape=(nodes, nodes))
    answer = maximum_flow(graph, source, source + 1, method="dinic")
    if answer.flow_value < born.sum():
        return None
    taken = np.asarray(answer.flow[sender, taker]).reshape(-1).astype(np.int64) + must_take
    given = np.asarray(answer.flow[giver, getter]).reshape(-1).astype(np.int64) + must_give
    return taken, given
