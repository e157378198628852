"""Decide whether every possible world has a person in a given pair of classes.

Worlds differ by cycles inside the strongly connected components of the residual graph
(:mod:`lookalike.risk.releases.possible_worlds`), so each component is checked on its own. In a
world without a person in both classes, the flow does not use the arcs between them: people of the
one class pass through copies of their blocks that do not lead to the other class. If the maximum
flow under this restriction is as large as before, such a world exists. Otherwise every world has a
person in both classes.
"""

from dataclasses import dataclass, field

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.risk.releases.maximum_flow import Places, find_maximum_flow

MOST_ARCS = 5_000_000
"""The check stops after so many arcs; the remaining sequences stay undecided."""


@dataclass(eq=False)
class Worlds:
    """The arcs of one world that another may use differently, ordered by component.

    Parameters
    ----------
    tails, heads
        The ends of each arc, which lie in one component.
    sent
        The number of people on each arc in the world that was found.
    first_block, first_right
        The numbers at which blocks and nodes of the right release begin.
    component
        The component of each end.
    work
        The number of arcs that may still be read.
    """

    tails: Places
    heads: Places
    sent: Counts
    first_block: int
    first_right: int
    component: Codes
    work: int = MOST_ARCS
    _starts: Counts = field(init=False)

    def __post_init__(self) -> None:
        of_arc = self.component[self.tails]
        order = np.argsort(of_arc, kind="stable")
        self.tails, self.heads, self.sent = self.tails[order], self.heads[order], self.sent[order]
        number = int(self.component.max(initial=0)) + 2
        self._starts = np.searchsorted(of_arc[order], np.arange(number)).astype(np.int64)

    def has_somebody(self, left: Places, right: Places) -> bool | None:
        """Return whether every world sends people from some nodes to others; None if undecided."""
        common = np.intersect1d(self.component[left], self.component[right])
        places = [slice(self._starts[one], self._starts[one + 1]) for one in common]
        cost = int(sum(place.stop - place.start for place in places))
        if cost > self.work:
            return None
        self.work -= cost
        return any(self._is_certain(place, left, right) for place in places)

    def _is_certain(self, place: slice, left: Places, right: Places) -> bool:
        """Return whether every world sends people between the nodes within one component."""
        tails, heads = self.tails[place], self.heads[place]
        ends, local = np.unique(np.concatenate([tails, heads]), return_inverse=True)
        part = _Part(
            tails=local[: len(tails)],
            heads=local[len(tails) :],
            sent=self.sent[place],
            number=len(ends),
            into=heads < self.first_right,
            out_of=tails >= self.first_block,
            ours=np.isin(tails, left),
            theirs=np.isin(heads, right),
        )
        return part.is_used() and not part.can_be_avoided()


@dataclass(frozen=True, eq=False)
class _Part:
    """The arcs of one component, with its ends numbered from 0 on."""

    tails: Places
    heads: Places
    sent: Counts
    number: int
    into: Flags
    out_of: Flags
    ours: Flags
    theirs: Flags

    def is_used(self) -> bool:
        """Return whether the world found has a person there, however blocks pair people."""
        entering, leaving = self.ours & self.into, self.theirs & self.out_of
        bound = (
            self._add_up(self.heads, entering)
            + self._add_up(self.tails, leaving)
            - self._add_up(self.tails, self.out_of)
        )
        return bool((bound > 0).any() or self.sent[self.ours & self.theirs].any())

    def can_be_avoided(self) -> bool:
        """Return whether as many people can flow without the arcs between the two classes."""
        every, copies = np.arange(self.number), self.number
        source, sink = 2 * self.number, 2 * self.number + 1
        kept, onward = ~(self.ours & self.theirs), self.out_of & ~self.theirs
        turned = self.heads + np.where(self.ours & self.into, copies, 0)
        tails = [self.tails[kept], self.tails[onward] + copies, np.full(self.number, source), every]
        heads = [turned[kept], self.heads[onward], every, np.full(self.number, sink)]
        supply = self._add_up(self.tails, ~self.out_of)
        demand = self._add_up(self.heads, ~self.into)
        people = supply.sum()
        free = np.full(kept.sum() + onward.sum(), people)
        capacity = np.concatenate([free, supply, demand])
        ends = np.concatenate(tails), np.concatenate(heads)
        return bool(find_maximum_flow(capacity, *ends, source, sink).flow_value == people)

    def _add_up(self, ends: Places, some: Flags) -> Counts:
        """Add up the flow of some arcs at each end."""
        total: Counts = np.bincount(ends[some], self.sent[some], self.number).astype(np.int64)
        return total
