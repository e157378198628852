"""Several: three releases and more, where the exact answer is too hard to compute.

Whether people can be given rows of three releases at once is 3-dimensional matching, which is
NP-hard. Two bounds are honest:

- *An attack that was found* is an upper bound on the k that is left. Each pair of releases is
  linked exactly, and what a pair rules out, all releases together rule out. A sequence of a pair
  counts if a world of all releases has somebody there: one in which every world of the pair has,
  or one that a world has which was found by adding release after release.
- *A proof* is a lower bound. Where the worlds of two releases join their nodes in one way only,
  nothing is left open by joining them to one release, and so on. If two remain, they are linked
  exactly, and each sequence has its history in every release. If more remain, rows that are alike
  in all that any other release shows can be exchanged in every world.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import ComparableReleases, Nodes
from lookalike.risk.releases.compatible_blocks import find_blocks
from lookalike.risk.releases.label_levels import NOT_SHOWN
from lookalike.risk.releases.link_classes import ReleaseClasses, link_classes
from lookalike.risk.releases.linked_table import NO_CLASS, LinkedTable
from lookalike.risk.releases.possible_worlds import Possible, find_possible, find_world
from lookalike.risk.releases.seen_release import AttackerKnowledge


@dataclass(frozen=True, eq=False)
class _Joined:
    """A release, or several that were joined.

    Parameters
    ----------
    nodes
        What is known of people.
    class_of
        The class of each node: its history of classes.
    """

    nodes: Nodes
    class_of: Codes


def find_attack(
    ground: ComparableReleases,
    people: int,
    known: AttackerKnowledge,
    linked: Mapping[tuple[int, int], LinkedTable],
) -> int | None:
    """Return how few rows some sequence is left with that a world of all releases has.

    Parameters
    ----------
    ground
        The releases.
    people
        How many people there are.
    known
        What the attacker knows.
    linked
        What linking every two releases leaves; only sequences below k are looked for.
    """
    certain = [one.certain_k for one in linked.values()]
    world = _find_world(ground, people)
    seen = [] if world is None else _look_for(ground, known, linked, world)
    return min((k for k in [*certain, *seen] if k is not None), default=None)


def _look_for(
    ground: ComparableReleases,
    known: AttackerKnowledge,
    linked: Mapping[tuple[int, int], LinkedTable],
    world: Codes,
) -> Iterator[int]:
    """Yield the rows that exposed sequences of two releases are left with, where somebody is."""
    classes = [np.append(ground.classes(nodes, known), NO_CLASS) for nodes in ground.releases]
    for (one, two), found in linked.items():
        exposed, size = found.exposed, len(ground.releases[two]) + 1
        peopled = classes[one][world[one]].astype(np.int64) * size + classes[two][world[two]]
        wanted = classes[one][exposed.left].astype(np.int64) * size + classes[two][exposed.right]
        yield from exposed.rows[np.isin(wanted, peopled)].tolist()


def _find_world(ground: ComparableReleases, people: int) -> Codes | None:
    """Find a world of all releases: by release and group of people, their node or the one after.

    Release after release is added by a flow; if one does not fit what was chosen before, no
    world is found, though there may be one.
    """
    joined = ground.releases[0]
    world = np.arange(len(joined), dtype=np.int32)[np.newaxis]
    for nodes in ground.releases[1:]:
        blocks = find_blocks(joined, nodes, ground.ladders)
        pairs = find_world(joined, nodes, blocks, people)
        if pairs is None:
            return None
        one, two, counts = pairs
        absent = np.array([[len(before)] for before in ground.releases[: len(world)]], np.int32)
        world = np.concatenate([np.concatenate([world, absent], axis=1)[:, one], two[np.newaxis]])
        joined = _meet(ground, joined, nodes, one, two, counts)
    return world


def prove_left(ground: ComparableReleases, people: int, known: AttackerKnowledge) -> int | None:
    """Return a number of rows that every sequence of all releases is left with at least."""
    pool = [_Joined(nodes, ground.classes(nodes, known)) for nodes in ground.releases]
    while len(pool) > 2:
        joined = _join_any(ground, pool, people)
        if joined is None:
            counts = np.concatenate([one.nodes.counts for one in pool])
            return int(counts.min()) if len(counts) else None
        pool = joined
    one, two = pool
    possible = _possible(ground, one, two, people)
    return link_classes(
        ReleaseClasses(one.nodes, one.class_of),
        ReleaseClasses(two.nodes, two.class_of),
        possible,
        known,
    ).k


def _join_any(
    ground: ComparableReleases, pool: Sequence[_Joined], people: int
) -> list[_Joined] | None:
    """Join the first two releases whose nodes can be joined in one way only."""
    for one, two in combinations(pool, 2):
        pairs = _settled(one.nodes, two.nodes, _possible(ground, one, two, people), people)
        if pairs is not None:
            rest = [other for other in pool if other is not one and other is not two]
            return [_join(ground, one, two, *pairs), *rest]
    return None


def _possible(ground: ComparableReleases, one: _Joined, two: _Joined, people: int) -> Possible:
    """Find what the worlds of two releases allow."""
    blocks = find_blocks(one.nodes, two.nodes, ground.ladders)
    return find_possible(one.nodes, two.nodes, blocks, people)


def _settled(
    left: Nodes, right: Nodes, possible: Possible, people: int
) -> tuple[Codes, Codes, Counts] | None:
    """Return which nodes are joined and for how many people, if that is the same in every world.

    It is if of any two nodes that may be joined, one may be joined with no other: all its rows
    go there. Absent is a node like others, the last on its side.
    """
    pairs = _list_pairs(left, right, possible)
    if pairs is None:
        return None
    one, two = pairs
    ours = np.append(left.counts, people - left.rows)
    theirs = np.append(right.counts, people - right.rows)
    bound_left = np.bincount(one, minlength=len(ours))[one] == 1
    bound_right = np.bincount(two, minlength=len(theirs))[two] == 1
    if not (bound_left | bound_right).all():
        return None
    counts = np.where(bound_left, ours[one], theirs[two])
    somebody = (one < len(left)) | (two < len(right))
    return one[somebody], two[somebody], counts[somebody]


def _list_pairs(left: Nodes, right: Nodes, possible: Possible) -> tuple[Codes, Codes] | None:
    """List the pairs of nodes that may be joined, unless a block has several on either side."""
    blocks = possible.blocks
    ours = np.bincount(blocks.left_block, minlength=blocks.number)
    theirs = np.bincount(blocks.right_block, minlength=blocks.number)
    if ((ours > 1) & (theirs > 1)).any():
        return None
    only_left, only_right = np.zeros((2, blocks.number), dtype=np.int32)
    only_left[blocks.left_block], only_right[blocks.right_block] = blocks.left, blocks.right
    by_right = (ours == 1)[blocks.right_block]
    by_left = ((theirs == 1) & (ours > 1))[blocks.left_block]
    alone_left, alone_right = (
        np.flatnonzero(marks) for marks in (possible.left_alone, possible.right_alone)
    )
    nobody = int(possible.nobody)
    one = [only_left[blocks.right_block[by_right]], blocks.left[by_left], alone_left]
    one += [np.full(len(alone_right) + nobody, len(left))]
    two = [blocks.right[by_right], only_right[blocks.left_block[by_left]]]
    two += [np.full(len(alone_left), len(right)), alone_right, np.full(nobody, len(right))]
    return np.concatenate(one).astype(np.int32), np.concatenate(two).astype(np.int32)


def _join(
    ground: ComparableReleases,
    left: _Joined,
    right: _Joined,
    one: Codes,
    two: Codes,
    counts: Counts,
) -> _Joined:
    """Make one release of two, with histories for classes."""
    our_class = np.append(left.class_of, NO_CLASS)[one].astype(np.int64) + 1
    their_class = np.append(right.class_of, NO_CLASS)[two].astype(np.int64) + 1
    history = our_class * (len(right.class_of) + 1) + their_class
    _, class_of = np.unique(history, return_inverse=True)
    nodes = _meet(ground, left.nodes, right.nodes, one, two, counts)
    return _Joined(nodes, class_of.astype(np.int32))


def _meet(
    ground: ComparableReleases, left: Nodes, right: Nodes, one: Codes, two: Codes, counts: Counts
) -> Nodes:
    """Join nodes of two releases: of each column the more specific value of both."""
    ours = np.pad(left.entries, ((0, 0), (0, 1)), constant_values=NOT_SHOWN)[:, one]
    theirs = np.pad(right.entries, ((0, 0), (0, 1)), constant_values=NOT_SHOWN)[:, two]
    entries = np.empty_like(ours)
    for line, ladder in enumerate(ground.ladders):
        finer = ladder.levels[ours[line]] <= ladder.levels[theirs[line]]
        entries[line] = np.where(finer, ours[line], theirs[line])
    return Nodes(f"{left.name} and {right.name}", entries, counts)
