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
"""

from dataclasses import dataclass, replace
from enum import IntEnum

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
    is in `last_release` and `last_class` of :class:`History`.
    ``shown``: whether the last release showed the row.
    ``changed``: by comparison (:meth:`History.compare`) and row: whether the value differs from the
    one last shown.
    ``anew``: by comparison and row: whether the release shows the new value.
    ``part_sizes``: number of rows of each part, including rows that left the source.
    """

    k: int
    fate: npt.NDArray[np.int8]
    part: Codes
    joining_group: Codes
    shown: Flags
    changed: Flags
    anew: Flags
    part_sizes: Counts

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


def plan_next(
    history: History, keys: Digests, *, moved: Flags, changed: Flags, k: int
) -> NextRelease:
    """Decide which rows stay in their class, and which may join new classes together.

    ``changed``: by comparison (:meth:`History.compare`) and row: whether the value differs from the
    one last shown.
    ``k``: the greatest k that was ever promised, by this release or an earlier one.
    """
    _refuse_repeated(keys)
    part_of, part_sizes = history.parts
    found = history.find(keys)
    known = found != ABSENT
    part = np.full(len(keys), NEVER_SHOWN, dtype=np.int32)
    part[known] = part_of[found[known]]
    shown = np.zeros(len(keys), dtype=np.bool_)
    if len(history.steps):
        shown[known] = history.steps[-1, found[known]] != ABSENT
    joins = ~shown | moved
    group, sizes = number_alike(np.where(joins, part + 1, 0), *(changed & joins))
    enough = joins & (sizes[group] >= k)
    return NextRelease(
        k=k,
        fate=np.select([~joins, enough], [NextFate.KEEPS, NextFate.JOINS], NextFate.WAITS).astype(
            np.int8
        ),
        part=part,
        joining_group=np.where(enough, group, ABSENT).astype(np.int32),
        shown=shown,
        changed=changed,
        anew=changed & joins,
        part_sizes=part_sizes,
    )


def finish_plan(plan: NextRelease, placed: Counts) -> NextRelease:
    """Decide the fate of every row, once the rows that join are placed into classes.

    Companions are drawn from the operating system's entropy, so call this once per release.

    ``placed``: the new class of each row that joins, a number from 0 on; `ABSENT` if it has none,
    and for all other rows. The rows of each joining group are counted separately, even if several
    groups share a class.
    """
    joins = plan.fate == NextFate.JOINS
    outcome = np.where(plan.fate == NextFate.KEEPS, 1, 0)
    outcome[joins] = _outcomes(placed[joins], plan.changed[:, joins])
    group, sizes = number_alike(plan.part, outcome)
    part_of_group, outcome_of_group = np.zeros((2, len(sizes)), dtype=np.int64)
    part_of_group[group], outcome_of_group[group] = plan.part, outcome
    enough = (outcome_of_group > 0) & (sizes >= plan.k)
    able = np.where(enough, sizes, 0)
    waiting = _count_waiting(able, part_of_group, plan)
    given = count_companions(able, part_of_group, waiting, plan.k)
    waits = ~enough[group] | draw_rows(group, given)
    fate = np.where(waits, NextFate.WAITS, plan.fate).astype(np.int8)
    stays = np.flatnonzero(fate == NextFate.KEEPS)
    anew = plan.anew & (fate == NextFate.JOINS)
    anew[:, stays] = choose_new_values(plan.part[stays], plan.changed[:, stays], plan.k)
    fate[stays[anew[:, stays].any(axis=0)]] = NextFate.RENEWS
    joining_group = np.where(fate == NextFate.JOINS, plan.joining_group, ABSENT)
    return replace(plan, fate=fate, anew=anew, joining_group=joining_group.astype(np.int32))


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


def _refuse_repeated(keys: Digests) -> None:
    """Refuse a source in which two rows have one key."""
    _, first = number_keys(keys)
    if len(first) < len(keys):
        raise InvalidInput(
            f"row_key: {len(keys) - len(first):,} rows have the key of another row; choose a "
            "column that is different in every row"
        )


def _outcomes(placed: Counts, changed: Flags) -> Counts:
    """Number the outcomes of rows that join: 0 without a class, from 2 on for the others."""
    dense = np.unique(placed, return_inverse=True)[1]
    return np.where(placed == ABSENT, 0, 2 + number_alike(dense, *changed)[0])


def _count_waiting(sizes: Counts, part_of_group: Counts, plan: NextRelease) -> Counts:
    """Count the rows of each part that no group shows; 0 for rows that were never shown."""
    shown = np.zeros_like(plan.part_sizes)
    np.add.at(shown, part_of_group, sizes)
    waiting: Counts = plan.part_sizes - shown
    waiting[NEVER_SHOWN] = 0
    return waiting


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
    """

    considered: int
    rows_kept: int
    rows_outdated: int
    rows_renewed: int
    rows_partly_renewed: int
    rows_joined: int
    rows_waiting: int
    rows_withdrawn: int
