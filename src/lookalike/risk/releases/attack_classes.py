"""Run every attack of the papers on a set of releases, given as classes of equal rows.

The attacker knows a person's quasi-identifier and that the person is in the source. The result is
the number of released rows that could belong to this person: the smallest over all people and
releases (:mod:`lookalike.risk.releases.link_classes`).
"""

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations

from lookalike.errors import InternalError, InvalidInput
from lookalike.risk.releases.assumptions import AttackModel, list_models
from lookalike.risk.releases.attacked import Attacked, AttackKind, PairAttack, RemainingRows
from lookalike.risk.releases.comparable_releases import ComparableReleases, find_blocks
from lookalike.risk.releases.known_totals import TotalsAttack, infer_from_totals
from lookalike.risk.releases.link_classes import ReleaseClasses, link_classes
from lookalike.risk.releases.possible_worlds import Contradiction, find_possible
from lookalike.risk.releases.row_order_attack import match_positions
from lookalike.risk.releases.seen_release import (
    AttackerKnowledge,
    Known,
    Releases,
    Rules,
    SeenRelease,
)
from lookalike.risk.releases.three_or_more import find_attack, prove_left


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
            return _attack(model, releases, known, summaries)
    raise InternalError("releases contradict each other although they share no person")


def _attack(
    model: AttackModel, releases: Releases, known: Known, summaries: tuple[TotalsAttack, ...]
) -> Attacked:
    """Run every attack under some assumptions."""
    comparable, assumed = model
    total = assumed.people
    pairs = [
        _attack_pair(comparable, releases, pair, known, total)
        for pair in combinations(range(len(releases)), 2)
    ]
    return Attacked(
        releases=tuple(release.name for release in releases),
        columns=tuple(dict.fromkeys(name for release in releases for name in release.columns)),
        assumed=assumed,
        left=tuple(
            _bound(comparable, place, knowledge, pairs, total)
            for place, knowledge in enumerate(known)
        ),
        pairs=tuple(pairs),
        summaries=summaries,
        comparable=comparable,
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


def _attack_pair(
    comparable: ComparableReleases,
    releases: Releases,
    pair: tuple[int, int],
    known: Known,
    people: int,
) -> PairAttack:
    """Link two releases by values and by position."""
    one, two = (releases[place] for place in pair)
    left, right = (comparable.releases[place] for place in pair)
    blocks = find_blocks(left, right, comparable.columns)
    possible = find_possible(left, right, blocks, people)
    linked, by_position = [], []
    for knowledge in known:
        ours, theirs = (comparable.classes(side, knowledge) for side in (left, right))
        classes = ReleaseClasses(left, ours), ReleaseClasses(right, theirs)
        linked.append(link_classes(*classes, possible, knowledge))
        if one.order is not None and two.order is not None:
            rows = [comparable.node_of[i][r.order] for i, r in zip(pair, (one, two), strict=True)]
            sides = (left, ours, rows[0]), (right, theirs, rows[1])
            by_position.append(match_positions(*sides, blocks, comparable.columns, knowledge.k))
    kind: AttackKind = "complementary release" if one.rows_in == two.rows_in else "temporal"
    return PairAttack(one.name, two.name, kind, (left, right), tuple(linked), tuple(by_position))


def _bound(
    comparable: ComparableReleases,
    place: int,
    known: AttackerKnowledge,
    pairs: Sequence[PairAttack],
    people: int,
) -> RemainingRows:
    """Bound the number of rows that remain possible; for two releases both bounds are equal."""
    sizes = [comparable.least_class(nodes, known) for nodes in comparable.releases]
    by_position = [pair.unsorted[place].k for pair in pairs if pair.unsorted]
    if len(pairs) == 1:
        proved = found = pairs[0].linked[place].k
    elif not pairs:
        proved = found = sizes[0]
    else:
        every = combinations(range(len(comparable.releases)), 2)
        linked = {two: pair.linked[place] for two, pair in zip(every, pairs, strict=True)}
        proved = prove_left(comparable, people, known)
        found = _least(find_attack(comparable, people, known, linked), *sizes)
    return RemainingRows(known, _least(proved, *by_position), _least(found, *by_position))


def _least(*numbers: int | None) -> int | None:
    """Return the least of the numbers that are known."""
    return min((number for number in numbers if number is not None), default=None)
