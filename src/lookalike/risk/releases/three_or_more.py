"""Bound the rows that remain possible when three or more releases are linked.

Whether people can be assigned rows of three releases at once is 3-dimensional matching, which is
NP-hard. So two bounds are computed instead of the exact number:

- *An attack that was found* gives an upper bound. Each pair of releases is linked exactly, and what
  is impossible for a pair is impossible for all releases together. An exposed sequence of a pair
  counts if some world of all releases has a person there: because every world of the pair has one,
  or because a world was found by adding one release after the other.
- *A proof* gives a lower bound. If all worlds of two releases join their nodes in the same way,
  both can be replaced by one joined release, and so on. If two releases remain, they are linked
  exactly, and each class stands for a history of classes in all releases. If more remain, rows that
  are equal in everything that any other release shows can be exchanged in every world.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.comparable_releases import ComparableReleases, Nodes, find_blocks
from lookalike.risk.releases.label_levels import NOT_SHOWN
from lookalike.risk.releases.link_classes import NO_CLASS, LinkedTable, ReleaseClasses, link_classes
from lookalike.risk.releases.possible_worlds import Possible, find_possible, find_world
from lookalike.risk.releases.seen_release import AttackerKnowledge

_Joined = tuple[Nodes, Codes]
"""One release, or several that were joined into one, with the class of each node."""
_Pairs = tuple[Codes, Codes, Counts]
"""Nodes of two releases that are joined, and for how many people."""


def find_attack(
    comparable: ComparableReleases,
    people: int,
    known: AttackerKnowledge,
    linked: Mapping[tuple[int, int], LinkedTable],
) -> int | None:
    """Return the fewest rows of an exposed sequence that some world of all releases has."""
    certain = [one.certain_k for one in linked.values()]
    world = _find_world(comparable, people)
    seen = [] if world is None else _find_in_world(comparable, known, linked, world)
    return min((k for k in [*certain, *seen] if k is not None), default=None)


def _find_in_world(
    comparable: ComparableReleases,
    known: AttackerKnowledge,
    linked: Mapping[tuple[int, int], LinkedTable],
    world: Codes,
) -> Iterator[int]:
    """Yield the rows of exposed sequences of two releases that have a person in a given world."""
    classes = [
        np.append(comparable.classes(nodes, known), NO_CLASS) for nodes in comparable.releases
    ]
    for (one, two), found in linked.items():
        exposed, size = found.exposed, len(comparable.releases[two]) + 1
        peopled = classes[one][world[one]].astype(np.int64) * size + classes[two][world[two]]
        wanted = classes[one][exposed.left].astype(np.int64) * size + classes[two][exposed.right]
        yield from exposed.rows[np.isin(wanted, peopled)].tolist()


def _find_world(comparable: ComparableReleases, people: int) -> Codes | None:
    """Find a world of all releases: by release and group of people, the node of their rows.

    The number after the last node stands for no row. Releases are added one after the other by a
    flow. If a release does not fit the earlier choices, the result is None, although a world may
    exist.
    """
    joined = comparable.releases[0]
    world = np.arange(len(joined), dtype=np.int32)[np.newaxis]
    for nodes in comparable.releases[1:]:
        blocks = find_blocks(joined, nodes, comparable.columns)
        pairs = find_world(joined, nodes, blocks, people)
        if pairs is None:
            return None
        one, two, _ = pairs
        absent = np.array([[len(before)] for before in comparable.releases[: len(world)]], np.int32)
        world = np.concatenate([np.concatenate([world, absent], axis=1)[:, one], two[np.newaxis]])
        joined = _join_nodes(comparable, joined, nodes, pairs)
    return world


def prove_left(comparable: ComparableReleases, people: int, known: AttackerKnowledge) -> int | None:
    """Return a number of rows that remain possible for every sequence of all releases."""
    pool = [(nodes, comparable.classes(nodes, known)) for nodes in comparable.releases]
    while len(pool) > 2:
        joined = _join_any(comparable, pool, people)
        if joined is None:
            counts = np.concatenate([nodes.counts for nodes, _ in pool])
            return int(counts.min()) if len(counts) else None
        pool = joined
    one, two = pool
    possible = _possible(comparable, one[0], two[0], people)
    return link_classes(ReleaseClasses(*one), ReleaseClasses(*two), possible, known).k


def _join_any(
    comparable: ComparableReleases, pool: Sequence[_Joined], people: int
) -> list[_Joined] | None:
    """Join the first two releases whose nodes can only be joined in one way."""
    for one, two in combinations(pool, 2):
        possible = _possible(comparable, one[0], two[0], people)
        pairs = _join_if_settled(one[0], two[0], possible, people)
        if pairs is not None:
            rest = [other for other in pool if other is not one and other is not two]
            return [_join(comparable, one, two, pairs), *rest]
    return None


def _possible(comparable: ComparableReleases, left: Nodes, right: Nodes, people: int) -> Possible:
    """Find what is possible in some world of two releases."""
    return find_possible(left, right, find_blocks(left, right, comparable.columns), people)


def _join_if_settled(left: Nodes, right: Nodes, possible: Possible, people: int) -> _Pairs | None:
    """Return which nodes are joined and for how many people, if this is equal in every world.

    This is so if, of any two nodes that can be joined, one can be joined with no other node: then
    all its rows are joined with that node. *Absent* is a node too, the last of each release.
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
    has_row = (one < len(left)) | (two < len(right))
    return one[has_row], two[has_row], counts[has_row]


def _list_pairs(left: Nodes, right: Nodes, possible: Possible) -> tuple[Codes, Codes] | None:
    """List the pairs of nodes that can be joined; None if a block has several on both sides."""
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


def _join(comparable: ComparableReleases, left: _Joined, right: _Joined, pairs: _Pairs) -> _Joined:
    """Make one release of two; its classes are histories of classes."""
    our_class = np.append(left[1], NO_CLASS)[pairs[0]].astype(np.int64) + 1
    their_class = np.append(right[1], NO_CLASS)[pairs[1]].astype(np.int64) + 1
    history = our_class * (len(right[1]) + 1) + their_class
    _, class_of = np.unique(history, return_inverse=True)
    return _join_nodes(comparable, left[0], right[0], pairs), class_of.astype(np.int32)


def _join_nodes(comparable: ComparableReleases, left: Nodes, right: Nodes, pairs: _Pairs) -> Nodes:
    """Join nodes of two releases, taking the more specific value of each column."""
    one, two, counts = pairs
    ours = np.pad(left.entries, ((0, 0), (0, 1)), constant_values=NOT_SHOWN)[:, one]
    theirs = np.pad(right.entries, ((0, 0), (0, 1)), constant_values=NOT_SHOWN)[:, two]
    entries = np.empty_like(ours)
    for line, column in enumerate(comparable.columns):
        finer = column.levels[ours[line]] <= column.levels[theirs[line]]
        entries[line] = np.where(finer, ours[line], theirs[line])
    return Nodes(f"{left.name} and {right.name}", entries, counts)
