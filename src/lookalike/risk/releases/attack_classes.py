"""Run every attack of the papers on a set of releases, given as classes of equal rows.

The attacker knows a person's quasi-identifier and that the person is in the source. The result is
the number of released rows that could belong to this person: the smallest over all people and
releases (:mod:`lookalike.risk.releases.link_classes`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations

import numpy as np

from lookalike.errors import InternalError, InvalidInput
from lookalike.kernels.types import Codes, Counts
from lookalike.risk.releases.assumptions import AttackModel, list_models
from lookalike.risk.releases.attacked import Attacked, AttackKind, PairAttack, RemainingRows
from lookalike.risk.releases.comparable_releases import ComparableReleases, Nodes, find_blocks
from lookalike.risk.releases.known_totals import TotalsAttack, infer_from_totals
from lookalike.risk.releases.label_levels import NOT_SHOWN
from lookalike.risk.releases.link_classes import NO_CLASS, ClassedNodes, LinkedTable, link_classes
from lookalike.risk.releases.possible_worlds import (
    Contradiction,
    Possible,
    find_possible,
    find_world,
)
from lookalike.risk.releases.row_order_attack import match_positions
from lookalike.risk.releases.seen_release import AttackerKnowledge, Releases, Rules, SeenRelease


def attack_classes(
    releases: Releases,
    hierarchies: Rules,
    *,
    k: int | None = None,
    people: int | None = None,
    totals: Releases = (),
) -> Attacked:
    """Run every attack on a set of releases of one source.

    ``people``: the number of people that the releases are about together; by default the rows of
    the largest source, as if nobody had left it. It must be right: with more people, more rows
    remain possible, but also more sequences.
    """
    if len(releases) < 2 and not totals:
        raise InvalidInput(
            "an attack needs at least two releases, or one release and known totals (--totals)"
        )
    known = _combine_known(releases, k)
    summaries = tuple(
        infer_from_totals(release, one, hierarchies, knowledge)
        for one in totals
        for release in _find_releases(releases, one)
        for knowledge in known
    )
    for model in list_models(releases, hierarchies, known, _count_people(releases, people)):
        with suppress(Contradiction):
            return _attack(model, summaries)
    raise InternalError("releases contradict each other although they share no person")


def _attack(model: AttackModel, summaries: tuple[TotalsAttack, ...]) -> Attacked:
    """Run every attack under some assumptions."""
    releases = model.releases
    pairs = [_attack_pair(model, *pair) for pair in combinations(range(len(releases)), 2)]
    return Attacked(
        releases=tuple(release.name for release in releases),
        columns=tuple(dict.fromkeys(name for release in releases for name in release.columns)),
        assumed=model.assumed,
        left=tuple(_bound(model, place, pairs) for place in range(len(model.known))),
        pairs=tuple(pairs),
        summaries=summaries,
        comparable=model.comparable,
    )


def _find_releases(releases: Releases, totals: SeenRelease) -> list[SeenRelease]:
    """Return the releases that have the columns of some totals."""
    found = [release for release in releases if set(totals.columns) <= set(release.columns)]
    if not found:
        names = ", ".join(map(repr, totals.columns))
        raise InvalidInput(
            f"{totals.name}: no release has the columns {names}; give totals of released columns"
        )
    return found


def _combine_known(releases: Releases, k: int | None) -> list[AttackerKnowledge]:
    """Combine the quasi-identifiers of all releases, each with the least k that was promised."""
    names = dict.fromkeys(known.name for release in releases for known in release.known)
    agreed = []
    for name in names:
        same = [known for release in releases for known in release.known if known.name == name]
        attributes = dict.fromkeys(attribute for known in same for attribute in known.attributes)
        least = min(known.k for known in same) if k is None else k
        agreed.append(AttackerKnowledge(name, tuple(attributes), least))
    return agreed


def _count_people(releases: Releases, people: int | None) -> int:
    """Return the number of people that the releases are about together."""
    least = max(release.rows_in for release in releases)
    if people is not None and people < least:
        raise InvalidInput(
            f"{people:,} people are too few: a source had {least:,} rows, so the releases are "
            "about at least as many people"
        )
    return least if people is None else people


def _attack_pair(model: AttackModel, first: int, second: int) -> PairAttack:
    """Link two releases by values and by position."""
    one, two, comparable = model.releases[first], model.releases[second], model.comparable
    left, right = comparable.releases[first], comparable.releases[second]
    blocks = find_blocks(left, right, comparable.columns)
    possible = find_possible(left, right, blocks, model.assumed.people)
    linked, by_position = [], []
    for knowledge in model.known:
        ours, theirs = (comparable.classes(side, knowledge) for side in (left, right))
        linked.append(link_classes((left, ours), (right, theirs), possible, knowledge))
        if one.order is not None and two.order is not None:
            rows = comparable.node_of[first][one.order], comparable.node_of[second][two.order]
            sides = (left, ours, rows[0]), (right, theirs, rows[1])
            by_position.append(match_positions(*sides, blocks, comparable.columns, knowledge.k))
    kind: AttackKind = "complementary release" if one.rows_in == two.rows_in else "temporal"
    return PairAttack(one.name, two.name, kind, (left, right), tuple(linked), tuple(by_position))


def _bound(model: AttackModel, place: int, pairs: Sequence[PairAttack]) -> RemainingRows:
    """Bound the number of rows that remain possible; for two releases both bounds are equal."""
    known, comparable = model.known[place], model.comparable
    sizes = [comparable.least_class(nodes, known) for nodes in comparable.releases]
    by_position = [pair.unsorted[place].k for pair in pairs if pair.unsorted]
    if len(pairs) == 1:
        proved = found = pairs[0].linked[place].k
    elif not pairs:
        proved = found = sizes[0]
    else:
        every = combinations(range(len(comparable.releases)), 2)
        linked = {two: pair.linked[place] for two, pair in zip(every, pairs, strict=True)}
        proved = prove_left(model, known)
        found = _least(find_attack(model, known, linked), *sizes)
    return RemainingRows(known, _least(proved, *by_position), _least(found, *by_position))


def _least(*numbers: int | None) -> int | None:
    """Return the least of the numbers that are known."""
    return min((number for number in numbers if number is not None), default=None)


_Pairs = tuple[Codes, Codes, Counts]
"""Nodes of two releases that are joined, and for how many people."""


def find_attack(
    model: AttackModel, known: AttackerKnowledge, linked: Mapping[tuple[int, int], LinkedTable]
) -> int | None:
    """Return the fewest rows of an exposed sequence that some world of all releases has."""
    comparable, found = model.comparable, [one.certain_k for one in linked.values()]
    world = _find_world(comparable, model.assumed.people)
    if world is not None:
        every = [comparable.classes(nodes, known) for nodes in comparable.releases]
        classes = [np.append(one, NO_CLASS).astype(np.int64) for one in every]
        for (one, two), table in linked.items():
            exposed, size = table.exposed, len(comparable.releases[two]) + 1
            peopled = classes[one][world[one]] * size + classes[two][world[two]]
            wanted = classes[one][exposed.left] * size + classes[two][exposed.right]
            found += exposed.rows[np.isin(wanted, peopled)].tolist()
    return min((k for k in found if k is not None), default=None)


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


def prove_left(model: AttackModel, known: AttackerKnowledge) -> int | None:
    """Return a number of rows that remain possible for every sequence of all releases."""
    comparable = model.comparable
    pool = [(nodes, comparable.classes(nodes, known)) for nodes in comparable.releases]
    while len(pool) > 2:
        joined = _join_any(model, pool)
        if joined is None:
            counts = np.concatenate([nodes.counts for nodes, _ in pool])
            return int(counts.min()) if len(counts) else None
        pool = joined
    one, two = pool
    return link_classes(one, two, _possible(model, one[0], two[0]), known).k


def _join_any(model: AttackModel, pool: Sequence[ClassedNodes]) -> list[ClassedNodes] | None:
    """Join the first two releases whose nodes can only be joined in one way."""
    for one, two in combinations(pool, 2):
        possible = _possible(model, one[0], two[0])
        pairs = _join_if_settled(one[0], two[0], possible, model.assumed.people)
        if pairs is not None:
            rest = [other for other in pool if other is not one and other is not two]
            return [_join(model.comparable, one, two, pairs), *rest]
    return None


def _possible(model: AttackModel, left: Nodes, right: Nodes) -> Possible:
    """Find what is possible in some world of two releases."""
    blocks = find_blocks(left, right, model.comparable.columns)
    return find_possible(left, right, blocks, model.assumed.people)


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
    alone_left, nobody = np.flatnonzero(possible.left_alone), int(possible.nobody)
    alone_right = np.flatnonzero(possible.right_alone)
    one = [only_left[blocks.right_block[by_right]], blocks.left[by_left], alone_left]
    one += [np.full(len(alone_right) + nobody, len(left))]
    two = [blocks.right[by_right], only_right[blocks.left_block[by_left]]]
    two += [np.full(len(alone_left), len(right)), alone_right, np.full(nobody, len(right))]
    return np.concatenate(one).astype(np.int32), np.concatenate(two).astype(np.int32)


def _join(
    comparable: ComparableReleases, left: ClassedNodes, right: ClassedNodes, pairs: _Pairs
) -> ClassedNodes:
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
