"""Decide whether a k-anonymous table below a given release exists: for small tables.

Every finer table can be made finer until each class is released as its join. So only the
joins of k rows or more matter that lie below a released tuple, the *candidates*. Rows flow
from their sequences through candidates to released tuples: a candidate takes none or at least
k rows, and each released tuple gets as many as it has. One row at least must pass a candidate
that is strictly more specific than where it ends. Maximum flows and a search for what each
candidate does decide that, in whole numbers. Sequences and released tuples that no cover joins
do not matter to each other, so each part is decided by itself.
"""

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from lookalike.cells.finer import SUPPRESSED_ROW, Assignment, Change, Shown, tell_levels
from lookalike.errors import InternalError
from lookalike.frequency import FrequencyList
from lookalike.hierarchy.bound import Codes
from lookalike.kernels.grouping import Counts
from lookalike.lattice import Vector

MOST_GROUPINGS = 20_000
"""A part is small if its tuples have no more vectors below them, all counted together."""
MOST_CHOICES = 20_000
"""A part is small if no more pairs are to be decided on."""
MOST_FLOWS = 20_000
"""The search of a part is given up after so many flows."""

Marks = npt.NDArray[np.bool_]

Cell = tuple[int, ...]


@dataclass(frozen=True)
class Candidate:
    """A join of k rows or more.

    Parameters
    ----------
    levels
        Its levels.
    ground
        A ground code below each of its cells.
    sequences
        The sequences that it covers.
    """

    levels: Vector
    ground: Cell
    sequences: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """Released tuples and sequences that no cover joins to others.

    Parameters
    ----------
    shown
        The released tuples.
    sequences
        The sequences.
    """

    shown: Counts
    sequences: Counts


def find_finer(
    frequency: FrequencyList,
    shown: Shown,
    assignment: Assignment,
    k: int,
    bottom: Vector,
    deadline: float,
) -> tuple[list[Change], bool]:
    """Look for a finer table among all, part by part.

    Parameters
    ----------
    frequency, shown, assignment, k, bottom
        As for :func:`lookalike.cells.finer.refine_classes`.
    deadline
        When to stop, by the monotonic clock.

    Returns
    -------
    changes
        The changes that lead to a finer table; none if none was found.
    exhausted
        Whether all tables were considered, so that none exists if none was found.
    """
    exhausted = True
    for part in _divide(frequency, shown, assignment):
        network = _Network.build(frequency, shown, assignment, part, k, bottom, deadline)
        answer = None if network is None else network.solve(deadline)
        if answer:
            return answer, True
        exhausted &= answer is not None
    return [], exhausted


def _divide(frequency: FrequencyList, shown: Shown, assignment: Assignment) -> Iterator[Part]:
    """Divide a release into parts; rows that are left out could be anywhere and join all."""
    from scipy.sparse import csr_array  # slow to import, so no sooner than it is needed
    from scipy.sparse.csgraph import connected_components

    nodes = len(shown) + len(frequency)
    if assignment.left.any():
        yield Part(np.arange(len(shown)), np.arange(len(frequency)))
        return
    ends = (assignment.shown, len(shown) + assignment.sequence)
    joined = csr_array((np.ones(len(assignment.shown)), ends), shape=(nodes, nodes))
    number, part_of = connected_components(joined, directed=False)
    tuples, sequences = part_of[: len(shown)], part_of[len(shown) :]
    for one in range(number):
        yield Part(np.flatnonzero(tuples == one), np.flatnonzero(sequences == one))


def _list_candidates(
    frequency: FrequencyList,
    covered: dict[int, list[int]],
    tops: dict[int, Vector],
    k: int,
    bottom: Vector,
    deadline: float,
) -> list[Candidate] | None:
    """List the joins of k rows or more below some tuples; nothing if there are too many.

    Parameters
    ----------
    frequency
        The frequency list.
    covered
        The sequences that each tuple covers.
    tops
        The levels of each tuple.
    k
        How many rows a join needs.
    bottom
        The lowest levels that are allowed.
    deadline
        When to stop.
    """
    ranges = {
        one: [range(low, max(low, high) + 1) for low, high in zip(bottom, top, strict=True)]
        for one, top in tops.items()
    }
    if sum(_count(levels) for levels in ranges.values()) > MOST_GROUPINGS:
        return None
    found: dict[tuple[Vector, Cell], Candidate] = {}
    for one, levels in ranges.items():
        members = np.array(covered[one], dtype=np.int64)
        for vector in product(*levels):
            if time.monotonic() > deadline:
                return None
            for candidate in _group(frequency, members, vector, k, bottom):
                found[candidate.levels, candidate.sequences] = candidate
    return list(found.values())


def _count(levels: Sequence[range]) -> int:
    """Count the vectors of some levels, without overflow."""
    number = 1
    for one in levels:
        number *= len(one)
    return number


def _group(
    frequency: FrequencyList, members: Counts, vector: Vector, k: int, bottom: Vector
) -> Iterator[Candidate]:
    """Group sequences that are alike at a vector; keep those whose join is that vector."""
    levels = zip(frequency.hierarchies, vector, strict=True)
    codes = [
        hierarchy.levels[level][frequency.codes[attribute, members]].tolist()
        for attribute, (hierarchy, level) in enumerate(levels)
    ]
    groups: dict[Cell, list[int]] = defaultdict(list)
    for place, cells in enumerate(zip(*codes, strict=True)):
        groups[cells].append(place)
    for places in groups.values():
        inside = members[places]
        if frequency.counts[inside].sum() >= k and _is_join(frequency, inside, vector, bottom):
            ground = tuple(frequency.codes[:, inside[0]].tolist())
            yield Candidate(vector, ground, tuple(inside.tolist()))


def _is_join(frequency: FrequencyList, members: Counts, vector: Vector, bottom: Vector) -> bool:
    """Tell whether sequences differ one level below a vector, wherever it is above the bottom."""
    for attribute, (level, lowest) in enumerate(zip(vector, bottom, strict=True)):
        if level > lowest:
            codes = frequency.hierarchies[attribute].levels[level - 1]
            below = codes[frequency.codes[attribute, members]]
            if (below == below[0]).all():
                return False
    return True


@dataclass(frozen=True, eq=False)
class _Network:
    """The flow of rows of a part from sequences through candidates to released tuples.

    Parameters
    ----------
    candidates
        The joins. Where rows may be left out, a last one without a place stands for that.
    ends
        The released tuples of the part, and ``SUPPRESSED_ROW`` if rows are left out.
    wanted
        How many rows each of them has.
    supplied
        The rows of each sequence of the part.
    needed
        How many rows each candidate must take, if it takes any.
    taken
        Pairs of a sequence, as its place in `supplied`, and a candidate.
    given
        Pairs of a candidate and an end, as its place in `ends`.
    strict
        Which of these pairs make rows more specific.
    """

    candidates: list[Candidate]
    ends: list[int]
    wanted: Counts
    supplied: Counts
    needed: Counts
    taken: Counts
    given: Counts
    strict: Marks

    @classmethod
    def build(
        cls,
        frequency: FrequencyList,
        shown: Shown,
        assignment: Assignment,
        part: Part,
        k: int,
        bottom: Vector,
        deadline: float,
    ) -> "_Network | None":
        """Lay out the network of a part; nothing if it is too large."""
        tops = {one: tuple(shown.levels[:, one].tolist()) for one in part.shown.tolist()}
        wanted = {one: int(shown.counts[one]) for one in part.shown.tolist()}
        covered = _list_covered(assignment, part)
        gone = int(assignment.left.sum())
        if gone:
            covered[SUPPRESSED_ROW] = part.sequences.tolist()
            tops[SUPPRESSED_ROW], wanted[SUPPRESSED_ROW] = frequency.heights, gone
        found = _list_candidates(frequency, covered, tops, k, bottom, deadline)
        if found is None:
            return None
        given, strict = _find_ends(frequency, shown, found, list(tops))
        needed = [k] * len(found)
        if gone:
            given = np.concatenate([given, [[len(found), len(tops) - 1]]])
            strict = np.append(strict, False)
            found.append(Candidate((), (), tuple(part.sequences.tolist())))
            needed.append(0)
        place = {sequence: number for number, sequence in enumerate(part.sequences.tolist())}
        taken = [(place[s], number) for number, one in enumerate(found) for s in one.sequences]
        if len(taken) + len(given) > MOST_CHOICES:
            return None
        return cls(
            candidates=found,
            ends=list(tops),
            wanted=np.array([wanted[one] for one in tops], dtype=np.int64),
            supplied=frequency.counts[part.sequences],
            needed=np.array(needed, dtype=np.int64),
            taken=np.array(taken, dtype=np.int64).reshape(-1, 2),
            given=given,
            strict=strict,
        )

    def solve(self, deadline: float) -> list[Change] | None:
        """Return the changes of a finer table, none if there is none, nothing if it is too hard.

        One strict pair after the other must be used, and none that was tried before.
        """
        allowed = np.ones(len(self.given), dtype=np.bool_)
        search = _Search(self, deadline)
        for pair in np.flatnonzero(self.strict).tolist():
            rows = search.use(allowed, pair)
            if rows is not None:
                return self._describe(rows)
            if search.gave_up:
                return None
            allowed[pair] = False
        return []

    def _describe(self, rows: Counts) -> list[Change]:
        """Return the pairs that make rows more specific, with their rows."""
        changes = []
        for (one, end), number in zip(self.given[self.strict], rows[self.strict], strict=True):
            if number:
                candidate = self.candidates[one]
                end_of = self.ends[end]
                changes.append(Change(end_of, candidate.levels, candidate.ground, int(number)))
        return changes

    def check(self, taken: Counts, given: Counts) -> None:
        """Stop if a flow is not a k-anonymous table between the private one and the release."""
        inflow = np.bincount(self.taken[:, 1], taken, minlength=len(self.candidates))
        outflow = np.bincount(self.given[:, 0], given, minlength=len(self.candidates))
        released = np.bincount(self.given[:, 1], given, minlength=len(self.ends))
        sent = np.bincount(self.taken[:, 0], taken, minlength=len(self.supplied))
        if not (
            (inflow == outflow).all()
            and (released == self.wanted).all()
            and (sent == self.supplied).all()
            and ((inflow == 0) | (inflow >= self.needed)).all()
            and given[self.strict].sum() > 0
        ):
            raise InternalError("a finer table does not satisfy what it must")


def _list_covered(assignment: Assignment, part: Part) -> dict[int, list[int]]:
    """Return the sequences that each released tuple of a part covers."""
    covered: dict[int, list[int]] = defaultdict(list)
    inside = np.isin(assignment.shown, part.shown)
    pairs = zip(
        assignment.shown[inside].tolist(), assignment.sequence[inside].tolist(), strict=True
    )
    for one, sequence in pairs:
        covered[one].append(sequence)
    return covered


class _Search:
    """Goes through what sequences and candidates may do with each other, by maximum flows.

    A flow may send fewer rows through a candidate than it must take. Then one of its sequences
    is decided: through which candidate, of those that are left, it goes first, or that it goes
    through none but those decided on. All is in whole numbers.
    """

    def __init__(self, network: _Network, deadline: float) -> None:
        self.network, self.deadline = network, deadline
        self.flows = 0
        self.gave_up = False

    def use(self, allowed: Marks, pair: int) -> Counts | None:
        """Return the rows of each pair in a finer table that uses one; nothing if none was found.

        Parameters
        ----------
        allowed
            The pairs of candidates and ends that may be used.
        pair
            The pair that must be used.
        """
        number = len(self.network.taken)
        stack = [(np.ones(number, dtype=np.bool_), np.zeros(number, dtype=np.bool_))]
        while stack:
            self.flows += 1
            if self.flows > MOST_FLOWS or time.monotonic() > self.deadline:
                self.gave_up = True
                return None
            able, forced = stack.pop()
            flow = _flow(self.network, able, forced, allowed, pair)
            if flow is None:
                continue
            taken, given = flow
            sequence = self._choose(taken, able, forced)
            if sequence is None:
                self.network.check(taken, given)
                return given
            stack += _branch(self.network, able, forced, sequence)
        return None

    def _choose(self, taken: Counts, able: Marks, forced: Marks) -> int | None:
        """Return a sequence with few ways to go that goes through a candidate with too few rows."""
        network = self.network
        inflow = np.bincount(network.taken[:, 1], taken, minlength=len(network.candidates))
        short = (inflow > 0) & (inflow < network.needed)
        astray = network.taken[:, 0][(taken > 0) & short[network.taken[:, 1]]]
        if not len(astray):
            return None
        ways = np.bincount(network.taken[:, 0][able & ~forced], minlength=len(network.supplied))
        return int(astray[np.argmin(ways[astray])])


def _branch(
    network: _Network, able: Marks, forced: Marks, sequence: int
) -> list[tuple[Marks, Marks]]:
    """Decide which of its open ways a sequence uses first, or that it uses none of them."""
    ways = np.flatnonzero((network.taken[:, 0] == sequence) & able & ~forced)
    closed = able.copy()
    children = []
    for way in ways.tolist():
        chosen = forced.copy()
        chosen[way] = True
        children.append((closed.copy(), chosen))
        closed[way] = False
    return [(closed, forced), *reversed(children)]


def _flow(
    network: _Network, able: Marks, forced: Marks, allowed: Marks, pair: int
) -> tuple[Counts, Counts] | None:
    """Send all rows; nothing if that cannot be.

    Where a pair is forced a row at least must pass, and a candidate in use takes as many as it
    needs: such rows are sent from the source to behind the arc, and from before it to the sink.
    """
    from scipy.sparse import csr_array  # slow to import, so no sooner than it is needed
    from scipy.sparse.csgraph import maximum_flow

    sequences, joins = len(network.supplied), len(network.candidates)
    inward, outward = sequences, sequences + joins
    end = outward + joins
    source = end + len(network.wanted)
    sender, taker = network.taken[:, 0], inward + network.taken[:, 1]
    giver, getter = outward + network.given[:, 0], end + network.given[:, 1]
    used = np.zeros(joins, dtype=np.bool_)
    used[network.taken[forced, 1]] = used[network.given[pair, 0]] = True
    least = np.where(used, network.needed, 0)
    must_take, must_give = forced.astype(np.int64), np.zeros(len(network.given), dtype=np.int64)
    must_give[pair] = 1
    rows = int(network.supplied.sum())
    middle = np.arange(joins)
    nodes = source + 2
    born, gone = np.zeros(nodes, dtype=np.int64), np.zeros(nodes, dtype=np.int64)
    born[:sequences] = network.supplied
    gone[end:source] = network.wanted
    np.add.at(born, taker, must_take)
    np.add.at(gone, sender, must_take)
    np.add.at(born, outward + middle, least)
    np.add.at(gone, inward + middle, least)
    np.add.at(born, getter, must_give)
    np.add.at(gone, giver, must_give)
    places = np.arange(nodes)
    tails = np.concatenate([sender, inward + middle, giver, np.full(nodes, source), places])
    heads = np.concatenate([taker, outward + middle, getter, places, np.full(nodes, source + 1)])
    most = np.concatenate([able * rows, np.full(joins, rows), allowed * rows, born, gone])
    graph = csr_array((most.astype(np.int32), (tails, heads)), shape=(nodes, nodes))
    answer = maximum_flow(graph, source, source + 1, method="dinic")
    if answer.flow_value < born.sum():
        return None
    taken = np.asarray(answer.flow[sender, taker]).reshape(-1).astype(np.int64) + must_take
    given = np.asarray(answer.flow[giver, getter]).reshape(-1).astype(np.int64) + must_give
    return taken, given


def _find_ends(
    frequency: FrequencyList, shown: Shown, candidates: Sequence[Candidate], ends: Sequence[int]
) -> tuple[Counts, Marks]:
    """Pair candidates with the released tuples that generalize them, and mark strict pairs."""
    told = [tell_levels(hierarchy) for hierarchy in frequency.hierarchies]
    levels = np.array([one.levels for one in candidates], dtype=np.int64).reshape(-1, len(told)).T
    ground = np.array([one.ground for one in candidates], dtype=np.int64).reshape(-1, len(told)).T
    pairs, strict = [], []
    for place, end in enumerate(ends):
        fits, finer = _compare(frequency, shown, told, levels, ground, end)
        found = np.flatnonzero(fits)
        pairs += [(one, place) for one in found.tolist()]
        strict += finer[found].tolist()
    return np.array(pairs, dtype=np.int64).reshape(-1, 2), np.array(strict, dtype=np.bool_)


def _compare(
    frequency: FrequencyList,
    shown: Shown,
    told: Sequence[Codes],
    levels: Counts,
    ground: Counts,
    end: int,
) -> tuple[Marks, Marks]:
    """Tell which candidates lie below a released tuple, and which of them strictly."""
    number = levels.shape[1]
    if end == SUPPRESSED_ROW:
        return np.ones(number, dtype=np.bool_), np.ones(number, dtype=np.bool_)
    fits, finer = np.ones(number, dtype=np.bool_), np.zeros(number, dtype=np.bool_)
    for attribute, hierarchy in enumerate(frequency.hierarchies):
        level, code = int(shown.levels[attribute, end]), int(shown.ground[attribute, end])
        ancestors = hierarchy.levels[level]
        ours = told[attribute][levels[attribute], ground[attribute]]
        theirs = int(told[attribute][level, code])
        fits &= (ancestors[ground[attribute]] == ancestors[code]) & (ours <= theirs)
        finer |= ours < theirs
    return fits, finer
