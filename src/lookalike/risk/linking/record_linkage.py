"""The result of linking a release of people with records with external tables."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from lookalike.json_result import JsonResult
from lookalike.kernels.types import Flags
from lookalike.risk.linking.linkage import CandidateFigures, Candidates
from lookalike.spec.fields import PersonUnit, name_units


@dataclass(frozen=True, eq=False)
class RecordLinkage(JsonResult):
    """The result of linking a release of people with records with external tables.

    Parameters
    ----------
    k
        The minimum number of released persons that each external person must match, if any.
    promised
        The k of the certificate.
    on
        The attributes of the release, each with its column in an external table.
    known
        The number of known records of each table.
    persons
        For each external person, the released persons who have all that is known.
    released
        For each released person, the external persons of whom everything known is released.
    covered
        Marks the external persons of whom no more is known than the certificate promises for.
    unlinked
        The number of external records that belong to no external person; they were not used.
    unknown
        For each attribute, the number of external rows whose value is not in the hierarchy; they
        match suppressed values only.
    unit
        What a person is called.
    """

    json_names = (
        "k promised holds on known persons=person_figures released=released_figures covered "
        "covered_fewest unlinked unknown warnings"
    )
    json_requested: ClassVar = {"shown": list[dict[str, Any]]}

    k: int
    promised: int
    on: Mapping[str, str]
    known: Mapping[str, int]
    persons: Candidates
    released: Candidates
    is_covered: Flags
    unlinked: int
    unknown: Mapping[str, int]
    unit: PersonUnit

    def as_json(self, most: int = 0) -> dict[str, Any]:
        """Return what ``link --json`` prints.

        Parameters
        ----------
        most
            The largest number of matches to list with their values, which are private.
        """
        return super().as_json() | ({"shown": self.show(most)} if most else {})

    @property
    def units(self) -> str:
        """What persons are called where they are counted."""
        return name_units(self.unit)

    @property
    def person_figures(self) -> CandidateFigures:
        """How many external persons match how many released ones."""
        return self.persons.list_figures(self.k)

    @property
    def released_figures(self) -> CandidateFigures:
        """How many released persons match how many external ones."""
        return self.released.list_figures(self.k)

    @property
    def covered(self) -> int:
        """The number of external persons of whom no more is known than the promise covers."""
        return int(self.is_covered.sum())

    @cached_property
    def covered_fewest(self) -> int | None:
        """The fewest matches of those who have any; None if nobody has."""
        some = self.persons.matches.number[self.is_covered]
        return int(some[some > 0].min(initial=int(some.max(initial=0)))) or None

    @property
    def holds(self) -> bool:
        """Whether each external person matches nobody, or at least k released persons."""
        fewest = self.persons.smallest
        return fewest is None or fewest >= self.k

    @property
    def statement(self) -> str:
        """How many released persons what is known leaves, in words."""
        fewest = self.persons.smallest
        if fewest is None:
            return f"Nobody in the release has what is known of any external {self.unit}."
        if self.holds:
            return (
                f"What is known of an external {self.unit} leaves at least {fewest:,} {self.units} "
                "of the release, or nobody."
            )
        few = f"{fewest:,} {self.unit if fewest == 1 else self.units}"
        return (
            f"Not protected: what is known of an external {self.unit} leaves only {few} of the "
            f"release (k = {self.k:,})."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about the risks that were found."""
        return tuple(self._warn())

    def _warn(self) -> Iterator[str]:
        """Yield sentences about the risks that were found."""
        found, total = self.persons.count(1, 1), self.persons.total
        if found:
            yield (
                f"{found:,} of {total:,} external {self.units} match exactly one {self.unit} of "
                f"the release: whoever knows that such a {self.unit} is in the release has found "
                "all rows."
            )
        few = self.persons.count(2, self.k - 1)
        if few:
            most = "2" if self.k == 3 else f"2 to {self.k - 1:,}"
            yield f"{few:,} of {total:,} external {self.units} match only {most}."
        more = total - self.covered
        if more:
            yield (
                f"More is known of {more:,} of {total:,} external {self.units} than the "
                f"certificate promises k = {self.promised:,} for."
            )
        pinned = self.released.count(1, 1)
        if pinned:
            yield (
                f"{pinned:,} of {self.released.total:,} released {self.units} can only be one "
                f"external {self.unit}, if the external tables are complete. No promise covers "
                f"that: it compares what is known of several {self.units}."
            )
        if self.unlinked:
            yield (
                f"{self.unlinked:,} external records belong to no {self.unit} of the external "
                "table and were not used."
            )
        for name, number in self.unknown.items():
            if number:
                yield (
                    f"{name}: {number:,} external rows have a value that is not in the hierarchy, "
                    "so that only suppressed values match: check how the external table writes "
                    "this column."
                )

    def show(self, most: int) -> list[dict[str, Any]]:
        """List external persons with exactly one match, and that person. The result is private.

        Parameters
        ----------
        most
            The largest number of persons to list.
        """
        matches = self.persons.matches
        chosen = (matches.number == 1).nonzero()[0][:most]
        theirs = self.persons.entries.label(chosen.tolist())
        ours = self.released.entries.label(matches.only[chosen].tolist())
        could_be = self.released.matches.number[matches.only[chosen]].tolist()
        return [
            {
                "person": dict(zip(self.persons.columns, person, strict=True)),
                "released": dict(zip(self.released.columns, row, strict=True)),
                "persons_of_released": number,
            }
            for person, row, number in zip(theirs, ours, could_be, strict=True)
        ]
