"""Attack: every attack of the papers on a set of releases, and the k that is left.

For an attacker who knows a person's quasi-identifier, and that the person is in the source, the
k that is left is the number of released rows that could be theirs, at the least: of the worst
sequence of classes, in the release in which the fewest remain possible
(:mod:`lookalike.risk.releases.linked_table`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import combinations

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.risk.releases.assumptions import AttackModel, list_models
from lookalike.risk.releases.attacked import Attacked, AttackKind, PairAttack, RemainingRows
from lookalike.risk.releases.comparable_releases import ComparableReleases
from lookalike.risk.releases.compatible_blocks import find_blocks
from lookalike.risk.releases.known_totals import TotalsAttack, infer_from_totals
from lookalike.risk.releases.link_classes import ReleaseClasses, link_classes
from lookalike.risk.releases.possible_worlds import Contradiction, find_possible
from lookalike.risk.releases.row_order_attack import match_positions
from lookalike.risk.releases.seen_release import AttackerKnowledge, SeenRelease
from lookalike.risk.releases.three_or_more import find_attack, prove_left


def attack_classes(
    releases: Sequence[SeenRelease],
    hierarchies: Mapping[str, Hierarchy],
    *,
    k: int | None = None,
    people: int | None = None,
    totals: Sequence[SeenRelease] = (),
) -> Attacked:
    """Try every attack on a set of releases of one source.

    Parameters
    ----------
    releases
        One, if there are totals; else two or more.
    hierarchies
        The hierarchy of each column whose level differs from release to release.
    k
        How many rows should remain possible; without it, the least that was promised.
    people
        How many people the releases are about together; without it, the rows of the largest
        source, as if nobody had left it. It must be right: with more people, more rows remain
        possible, but also more sequences.
    totals
        Known totals: tables whose rows are counted and whose columns have ground values.

    Examples
    --------
    Two releases that hide a column each, joined by what they show as it is:

    >>> from lookalike.risk.releases.seen_release import see_rows
    >>> one = see_rows("R1", ["a", "x"], [("a1", "p"), ("a1", "q")], levels={"a": 0}, k=2)
    >>> two = see_rows("R2", ["b", "x"], [("b1", "p"), ("b2", "q")], levels={"b": 0}, k=2)
    >>> attacked = attack_classes([one, two], {})
    >>> attacked.left[0].at_least, attacked.rows_exposed
    (1, 2)
    """
    if len(releases) < 2 and not totals:
        raise InvalidInput("name two releases at least; one can be attacked with totals only")
    known = _agree(releases, k)
    summaries = tuple(
        infer_from_totals(release, one, hierarchies, what)
        for one in totals
        for release in _find_releases(releases, one)
        for what in known
    )
    for model in list_models(releases, hierarchies, known, _count_people(releases, people)):
        with suppress(Contradiction):
            return _attack(model, releases, known, summaries)
    raise InternalError("releases of different people contradict each other")


def _attack(
    model: AttackModel,
    releases: Sequence[SeenRelease],
    known: Sequence[AttackerKnowledge],
    summaries: tuple[TotalsAttack, ...],
) -> Attacked:
    """Try every attack under some assumptions."""
    ground, total = model.ground, model.assumed.people
    pairs = [
        _attack_pair(ground, releases, pair, known, total)
        for pair in combinations(range(len(releases)), 2)
    ]
    return Attacked(
        releases=tuple(release.name for release in releases),
        columns=tuple(dict.fromkeys(name for release in releases for name in release.columns)),
        assumed=model.assumed,
        left=tuple(_bound(ground, place, what, pairs, total) for place, what in enumerate(known)),
        pairs=tuple(pairs),
        summaries=summaries,
        ground=ground,
    )


def _find_releases(releases: Sequence[SeenRelease], totals: SeenRelease) -> list[SeenRelease]:
    """Return the releases with the columns of totals."""
    found = [release for release in releases if set(totals.columns) <= set(release.columns)]
    if not found:
        names = ", ".join(map(repr, totals.columns))
        raise InvalidInput(
            f"{totals.name}: no release has the columns {names}; give totals of columns that are "
            "released"
        )
    return found


def _agree(releases: Sequence[SeenRelease], k: int | None) -> list[AttackerKnowledge]:
    """Put together what an attacker knows by all releases, and the least that was promised."""
    names = dict.fromkeys(known.name for release in releases for known in release.known)
    agreed = []
    for name in names:
        same = [known for release in releases for known in release.known if known.name == name]
        attributes = dict.fromkeys(attribute for known in same for attribute in known.attributes)
        least = min(known.k for known in same) if k is None else k
        agreed.append(AttackerKnowledge(name, tuple(attributes), least))
    return agreed


def _count_people(releases: Sequence[SeenRelease], people: int | None) -> int:
    """Return how many people the releases are about together."""
    least = max(release.rows_in for release in releases)
    if people is not None and people < least:
        raise InvalidInput(
            f"a source had {least:,} rows, so the releases are about no fewer people; {people:,} "
            "are too few"
        )
    return least if people is None else people


def _attack_pair(
    ground: ComparableReleases,
    releases: Sequence[SeenRelease],
    pair: tuple[int, int],
    known: Sequence[AttackerKnowledge],
    people: int,
) -> PairAttack:
    """Link two releases by values and by position."""
    one, two = (releases[place] for place in pair)
    left, right = (ground.releases[place] for place in pair)
    blocks = find_blocks(left, right, ground.ladders)
    possible = find_possible(left, right, blocks, people)
    linked, by_position = [], []
    for what in known:
        ours, theirs = ground.classes(left, what), ground.classes(right, what)
        linked.append(
            link_classes(ReleaseClasses(left, ours), ReleaseClasses(right, theirs), possible, what)
        )
        if one.order is not None and two.order is not None:
            rows = [ground.node_of[i][r.order] for i, r in zip(pair, (one, two), strict=True)]
            by_position.append(
                match_positions(
                    (left, ours, rows[0]), (right, theirs, rows[1]), blocks, ground.ladders, what.k
                )
            )
    kind: AttackKind = "complementary release" if one.rows_in == two.rows_in else "temporal"
    return PairAttack(one.name, two.name, kind, (left, right), tuple(linked), tuple(by_position))


def _bound(
    ground: ComparableReleases,
    place: int,
    known: AttackerKnowledge,
    pairs: Sequence[PairAttack],
    people: int,
) -> RemainingRows:
    """Bound the k that is left from both sides; for two releases the bounds meet."""
    sizes = [ground.least_class(nodes, known) for nodes in ground.releases]
    by_position = [pair.unsorted[place].k for pair in pairs if pair.unsorted]
    if len(pairs) == 1:
        proved = found = pairs[0].linked[place].k
    elif not pairs:
        proved = found = sizes[0]
    else:
        every = combinations(range(len(ground.releases)), 2)
        linked = {two: pair.linked[place] for two, pair in zip(every, pairs, strict=True)}
        proved = prove_left(ground, people, known)
        found = _least(find_attack(ground, people, known, linked), *sizes)
    return RemainingRows(known, _least(proved, *by_position), _least(found, *by_position))


def _least(*numbers: int | None) -> int | None:
    """Return the least of some numbers, as far as they are known."""
    return min((number for number in numbers if number is not None), default=None)
