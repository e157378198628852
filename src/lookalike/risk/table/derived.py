"""Find columns from which a finer value of a generalized attribute follows.

A year beside a date that is shown as five years, or a title beside a suppressed sex, undoes the
generalization. A group is the rows with one value of the column and one shown label. It
*determines* a finer label if that label has at least 95 % of the group (errors of entry are
rare), and the group has at most a fifth of the exceptions that as many rows with the shown label
have on average: that a city has 96 % of a value that 90 % of the country have is no rule.

The released file does not show the finer label, so an attacker concludes it by a rule, and not by
rows that agree by accident. So the rows are compared with chance: if the values of the column were
exchanged at random among the rows with one shown label, a group of n rows would determine a label
with a chance of at most exp(-n KL(t, p)) / p. Here p is the share of the most frequent finer label,
t the share that is needed, and KL the relative entropy (Chernoff's bound, and the sum over the
labels, which are at most as frequent; p ** (n - 1) if all rows must agree). Groups for which that
is above one half are too small to judge. What chance would determine of the others is subtracted,
and a result that chance reaches more often than once in a million is none.
"""

from dataclasses import dataclass

import numpy as np

from lookalike.hierarchy.bound import BoundHierarchy
from lookalike.kernels.grouping import group_codes
from lookalike.kernels.types import Codes, Counts, Flags, Reals
from lookalike.risk.table.person_keys import SURPRISE

EXCEPTIONS = 20
"""A group determines a label if at most one row in so many has another."""
FEWER = 5
"""A group determines a label if it has so many times fewer exceptions than other rows."""
MOST_GAPS = 20
"""How many numbers there may be for each row, if pairs of codes are numbered with gaps."""
_TILTS = 2.0 ** np.arange(-18, 5)
"""Where Chernoff's bound on a sum of group sizes is evaluated; any of them bounds it."""


@dataclass(frozen=True)
class Determined:
    """The rows for which a finer label is determined.

    ``rows``: their number beyond chance; 0 if chance explains it.
    ``judged``: the rows that were compared: all but those with values too rare to judge.
    """

    rows: int
    judged: int

    @property
    def share(self) -> float:
        """The share of the rows that were compared."""
        return self.rows / max(1, self.judged)


@dataclass(frozen=True, eq=False)
class ShownAttribute:
    """What a release shows of an attribute in some rows.

    ``labels``: the number of the label that each row shows.
    """

    hierarchy: BoundHierarchy
    ground: Codes
    levels: Codes
    labels: Codes

    def taken(self, rows: Codes) -> "ShownAttribute":
        """Return what is shown in some of the rows."""
        ground, levels = self.ground[rows], self.levels[rows]
        return ShownAttribute(self.hierarchy, ground, levels, self.labels[rows])


def find_level(
    given: Codes, shown: ShownAttribute, beside: Codes | None = None, person: Codes | None = None
) -> tuple[int, Determined]:
    """Return the level that is determined in the most rows, as steps below what is shown.

    Of levels with equally many rows, the finest is returned.

    ``given``: the value that each row has in the column, or its combination of values.
    ``beside``: what the release shows of another attribute; it is known, as the label itself is.
    ``person``: the person of each row, if persons have several: equal rows of one count once.
    """
    best = 0, Determined(0, 0)
    for steps in range(1, int(shown.levels.max(initial=0)) + 1):
        finer = np.flatnonzero(shown.levels >= steps).astype(np.int32)
        known = len(given) - len(finer)
        part = shown.taken(finer)
        labels = part.hierarchy.lift_ground(part.levels - steps, part.ground)
        seen = part.labels if beside is None else group_codes([part.labels, beside[finer]])[0]
        one = None if person is None else person[finer]
        found = count_determined(given[finer], seen, labels, one)
        if found is None:
            continue
        if not found.rows:
            break
        total = Determined(found.rows, found.judged + known)
        best = max(best, (steps, total), key=lambda one: (one[1].rows, one[0]))
    rule = _find_rule(given, shown, beside, person)
    return rule if rule[1].rows > best[1].rows else best


def _find_rule(
    given: Codes, shown: ShownAttribute, beside: Codes | None, person: Codes | None
) -> tuple[int, Determined]:
    """Return what follows in rows that show less than others, from a rule that these others show.

    Where levels differ from cell to cell, the released file itself shows the rule: a title beside a
    sex that most rows show gives the sex of the few rows that do not.
    """
    best = 0, Determined(0, 0)
    seen = np.zeros_like(given) if beside is None else beside
    for level in range(int(shown.levels.max(initial=0))):
        less = shown.levels > level
        if less.all():
            continue
        labels = shown.hierarchy.lift_ground(level, shown.ground)
        found = count_determined(given, seen, labels, person, less)
        if found is not None and found.rows > best[1].rows:
            best = int((shown.levels[less] - level).min()), found
    return best


def count_determined(
    given: Codes,
    shown: Codes,
    finer: Codes,
    person: Codes | None = None,
    counted: Flags | None = None,
) -> Determined | None:
    """Count the rows in which a given value and a shown label determine a finer label.

    ``counted``: the rows that are counted, if not all: the others only show whether there is a
    rule.
    Returns: nothing if every shown label stands for one finer label, so that there is nothing
    to learn.
    """
    counted = np.ones(len(given), dtype=np.bool_) if counted is None else counted
    if person is not None:
        first = group_codes([given, shown, finer, person, counted.astype(np.int32)])[1]
        given, shown, finer = given[first], shown[first], finer[first]
        counted = counted[first]
    total, most = _count_majorities(shown, finer)
    if np.array_equal(total, most):
        return None
    group_of = _number_pairs(given, shown)
    rows, alike = _count_majorities(group_of, finer)
    within = np.full(len(rows), shown[0])
    within[group_of] = shown
    several = (rows > 0) & (total[within] > most[within])
    needed, chance = _judge_chance(np.maximum(rows, 1), total[within], most[within])
    judged = several & (chance <= np.log(0.5))
    determined = judged & (alike >= needed)
    own = np.bincount(group_of[counted], minlength=len(rows))
    expected = float(own[judged] @ np.exp(chance[judged]))
    beyond = round(own[determined].sum() - expected)
    if beyond <= 0 or _surprise(rows[judged], chance[judged], determined[judged]) < SURPRISE:
        beyond = 0
    return Determined(beyond, int(own[judged | ~several].sum() + (~counted).sum()))


def _number_pairs(one: Codes, other: Codes) -> Codes:
    """Number the pairs of codes in each row, with gaps if that is quicker."""
    sizes = [int(codes.max(initial=0)) + 2 for codes in (one, other)]
    if sizes[0] * sizes[1] > MOST_GAPS * len(one):
        return group_codes([one, other])[0]
    return (one + np.int32(1)) * np.int32(sizes[1]) + other + np.int32(1)


def _count_majorities(group_of: Codes, labels: Codes) -> tuple[Counts, Counts]:
    """Return the number of rows of each group, and of those with its most frequent label."""
    rows, pair_of = np.bincount(group_of), _number_pairs(group_of, labels)
    counts = np.bincount(pair_of)
    most = np.zeros(len(rows), dtype=np.int64)
    np.maximum.at(most, group_of, counts[pair_of])
    return rows, most


def _judge_chance(rows: Counts, total: Counts, most: Counts) -> tuple[Counts, Reals]:
    """Return how many rows of a group must agree, and the logarithm of the chance that they do."""
    allowed = np.minimum(rows // EXCEPTIONS, rows * (total - most) // (FEWER * total))
    needed = rows - allowed
    p, t = most / total, needed / rows
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = t * np.log(t / p) + np.where(t < 1, (1 - t) * np.log((1 - t) / (1 - p)), 0.0)
    return needed, np.minimum(0.0, -rows * apart - np.log(p))


def _surprise(rows: Counts, chance: Reals, determined: Flags) -> float:
    """Return how rarely chance determines so many rows, in bits (Chernoff's bound)."""
    reached = int(rows[determined].sum())
    rest = np.log1p(-np.exp(chance))
    most = max(tilt * reached - np.logaddexp(rest, chance + tilt * rows).sum() for tilt in _TILTS)
    return float(most / np.log(2))
