"""Choose the assumptions of the attack, and drop those that the releases contradict.

The attack assumes that certain columns of a person keep their values from release to release, and
that the releases are about a certain number of people. In reality values change and people leave.
The releases may then contradict the assumptions, so that no possible world remains. An attacker
does not give up, but drops the assumption that failed and continues with the others.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from lookalike.risk.releases.comparable_releases import (
    ComparableReleases,
    find_blocks,
    make_comparable,
)
from lookalike.risk.releases.possible_worlds import count_matched
from lookalike.risk.releases.seen_release import Known, Releases, Rules

LEAST_MATCHED_SHARE = 0.5
"""If a smaller share of the rows has a compatible row, the values of a column must have changed."""


@dataclass(frozen=True)
class Assumptions:
    """The assumptions of the attack about the people behind the releases.

    ``people``: the number of people who are in at least one source.
    ``unchanged``: the columns released as they are whose values are assumed equal in every release.
    ``changed``: the columns that contradict this assumption; they are not used to link rows.
    ``people_asked``: the number of people that the caller gave, or the rows of the largest source.
    If it is less than `people`, the releases contradict it.
    """

    people: int
    unchanged: tuple[str, ...]
    changed: tuple[str, ...]
    people_asked: int


@dataclass(frozen=True, eq=False)
class AttackModel:
    """Releases that are comparable under some assumptions, and what the attacker knows."""

    releases: Releases
    known: Known
    comparable: ComparableReleases
    assumed: Assumptions


def list_models(
    releases: Releases, hierarchies: Rules, known: Known, people: int
) -> Iterator[AttackModel]:
    """Yield models with weaker and weaker assumptions; releases never contradict the last one."""
    columns = _list_linking_columns(releases, known)
    assumed = Assumptions(people, columns, (), people)
    model = AttackModel(releases, known, make_comparable(releases, hierarchies, known), assumed)
    yield model
    fewer = _drop_changed(model, hierarchies)
    yield fewer
    everybody = max(sum(release.rows_in for release in releases), people)
    yield replace(fewer, assumed=replace(fewer.assumed, people=everybody))


def _list_linking_columns(releases: Releases, known: Known) -> tuple[str, ...]:
    """List the columns that several releases show as they are and that no attacker knows."""
    taken = {name for one in known for name in one.attributes}
    taken.update(name for release in releases for name in release.levels)
    shown = [name for release in releases for name in release.columns if name not in taken]
    return tuple(name for name in dict.fromkeys(shown) if shown.count(name) > 1)


def _drop_changed(model: AttackModel, hierarchies: Rules) -> AttackModel:
    """Drop columns that most rows contradict, and assume the fewest people that remain possible."""
    releases, known, assumed = model.releases, model.known, model.assumed
    while True:
        comparable = make_comparable(releases, hierarchies, known, assumed.changed)
        matched = _count_matched(comparable)
        worst = min(matched, key=lambda pair: _share(comparable, pair, matched[pair]))
        columns = [
            name
            for name in assumed.unchanged
            if all(name in releases[place].columns for place in worst)
        ]
        if _share(comparable, worst, matched[worst]) >= LEAST_MATCHED_SHARE or not columns:
            break
        pair = [releases[place] for place in worst]
        dropped = max(
            columns,
            key=lambda name: _count_matched(
                make_comparable(pair, hierarchies, known, (*assumed.changed, name))
            )[0, 1],
        )
        assumed = replace(
            assumed,
            unchanged=tuple(name for name in assumed.unchanged if name != dropped),
            changed=(*assumed.changed, dropped),
        )
    least = max(
        comparable.releases[one].rows + comparable.releases[two].rows - rows
        for (one, two), rows in matched.items()
    )
    assumed = replace(assumed, people=max(assumed.people, least))
    return replace(model, comparable=comparable, assumed=assumed)


def _count_matched(comparable: ComparableReleases) -> dict[tuple[int, int], int]:
    """Count for every two releases the rows that can be paired with a compatible row."""
    matched = {}
    for pair in combinations(range(len(comparable.releases)), 2):
        left, right = (comparable.releases[place] for place in pair)
        matched[pair] = count_matched(left, right, find_blocks(left, right, comparable.columns))
    return matched


def _share(comparable: ComparableReleases, pair: tuple[int, int], rows: int) -> float:
    """Return the share of the rows of the smaller release that are matched."""
    smaller = min(comparable.releases[place].rows for place in pair)
    return rows / smaller if smaller else 1.0
