"""Decide whether a k-anonymous table exists that is finer than a given release, for small tables.

Every finer table can be refined until each class is released as its join. So only joins of k rows
or more below a released tuple matter. Rows flow from their sequences through joins to released
tuples: a join takes no rows or at least k, and each released tuple gets as many rows as it has.
At least one row must pass a join that is strictly more specific than the tuple where it ends.
Maximum flows (:mod:`lookalike.search.cells.finer.flows`) decide whether such a flow exists.
Sequences and released tuples that are not connected by any cover are independent, so each
component is decided by itself.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from lookalike.kernels.types import Codes, Counts, Flags
from lookalike.model.clock import is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Vector
from lookalike.search.cells.finer.flows import FlowSearch, Network
from lookalike.search.cells.finer.given_release import (
    SUPPRESSED_ROW,
    Assignment,
    Change,
    ShownTuples,
    levels_by_label,
)

MOST_CHOICES = 20_000
"""A component with more pairs than this is too large to decide."""
MOST_GROUPINGS = 20_000
"""The greatest number of vectors below all tuples in total for which joins are listed."""

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Join:
    """A join of k rows or more."""

    levels: Vector
    ground: Cells
    sequences: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Question:
    """What is asked of every component: released tuples and the sequences below them."""

    frequency: FrequencyList
    shown: ShownTuples
    assignment: Assignment
    k: int
    bottom: Vector
    deadline: float


def find_finer(
    frequency: FrequencyList,
    shown: ShownTuples,
    assignment: Assignment,
    k: int,
    bottom: Vector,
    deadline: float,
) -> tuple[list[Change], bool]:
    """Look for a finer table among all tables, component by component.

    Returns: whether all tables were considered; then no finer table exists if none was found.
    """
    question, exhausted = _Question(frequency, shown, assignment, k, bottom, deadline), True
    for tuples, sequences in _divide(question):
        laid_out = _build_network(question, tuples, sequences)
        answer = None if laid_out is None else _solve(*laid_out, deadline)
        if answer:
            return answer, True
        exhausted &= answer is not None
    return [], exhausted


def _divide(question: _Question) -> Iterator[tuple[Counts, Counts]]:
    """Yield the tuples and the sequences of each component; there is one if rows are left out."""
    from scipy.sparse import csr_array  # slow to import, so only where it is needed
    from scipy.sparse.csgraph import connected_components

    assignment, shown = question.assignment, len(question.shown)
    nodes = shown + len(question.frequency)
    if assignment.left.any():
        yield np.arange(shown), np.arange(nodes - shown)
        return
    ends = (assignment.shown, shown + assignment.sequence)
    joined = csr_array((np.ones(len(assignment.shown)), ends), shape=(nodes, nodes))
    number, part_of = connected_components(joined, directed=False)
    for one in range(number):
        yield np.flatnonzero(part_of[:shown] == one), np.flatnonzero(part_of[shown:] == one)


def _build_network(
    question: _Question, tuples: Counts, sequences: Counts
) -> tuple[Network, list[Join], list[int]] | None:
    """Build the network of a component with its joins and ends; ``None`` if it is too large.

    The ends are the released tuples, and ``SUPPRESSED_ROW`` if rows are left out. In that case
    a last join, which needs no rows, leads there from every sequence.
    """
    frequency, shown, everything = question.frequency, question.shown, sequences.tolist()
    tops = {one: tuple(shown.levels[:, one].tolist()) for one in tuples.tolist()}
    wanted = [int(shown.counts[one]) for one in tops]
    covered = _list_covered(question.assignment, tuples)
    gone = int(question.assignment.left.sum())
    if gone:
        covered[SUPPRESSED_ROW] = everything
        tops[SUPPRESSED_ROW] = frequency.heights
        wanted.append(gone)
    joins = list_joins(question, covered, tops)
    if joins is None:
        return None
    ends, needed = list(tops), [question.k] * len(joins)
    given, strict = _pair_ends(frequency, shown, joins, ends)
    if gone:
        given = np.concatenate([given, [[len(joins), len(ends) - 1]]])
        strict = np.append(strict, False)
        joins.append(Join((), (), tuple(everything)))
        needed.append(0)
    place = {sequence: number for number, sequence in enumerate(everything)}
    taken = [(place[s], number) for number, one in enumerate(joins) for s in one.sequences]
    if len(taken) + len(given) > MOST_CHOICES:
        return None
    network = Network(
        supplied=frequency.counts[sequences],
        needed=np.array(needed, dtype=np.int64),
        wanted=np.array(wanted, dtype=np.int64),
        taken=np.array(taken, dtype=np.int64).reshape(-1, 2),
        given=given,
        strict=strict,
    )
    return network, joins, ends


def _list_covered(assignment: Assignment, tuples: Counts) -> dict[int, list[int]]:
    """Return the sequences that each of some released tuples covers."""
    covered: dict[int, list[int]] = defaultdict(list)
    for entry in np.flatnonzero(np.isin(assignment.shown, tuples)).tolist():
        covered[int(assignment.shown[entry])].append(int(assignment.sequence[entry]))
    return covered


def _solve(
    network: Network, joins: Sequence[Join], ends: Sequence[int], deadline: float
) -> list[Change] | None:
    """Return the changes of a finer table, ``[]`` if there is none, ``None`` if undecided.

    Each strict pair in turn must be used, without those that were tried before.
    """
    allowed = np.ones(len(network.given), dtype=np.bool_)
    search = FlowSearch(network, deadline)
    for pair in np.flatnonzero(network.strict).tolist():
        rows = search.use(allowed, pair)
        if rows is not None:
            changed = zip(network.given.tolist(), rows.tolist(), network.strict, strict=True)
            return [
                Change(ends[end], joins[one].levels, joins[one].ground, number)
                for (one, end), number, strict in changed
                if strict and number
            ]
        if search.gave_up:
            return None
        allowed[pair] = False
    return []


def _pair_ends(
    frequency: FrequencyList, shown: ShownTuples, joins: Sequence[Join], ends: Sequence[int]
) -> tuple[Counts, Flags]:
    """Pair joins with the released tuples above them, and mark the strict pairs."""
    visible = [levels_by_label(hierarchy) for hierarchy in frequency.hierarchies]
    levels = np.array([one.levels for one in joins], dtype=np.int64).reshape(-1, len(visible)).T
    ground = np.array([one.ground for one in joins], dtype=np.int64).reshape(-1, len(visible)).T
    pairs, strict = [], []
    for place, end in enumerate(ends):
        fits, finer = _compare(frequency, shown, visible, levels, ground, end)
        found = np.flatnonzero(fits)
        pairs += [(one, place) for one in found.tolist()]
        strict += finer[found].tolist()
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(strict, dtype=np.bool_)


def _compare(
    frequency: FrequencyList,
    shown: ShownTuples,
    visible: Sequence[Codes],
    levels: Counts,
    ground: Counts,
    end: int,
) -> tuple[Flags, Flags]:
    """Return which joins are below a released tuple, and which of them strictly."""
    number = levels.shape[1]
    if end == SUPPRESSED_ROW:
        return np.ones(number, dtype=np.bool_), np.ones(number, dtype=np.bool_)
    fits, finer = np.ones(number, dtype=np.bool_), np.zeros(number, dtype=np.bool_)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        level, code = int(shown.levels[attribute, end]), int(shown.ground[attribute, end])
        ancestors = hierarchy.levels[level]
        ours = visible[attribute][levels[attribute], ground[attribute]]
        theirs = int(visible[attribute][level, code])
        fits &= (ancestors[ground[attribute]] == ancestors[code]) & (ours <= theirs)
        finer |= ours < theirs
    return fits, finer


def list_joins(
    question: _Question, covered: Mapping[int, Sequence[int]], tops: Mapping[int, Vector]
) -> list[Join] | None:
    """List the joins of k rows or more below given tuples; ``None`` if there are too many."""
    ranges = {
        one: [
            range(low, max(low, high) + 1) for low, high in zip(question.bottom, top, strict=True)
        ]
        for one, top in tops.items()
    }
    if sum(prod(map(len, levels)) for levels in ranges.values()) > MOST_GROUPINGS:
        return None
    found: dict[tuple[Vector, Cells], Join] = {}
    for one, levels in ranges.items():
        members = np.array(covered[one], dtype=np.int64)
        for vector in product(*levels):
            if is_over(question.deadline):
                return None
            for join in _group(question, members, vector):
                found[join.levels, join.sequences] = join
    return list(found.values())


def _group(question: _Question, members: Counts, vector: Vector) -> Iterator[Join]:
    """Group sequences that are equal at a vector; yield the groups whose join is that vector."""
    frequency, bottom = question.frequency, question.bottom
    levels = zip(frequency.hierarchies, vector, strict=True)
    codes = [
        hierarchy.lift_ground(level, frequency.codes[attribute, members]).tolist()
        for attribute, (hierarchy, level) in enumerate(levels)
    ]
    groups: dict[Cells, list[int]] = defaultdict(list)
    for place, cells in enumerate(zip(*codes, strict=True)):
        groups[cells].append(place)
    for places in groups.values():
        inside = members[places]
        if frequency.counts[inside].sum() >= question.k and _is_join(
            frequency, inside, vector, bottom
        ):
            ground = tuple(frequency.codes[:, inside[0]].tolist())
            yield Join(vector, ground, tuple(inside.tolist()))


def _is_join(frequency: FrequencyList, members: Counts, vector: Vector, bottom: Vector) -> bool:
    """Return whether sequences differ one level below a vector wherever it is above the bottom."""
    for attribute, (level, lowest) in enumerate(zip(vector, bottom, strict=True)):
        if level > lowest:
            ground = frequency.codes[attribute, members]
            below = frequency.hierarchies[attribute].lift_ground(level - 1, ground)
            if (below == below[0]).all():
                return False
    return True
