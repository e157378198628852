"""The next release is based on the last one (Model, section 4.2, second remedy; Example 7).

The invariant is: rows of equal history, a *part*, number none or at least k. Whatever
happens to a part in the next release, the rows that share it must again be none or at least k:
those that keep their class, those that show new values of the same columns there, those of each
class that is joined, and those that are not shown. That is why it holds.

An attacker may know every release, everyone's quasi-identifier at any time, who was in the
source when, whose values had changed, and even which rows of two releases are one row. All
persons of a part were in the source whenever its rows were shown, and fit all classes in which
they were shown. So any two of them could have changed places and every release would look the
same: each row has at least k possible owners, each person at least k possible rows, all equally
likely. What follows for one part:

- Rows stay in their class as they were shown. A row that left the source or whose
  quasi-identifier changed has left its class.
- If 1 … k - 1 rows are left unshown, further rows that are drawn at random wait with them until
  they are k. Where fewer than k would stay, all rows wait: the class is withdrawn whole. Such
  *companions* are still in the source, and an attacker who knows that knows of no row that is
  theirs: they could be any of those that stayed. (To withdraw every class that 1 … k - 1 rows
  leave is as safe, and loses far more: docs/releasing-again.md has figures.)
- Rows with new values in columns that are released as they are show them together with at least
  k - 1 others that have new values in the same columns. Where there are fewer, they show new
  values only in some of these columns, as at least k do, and old values in the others. None or at
  least k show nothing new. Whose row changed in which columns may be known: each of those who
  show new values in a column has some.
- Rows that were never shown, or not in the last release, or have left their class, can join. They
  form classes of at least k by themselves, apart from rows of any other history.

Rows that were never shown need no company to stay unshown: nothing is known of them.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.kernels.types import Codes, Counts, Digests, Flags
from lookalike.ledger.policies.columns import ABSENT
from lookalike.ledger.policies.give import draw, give
from lookalike.ledger.policies.history import NEVER_SHOWN, History, exposed_rows
from lookalike.ledger.policies.renew import renew

MAKE_AGAIN = "Make it again: it is then based on what is published now"


class NextFate(IntEnum):
    """What the next release does with a row."""

    WAITS = 0
    """It is not shown."""
    KEEPS = 1
    """It is in its class as it was last shown, with the values that were last shown."""
    RENEWS = 2
    """It is in its class as it was last shown, with new values in some columns."""
    JOINS = 3
    """It is in a new class, with the values that it has now."""


@dataclass(frozen=True, eq=False)
class NextRelease:
    """What the next release does with every row of the source.

    As `plan_next` gives it, rows that join have yet to be put into classes; `finish` says
    what becomes of everyone then.

    Parameters
    ----------
    k
        The greatest k that was ever promised.
    fate
        The `Fate` of each row.
    part
        Which rows have the same history.
    company
        Which rows may join a class together: those of one number. `ABSENT` for rows that do
        not join. A row that was shown before may not show more than it did, which
        :class:`History` knows by `last_release` and `last_class`.
    shown
        Whether the last release showed the row.
    changed
        One line a comparison (:meth:`History.compare`), one column a row: whether the value
        differs from the one last shown.
    anew
        Likewise, whether the release shows it.
    part_sizes
        How many rows each part has, with those that left the source.
    """

    k: int
    fate: npt.NDArray[np.int8]
    part: Codes
    company: Codes
    shown: Flags
    changed: Flags
    anew: Flags
    part_sizes: Counts

    def rows(self, fate: NextFate) -> int:
        """Return how many rows have a fate."""
        return int(np.count_nonzero(self.fate == fate))

    @property
    def held_back(self) -> Flags:
        """Which new values the release does not show of rows that it shows: a line a comparison."""
        held: Flags = self.changed & ~self.anew & (self.fate != NextFate.WAITS)
        return held

    @property
    def rows_withdrawn(self) -> int:
        """How many of the rows that wait were shown in the last release."""
        return int(np.count_nonzero(self.shown & (self.fate == NextFate.WAITS)))


def plan_next(
    history: History, keys: Digests, *, moved: Flags, changed: Flags, k: int
) -> NextRelease:
    """Say which rows stay in their class, and which may join together.

    Parameters
    ----------
    history
        The releases so far.
    keys
        The rows of the source as it is now.
    moved
        Whether a row's quasi-identifier is another one than when it was last shown.
    changed
        One line a comparison with what was last shown (:meth:`History.compare`): whether a row's
        value is another one.
    k
        The greatest k that was ever promised, for this release or an earlier one.

    Examples
    --------
    One of the three rows of a class has left the source. A second has to wait with it, and the
    third cannot stay alone.

    >>> from lookalike.ledger.policies.history import Shown, remember
    >>> none = np.zeros(3, dtype=np.int64)
    >>> history = remember([Shown("march", np.array([1, 2, 3]), none, none, {})])
    >>> no = np.zeros((1, 4), dtype=np.bool_)
    >>> plan = plan_next(history, np.array([2, 3, 4, 5]), moved=no[0], changed=no, k=2)
    >>> [NextFate(fate).name for fate in plan.fate]
    ['KEEPS', 'KEEPS', 'JOINS', 'JOINS']
    >>> plan = finish(plan, np.array([ABSENT, ABSENT, 0, 0]))
    >>> [NextFate(fate).name for fate in plan.fate], plan.rows_withdrawn
    (['WAITS', 'WAITS', 'JOINS', 'JOINS'], 2)
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
    company, sizes = _number(np.where(joins, part + 1, 0), *(changed & joins))
    enough = joins & (sizes[company] >= k)
    return NextRelease(
        k=k,
        fate=np.select([~joins, enough], [NextFate.KEEPS, NextFate.JOINS], NextFate.WAITS).astype(
            np.int8
        ),
        part=part,
        company=np.where(enough, company, ABSENT).astype(np.int32),
        shown=shown,
        changed=changed,
        anew=changed & joins,
        part_sizes=part_sizes,
    )


def finish(plan: NextRelease, placed: Counts) -> NextRelease:
    """Say what becomes of every row, once those that join are in classes.

    The rows that must wait with others are drawn afresh from the operating system's entropy, so
    it is done once for a release.

    Parameters
    ----------
    plan
        Of `plan_next`.
    placed
        The new class of each row that joins, a number from 0 on; `ABSENT` if it has none, and
        for all other rows. A class counts only for rows of one company: others may share it,
        and must be enough by themselves.
    """
    joins = plan.fate == NextFate.JOINS
    outcome = np.where(plan.fate == NextFate.KEEPS, 1, 0)
    outcome[joins] = _outcomes(placed[joins], plan.changed[:, joins])
    group, sizes = _number(plan.part, outcome)
    part_of_group, outcome_of_group = np.zeros((2, len(sizes)), dtype=np.int64)
    part_of_group[group], outcome_of_group[group] = plan.part, outcome
    enough = (outcome_of_group > 0) & (sizes >= plan.k)
    able = np.where(enough, sizes, 0)
    given = give(able, part_of_group, _wait(able, part_of_group, plan), plan.k)
    waits = ~enough[group] | draw(group, given)
    fate = np.where(waits, NextFate.WAITS, plan.fate).astype(np.int8)
    stays = np.flatnonzero(fate == NextFate.KEEPS)
    anew = plan.anew & (fate == NextFate.JOINS)
    anew[:, stays] = renew(plan.part[stays], plan.changed[:, stays], plan.k)
    fate[stays[anew[:, stays].any(axis=0)]] = NextFate.RENEWS
    company = np.where(fate == NextFate.JOINS, plan.company, ABSENT).astype(np.int32)
    return replace(plan, fate=fate, anew=anew, company=company)


def check_next(history: History, k: int, remedy: str = MAKE_AGAIN) -> None:
    """Refuse the last release of a history if fewer than k rows share a history that it shows.

    It is asked when a release is about to be published, also of one that was planned to pass,
    because another one may have been published since.

    Parameters
    ----------
    history
        All releases, the next one last.
    k
        The greatest k that was ever promised.
    remedy
        What to do if it is refused.

    Raises
    ------
    RequirementNotMet
        If the release tells rows apart, so that fewer than k have the same history.
    """
    exposed = exposed_rows(history, k)
    if exposed:
        *earlier, last = history.releases
        rows = "1 row" if exposed == 1 else f"{exposed:,} rows"
        together = f" together with {' and '.join(earlier)}" if earlier else ""
        raise RequirementNotMet(
            f"{last} would expose {rows}{together}: fewer than k = {k} rows share their history, "
            "which is the class in every release and the columns that are shown anew. "
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


def _number(*codes: npt.NDArray[np.int_ | np.int32 | np.bool_]) -> tuple[Codes, Counts]:
    """Number rows with the same codes from 0 on alike, and count each."""
    stacked = np.vstack(codes).astype(np.int32)
    return number_columns(stacked, np.ones(stacked.shape[1], dtype=np.int64))


def _outcomes(placed: Counts, changed: Flags) -> Counts:
    """Number what becomes of rows that join: 0 for those without a class, 2 on for others."""
    dense = np.unique(placed, return_inverse=True)[1]
    return np.where(placed == ABSENT, 0, 2 + _number(dense, *changed)[0])


def _wait(sizes: Counts, part_of_group: Counts, plan: NextRelease) -> Counts:
    """Return how many rows of each part are not shown if groups show so many; 0 if never shown."""
    shown = np.zeros_like(plan.part_sizes)
    np.add.at(shown, part_of_group, sizes)
    waiting: Counts = plan.part_sizes - shown
    waiting[NEVER_SHOWN] = 0
    return waiting
