"""The result of an attack on a set of releases: the verdict, and what each single attack found."""

from dataclasses import dataclass, fields
from typing import Any, Literal

from lookalike.json_result import JsonResult, to_json
from lookalike.risk.releases.assumptions import Assumptions
from lookalike.risk.releases.comparable_releases import ComparableReleases, Nodes
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.link_classes import NO_CLASS, LinkedTable, ReleaseExposure
from lookalike.risk.releases.row_order_attack import RowOrderAttack
from lookalike.risk.releases.seen_release import AttackerKnowledge

AttackKind = Literal["complementary release", "temporal"]


@dataclass(frozen=True, eq=False)
class PairAttack(JsonResult):
    """The result of linking two releases, by values and by the position of rows.

    ``kind``: ``temporal`` if the sources have different numbers of rows, else ``complementary
    release``.
    ``nodes``: the nodes of both releases, to show exposed sequences.
    ``linked``: the linked table for each quasi-identifier.
    ``unsorted``: the result of linking by position for each quasi-identifier; empty if the order of
    rows is not known.
    """

    json_names = "releases attack=kind linked unsorted"

    left: str
    right: str
    kind: AttackKind
    nodes: tuple[Nodes, Nodes]
    linked: tuple[LinkedTable, ...]
    unsorted: tuple[RowOrderAttack, ...]

    @property
    def releases(self) -> tuple[str, str]:
        """The names of the releases."""
        return self.left, self.right

    @property
    def rows_exposed(self) -> int:
        """The number of rows of one of the releases that are exposed, by values or by position."""
        by_value = [max(one.left_exposed, one.right_exposed) for one in self.linked]
        return max([*by_value, *(one.rows_exposed for one in self.unsorted)])


@dataclass(frozen=True)
class RemainingRows(JsonResult):
    """Bounds on the number of rows that remain possible for every person in a set of releases.

    ``known``: what the attacker knows, and the k that was promised.
    ``at_least``: the number that is proved; None if there are no rows.
    ``at_most``: the number that the best attack found leaves.
    """

    json_names = "**known at_least at_most"

    known: AttackerKnowledge
    at_least: int | None
    at_most: int | None

    @property
    def holds(self) -> bool:
        """Whether it is proved that at least k rows remain possible."""
        return self.at_least is None or self.at_least >= self.known.k

    @property
    def broken(self) -> bool:
        """Whether an attack was found that leaves fewer than k rows."""
        return self.at_most is not None and self.at_most < self.known.k

    @property
    def exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.at_least == self.at_most


@dataclass(frozen=True, eq=False)
class Attacked(JsonResult):
    """The result of all attacks on a set of releases.

    Parameters
    ----------
    releases
        The names of the releases.
    columns
        The columns of the linked table.
    assumed
        The assumptions of the attack.
    left
        The number of rows that remain possible, for each quasi-identifier.
    pairs
        The result of linking every two releases.
    summaries
        The result of the attack with known totals.
    comparable
        The releases in comparable form, to show exposed sequences.
    """

    json_names = "releases people assumed holds rows_exposed left columns pairs summaries"

    releases: tuple[str, ...]
    columns: tuple[str, ...]
    assumed: Assumptions
    left: tuple[RemainingRows, ...]
    pairs: tuple[PairAttack, ...]
    summaries: tuple[TotalsAttack, ...]
    comparable: ComparableReleases

    @property
    def people(self) -> int:
        """The number of people that the releases are assumed to be about together."""
        return self.assumed.people

    @property
    def holds(self) -> bool:
        """Whether at least k rows remain possible for every person, given the assumptions."""
        return all(left.holds for left in self.left) and not self.rows_inferred

    @property
    def rows_inferred(self) -> int:
        """The number of rows that known totals expose."""
        return max((summary.rows_exposed for summary in self.summaries), default=0)

    @property
    def rows_exposed(self) -> int:
        """The number of rows of a release that the best attack exposes."""
        return max([*(pair.rows_exposed for pair in self.pairs), self.rows_inferred])

    def exposures(self, pair: PairAttack, linked: LinkedTable) -> list[ReleaseExposure]:
        """List the exposed sequences of a linked table, the fewest rows first."""
        columns = (getattr(linked.exposed, one.name).tolist() for one in fields(linked.exposed))
        listed = [
            ReleaseExposure(
                self.comparable.write_linked(pair.nodes, (left, right), linked.known.attributes),
                (None if left == NO_CLASS else ours, None if right == NO_CLASS else theirs),
                certain if decided else None,
            )
            for left, right, ours, theirs, certain, decided in zip(*columns, strict=True)
        ]
        return sorted(listed, key=ReleaseExposure.order)

    def as_json(self, *, show: bool = False) -> dict[str, Any]:
        """Return what ``attack --json`` prints.

        Parameters
        ----------
        show
            Whether to list the exposed sequences, which are private.
        """
        shown = super().as_json()
        if show:
            for pair, written in zip(self.pairs, shown["pairs"], strict=True):
                for linked, table in zip(pair.linked, written["linked"], strict=True):
                    table["exposed"] = to_json(self.exposures(pair, linked))
            for summary, written in zip(self.summaries, shown["summaries"], strict=True):
                written["inferred"] = to_json(summary.inferred)
        return shown
