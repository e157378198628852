"""Attack: every attack of the papers on a set of releases, and the k that is left.

For an attacker who knows a person's quasi-identifier, and that the person is in the source, the
k that is left is the number of released rows that could be theirs, at the least: of the worst
sequence of classes, in the release in which the fewest remain possible
(:mod:`lookalike.risk.releases.linked`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from lookalike.errors import InternalError, InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.hierarchy.discreet import Discreet
from lookalike.risk.releases.assumed import Assumed, Model, list_models
from lookalike.risk.releases.blocks import find_blocks
from lookalike.risk.releases.flow import Contradiction, find_possible
from lookalike.risk.releases.linked import ABSENT, Linked, Side, count_left
from lookalike.risk.releases.nodes import Ground, Nodes
from lookalike.risk.releases.seen import AttackerKnowledge, Label, SeenRelease
from lookalike.risk.releases.several import find_attack, prove_left
from lookalike.risk.releases.summary import Summary, infer
from lookalike.risk.releases.unsorted import Unsorted, match_positions

Kind = Literal["complementary release", "temporal"]


@dataclass(frozen=True)
class ReleaseExposure(Discreet):
    """A sequence of a linked table that is left with fewer than k rows.

    Parameters
    ----------
    values
        What both releases together tell of the person, column by column.
    rows
        How many rows of either release remain possible; nothing where the person is in one only.
    certain
        Whether somebody is there in every world; nothing if that is too much work to decide.
    """

    values: dict[str, Label]
    rows: tuple[int | None, int | None]
    certain: bool | None

    def order(self) -> tuple[int, list[str]]:
        """Return what exposures are sorted by: the fewest rows, then the values."""
        fewest = min(number for number in self.rows if number is not None)
        return fewest, ["" if value is None else value for value in self.values.values()]


@dataclass(frozen=True, eq=False)
class PairAttack:
    """Two releases, linked by their values and by the position of their rows.

    Parameters
    ----------
    left, right
        The names of the releases.
    kind
        Temporal, if the source had another number of rows; else complementary release.
    nodes
        Both releases, so that exposed sequences can be shown.
    linked
        What linking by values leaves to those who know each quasi-identifier.
    unsorted
        What linking by position gives; nothing where the order of rows is not known.
    """

    left: str
    right: str
    kind: Kind
    nodes: tuple[Nodes, Nodes]
    linked: tuple[Linked, ...]
    unsorted: tuple[Unsorted, ...]

    @property
    def rows_exposed(self) -> int:
        """How many rows of one of the releases are exposed, by values or by position."""
        by_value = [max(one.left_exposed, one.right_exposed) for one in self.linked]
        return max([*by_value, *(one.rows_exposed for one in self.unsorted)])


@dataclass(frozen=True)
class RemainingRows:
    """How many rows remain possible for everyone who could be in a set of releases.

    Parameters
    ----------
    known
        What the attacker knows, and the k that was promised.
    at_least
        What is proved; nothing if there are no rows.
    at_most
        What the best attack that was found leaves.
    """

    known: AttackerKnowledge
    at_least: int | None
    at_most: int | None

    @property
    def holds(self) -> bool:
        """Whether it is proved that k are left."""
        return self.at_least is None or self.at_least >= self.known.k

    @property
    def broken(self) -> bool:
        """Whether an attack was found that leaves fewer than k."""
        return self.at_most is not None and self.at_most < self.known.k

    @property
    def exact(self) -> bool:
        """Whether both bounds meet."""
        return self.at_least == self.at_most


@dataclass(frozen=True, eq=False)
class Attacked:
    """What every attack on a set of releases gives.

    Parameters
    ----------
    releases
        Their names.
    columns
        The columns of the linked table.
    assumed
        What was taken for granted.
    left
        The k that is left, for each quasi-identifier.
    pairs
        Every two releases.
    summaries
        What totals tell.
    ground
        The releases, laid out, so that exposed sequences can be shown.
    """

    releases: tuple[str, ...]
    columns: tuple[str, ...]
    assumed: Assumed
    left: tuple[RemainingRows, ...]
    pairs: tuple[PairAttack, ...]
    summaries: tuple[Summary, ...]
    ground: Ground

    @property
    def people(self) -> int:
        """How many people the releases are taken to be about together."""
        return self.assumed.people

    @property
    def holds(self) -> bool:
        """Whether everybody is left with k rows, as far as the assumptions are right."""
        return all(left.holds for left in self.left) and not self.rows_inferred

    @property
    def rows_inferred(self) -> int:
        """How many rows totals expose."""
        return max((summary.rows_exposed for summary in self.summaries), default=0)

    @property
    def rows_exposed(self) -> int:
        """How many rows of a release the best attack exposes."""
        return max([*(pair.rows_exposed for pair in self.pairs), self.rows_inferred])

    def exposures(self, pair: PairAttack, linked: Linked) -> list[ReleaseExposure]:
        """List the exposed sequences of a linked table, those with the fewest rows first."""
        exposed = linked.exposed
        certain = zip(exposed.certain.tolist(), exposed.decided.tolist(), strict=True)
        ends = zip(exposed.left.tolist(), exposed.right.tolist(), strict=True)
        rows = zip(exposed.left_rows.tolist(), exposed.right_rows.tolist(), strict=True)
        listed = [
            ReleaseExposure(
                self.ground.write_linked(pair.nodes, end, linked.known.attributes),
                (None if end[0] == ABSENT else row[0], None if end[1] == ABSENT else row[1]),
                sure if decided else None,
            )
            for end, row, (sure, decided) in zip(ends, rows, certain, strict=True)
        ]
        return sorted(listed, key=ReleaseExposure.order)


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

    >>> from lookalike.risk.releases.seen import see_rows
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
        infer(release, one, hierarchies, what)
        for one in totals
        for release in _find_releases(releases, one)
        for what in known
    )
    for model in list_models(releases, hierarchies, known, _count_people(releases, people)):
        with suppress(Contradiction):
            return _attack(model, releases, known, summaries)
    raise InternalError("releases of different people contradict each other")


def _attack(
    model: Model,
    releases: Sequence[SeenRelease],
    known: Sequence[AttackerKnowledge],
    summaries: tuple[Summary, ...],
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
    ground: Ground,
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
        linked.append(count_left(Side(left, ours), Side(right, theirs), possible, what))
        if one.order is not None and two.order is not None:
            rows = [ground.node_of[i][r.order] for i, r in zip(pair, (one, two), strict=True)]
            by_position.append(
                match_positions(
                    (left, ours, rows[0]), (right, theirs, rows[1]), blocks, ground.ladders, what.k
                )
            )
    kind: Kind = "complementary release" if one.rows_in == two.rows_in else "temporal"
    return PairAttack(one.name, two.name, kind, (left, right), tuple(linked), tuple(by_position))


def _bound(
    ground: Ground, place: int, known: AttackerKnowledge, pairs: Sequence[PairAttack], people: int
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
