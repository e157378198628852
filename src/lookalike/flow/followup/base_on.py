"""Base on: plan the next release on those before it (Model, section 4.2, second remedy).

Every row is hashed and looked up in the history of its source. What becomes of it is decided by
:mod:`lookalike.ledger.policies.based_on`; rows that join are put into classes by the method that
was asked for. All of it ends in one recoding: each row is marked with the levels at which it is
shown, and
rows are counted by values and mark. So recoding, counting again and publishing know nothing of it.
"""

from dataclasses import dataclass, replace

import numpy as np

from lookalike.errors import Infeasible, InternalError, InvalidInput
from lookalike.flow.followup.hold_back import find_old
from lookalike.flow.followup.place_new_rows import Search, place_new_rows
from lookalike.flow.source import CountedTable
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.numbering import number_columns, number_keys
from lookalike.kernels.types import Codes, Digests, Levels
from lookalike.ledger.policies.based_on import NextFate, NextRelease, finish, plan_next
from lookalike.ledger.policies.columns import ABSENT
from lookalike.ledger.policies.earlier import Earlier, name_of, refuse_several
from lookalike.ledger.policies.paths import other_hierarchy, paths_of, refuse_other_hierarchies
from lookalike.ledger.store.classes import ReleasedClasses
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.hashed import Hashed, hash_frame
from lookalike.ledger.store.row_map import LINKABLE, hash_rows, to_digests
from lookalike.model.frequency import FrequencyList, list_frequencies
from lookalike.model.lattice import Lattice
from lookalike.model.recoding import Recoding
from lookalike.model.requirement import Requirement
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.search.cells.ambiguous_labels import check_labels
from lookalike.tables.count import count
from lookalike.tables.row_tags import TAG, RowTags
from lookalike.tables.sql import SOURCE_CHANGED
from lookalike.tables.tag_rows import tag_rows

OTHERWISE = 'or use policy = "check-only"'
WAITS = 0
"""The mark of rows that are not shown."""


@dataclass(frozen=True)
class Basis:
    """What a release that is based on earlier ones does with the rows of its source.

    Parameters
    ----------
    considered
        How many earlier releases there are.
    rows_kept
        Rows that are shown as before.
    rows_outdated
        Those of them with new values that they do not show yet.
    rows_renewed
        Rows in their class as before that show new values.
    rows_partly_renewed
        Those of them with new values in further columns, which they do not show yet.
    rows_joined
        Rows in classes that are new.
    rows_waiting
        Rows that are not shown.
    rows_withdrawn
        Those of them that the last release showed.
    """

    considered: int
    rows_kept: int
    rows_outdated: int
    rows_renewed: int
    rows_partly_renewed: int
    rows_joined: int
    rows_waiting: int
    rows_withdrawn: int


@dataclass(frozen=True, eq=False)
class Based(Discreet):
    """A release that is based on earlier ones, decided on.

    Parameters
    ----------
    taken
        The table, its rows marked and counted by mark.
    recoding
        What each of them shows.
    requirement
        What holds of it.
    basis
        What became of how many rows.
    """

    taken: CountedTable
    recoding: Recoding
    requirement: Requirement
    basis: Basis | None


@dataclass(frozen=True, eq=False)
class _Rows(Discreet):
    """The rows of the source, in the order in which they were fetched.

    Parameters
    ----------
    hashed
        Their keys and hashes.
    found
        Where each stands in the history, or `ABSENT`.
    sequence_of
        Its sequence in the frequency list.
    """

    hashed: Hashed
    found: Codes
    sequence_of: Codes


def base_on(
    earlier: Earlier, taken: CountedTable, row_key: str, requirement: Requirement, search: Search
) -> Based:
    """Decide on a release that is based on earlier ones.

    Parameters
    ----------
    earlier
        The earlier releases.
    taken
        The table as it is now.
    row_key
        The column that tells its rows apart.
    requirement
        What was asked for; the greatest k that was ever promised holds, too.
    search
        The method.

    Raises
    ------
    Infeasible
        If no row can be shown.
    InvalidInput
        If it cannot be based on them: other attributes, other hierarchies, a file that is gone.
    """
    refuse_several(entry.certificate for entry in earlier.entries)
    _refuse_what_differs(taken, requirement)
    paths = paths_of(taken.counted, taken.frequency, earlier.secret)
    refuse_other_hierarchies(earlier.entries, paths)
    asked = replace(requirement, k=max(requirement.k, earlier.k), suppressed_rows="drop")
    rows = _look_up(earlier, taken, row_key)
    history, hashed = earlier.history, rows.hashed
    compared = history.compare(hashed.keys, hashed.values, hashed.ground)
    shape = (len(compared), len(hashed.keys))
    changed = np.array([one.differs for one in compared], np.bool_).reshape(shape)
    moved = history.moved(hashed.keys, hashed.quasi_identifier)
    plan = plan_next(history, hashed.keys, moved=moved, changed=changed, k=asked.k)
    least = _last_levels(earlier, taken.frequency, rows.found)
    placed, levels = place_new_rows(plan, taken.frequency, rows.sequence_of, least, asked, search)
    levels = _settle(levels, taken.frequency)
    plan = finish(plan, placed)
    marks, marked_levels = _mark(plan, levels)
    old = find_old(earlier, rows.found, hashed.types, compared, plan.held_back)
    table = tag_rows(taken.table, RowTags(row_key, hashed.row_keys, marks, old))
    marked = _count_again(replace(taken, table=table))
    return Based(
        taken=marked,
        recoding=_recode(marked, marked_levels, plan, asked),
        requirement=asked,
        basis=_describe(earlier, plan),
    )


def _describe(earlier: Earlier, plan: NextRelease) -> Basis:
    """Count what becomes of the rows."""
    held_back = plan.held_back.any(axis=0)
    return Basis(
        considered=len(earlier.entries),
        rows_kept=plan.rows(NextFate.KEEPS),
        rows_outdated=int(np.count_nonzero(held_back & (plan.fate == NextFate.KEEPS))),
        rows_renewed=plan.rows(NextFate.RENEWS),
        rows_partly_renewed=int(np.count_nonzero(held_back & (plan.fate == NextFate.RENEWS))),
        rows_joined=plan.rows(NextFate.JOINS),
        rows_waiting=plan.rows(NextFate.WAITS),
        rows_withdrawn=plan.rows_withdrawn,
    )


def _refuse_what_differs(taken: CountedTable, requirement: Requirement) -> None:
    """Refuse what a release that is based on another cannot have."""
    if requirement.quasi_identifiers:
        raise InvalidInput(
            "the policy based-on knows one quasi-identifier over all linkable attributes, and no "
            f"attribute that is protected by itself; leave them out, {OTHERWISE}"
        )
    if taken.table.pseudonym_keys:
        raise InvalidInput(
            "the policy based-on does not know pseudonyms, which tell whose identifier changed; "
            f"leave them out, {OTHERWISE}"
        )


def _look_up(earlier: Earlier, taken: CountedTable, row_key: str) -> _Rows:
    """Hash every row, and find it in the history and in the frequency list."""
    linkable, unchanged = taken.frequency.attributes, taken.table.unchanged
    hashed = hash_frame(taken.table.frame, row_key, linkable, unchanged, earlier.secret)
    return _Rows(
        hashed=hashed,
        found=earlier.history.find(hashed.keys),
        sequence_of=_find_sequences(earlier, taken, hashed.quasi_identifier),
    )


def _find_sequences(earlier: Earlier, taken: CountedTable, digests: Digests) -> Codes:
    """Find the sequence of each row: entries of a query are not rows, but have their digests."""
    if taken.counted.keys is None:
        return taken.sequence_of
    entries, attributes = taken.counted.keys, taken.frequency.attributes
    known = to_digests(hash_rows(entries, attributes, secret=earlier.secret, kind=LINKABLE))
    number, first = number_keys(np.concatenate([known, digests]))
    places = first[number[len(known) :]]
    if np.any(places >= len(known)):
        raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")
    return taken.sequence_of[places]


def _last_levels(earlier: Earlier, frequency: FrequencyList, found: Codes) -> Levels:
    """Return the level of every cell when its row was last shown; 0 if it never was."""
    history = earlier.history
    levels = np.zeros((len(frequency.attributes), len(found)), dtype=np.int32)
    last = np.where(found == ABSENT, ABSENT, history.last_release[found])
    for line in np.unique(last[last != ABSENT]):
        here = np.flatnonzero(last == line)
        places, classes = _match(earlier.entries[line], frequency)
        levels[:, here] = classes.levels[places][:, history.last_class[found[here]]]
    return levels


def _match(entry: Entry, frequency: FrequencyList) -> tuple[list[int], ReleasedClasses]:
    """Return the classes of a release, and where its attributes are among theirs."""
    classes = entry.kept.classes()
    if set(classes.attributes) != set(frequency.attributes):
        raise InvalidInput(
            f"{name_of(entry)} has the quasi-identifier {', '.join(classes.attributes)}, but this "
            f"one {', '.join(frequency.attributes)}, so it cannot be based on it; take the same "
            f"attributes, {OTHERWISE}"
        )
    places = [classes.attributes.index(name) for name in frequency.attributes]
    for place, height in zip(places, frequency.heights, strict=True):
        if classes.levels[place].max(initial=0) > height:
            raise other_hierarchy(entry, classes.attributes[place])
    return places, classes


def _settle(levels: Levels, frequency: FrequencyList) -> Levels:
    """Write suppressed cells as the top where that is the suppressed value, as it is the same."""
    tops = np.array(
        [
            hierarchy.height if hierarchy.labels[-1] == (hierarchy.suppressed,) else SUPPRESSED_CELL
            for hierarchy in frequency.hierarchies
        ],
        dtype=np.int32,
    )
    settled: Levels = np.where(levels == SUPPRESSED_CELL, tops[:, None], levels)
    return settled


def _mark(plan: NextRelease, levels: Levels) -> tuple[Codes, Levels]:
    """Number the rows that are shown at the same levels; return the levels of each number, too."""
    shown = np.flatnonzero(plan.fate != NextFate.WAITS)
    if not len(shown):
        raise Infeasible(
            f"none of the {len(plan.fate):,} rows can be shown: fewer than k = {plan.k} have the "
            "same history, so all of them wait; release again when more rows have come"
        )
    ones = np.ones(len(shown), dtype=np.int64)
    number, _ = number_columns(levels[:, shown] - SUPPRESSED_CELL, ones)
    _, first = np.unique(number, return_index=True)
    marks = np.full(len(plan.fate), WAITS, dtype=np.int32)
    marks[shown] = number + WAITS + 1
    return marks, levels[:, shown[first]]


def _count_again(taken: CountedTable) -> CountedTable:
    """Count the rows by values and mark."""
    counted = count(taken.table.frame, taken.frequency.attributes, TAG)
    if counted.values != taken.counted.values:
        raise InvalidInput(f"{SOURCE_CHANGED}, so nothing is released; begin again")
    sequence_of, frequency = list_frequencies(
        taken.frequency.hierarchies, counted.positions, counted.counts, counted.tags
    )
    return CountedTable(taken.table, counted, sequence_of, frequency)


def _recode(
    taken: CountedTable, levels_of: Levels, plan: NextRelease, requirement: Requirement
) -> Recoding:
    """Say what becomes of every sequence: what its mark says."""
    frequency, marks = taken.frequency, taken.counted.tags
    if marks is None:
        raise InternalError("rows were counted without their marks")
    mark_of = np.zeros(len(frequency), dtype=np.int32)
    mark_of[taken.sequence_of] = marks
    shown = np.flatnonzero(mark_of != WAITS).astype(np.int32)
    levels = levels_of[:, mark_of[shown] - WAITS - 1]
    uniform = levels_of.shape[1] == 1 and not np.any(levels_of == SUPPRESSED_CELL)
    if not uniform:
        check_labels(frequency, _used(levels_of, frequency))
    return Recoding(
        vector=tuple(levels_of[:, 0].tolist()) if uniform else None,
        suppressed=np.where(mark_of == WAITS, frequency.counts, 0),
        rows_suppressed=plan.rows(NextFate.WAITS),
        allowance=requirement.allowance(frequency.rows),
        tuples=None if uniform else Tuples(shown, levels, frequency.counts[shown]),
    )


def _used(levels: Levels, frequency: FrequencyList) -> Lattice:
    """Return the levels that cells have, from the lowest to the highest of each attribute."""
    known = [line[line != SUPPRESSED_CELL] for line in levels]
    heights = frequency.heights
    return Lattice(
        tuple(int(line.min(initial=top)) for line, top in zip(known, heights, strict=True)),
        tuple(
            int(line.max()) if len(line) else top for line, top in zip(known, heights, strict=True)
        ),
    )
