"""The result of an attack on a set of releases: the verdict, and what each single attack found."""

from dataclasses import dataclass
from typing import Literal

from lookalike.hierarchy.discreet import Discreet
from lookalike.risk.releases.assumptions import Assumptions
from lookalike.risk.releases.comparable_releases import ComparableReleases, Nodes
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.linked_table import NO_CLASS, LinkedTable
from lookalike.risk.releases.row_order_attack import RowOrderAttack
from lookalike.risk.releases.seen_release import AttackerKnowledge, Label

AttackKind = Literal["complementary release", "temporal"]


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
    kind: AttackKind
    nodes: tuple[Nodes, Nodes]
    linked: tuple[LinkedTable, ...]
    unsorted: tuple[RowOrderAttack, ...]

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
    assumed: Assumptions
    left: tuple[RemainingRows, ...]
    pairs: tuple[PairAttack, ...]
    summaries: tuple[TotalsAttack, ...]
    ground: ComparableReleases

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

    def exposures(self, pair: PairAttack, linked: LinkedTable) -> list[ReleaseExposure]:
        """List the exposed sequences of a linked table, those with the fewest rows first."""
        exposed = linked.exposed
        certain = zip(exposed.certain.tolist(), exposed.decided.tolist(), strict=True)
        ends = zip(exposed.left.tolist(), exposed.right.tolist(), strict=True)
        rows = zip(exposed.left_rows.tolist(), exposed.right_rows.tolist(), strict=True)
        listed = [
            ReleaseExposure(
                self.ground.write_linked(pair.nodes, end, linked.known.attributes),
                (None if end[0] == NO_CLASS else row[0], None if end[1] == NO_CLASS else row[1]),
                sure if decided else None,
            )
            for end, row, (sure, decided) in zip(ends, rows, certain, strict=True)
        ]
        return sorted(listed, key=ReleaseExposure.order)
