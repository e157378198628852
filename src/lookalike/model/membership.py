"""Membership: the class of each sequence at a vector, and which classes fail the requirement."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.class_values import NOT_COUNTED
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.model.beside import Persons, Sensitive
from lookalike.model.population import MatchedPeople
from lookalike.model.protections import ClassValues, Protection


@dataclass(frozen=True, eq=False)
class Membership:
    """The class of each sequence over one quasi-identifier, and what a class must satisfy.

    ``k``: the least number of rows of a class, or of persons if they are given.
    ``persons``: the persons, if k counts them and some have several rows.
    ``protected``: the sensitive columns, each with a protection that every class must satisfy.
    ``matched``: the people of registers who match each class, each with its condition.
    """

    class_of: Codes
    k: int
    persons: Persons | None = None
    protected: tuple[tuple[Sensitive, Protection], ...] = ()
    matched: tuple[MatchedPeople, ...] = ()

    def sizes(self, counts: Counts) -> Counts:
        """Return the size of each sequence's class, given the rows left of each sequence."""
        return self._class_sizes(counts)[self.class_of]

    def failing(self, counts: Counts) -> Flags:
        """Mark the sequences whose class fails, given the rows left of each sequence."""
        sizes = self._class_sizes(counts)
        fails = sizes < self.k
        if self.persons is not None:
            fails[self.persons.lacking(self.class_of, counts, sizes, self.k)] = True
        for matched in self.matched:
            fails |= matched.failing(sizes)
        for sensitive, protection in self.protected:
            judged = np.flatnonzero(~fails)  # those that fail already are not judged
            values = self._values_of(sensitive, counts, ~fails)
            fails[judged[protection.failing(values)]] = True
        marked: Flags = fails[self.class_of]
        return marked

    def count_classes(self, counts: Counts) -> int:
        """Count the classes that have rows left."""
        return int(np.count_nonzero(self._class_sizes(counts)))

    def rest_fails(self, counts: Counts, left: Counts) -> bool:
        """Return whether the suppressed rows break a condition, given the rows and those left."""
        if all(one.condition.grows for one in self.matched):
            return False
        suppressed, sizes = int(counts.sum() - left.sum()), self._class_sizes(left)
        return any(one.rest_fails(suppressed, sizes) for one in self.matched)

    def keeps_at_most(self, counts: Counts) -> Reals:
        """Bound how many rows of each class can be kept, however it is divided.

        Parts of at least k rows are kept, and each protection bounds them together.
        """
        sizes = self._class_sizes(counts)
        kept = np.where(sizes < self.k, 0.0, sizes)
        if self.persons is not None:
            kept[self.persons.lacking(self.class_of, counts, sizes, self.k)] = 0
        for sensitive, protection in self.protected:
            some = np.flatnonzero(kept)
            values = self._values_of(sensitive, counts, kept > 0)
            kept[some] = np.minimum(kept[some], protection.keeps_at_most(values))
            kept[kept < self.k] = 0
        return kept

    def _class_sizes(self, counts: Counts) -> Counts:
        """Return the size of each class."""
        return np.bincount(self.class_of, weights=counts).astype(np.int64)

    def _values_of(self, sensitive: Sensitive, counts: Counts, chosen: Flags) -> ClassValues:
        """Count the values of a sensitive column in the chosen classes."""
        number = np.where(chosen, np.cumsum(chosen) - 1, NOT_COUNTED).astype(np.int32)
        return sensitive.by_class(self.class_of, counts, number, int(chosen.sum()))


def remove_failing(counts: Counts, memberships: Sequence[Membership]) -> Counts:
    """Return the rows left of each sequence after every class that fails is removed.

    Removing rows for one quasi-identifier makes classes of another smaller, so removal is
    repeated until nothing changes. For what stays true when a class grows, such as k, the
    result is the least fixed point: no smaller set of rows is enough. Other protections
    can fail after rows are removed and hold after more are; then the result depends on the order
    of the quasi-identifiers, and satisfies the requirement all the same.
    """
    left = counts.copy()
    changed = True
    while changed:
        changed = False
        for membership in memberships:
            failing = membership.failing(left) & (left > 0)
            left[failing] = 0
            changed |= bool(failing.any()) and len(memberships) > 1
    return left
