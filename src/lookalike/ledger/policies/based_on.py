"""Plan the next release based on the last one (Model, section 4.2, second remedy; Example 7).

The invariant is: rows of equal history, a *part*, number 0 or at least k. Whatever happens to a
part in the next release, each of the following sets must again number 0 or at least k: the rows
that keep their class, those that show new values of the same columns there, those that join the
same new class, and those that are not shown. This preserves the invariant.

An attacker may know every release, everyone's quasi-identifier at any time, who was in the source
when, whose values changed, and even which rows of two releases are the same row. All persons of a
part were in the source whenever its rows were shown, and match all classes in which they were
shown. So any two of them could be exchanged without any change in the releases: each row has at
least k possible owners, each person at least k possible rows, all equally likely. For one part this
means:

- Rows stay in the class in which they were shown. A row that left the source, or whose
  quasi-identifier changed, has left its class.
- If 1 … k - 1 rows are not shown, further rows that are drawn at random wait with them until they
  are k. If fewer than k would stay, all rows wait: the whole class is withdrawn. Such *companions*
  are still in the source. An attacker who knows that cannot say which row is theirs: it could be
  any of those that stayed. (To withdraw every class that 1 … k - 1 rows leave is equally safe, and
  loses far more: docs/releasing-again.md has figures.)
- Rows with new values in columns that are released unchanged show them together with at least
  k - 1 others that have new values in the same columns. If there are fewer, they show new values
  only in those of the columns in which at least k rows have some, and old values in the others. 0
  or at least k rows show nothing new. An attacker may know whose row changed in which columns:
  each row that shows a new value in a column has one.
- Rows that were never shown, or not in the last release, or that left their class, can join new
  classes. They form classes of at least k by themselves, separate from rows of any other history.

Rows that were never shown need no companions to stay unshown, because nothing is known of them.

Where releases protect sensitive values, "at least k" is replaced by the number of rows from which
on any rows of the part keep the protections (:mod:`lookalike.ledger.policies.least_rows`). New
values of a protected column are not known beforehand. So rows that stay do not show them, and rows
that were shown do not join other classes with them: what is shown must not depend on whether new
values happen to keep a protection. Only rows that were never shown bring new values, and the method
places them as in a first release.

If leavers are kept, a row that left the source, or whose quasi-identifier changed, stays in its
class as it was last shown. Nothing new is shown of it, so it counts with the rows that show nothing
new, and the argument is the same: two persons of a part were in the source and matched the class
when their rows were first shown there, and each later release shows both unchanged. Only rows that
the holder withdraws leave their class, as above.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.numbering import number_keys
from lookalike.kernels.types import Codes, Counts, Digests, Flags
from lookalike.ledger.policies.history import NEVER_SHOWN, History, count_exposed_rows
from lookalike.ledger.policies.new_values import (
    choose_new_values,
    count_companions,
    draw_rows,
    number_alike,
)
from lookalike.ledger.policies.shown_columns import ABSENT
from lookalike.shown_text import count_rows

MAKE_AGAIN = "Make the release again: it will then be based on the releases published by now"


class NextFate(IntEnum):
    """What the next release does with a row."""

    WAITS = 0
    """The row is not shown."""
    KEEPS = 1
    """The row stays in its class, with the values that were last shown."""
    RENEWS = 2
    """The row stays in its class, with new values in some columns."""
    JOINS = 3
    """The row is in a new class, with its present values."""


@dataclass(frozen=True, eq=False)
class NextRelease:
    """What the next release does with every row of the source.

    :func:`plan_next` returns a plan in which rows that join have no class yet. Once they are
    placed into classes, :func:`finish_plan` decides the fate of every row.

    ``k``: the greatest k that was ever promised.
    ``part``: part of each row: rows of equal history have the same number.
    ``joining_group``: rows with the same number may join a class together; `ABSENT` for rows that
    do not join. A row that was shown before must not be shown at lower levels than then; the class
    is in `linkable` and `last_class` of :class:`History`.
    ``shown``: whether the last release showed the row.
    ``changed``: by comparison (:meth:`History.compare`) and row: whether the value differs from the
    one last shown.
    ``anew``: by comparison and row: whether the release shows the new value.
    ``part_sizes``: number of rows of each part, including rows that left the source.
    ``least``: by part: how many rows must stay together, k or more
    (:mod:`lookalike.ledger.policies.least_rows`).
    ``away``: whether the source no longer has the row as it was shown, and it may stay
    nevertheless: it left the source, or its quasi-identifier changed. None unless leavers are kept.
    ``fixed``: by comparison: whether rows that stay in their class go on showing the old value.
    """

    k: int
    fate: npt.NDArray[np.int8]
    part: Codes
    joining_group: Codes
    shown: Flags
    changed: Flags
    anew: Flags
    part_sizes: Counts
    least: Counts
    away: Flags | None = None
    fixed: Flags | None = None

    def rows(self, fate: NextFate) -> int:
        """Return the number of rows with a fate."""
        return int(np.count_nonzero(self.fate == fate))

    @property
    def held_back(self) -> Flags:
        """By comparison and row: whether the row is shown with its old value."""
        held: Flags = self.changed & ~self.anew & (self.fate != NextFate.WAITS)
        return held

    @property
    def rows_withdrawn(self) -> int:
        """The number of rows that wait and were shown in the last release."""
        return int(np.count_nonzero(self.shown & (self.fate == NextFate.WAITS)))

    @property
    def recalled(self) -> Flags:
        """Whether the row is shown as it was, although the source no longer has it so."""
        kept: Flags = self.fate == NextFate.KEEPS
        return kept & self.away if self.away is not None else np.zeros_like(kept)


class ProtectedParts(NamedTuple):
    """What protections of sensitive values demand of a plan.

    ``least``: by part: how many rows must stay together, k or more.
    ``fixed``: if the release itself protects columns, by comparison: whether the column is one of
    them. Rows that stay go on showing its old values, and rows that were shown do not join other
    classes.
    """

    least: Counts
    fixed: Flags | None


def plan_next(
    history: History,
    keys: Digests,
    *,
    moved: Flags,
    changed: Flags,
    k: int,
    left: Flags | None = None,
    withdrawn: Flags | None = None,
    protected: ProtectedParts | None = None,
) -> NextRelease:
    """Decide which rows stay in their class, and which may join new classes together.

    ``changed``: by comparison (:meth:`History.compare`) and row: whether the value differs from the
    one last shown.
    ``k``: the greatest k that was ever promised, by this release or an earlier one.
    ``left``: which rows left the source, if leavers are kept. They are shown as before.
    ``withdrawn``: which rows must not be shown, whether or not the source has them.
    ``protected``: what protections of sensitive values demand, of this release and earlier ones.
    """
    refuse_equal_keys(keys)
    part, shown = _find_parts(history, keys)
    part_sizes = history.parts[1]
    gone = np.zeros_like(shown) if withdrawn is None else withdrawn
    least, fixed = protected or (np.full(len(part_sizes), k, dtype=np.int64), None)
    homeless = ~shown | moved
    joins = homeless & ~gone
    if fixed is not None:
        joins &= part == NEVER_SHOWN
    group, sizes = number_alike(np.where(joins, part + 1, 0), *(changed & joins))
    enough = joins & (sizes[group] >= least[part])
    away = None if left is None else shown & (left | moved)
    stays = ~gone & (shown if left is not None else ~homeless)
    fate = np.select([enough, stays], [NextFate.JOINS, NextFate.KEEPS], NextFate.WAITS)
    return NextRelease(
        k=k,
        fate=fate.astype(np.int8),
        part=part,
        joining_group=np.where(enough, group, ABSENT).astype(np.int32),
        shown=shown,
        changed=changed,
        anew=changed & joins,
        part_sizes=part_sizes,
        least=least,
        away=away,
        fixed=fixed,
    )


def _find_parts(history: History, keys: Digests) -> tuple[Codes, Flags]:
    """Return the part of each row, and whether the last release showed the row."""
    found = history.find(keys)
    known = found != ABSENT
    part = np.full(len(keys), NEVER_SHOWN, dtype=np.int32)
    part[known] = history.parts[0][found[known]]
    shown = np.zeros(len(keys), dtype=np.bool_)
    if len(history.steps):
        shown[known] = history.steps[-1, found[known]] != ABSENT
    return part, shown


def refuse_equal_keys(keys: Digests) -> None:
    """Refuse rows with the same key."""
    first = number_keys(keys)[1]
    if len(first) < len(keys):
        raise InvalidInput(
            f"row_key: {len(keys) - len(first):,} rows have the key of another row; choose a "
            "column that is different in every row"
        )


def finish_plan(
    plan: NextRelease, placed: Counts, names: Sequence[str] | None = None
) -> NextRelease:
    """Decide the fate of every row, once the rows that join are placed into classes.

    Companions are drawn from the operating system's entropy, so call this once per release.

    ``placed``: the new class of each row that joins, a number from 0 on; `ABSENT` if it has none,
    and for all other rows. The rows of each joining group are counted separately, even if several
    groups share a class.
    ``names``: by comparison: its column, if some columns are compared under several names.
    """
    # The outcomes are 0 for rows without a class, 1 for those that keep theirs, and from 2 on.
    joins = plan.fate == NextFate.JOINS
    outcome = np.where(plan.fate == NextFate.KEEPS, 1, 0)
    dense = np.unique(placed[joins], return_inverse=True)[1]
    apart = 2 + number_alike(dense, *plan.changed[:, joins])[0]
    outcome[joins] = np.where(placed[joins] == ABSENT, 0, apart)
    if plan.away is not None:
        back = _find_returning(plan, outcome)
        outcome[back] = 1
        plan = replace(plan, fate=np.where(back, NextFate.KEEPS, plan.fate).astype(np.int8))
    group, sizes = number_alike(plan.part, outcome)
    part_of_group, outcome_of_group = np.zeros((2, len(sizes)), dtype=np.int64)
    part_of_group[group], outcome_of_group[group] = plan.part, outcome
    enough = (outcome_of_group > 0) & (sizes >= plan.least[part_of_group])
    able = np.where(enough, sizes, 0)
    waiting: Counts = plan.part_sizes.copy()
    np.subtract.at(waiting, part_of_group, able)
    waiting[NEVER_SHOWN] = 0
    given = count_companions(able, part_of_group, waiting, plan.least)
    waits = ~enough[group] | draw_rows(group, given)
    fate = np.where(waits, NextFate.WAITS, plan.fate).astype(np.int8)
    stays = np.flatnonzero(fate == NextFate.KEEPS)
    anew = plan.anew & (fate == NextFate.JOINS)
    changed = plan.changed if plan.away is None else plan.changed & ~plan.away
    if plan.fixed is not None:
        changed = changed & ~plan.fixed[:, None]
    anew[:, stays] = choose_new_values(plan.part[stays], changed[:, stays], plan.least, names)
    fate[stays[anew[:, stays].any(axis=0)]] = NextFate.RENEWS
    joining_group = np.where(fate == NextFate.JOINS, plan.joining_group, ABSENT)
    return replace(plan, fate=fate, anew=anew, joining_group=joining_group.astype(np.int32))


def _find_returning(plan: NextRelease, outcome: Counts) -> Flags:
    """Return which rows that would join a new class stay in theirs instead, if they may.

    They do if too few rows of their history join the class, or would stay behind.
    """
    may_stay: Flags = (plan.fate == NextFate.JOINS) & plan.shown
    group, sizes = number_alike(plan.part, outcome)
    back: Flags = may_stay & ((outcome == 0) | (sizes[group] < plan.least[plan.part]))
    behind = np.bincount(plan.part[back | (outcome == 1)], minlength=len(plan.part_sizes))
    return back | (may_stay & ((behind > 0) & (behind < plan.least))[plan.part])


def check_next(history: History, k: int, remedy: str = MAKE_AGAIN) -> None:
    """Refuse the last release of a history if fewer than k rows share a history that it shows.

    Every release is checked just before it is published, even if it was planned to pass, because
    another release may have been published since.
    """
    exposed = count_exposed_rows(history, k)
    if exposed:
        *earlier, last = history.releases
        rows = count_rows(exposed)
        together = f" together with {' and '.join(earlier)}" if earlier else ""
        counted = "rows" if history.persons is None else "persons"
        raise RequirementNotMet(
            f"{last} would expose {rows}{together}: fewer than k = {k} {counted} share their "
            "history, which is the class in every release and the columns with new values. "
            f"{remedy}"
        )


@dataclass(frozen=True)
class Basis:
    """How many rows a release that is based on earlier ones keeps, renews, adds and leaves out.

    Parameters
    ----------
    considered
        Number of earlier releases.
    rows_kept
        Rows that are shown as before.
    rows_outdated
        Kept rows with new values that are not shown yet.
    rows_renewed
        Rows that stay in their class and show new values.
    rows_partly_renewed
        Renewed rows with further new values that are not shown yet.
    rows_joined
        Rows in new classes.
    rows_waiting
        Rows that are not shown.
    rows_withdrawn
        Waiting rows that the last release showed.
    rows_left
        Kept rows of people who left the source.
    rows_moved
        Kept rows whose quasi-identifier is another now.
    keys_unknown
        Row keys of people who withdrew that no release of the source knows.
    """

    considered: int
    rows_kept: int
    rows_outdated: int
    rows_renewed: int
    rows_partly_renewed: int
    rows_joined: int
    rows_waiting: int
    rows_withdrawn: int
    rows_left: int = 0
    rows_moved: int = 0
    keys_unknown: int = 0

    @property
    def shows_current(self) -> bool:
        """Whether every row is shown with the values that it has in the source."""
        old = self.rows_outdated, self.rows_partly_renewed, self.rows_left, self.rows_moved
        return not any(old)
