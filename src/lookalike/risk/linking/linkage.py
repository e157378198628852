"""Linkage: what linking a release with an external table says, and what protects it.

"Null-map, k-map and wrong-map … provide protection by ensuring that released information map to
no, k or incorrect entities, respectively" (Model, section 3.1).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from lookalike.risk.linking.matching import Matches
from lookalike.risk.table.sequences import Sequences

Protection = Literal["null-map", "k-map", "wrong-map", "none"]


@dataclass(frozen=True, eq=False)
class Candidates:
    """For each entry of one table, how many of the other table could be the same.

    Parameters
    ----------
    columns
        The columns by which the tables are linked, and others that tell who somebody is.
    entries
        Their values; a frame in memory has an entry for each row, in its order, any other
        table one for each distinct sequence.
    matches
        How many of the other table could be each entry, and which one if it is one.
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

    @property
    def smallest(self) -> int | None:
        """The fewest candidates that anyone has who has some."""
        some = self.matches.number[self.matches.number > 0]
        return int(some.min()) if len(some) else None

    @property
    def distribution(self) -> tuple[tuple[int, int], ...]:
        """Each number of candidates with how many have it, few first."""
        number, entry = np.unique(self.matches.number, return_inverse=True)
        total = np.zeros(len(number), dtype=np.int64)
        np.add.at(total, entry, self.entries.counts)
        return tuple(zip(number.tolist(), total.tolist(), strict=True))


@dataclass(frozen=True)
class Truth:
    """Where the true identities are known: how often linking is right.

    Parameters
    ----------
    rows_right
        The rows whose subject is among the persons that they could be of.
    rows_wrong
        The rows that could be of somebody, but not of their subject.
    pinned_right, pinned_wrong
        The same of rows with one candidate.
    small_right
        The rows with fewer than k candidates, the subject being one of them.
    """

    rows_right: int
    rows_wrong: int
    pinned_right: int
    pinned_wrong: int
    small_right: int


@dataclass(frozen=True, eq=False)
class Linkage:
    """What linking a release with an external table says.

    Parameters
    ----------
    k
        How many persons each released row should be possible for, if for any.
    on
        The attributes of the release, each with its column in the external table.
    persons
        For each external person, the rows that could be theirs.
    rows
        For each released row, the persons that it could be of.
    truth
        How often linking is right, if the true identities were given.
    unknown
        For each attribute, the persons whose value its hierarchy does not know; they match
        suppressed values only.
    seconds
        How long each vector of levels took that the release uses.
    """

    k: int
    on: Mapping[str, str]
    persons: Candidates
    rows: Candidates
    truth: Truth | None
    unknown: Mapping[str, int]
    seconds: tuple[float, ...]

    @property
    def seconds_per_vector(self) -> float:
        """The mean time that a vector of levels took."""
        return sum(self.seconds) / max(1, len(self.seconds))

    @property
    def k_map(self) -> int | None:
        """The fewest persons that a row could be of, among rows that could be of somebody."""
        return self.rows.smallest

    @property
    def protection(self) -> Protection:
        """Which protection holds for every row of the release (Model, section 3.1)."""
        if self.k_map is None:
            return "null-map"
        if self.k_map >= self.k:
            return "k-map"
        if self.truth is not None and not self.truth.small_right:
            return "wrong-map"
        return "none"

    @property
    def holds(self) -> bool:
        """Whether each row maps to nobody, to k persons or more, or to the wrong ones."""
        return self.protection != "none"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know, in words."""
        return tuple(_warn(self))

    def show(self, most: int) -> list[dict[str, Any]]:
        """List persons who are pinned to one row, with that row: this is private.

        Parameters
        ----------
        most
            How many.
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
    """Say what linking means for the people of a release."""
    rows, persons = linkage.rows, linkage.persons
    pinned = rows.count(1, 1)
    if pinned:
        yield (
            f"{pinned:,} of {rows.total:,} released rows could be of one person only: if the "
            "external table holds everybody, that is whose they are."
        )
    few = rows.count(2, linkage.k - 1)
    if few:
        persons_of = "2" if linkage.k == 3 else f"2 to {linkage.k - 1:,}"
        yield f"{few:,} of {rows.total:,} released rows could be of {persons_of} persons only."
    found = persons.count(1, 1)
    if found:
        yield (
            f"{found:,} of {persons.total:,} persons have one row only that could be theirs: "
            "whoever knows that such a person is in the release has found their row."
        )
    for name, number in linkage.unknown.items():
        if number:
            yield (
                f"{number:,} persons have a {name} that its hierarchy does not know, so they match "
                "suppressed values only: is it written differently there?"
            )
