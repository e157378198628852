"""The result of linking a release with an external table, and the protection that holds.

"Null-map, k-map and wrong-map … provide protection by ensuring that released information map to
no, k or incorrect entities, respectively" (Model, section 3.1).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypedDict

import numpy as np

from lookalike.json_result import JsonResult
from lookalike.risk.linking.matching import Matches
from lookalike.risk.table.sequences import Sequences

MapProtection = Literal["null-map", "k-map", "wrong-map", "none"]


class CandidateNumber(TypedDict):
    """How many persons, or rows, have a number of candidates."""

    candidates: int
    total: int


class CandidateFigures(TypedDict):
    """How many persons, or rows, have how many candidates; the fewest of those that have some."""

    total: int
    none: int
    one: int
    below_k: int
    fewest: int | None
    candidates: list[CandidateNumber]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The possible matches of each entry of one table in the other table.

    ``columns``: the linking columns, followed by the identity column if there is one.
    ``entries``: the values of the entries. A frame in memory has one entry for each row, in its
    order; any other table has one for each distinct sequence.
    ``matches``: the number of possible matches of each entry, and the match itself if there is only
    one.
    """

    columns: tuple[str, ...]
    entries: Sequences
    matches: Matches

    @property
    def total(self) -> int:
        """The number of persons, or of rows."""
        return int(self.entries.counts.sum())

    def count(self, low: int, high: int | None = None) -> int:
        """Count the entries with at least `low`, and at most `high`, candidates."""
        inside = self.matches.number >= low
        if high is not None:
            inside &= self.matches.number <= high
        return int(self.entries.counts[inside].sum())

    def list_figures(self, k: int) -> CandidateFigures:
        """Return how many entries have how many candidates."""
        return {
            "total": self.total,
            "none": self.count(0, 0),
            "one": self.count(1, 1),
            "below_k": self.count(1, k - 1),
            "fewest": self.smallest,
            "candidates": [
                {"candidates": number, "total": total} for number, total in self.distribution
            ],
        }

    @property
    def smallest(self) -> int | None:
        """The fewest candidates among entries with at least one; None if there are none."""
        some = self.matches.number[self.matches.number > 0]
        return int(some.min()) if len(some) else None

    @property
    def distribution(self) -> tuple[tuple[int, int], ...]:
        """Each number of candidates with the number of persons or rows that have it, ascending."""
        number, entry = np.unique(self.matches.number, return_inverse=True)
        total = np.zeros(len(number), dtype=np.int64)
        np.add.at(total, entry, self.entries.counts)
        return tuple(zip(number.tolist(), total.tolist(), strict=True))


@dataclass(frozen=True)
class Truth:
    """How often linking is right, compared with the true identities.

    ``rows_right``: the rows whose true person is among their candidates.
    ``rows_wrong``: the rows with candidates, none of which is the true person.
    ``pinned_right``, ``pinned_wrong``: the same for rows with exactly one candidate.
    ``small_right``: the rows with fewer than k candidates, one of which is the true person.
    """

    rows_right: int
    rows_wrong: int
    pinned_right: int
    pinned_wrong: int
    small_right: int


@dataclass(frozen=True, eq=False)
class Linkage(JsonResult):
    """The result of linking a release with an external table.

    Parameters
    ----------
    k
        The minimum number of persons that each released row must match, if it matches any.
    on
        The attributes of the release, each with its column in the external table.
    persons
        For each external person, the released rows that match.
    rows
        For each released row, the external persons that match.
    truth
        How often linking is right, if the true identities were given.
    unknown
        For each attribute, the number of persons whose value is not in the hierarchy; they match
        suppressed values only.
    seconds
        The time that each vector of levels of the release took.
    """

    json_names = (
        "k holds protection k_map on rows=row_figures persons=person_figures truth unknown vectors "
        "seconds_per_vector warnings"
    )
    json_requested: ClassVar = {"shown": list[dict[str, Any]]}

    k: int
    on: Mapping[str, str]
    persons: Candidates
    rows: Candidates
    truth: Truth | None
    unknown: Mapping[str, int]
    seconds: tuple[float, ...]

    def as_json(self, most: int = 0) -> dict[str, Any]:
        """Return what ``link --json`` prints.

        Parameters
        ----------
        most
            The largest number of matches to list with their values, which are private.
        """
        return super().as_json() | ({"shown": self.show(most)} if most else {})

    @property
    def row_figures(self) -> CandidateFigures:
        """How many released rows match how many persons."""
        return self.rows.list_figures(self.k)

    @property
    def person_figures(self) -> CandidateFigures:
        """How many persons match how many released rows."""
        return self.persons.list_figures(self.k)

    @property
    def vectors(self) -> int:
        """The number of vectors of levels that the release uses."""
        return len(self.seconds)

    @property
    def seconds_per_vector(self) -> float:
        """The mean time that a vector of levels took."""
        return round(sum(self.seconds) / max(1, len(self.seconds)), 6)

    @property
    def k_map(self) -> int | None:
        """The fewest persons that match a row, among rows with at least one; None without any."""
        return self.rows.smallest

    @property
    def protection(self) -> MapProtection:
        """The protection that holds for every row of the release (Model, section 3.1)."""
        if self.k_map is None:
            return "null-map"
        if self.k_map >= self.k:
            return "k-map"
        if self.truth is not None and not self.truth.small_right:
            return "wrong-map"
        return "none"

    @property
    def holds(self) -> bool:
        """Whether each row matches no person, at least k persons, or only wrong persons."""
        return self.protection != "none"

    @property
    def statement(self) -> str:
        """Which protection holds over the attributes, in words (Model, section 3.1)."""
        over, k_map = ", ".join(self.on), self.k_map or 0
        return {
            "null-map": f"Null-map over {over}: no released row matches anybody.",
            "k-map": f"{k_map:,}-map over {over}: every released row matches at least {k_map:,} "
            "people, or nobody.",
            "wrong-map": f"Wrong-map over {over}: a row that matches fewer than {self.k:,} people "
            "belongs to none of them.",
            "none": f"Not protected over {over}: a released row matches only {k_map:,} "
            f"{'person' if k_map == 1 else 'people'} (k = {self.k:,}).",
        }[self.protection]

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about the risks that were found."""
        return tuple(_warn(self))

    def show(self, most: int) -> list[dict[str, Any]]:
        """List persons with exactly one matching row, and that row. The result is private.

        Parameters
        ----------
        most
            The largest number of persons to list.
        """
        matches = self.persons.matches
        chosen = np.flatnonzero(matches.number == 1)[:most]
        people = self.persons.entries.label(chosen.tolist())
        rows = self.rows.entries.label(matches.only[chosen].tolist())
        could_be = self.rows.matches.number[matches.only[chosen]].tolist()
        return [
            {
                "person": dict(zip(self.persons.columns, person, strict=True)),
                "row": dict(zip(self.rows.columns, row, strict=True)),
                "persons_of_row": number,
            }
            for person, row, number in zip(people, rows, could_be, strict=True)
        ]


def _warn(linkage: Linkage) -> Iterator[str]:
    """Yield sentences about the risks for the people of a release."""
    rows, persons = linkage.rows, linkage.persons
    pinned = rows.count(1, 1)
    if pinned:
        yield (
            f"{pinned:,} of {rows.total:,} released rows {_match(pinned)} exactly one person: if "
            "the external table is complete, the row belongs to that person."
        )
    few = rows.count(2, linkage.k - 1)
    if few:
        persons_of = "2" if linkage.k == 3 else f"2 to {linkage.k - 1:,}"
        yield f"{few:,} of {rows.total:,} released rows {_match(few)} only {persons_of} persons."
    found = persons.count(1, 1)
    if found:
        yield (
            f"{found:,} of {persons.total:,} persons {_match(found)} exactly one released row: "
            "anyone who knows that such a person is in the release finds their row."
        )
    for name, number in linkage.unknown.items():
        if number:
            yield (
                f"{number:,} {'person has' if number == 1 else 'persons have'} a {name} that is "
                "not in its hierarchy, so that only suppressed values match: check how the "
                "external table writes this column."
            )


def _match(number: int) -> str:
    """Return the verb for a number of rows or persons."""
    return "matches" if number == 1 else "match"
