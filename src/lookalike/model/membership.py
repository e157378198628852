"""Membership: the class of each sequence at a vector, and which classes fail the requirement."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.beside import Persons, Sensitive
from lookalike.model.population import MatchedPeople
from lookalike.model.protections import ClassValues, Protection, count_values


@dataclass(frozen=True, eq=False)
class Membership:
    """The class of each sequence over one quasi-identifier, and what a class must satisfy.

    ``k``: the least number of rows of a class, or of persons if they are given.
    ``persons``: the persons, if k counts them and some have several rows.
    ``protected``: the sensitive columns, each with a protection that every class must satisfy.
    ``matched``: the people of registers who match each class, each with its condition.
    ``rows``: the rows of each class, if no row is removed and they are known.
    """

    class_of: Codes
    k: int
    persons: Persons | None = None
    protected: tuple[tuple[Sensitive, Protection], ...] = ()
    matched: tuple[MatchedPeople, ...] = ()
    rows: Counts | None = None

    def sizes(self, counts: Counts) -> Counts:
        """Return the size of each class, given the rows left of each sequence."""
        return np.bincount(self.class_of, weights=counts).astype(np.int64)

    def failing(self, counts: Counts) -> Flags:
        """Mark the sequences whose class fails, given the rows left of each sequence."""
        sizes = self.sizes(counts)
        enough = self._mark_enough(counts, sizes)
        fails = ~enough
        for protection, values in self._count_values(counts, enough):
            fails[enough] |= protection.failing(values)
        for matched in self.matched:
            fails |= matched.failing(sizes)
        marked: Flags = fails[self.class_of]
        return marked

    def judge(self, counts: Counts, most: float, *, monotone: bool) -> tuple[int, int]:
        """Count the rows of classes that satisfy k and protections, and bound those kept below.

        Nothing is removed of any sequence. However a class is divided, parts of at least k rows are
        kept, and each protection bounds them together. If it is monotone, the bound is the
        number itself. If the bound leaves out more than `most` rows, nothing else is counted, and
        both numbers are the bound.
        """
        sizes = self.sizes(counts) if self.rows is None else self.rows
        least, kept = int(sizes.sum()) - most, sizes[sizes >= self.k]
        if kept.sum() < least:
            return int(kept.sum()), int(kept.sum())
        enough = self._mark_enough(counts, sizes)
        rows = kept = sizes[enough]
        counted = list(self._count_values(counts, enough))
        if not monotone:
            for protection, values in counted:
                kept = np.minimum(kept, protection.keeps_at_most(values))
            bound = int(kept[kept >= self.k].sum())
            if bound < least:
                return bound, bound
        fails = np.zeros(len(rows), dtype=np.bool_)
        for protection, values in counted:
            fails |= protection.failing(values)
        satisfying = int(rows[~fails].sum())
        return satisfying, satisfying if monotone else bound

    def rest_fails(self, counts: Counts, left: Counts) -> bool:
        """Return whether the suppressed rows break a condition, given the rows and those left."""
        if all(one.condition.grows for one in self.matched):
            return False
        suppressed, sizes = int(counts.sum() - left.sum()), self.sizes(left)
        return any(one.rest_fails(suppressed, sizes) for one in self.matched)

    def _mark_enough(self, counts: Counts, sizes: Counts) -> Flags:
        """Mark the classes with at least k rows, or persons."""
        enough: Flags = sizes >= self.k
        if self.persons is not None:
            enough[self.persons.lacking(self.class_of, counts, sizes, self.k)] = False
        return enough

    def _count_values(
        self, counts: Counts, chosen: Flags
    ) -> Iterator[tuple[Protection, ClassValues]]:
        """Count the values of sensitive columns in the chosen classes, for each protection."""
        known: dict[str, ClassValues] = {}
        for sensitive, protection in self.protected:
            name, codes, all_rows = sensitive.column, sensitive.codes, sensitive.reference
            if name not in known:
                known[name] = count_values(
                    self.class_of, codes, counts, len(chosen), all_rows, chosen
                )
            yield protection, known[name]


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
