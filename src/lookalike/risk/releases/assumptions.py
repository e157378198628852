"""Assumed: what a model of the releases takes for granted, and what is left of it.

Values of a person may have changed between two releases, and people may have left. If that is so,
releases contradict the assumption that they did not: there is no world. An attacker does not give
up then, but drops the assumption that failed and goes on with the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lookalike.hierarchy import Hierarchy
from lookalike.risk.releases.comparable_releases import ComparableReleases, make_comparable
from lookalike.risk.releases.compatible_blocks import find_blocks
from lookalike.risk.releases.possible_worlds import count_matched
from lookalike.risk.releases.seen_release import AttackerKnowledge, SeenRelease

LEAST_MATCHED_SHARE = 0.5
"""If a smaller share of the rows finds a row of the other release, a column must have changed."""


@dataclass(frozen=True)
class Assumptions:
    """What a model of the releases takes for granted.

    Parameters
    ----------
    people
        How many people the releases are about together.
    unchanged
        The columns released as they are whose values are taken to be the same in every release.
    changed
        Those that contradict it, so that they are not used to link rows.
    people_asked
        The number of people that was given, or the rows of the largest source; with so few the
        releases would contradict each other if it is less than `people`.
    """

    people: int
    unchanged: tuple[str, ...]
    changed: tuple[str, ...]
    people_asked: int


@dataclass(frozen=True, eq=False)
class AttackModel:
    """Releases that are laid out under some assumptions."""

    ground: ComparableReleases
    assumed: Assumptions


def list_models(
    releases: Sequence[SeenRelease],
    hierarchies: Mapping[str, Hierarchy],
    known: Sequence[AttackerKnowledge],
    people: int,
) -> Iterator[AttackModel]:
    """Yield models with ever weaker assumptions; the last one contradicts no releases.

    Parameters
    ----------
    releases
        All releases.
    hierarchies
        The hierarchy of each column whose level differs.
    known
        What an attacker knows of a person; such a column is never dropped.
    people
        How many people there are, as far as that is known.
    """
    columns = _list_linking(releases, known)
    assumed = Assumptions(people, columns, (), people)
    yield AttackModel(make_comparable(releases, hierarchies, known), assumed)
    model = _drop_changed(releases, hierarchies, known, assumed)
    yield model
    everybody = max(sum(release.rows_in for release in releases), people)
    yield replace(model, assumed=replace(model.assumed, people=everybody))


def _list_linking(
    releases: Sequence[SeenRelease], known: Sequence[AttackerKnowledge]
) -> tuple[str, ...]:
    """List the columns that several releases show as they are, and that nobody knows otherwise."""
    taken = {name for one in known for name in one.attributes}
    taken.update(name for release in releases for name in release.levels)
    shown = [name for release in releases for name in release.columns if name not in taken]
    return tuple(name for name in dict.fromkeys(shown) if shown.count(name) > 1)


def _drop_changed(
    releases: Sequence[SeenRelease],
    hierarchies: Mapping[str, Hierarchy],
    known: Sequence[AttackerKnowledge],
    assumed: Assumptions,
) -> AttackModel:
    """Drop columns that most rows contradict, and take the fewest people that the rest allows."""
    while True:
        ground = make_comparable(releases, hierarchies, known, assumed.changed)
        matched = _match(ground)
        worst = min(matched, key=lambda pair: _share(ground, pair, matched[pair]))
        columns = [
            name
            for name in assumed.unchanged
            if all(name in releases[place].columns for place in worst)
        ]
        if _share(ground, worst, matched[worst]) >= LEAST_MATCHED_SHARE or not columns:
            break
        pair = [releases[place] for place in worst]
        dropped = max(
            columns,
            key=lambda name: _match(
                make_comparable(pair, hierarchies, known, (*assumed.changed, name))
            )[0, 1],
        )
        assumed = replace(
            assumed,
            unchanged=tuple(name for name in assumed.unchanged if name != dropped),
            changed=(*assumed.changed, dropped),
        )
    least = max(
        ground.releases[one].rows + ground.releases[two].rows - rows
        for (one, two), rows in matched.items()
    )
    return AttackModel(ground, replace(assumed, people=max(assumed.people, least)))


def _match(ground: ComparableReleases) -> dict[tuple[int, int], int]:
    """Count for every two releases the rows that can have a compatible row each of the other."""
    matched = {}
    for pair in combinations(range(len(ground.releases)), 2):
        left, right = (ground.releases[place] for place in pair)
        matched[pair] = count_matched(left, right, find_blocks(left, right, ground.ladders))
    return matched


def _share(ground: ComparableReleases, pair: tuple[int, int], rows: int) -> float:
    """Return the share of the smaller release that is matched."""
    smaller = min(ground.releases[place].rows for place in pair)
    return rows / smaller if smaller else 1.0
