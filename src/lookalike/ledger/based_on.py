"""The next release is based on the last one (Model, section 4.2, second remedy; Example 7).

The invariant is: rows of equal history, a *part*, number none or at least k. Whatever
happens to a part in the next release, the rows that share it must again be none or at least k:
those that keep their class, those whose class shows new values, those of each class that is
joined, and those that are not shown. That is why it holds.

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
- Rows whose other values changed show the old ones, until at least k can show new ones while
  none or at least k do not.
- Rows that were never shown, or not in the last release, or have left their class, can join. They
  form classes of at least k by themselves, apart from rows of any other history.

Rows that were never shown need no company to stay unshown: nothing is known of them.
"""

from dataclasses import dataclass, replace
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from lookalike.errors import InvalidInput, RequirementNotMet
from lookalike.kernels.grouping import Counts, Integers
from lookalike.kernels.numbering import Digests, number_columns, number_keys
from lookalike.ledger.history import ABSENT, NEVER_SHOWN, Flags, History, exposed_rows

MAKE_AGAIN = "Make it again: it is then based on what is published now"


class Fate(IntEnum):
    """What the next release does with a row."""

    WAITS = 0
    """It is not shown."""
    KEEPS = 1
    """It is in its class as it was last shown, with the other values of then."""
    RENEWS = 2
    """It is in its class as it was last shown, with the other values of now."""
    JOINS = 3
    """It is in a new class, with the values of now."""


@dataclass(frozen=True, eq=False)
class Plan:
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
        Whether its other values differ from those last shown.
    part_sizes
        How many rows each part has, with those that left the source.
    """

    k: int
    fate: npt.NDArray[np.int8]
    part: Integers
    company: Integers
    shown: Flags
    changed: Flags
    part_sizes: Counts

    def rows(self, fate: Fate) -> int:
        """Return how many rows have a fate."""
        return int(np.count_nonzero(self.fate == fate))

    @property
    def rows_withdrawn(self) -> int:
        """How many of the rows that wait were shown in the last release."""
        return int(np.count_nonzero(self.shown & (self.fate == Fate.WAITS)))


def plan_next(history: History, keys: Digests, *, moved: Flags, changed: Flags, k: int) -> Plan:
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
        Whether its other values are. Of rows that were never shown neither means anything.
    k
        The greatest k that was ever promised, for this release or an earlier one.

    Examples
    --------
    One of the three rows of a class has left the source. A second has to wait with it, and the
    third cannot stay alone.

    >>> from lookalike.ledger.history import Shown, remember
    >>> none = np.zeros(3, dtype=np.int64)
    >>> history = remember([Shown("march", np.array([1, 2, 3]), none, none, none)])
    >>> no = np.zeros(4, dtype=np.bool_)
    >>> plan = plan_next(history, np.array([2, 3, 4, 5]), moved=no, changed=no, k=2)
    >>> [Fate(fate).name for fate in plan.fate]
    ['KEEPS', 'KEEPS', 'JOINS', 'JOINS']
    >>> plan = finish(plan, np.array([ABSENT, ABSENT, 0, 0]))
    >>> [Fate(fate).name for fate in plan.fate], plan.rows_withdrawn
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
    changed = changed & (part != NEVER_SHOWN)
    joins = ~shown | moved
    company, sizes = _number_pairs(np.where(joins, part + 1, 0), changed & joins)
    enough = joins & (sizes[company] >= k)
    return Plan(
        k=k,
        fate=np.select([~joins, enough], [Fate.KEEPS, Fate.JOINS], Fate.WAITS).astype(np.int8),
        part=part,
        company=np.where(enough, company, ABSENT).astype(np.int32),
        shown=shown,
        changed=changed,
        part_sizes=part_sizes,
    )


def finish(plan: Plan, placed: Counts) -> Plan:
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
    joins = plan.fate == Fate.JOINS
    outcome = np.where(plan.fate == Fate.KEEPS, 1, 0)
    outcome[joins] = _outcomes(placed[joins], plan.changed[joins])
    group, sizes = _number_pairs(plan.part, outcome)
    part_of_group, outcome_of_group = np.zeros((2, len(sizes)), dtype=np.int64)
    part_of_group[group], outcome_of_group[group] = plan.part, outcome
    enough = (outcome_of_group > 0) & (sizes >= plan.k)
    given = _give(np.where(enough, sizes, 0), part_of_group, plan)
    waits = ~enough[group] | _draw(group, given)
    fate = np.where(waits, Fate.WAITS, plan.fate).astype(np.int8)
    fate[_renewed(plan, fate)] = Fate.RENEWS
    return replace(
        plan, fate=fate, company=np.where(fate == Fate.JOINS, plan.company, ABSENT).astype(np.int32)
    )


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


def _number_pairs(
    first: npt.NDArray[np.int_ | np.int32], second: npt.NDArray[np.int_ | np.bool_]
) -> tuple[Integers, Counts]:
    """Number equal pairs of numbers from 0 on alike, and count each."""
    codes = np.stack([first, second]).astype(np.int32)
    return number_columns(codes, np.ones(len(first), dtype=np.int64))


def _outcomes(placed: Counts, changed: Flags) -> Counts:
    """Number what becomes of rows that join: 0 for those without a class, 2 on for others."""
    dense = np.unique(placed, return_inverse=True)[1]
    return np.where(placed == ABSENT, 0, 2 + 2 * dense + changed)


def _give(sizes: Counts, part_of_group: Counts, plan: Plan) -> Counts:
    """Say how many rows each group gives, so that none or at least k of every part wait.

    Parameters
    ----------
    sizes
        How many rows of each group can be shown: none, or at least k.
    part_of_group
        The part of each group.
    plan
        It tells k and the sizes of the parts.
    """
    shown = np.zeros_like(plan.part_sizes)
    np.add.at(shown, part_of_group, sizes)
    waiting = plan.part_sizes - shown
    waiting[NEVER_SHOWN] = 0
    lacking = np.where((waiting > 0) & (waiting < plan.k), plan.k - waiting, 0)
    asked = np.flatnonzero((sizes > 0) & (lacking[part_of_group] > 0))
    asked = asked[np.lexsort((-sizes[asked], part_of_group[asked]))]
    edges = np.flatnonzero(np.diff(part_of_group[asked])) + 1
    given = np.zeros_like(sizes)
    for groups in np.split(asked, edges) if len(asked) else []:
        given[groups] = _take(sizes[groups], int(lacking[part_of_group[groups[0]]]), plan.k)
    return given


def _take(sizes: Counts, lacking: int, k: int) -> Counts:
    """Take so many rows from the groups of a part, the largest first, and no more than needed.

    A group gives rows while k remain. If all together cannot spare enough, the smallest gives
    all of its rows, which are enough.

    Examples
    --------
    >>> _take(np.array([7, 6, 5]), 3, 5).tolist(), _take(np.array([6, 5]), 3, 5).tolist()
    ([2, 1, 0], [0, 5])
    """
    spare = sizes - k
    if spare.sum() < lacking:
        return np.where(np.arange(len(sizes)) == len(sizes) - 1, sizes, 0)
    taken: Counts = np.clip(lacking - (np.cumsum(spare) - spare), 0, spare)
    return taken


def _renewed(plan: Plan, fate: npt.NDArray[np.int8]) -> Flags:
    """Tell which rows that stay show new values: of a part, none or at least k, as of the others.

    If 1 … k - 1 rows of a part did not change, changed ones keep their old values with them.
    """
    stays = fate == Fate.KEEPS
    renews: Flags = stays & plan.changed
    changed = np.bincount(plan.part[renews], minlength=len(plan.part_sizes))
    same = np.bincount(plan.part[stays & ~plan.changed], minlength=len(plan.part_sizes))
    lacking = np.where((same > 0) & (same < plan.k), plan.k - same, 0)
    lacking = np.where(changed - lacking >= plan.k, lacking, changed)
    renews[renews] = ~_draw(plan.part[renews], lacking)
    return renews


def _draw(group: Integers, numbers: Counts) -> Flags:
    """Draw so many rows of each group at random."""
    drawn = np.zeros(len(group), dtype=np.bool_)
    rows = np.random.default_rng().permutation(np.flatnonzero(numbers[group]))
    rows = rows[np.argsort(group[rows], kind="stable")]
    members = group[rows]
    rank = np.arange(len(rows)) - np.searchsorted(members, members)
    drawn[rows] = rank < numbers[members]
    return drawn
