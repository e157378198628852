"""Leave out single records of persons who would be left out with all their records.

A heuristic. Persons have a greatest set that keeps the promise, records do not: if somebody shares
record a with one person and b with another, and nobody has both, either can stay, but not both.
Persons whom the search releases keep all their records, which goes on being enough among them, so
that no fewer persons and records are released than without these.
"""

import numpy as np

from lookalike.kernels.grouping import group_equal
from lookalike.kernels.linked_records import LARGEST_COMBINATION, cover_rare
from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.lattice import Vector
from lookalike.model.linked import LinkedTables


def leave_out_records(
    tables: LinkedTables, vector: Vector, k: int, *, alone: bool
) -> tuple[Flags, tuple[Flags, ...]]:
    """Release persons with those of their records that enough others share.

    Records leave until nothing that may be known is rare: those that are rare by themselves, then
    one of each rare pair, then one of each three. Whoever is rare without any record is left out.

    ``alone``: whether a person without records is in no table, and so is left out, too.
    Returns: marks of the persons who are released, and of the rows of each table of records.
    """
    known = [int(one.knows) for one in tables.records if one.knows != "all"]
    remaining = _Remaining(tables, vector, k, alone=alone)
    for most in range(1, max([1, *known]) + 1):
        while remaining.shorten() or remaining.leave_one_of_each(most):
            pass
    while remaining.let_return():
        pass
    owners = zip(remaining.rows, remaining.owners, strict=True)
    return remaining.released, tuple(own & remaining.released[owner] for own, owner in owners)


class _Remaining:
    """The persons and records that are left, at one vector."""

    def __init__(self, tables: LinkedTables, vector: Vector, k: int, *, alone: bool) -> None:
        self.tables, self.vector, self.k, self.alone = tables, vector, k, alone
        own, *levels = tables.divide(vector)
        self.own = tables.persons.number_rows(own)
        records = [*zip(tables.records, levels, strict=True)]
        self.codes = [one.number_rows(here) for one, here in records]
        self.owners = [np.repeat(np.arange(tables.rows), one.sizes) for one in tables.records]
        self.rows = [np.ones(len(one), dtype=np.bool_) for one in self.owners]
        self.released = np.ones(tables.rows, dtype=np.bool_)

    def show(self) -> LinkedTables:
        """Return the tables with the records that are left; leave out whom no table shows."""
        shown = self.tables.show(self.rows)
        if self.alone:
            self.released &= np.sum([one.sizes for one in shown.records], axis=0) > 0
        return shown

    def shorten(self) -> bool:
        """Leave out a record of those who are rare by all their records; return whether some are.

        Whoever has the most loses the rarest one, so that persons with the same records meet on the
        way; whoever has none is left out.
        """
        shown = self.show()
        rare = shown.mark_rare(self.vector, self.k, self.released)
        places = [n for n, one in enumerate(self.tables.records) if one.knows == "all"]
        numbers = sum((shown.records[n].sizes for n in places), np.zeros(len(rare), np.int64))
        most = int(numbers[rare].max(initial=0))
        if not most:
            self.released &= ~rare
            return False
        longest, found = rare & (numbers == most), list[Counts]()
        for place in places:
            at = np.flatnonzero(self.rows[place] & self.released[self.owners[place]])
            owner = self.owners[place][at]
            often = _count_equal(self.own[owner], self.codes[place][at])
            lines = (often, owner, np.full(len(at), place), at)
            found.append(np.stack(lines)[:, longest[owner]])
        often, owner, place_of, at = np.concatenate(found, axis=1)
        order = np.lexsort((often, owner))
        first = order[np.unique(owner[order], return_index=True)[1]]
        for place in places:
            self.rows[place][at[first][place_of[first] == place]] = False
        return True

    def leave_one_of_each(self, most: int) -> bool:
        """Leave out one record of each rare combination; return whether there are any.

        Combinations of few records come first: with them, larger ones leave.
        """
        shown, several = self.show(), len(self.rows)
        rare = next(shown.list_rare(self.vector, self.k, self.released, most), None)
        if rare is None:
            return False
        persons, records, stay = cover_rare(*rare, int(rare[1].max()) + 1)
        for place, rows in enumerate(self.rows):
            here = records % several == place
            concerned = np.zeros(self.tables.rows, dtype=np.bool_)
            concerned[persons[here]] = True
            at = np.flatnonzero(rows & concerned[self.owners[place]])
            size = int(self.codes[place].max(initial=0)) + 1
            equal = self.owners[place][at] * size + self.codes[place][at]
            wanted = persons[here].astype(np.int64) * size + records[here] // several
            rows[at[_draw_beyond(equal, wanted, stay[here])]] = False
        return True

    def let_return(self) -> bool:
        """Let left-out records return, one of each person at a time; return whether any did.

        Of such returns, those that can be made together are closed under union, so they are found
        as persons are: all are made, and taken back where something is rare until nothing is.
        """
        gone = [
            np.stack([self.owners[place][at], np.full(len(at), place), at])
            for place, one in enumerate(self.tables.records)
            if one.knows != "all"
            for at in [np.flatnonzero(~self.rows[place] & self.released[self.owners[place]])]
        ]
        every = np.concatenate([np.empty((3, 0), dtype=np.int64), *gone], axis=1)
        every = every[:, np.argsort(every[0], kind="stable")]
        turn_of = np.arange(every.shape[1]) - np.searchsorted(every[0], every[0])
        returned = False
        for turn in range(int(turn_of.max(initial=-1)) + 1):
            made = every[:, turn_of == turn]
            self._set(made, shown=True)
            while (back := self._mark_rare()[made[0]]).any():
                self._set(made[:, back], shown=False)
                made = made[:, ~back]
            returned = returned or made.size > 0
        return returned

    def _set(self, records: Counts, *, shown: bool) -> None:
        """Show records, or leave them out; lines: their persons, their tables, and their rows."""
        for place, rows in enumerate(self.rows):
            rows[records[2, records[1] == place]] = shown

    def _mark_rare(self) -> Flags:
        """Mark the persons of whom something rare may be known."""
        rare = np.zeros(self.tables.rows, dtype=np.bool_)
        for persons, _ in self.show().list_rare(
            self.vector, self.k, self.released, LARGEST_COMBINATION
        ):
            rare[persons] = True
        return rare


def _count_equal(own: Codes, codes: Codes) -> Counts:
    """Count the records that are equal to each, of persons with equal rows."""
    sizes = [int(one.max(initial=0)) + 1 for one in (own, codes)]
    class_of, _, counts = group_equal(np.stack([own, codes]), sizes, np.ones(len(own), np.int64))
    return counts[class_of]


def _draw_beyond(equal: Counts, wanted: Counts, stay: Codes) -> Counts:
    """Draw the records that leave: of those with a wanted number, all but so many."""
    lot = np.random.default_rng().permutation(len(equal))
    order = lot[np.argsort(equal[lot], kind="stable")]
    ordered, sorting = equal[order], np.argsort(wanted)
    within = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    at = sorting[np.searchsorted(wanted, ordered, sorter=sorting) % max(1, len(wanted))]
    beyond: Counts = order[(wanted[at] == ordered) & (within >= stay[at])]
    return beyond
