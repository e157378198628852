"""What a page shows of levels: what a vector keeps and why it fails, and the lattice around it.

The lattice is drawn as a Hasse diagram, or listed by height and as a map of two attributes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lookalike.errors import InvalidInput
from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Codes, Counts
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice, Vector, raise_level, set_level
from lookalike.model.membership import Membership
from lookalike.model.population import match_people
from lookalike.model.recoding import Failure
from lookalike.model.requirement import QuasiIdentifier, Requirement
from lookalike.model.stored_list import Frequencies
from lookalike.report.holder.draw import place_vectors
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.lattice.decide import DecidedLattice
from lookalike.search.lattice.objectives import Judged, make_objective
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.lattice.rollup import ClassSuppression, RollUps
from lookalike.studio.editing.form_fields import Given, read_whole
from lookalike.studio.levels.level_work import AskedLevels, LevelTrial
from lookalike.studio.levels.wanted_vectors import WantedVectors

MOST_SIZES = 6
"""The most sizes of small classes that are listed."""
NEIGHBOUR_SECONDS = 0.1
"""How long the vectors one level higher and lower are evaluated."""


@dataclass(frozen=True)
class VectorFacts(Discreet):
    """What a release at a vector keeps, and why it fails.

    ``attributes``: each attribute at its level, as :func:`_describe_attributes` describes it.
    ``suppressed`` rows must be suppressed, and ``allowance`` may be; ``released`` rows are not
    blank. ``failures``: the parts of the requirement that classes fail before rows are suppressed.
    ``small``: the classes with fewer than k rows, by size, of the only quasi-identifier.
    ``refusals``: the protections that the classes fail although they were chosen without sensitive
    values, so that the release is refused.
    """

    attributes: tuple[dict[str, Any], ...]
    precision: float
    suppressed: int
    allowance: int
    released: int
    sizes: Counts
    failures: tuple[Failure, ...]
    small: tuple[tuple[int, int], ...]
    refusals: tuple[Failure, ...]
    excluded_by: tuple[str, ...]

    @property
    def satisfies(self) -> bool:
        """Whether no more rows must be suppressed than may be."""
        return self.suppressed <= self.allowance

    @property
    def can_be_released(self) -> bool:
        """Whether a release at the vector satisfies everything, and has rows."""
        return self.satisfies and not self.refusals and self.released > 0

    @property
    def best_step(self) -> dict[str, Any] | None:
        """The attribute whose next level leaves the fewest rows to suppress."""
        known = [
            (one["higher"]["suppressed"], place)
            for place, one in enumerate(self.attributes)
            if one["higher"] is not None and one["higher"]["suppressed"] is not None
        ]
        fewest, place = min(known, default=(self.suppressed, 0))
        return self.attributes[place] if fewest < self.suppressed else None


def describe_vector(rollups: RollUps, asked: AskedLevels, vector: Vector) -> VectorFacts:
    """Describe a release at a vector."""
    frequency, requirement = rollups.frequency.held(vector), rollups.requirement
    here, suppressed = rollups.decide(vector), rollups.suppressed(vector)
    parts = rollups.below(vector).roll_up(vector) if frequency.beside else here.classes
    weights = asked.options.weights_of(frequency)
    prec = make_objective("precision", rollups, weights, frequency.rows)
    judged = prec.judge(vector)
    reached = prec.measured(judged.cost)
    candidate = Candidate(vector, frequency.heights, suppressed, len(here.sizes), reached, weights)
    return VectorFacts(
        attributes=tuple(_describe_attributes(rollups, asked, vector)),
        precision=reached,
        suppressed=suppressed,
        allowance=asked.allowance(frequency),
        released=judged.released,
        sizes=here.sizes,
        failures=tuple(_find_failing(parts, requirement)),
        small=_list_small(here, requirement),
        refusals=_find_refusals(parts, asked) if asked.is_blind else (),
        excluded_by=tuple(_find_excluding(asked, candidate, frequency.attributes)),
    )


def _describe_attributes(
    rollups: RollUps, asked: AskedLevels, vector: Vector
) -> Iterator[dict[str, Any]]:
    """Yield each attribute at its level, with the vectors one level lower and higher, if there are.

    ``common`` and ``becomes``: the most frequent value, and what it becomes; None is missing.
    ``suppressed``: the rows that must be suppressed at the other vector, None if the time was over;
    ``fits``: whether these may be suppressed.
    """
    frequency, deadline = rollups.frequency, deadline_after(NEIGHBOUR_SECONDS)
    allowance = asked.requirement.allowance(frequency.rows)

    def look(place: int, steps: int) -> dict[str, Any] | None:
        other = raise_level(vector, place, steps)
        if not 0 <= other[place] <= frequency.heights[place]:
            return None
        rows = None if is_over(deadline) else rollups.suppressed(other)
        fits = rows is not None and rows <= allowance
        return {"vector": other, "suppressed": rows, "fits": fits}

    distinct = frequency.distinct(vector)
    for place, hierarchy in enumerate(frequency.hierarchies):
        level = vector[place]
        common, becomes = find_common(frequency, place, level)
        yield {
            "name": hierarchy.column,
            "level": level,
            "height": hierarchy.height,
            "common": common,
            "becomes": becomes,
            "distinct": distinct[place],
            "lower": look(place, -1),
            "higher": look(place, 1),
        }


def find_common(frequency: Frequencies, place: int, level: int) -> tuple[str | None, str | None]:
    """Return the most frequent value of an attribute, and what it becomes at a level."""
    hierarchy, code = frequency.hierarchies[place], int(frequency.code_rows(place, 0).argmax())
    return hierarchy.labels[0][code], hierarchy.labels[level][int(hierarchy.levels[level][code])]


def _find_failing(parts: FrequencyList, requirement: Requirement) -> Iterator[Failure]:
    """Yield the parts of a requirement that some classes of a list fail, each by itself."""
    for one in requirement.protected(parts.attributes):
        places = [parts.attributes.index(name) for name in one.attributes]
        class_of = parts.class_of(parts.vector, places)
        for condition, member in _list_conditions(parts, requirement, class_of, one):
            failing = member.failing(parts.counts)
            if failing.any():
                classes = np.count_nonzero(np.bincount(class_of[failing]))
                yield Failure(condition, int(classes), int(parts.counts[failing].sum()))


def _list_conditions(
    parts: FrequencyList, requirement: Requirement, class_of: Codes, one: QuasiIdentifier
) -> Iterator[tuple[str, Membership]]:
    """Yield what the classes over a quasi-identifier must satisfy, each part by itself."""
    several = f" over {', '.join(one.attributes)}" if requirement.quasi_identifiers else ""
    yield f"at least {one.k:,} rows in a class{several}", Membership(class_of, one.k)
    if not one.alone:
        yield from requirement.conditions(parts, class_of, one)
    for matched in match_people(requirement.registers, parts, parts.vector, class_of):
        name = matched.condition.register
        yield f"people of the register {name!r}", Membership(class_of, 0, matched=(matched,))


def _find_refusals(parts: FrequencyList, asked: AskedLevels) -> tuple[Failure, ...]:
    """Return the protections that fail after the small classes are suppressed."""
    gone = asked.requirement.outlying(parts, parts.vector)
    left = np.flatnonzero(~gone).astype(np.int32)
    shown = parts.taken(left, parts.counts[left])
    return tuple(_find_failing(shown, asked.whole)) if len(left) else ()


def _list_small(here: ClassSuppression, requirement: Requirement) -> tuple[tuple[int, int], ...]:
    """List the sizes of classes below k, the smallest first, each with its number of classes."""
    if requirement.quasi_identifiers:
        return ()
    counts = here.classes.counts
    sizes, classes = np.unique(counts[counts < requirement.k], return_counts=True)
    return tuple(zip(sizes.tolist(), classes.tolist(), strict=True))[:MOST_SIZES]


def _find_excluding(
    asked: AskedLevels, candidate: Candidate, attributes: Sequence[str]
) -> Iterator[str]:
    """Yield the constraints that exclude a vector."""
    for one in asked.options.constraints:
        place = attributes.index(one.quantity)
        if candidate.vector[place] not in one.levels(candidate.heights[place]):
            yield write_constraint(one)
    for one in asked.conditions:
        if not one.admits(candidate):
            yield write_constraint(one)


def write_constraint(one: Constraint) -> str:
    """Write a constraint as a specification does."""
    return f"{one.quantity} {one.comparison} {one.number}"


MAP_SECONDS = 0.08
"""How long vectors of a map or a list are evaluated."""
PAGE = 20
"""How many vectors of a height are listed at once."""
_WIDEST = 1_200
"""The widest diagram in which every vector has its levels written on it."""
_STEP_DOWN = 60
_FITTING = 780
"""The width that vectors without their levels are squeezed into."""


MarkedVector = dict[str, Any]
"""A vector with everything that a page marks of it.

``best``: ``"the best"`` or ``"best so far"``, if it is the one of a trial.
``is_shown``: whether the page describes it; ``is_unwanted``: whether it keeps too little or loses
too many rows for what the page asks for.
"""


@dataclass(frozen=True, eq=False)
class MarkedLattice:
    """The lattice within the bounds on levels, and which of its vectors are marked.

    ``decided`` is None if the vectors are too many; ``shown`` is the one that the page describes.
    ``few``: the vectors that lose few enough rows for ``wanted``, if the lattice is large.
    """

    rollups: RollUps
    asked: AskedLevels
    lattice: Lattice
    decided: DecidedLattice | None
    trial: LevelTrial
    shown: Vector
    wanted: WantedVectors
    few: DecidedLattice | None = None

    def mark(self, vector: Vector, deadline: float = 0.0) -> MarkedVector:
        """Return a vector with its marks; what is not known is evaluated before a deadline."""
        known, state, is_minimal = self.decided, "excluded", False
        if vector in self.lattice:
            state = "not decided" if known is None else known.state(vector)
            is_minimal = known is not None and bool(known.lowest[known.place(vector)])
        if state == "not decided" and not is_over(deadline):
            allowance = self.asked.requirement.allowance(self.rollups.frequency.rows)
            state = "satisfies" if self.rollups.suppressed(vector) <= allowance else "fails"
        found = "the best" if self.trial.is_proved else "best so far"
        return {
            "vector": vector,
            "text": ",".join(map(str, vector)),
            "state": state,
            "is_minimal": is_minimal,
            "best": found if vector == self.trial.vector else "",
            "is_shown": vector == self.shown,
            "is_unwanted": self.wanted.is_choice
            and not is_over(deadline)
            and not self.wanted.has(self.wanted.measure(vector)),
        }


def draw_diagram(marked: MarkedLattice, lattice: Lattice) -> dict[str, Any]:
    """Return a Hasse diagram: vectors in layers by height, the most general first, and lines.

    A line has its two ends, and whether it leads to the vector that is described. A compact diagram
    has no room for the levels of its vectors.
    """
    places, deadline = place_vectors([*lattice]), deadline_after(MAP_SECONDS)
    widest = 2 * max(places.values()) + 1
    wide = 7.5 * (2 * len(lattice.top) - 1) + 34
    is_compact = widest * (wide + 14) > _WIDEST
    step = max(22.0, min(30.0, _FITTING / widest)) if is_compact else wide + 14
    middle, top = widest * step / 2 + 8, sum(lattice.top)
    spots = {
        one: (middle + step * x, (top - sum(one)) * _STEP_DOWN + 24) for one, x in places.items()
    }
    edges = [
        (*spots[one], *spots[above], marked.shown in (one, above))
        for one in lattice
        for above in lattice.successors(one)
    ]
    return {
        "width": 2 * middle,
        "height": lattice.height * _STEP_DOWN + 48,
        "nodes": [(marked.mark(one, deadline), *spots[one]) for one in reversed(places)],
        "edges": edges,
        "box": step - 5 if is_compact else wide,
        "is_compact": is_compact,
    }


def list_height(marked: MarkedLattice, query: Given) -> dict[str, Any] | None:
    """List the vectors of a height: those that satisfy first, then by what their levels keep.

    The height is the one that an address names, or that of the described vector. Each vector has
    the rows that must be suppressed and the precision; None for one that was not measured in time.
    """
    decided, rollups, height = marked.decided, marked.rollups, sum(marked.shown)
    if decided is None:
        return None
    if "height" in query:
        height = read_whole(query["height"], "height", sum(rollups.frequency.heights))
    height = min(max(height, sum(decided.lattice.bottom)), sum(decided.lattice.top))
    places = np.argwhere(decided.heights == height)
    pages = max(1, -(-len(places) // PAGE))
    page = min(max(1, read_whole(query.get("page", "1"), "page", 9_999)), pages)
    order = _order(places, decided, marked.asked, rollups.frequency.heights)
    vectors = decided.vectors_at(places[order[PAGE * (page - 1) : PAGE * page]])
    deadline = deadline_after(MAP_SECONDS)
    measured: list[tuple[MarkedVector, Judged | None, float]] = []
    for vector in vectors:
        judged, reached = None, 0.0
        if not is_over(deadline):
            _, judged, reached = marked.wanted.measure(vector)
        measured.append((marked.mark(vector, deadline), judged, reached))
    return {"height": height, "page": page, "pages": pages, "vectors": measured}


def list_wanted(marked: MarkedLattice) -> dict[str, Any] | None:
    """List the wanted vectors of all heights, the highest precision first, as for a height."""
    if marked.few is None or marked.decided is None:
        return None
    found, is_certain = marked.wanted.list_best(marked.few)
    vectors = [(marked.mark(vector), judged, reached) for vector, judged, reached in found]
    return {"height": None, "pages": 1, "vectors": vectors, "is_certain": is_certain}


def _order(places: Counts, decided: DecidedLattice, asked: AskedLevels, heights: Vector) -> Counts:
    """Return the order of places: those that satisfy, not decided, that fail; then by loss."""
    at = tuple(places.T)
    state = np.where(decided.satisfying[at], 0, np.where(decided.failing[at], 2, 1))
    weights = asked.options.weights or (1,) * len(heights)
    loss = np.zeros(len(places))
    for column, axis in enumerate(decided.axes):
        loss += places[:, column] * (float(weights[axis]) / max(1, heights[axis]))
    return np.lexsort((loss, ~decided.lowest[at], state))


def map_levels(marked: MarkedLattice, query: Given) -> dict[str, Any] | None:
    """Mark every vector that differs from the described one in two attributes alone.

    An address names the two by their places; else they are those with most levels. The rows are
    ordered by the level of ``down``, from the highest. ``columns`` and ``lines``: what the most
    frequent value of each of the two attributes becomes at every level.
    """
    frequency, deadline = marked.rollups.frequency, deadline_after(MAP_SECONDS)
    heights = frequency.heights
    if len(heights) == 1:
        return None
    usual = sorted(range(len(heights)), key=lambda place: -heights[place])
    across, down = (
        read_whole(query[name], name, len(heights) - 1) if name in query else place
        for name, place in zip(("x", "y"), usual[:2], strict=True)
    )
    if across == down:
        raise InvalidInput("x and y must be two different attributes")
    rows = [
        [
            marked.mark(set_level(set_level(marked.shown, down, low), across, level), deadline)
            for level in range(heights[across] + 1)
        ]
        for low in reversed(range(heights[down] + 1))
    ]
    columns, lines = (
        [find_common(frequency, place, level)[1] for level in range(heights[place] + 1)]
        for place in (across, down)
    )
    return {"across": across, "down": down, "rows": rows, "columns": columns, "lines": lines[::-1]}
