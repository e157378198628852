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
from lookalike.model.lattice import Vector
from lookalike.search.cells.finer.flows import FlowSearch, Network
from lookalike.search.cells.finer.given_release import (
    SUPPRESSED_ROW,
    Assignment,
    Change,
    levels_by_label,
)

MOST_CHOICES = 20_000
"""A component with more pairs than this is too large to decide."""
MOST_GROUPINGS = 20_000
"""The greatest number of vectors below all tuples in total for which joins are listed."""


@dataclass(frozen=True)
class Join:
    """A join of k rows or more."""

    levels: Vector
    ground: Vector
    sequences: tuple[int, ...]


def find_finer(given: Assignment, deadline: float) -> tuple[list[Change], bool]:
    """Look for a finer table among all tables, component by component.

    Returns: whether all tables were considered; then no finer table exists if none was found.
    """
    exhausted = True
    for tuples, sequences in _divide(given):
        laid_out = _build_network(given, tuples, sequences, deadline)
        answer = None if laid_out is None else _solve(*laid_out, deadline)
        if answer:
            return answer, True
        exhausted &= answer is not None
    return [], exhausted


def _divide(given: Assignment) -> Iterator[tuple[Counts, Counts]]:
    """Yield the tuples and the sequences of each component; there is one if rows are left out."""
    from scipy.sparse import csr_array  # slow to import, so only where it is needed
    from scipy.sparse.csgraph import connected_components

    shown = len(given.release)
    nodes = shown + len(given.frequency)
    if given.left.any():
        yield np.arange(shown), np.arange(nodes - shown)
        return
    ends = (given.shown, shown + given.sequence)
    joined = csr_array((np.ones(len(given.shown)), ends), shape=(nodes, nodes))
    number, part_of = connected_components(joined, directed=False)
    for one in range(number):
        yield np.flatnonzero(part_of[:shown] == one), np.flatnonzero(part_of[shown:] == one)


def _build_network(
    given: Assignment, tuples: Counts, sequences: Counts, deadline: float
) -> tuple[Network, list[Join], list[int]] | None:
    """Build the network of a component with its joins and ends; ``None`` if it is too large.

    The ends are the released tuples, and ``SUPPRESSED_ROW`` if rows are left out. In that case
    a last join, which needs no rows, leads there from every sequence.
    """
    frequency, shown, everything = given.frequency, given.release, sequences.tolist()
    tops = {one: tuple(shown.levels[:, one].tolist()) for one in tuples.tolist()}
    wanted = [int(shown.counts[one]) for one in tops]
    covered: dict[int, list[int]] = defaultdict(list)
    for entry in np.flatnonzero(np.isin(given.shown, tuples)).tolist():
        covered[int(given.shown[entry])].append(int(given.sequence[entry]))
    gone = int(given.left.sum())
    if gone:
        covered[SUPPRESSED_ROW] = everything
        tops[SUPPRESSED_ROW] = frequency.heights
        wanted.append(gone)
    joins = list_joins(given, covered, tops, deadline)
    if joins is None:
        return None
    ends, needed = list(tops), [given.k] * len(joins)
    pairs, strict = _pair_ends(given, joins, ends)
    if gone:
        pairs = np.concatenate([pairs, [[len(joins), len(ends) - 1]]])
        strict = np.append(strict, False)
        joins.append(Join((), (), tuple(everything)))
        needed.append(0)
    place = {sequence: number for number, sequence in enumerate(everything)}
    taken = [(place[s], number) for number, one in enumerate(joins) for s in one.sequences]
    if len(taken) + len(pairs) > MOST_CHOICES:
        return None
    network = Network(
        supplied=frequency.counts[sequences],
        needed=np.array(needed, dtype=np.int64),
        wanted=np.array(wanted, dtype=np.int64),
        taken=np.array(taken, dtype=np.int64).reshape(-1, 2),
        given=pairs,
        strict=strict,
    )
    return network, joins, ends


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
    given: Assignment, joins: Sequence[Join], ends: Sequence[int]
) -> tuple[Counts, Flags]:
    """Pair joins with the released tuples above them, and mark the strict pairs."""
    visible = [levels_by_label(hierarchy) for hierarchy in given.frequency.hierarchies]
    levels = np.array([one.levels for one in joins], dtype=np.int64).reshape(-1, len(visible)).T
    ground = np.array([one.ground for one in joins], dtype=np.int64).reshape(-1, len(visible)).T
    pairs, strict = [], []
    for place, end in enumerate(ends):
        fits, finer = _compare(given, visible, levels, ground, end)
        found = np.flatnonzero(fits)
        pairs += [(one, place) for one in found.tolist()]
        strict += finer[found].tolist()
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(strict, dtype=np.bool_)


def _compare(
    given: Assignment, visible: Sequence[Codes], levels: Counts, ground: Counts, end: int
) -> tuple[Flags, Flags]:
    """Return which joins are below a released tuple, and which of them strictly."""
    shown, number = given.release, levels.shape[1]
    if end == SUPPRESSED_ROW:
        return np.ones(number, dtype=np.bool_), np.ones(number, dtype=np.bool_)
    fits, finer = np.ones(number, dtype=np.bool_), np.zeros(number, dtype=np.bool_)
    for attribute, hierarchy in enumerate(given.frequency.hierarchies):
        level, code = int(shown.levels[attribute, end]), int(shown.ground[attribute, end])
        ancestors = hierarchy.levels[level]
        ours = visible[attribute][levels[attribute], ground[attribute]]
        theirs = int(visible[attribute][level, code])
        fits &= (ancestors[ground[attribute]] == ancestors[code]) & (ours <= theirs)
        finer |= ours < theirs
    return fits, finer


def list_joins(
    given: Assignment,
    covered: Mapping[int, Sequence[int]],
    tops: Mapping[int, Vector],
    deadline: float,
) -> list[Join] | None:
    """List the joins of k rows or more below given tuples; ``None`` if there are too many."""
    ranges = {
        one: [range(low, max(low, high) + 1) for low, high in zip(given.bottom, top, strict=True)]
        for one, top in tops.items()
    }
    if sum(prod(map(len, levels)) for levels in ranges.values()) > MOST_GROUPINGS:
        return None
    found: dict[tuple[Vector, Vector], Join] = {}
    for one, levels in ranges.items():
        members = np.array(covered[one], dtype=np.int64)
        for vector in product(*levels):
            if is_over(deadline):
                return None
            for join in _group(given, members, vector):
                found[join.levels, join.sequences] = join
    return list(found.values())


def _group(given: Assignment, members: Counts, vector: Vector) -> Iterator[Join]:
    """Group sequences that are equal at a vector; yield the groups whose join is that vector."""
    frequency = given.frequency
    levels = zip(frequency.hierarchies, vector, strict=True)
    codes = [
        hierarchy.lift_ground(level, frequency.codes[attribute, members]).tolist()
        for attribute, (hierarchy, level) in enumerate(levels)
    ]
    groups: dict[Vector, list[int]] = defaultdict(list)
    for place, cells in enumerate(zip(*codes, strict=True)):
        groups[cells].append(place)
    for places in groups.values():
        inside = members[places]
        if frequency.counts[inside].sum() >= given.k and _is_join(given, inside, vector):
            ground = tuple(frequency.codes[:, inside[0]].tolist())
            yield Join(vector, ground, tuple(inside.tolist()))


def _is_join(given: Assignment, members: Counts, vector: Vector) -> bool:
    """Return whether sequences differ one level below a vector wherever it is above the bottom."""
    for attribute, (level, lowest) in enumerate(zip(vector, given.bottom, strict=True)):
        if level > lowest:
            ground = given.frequency.codes[attribute, members]
            below = given.frequency.hierarchies[attribute].lift_ground(level - 1, ground)
            if (below == below[0]).all():
                return False
    return True
