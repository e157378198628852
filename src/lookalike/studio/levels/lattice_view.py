"""How a page shows a lattice: as a Hasse diagram, or by height and as a map of two attributes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from lookalike.hierarchy.discreet import Discreet
from lookalike.kernels.types import Counts
from lookalike.model.clock import deadline_after, is_over
from lookalike.model.lattice import Lattice, Vector, set_level
from lookalike.report.holder.draw import place_vectors
from lookalike.search.lattice.decide import DecidedLattice
from lookalike.search.lattice.objectives import Judged, make_objective
from lookalike.search.lattice.rollup import RollUps
from lookalike.studio.levels.level_work import AskedLevels, LevelTrial
from lookalike.studio.levels.vector_facts import find_common

VectorState = Literal["satisfies", "fails", "not decided", "excluded"]
MAP_SECONDS = 0.08
"""How long vectors of a map or a list are evaluated."""
PAGE = 20
"""How many vectors of a height are listed at once."""
_WIDEST = 1_200
"""The widest diagram in which every vector has its levels written on it."""
_STEP_DOWN = 60
_FITTING = 780
"""The width that vectors without their levels are squeezed into."""


@dataclass(frozen=True)
class MarkedVector:
    """A vector with everything that a page marks of it.

    ``best``: ``"the best"`` or ``"best so far"``, if it is the one of a trial. ``is_shown``:
    whether the page describes it.
    """

    vector: Vector
    state: VectorState
    is_minimal: bool = False
    best: str = ""
    is_shown: bool = False

    @property
    def text(self) -> str:
        """Its levels."""
        return ",".join(map(str, self.vector))

    @property
    def sign(self) -> str:
        """A character for its state, so that colour is not needed."""
        return {"satisfies": "✓", "fails": "✕", "not decided": "?", "excluded": "–"}[self.state]

    @property
    def words(self) -> str:
        """Everything that is marked, in words."""
        marks: list[str] = [self.state]
        marks += ["k-minimal"] if self.is_minimal else []
        marks += [f"{self.best} with these settings"] if self.best else []
        marks += ["described below"] if self.is_shown else []
        return ", ".join(marks)

    @property
    def style(self) -> str:
        """The names of its style."""
        marks = {"minimal": self.is_minimal, "best": bool(self.best), "looked": self.is_shown}
        chosen = [name for name, is_set in marks.items() if is_set]
        return " ".join([self.state.replace(" ", "-"), *chosen])


@dataclass(frozen=True, eq=False)
class MarkedLattice:
    """The lattice within the bounds on levels, and which of its vectors are marked.

    ``decided`` is None if the vectors are too many; ``shown`` is the one that the page describes.
    """

    rollups: RollUps
    asked: AskedLevels
    lattice: Lattice
    decided: DecidedLattice | None
    trial: LevelTrial
    shown: Vector

    @property
    def allowance(self) -> int:
        """The number of rows that may be suppressed."""
        return self.asked.requirement.allowance(self.rollups.frequency.rows)

    def mark(self, vector: Vector, deadline: float = 0.0) -> MarkedVector:
        """Return a vector with its marks; it is evaluated if that was not decided in time."""
        state: VectorState = "excluded"
        is_minimal = False
        if vector in self.lattice:
            state = "not decided" if self.decided is None else self.decided.state(vector)
            known = self.decided
            is_minimal = known is not None and bool(known.lowest[known.place(vector)])
        if state == "not decided" and not is_over(deadline):
            fits = self.rollups.suppressed(vector) <= self.allowance
            state = "satisfies" if fits else "fails"
        best = ("the best" if self.trial.is_proved else "best so far") * (
            vector == self.trial.vector
        )
        return MarkedVector(vector, state, is_minimal, best, vector == self.shown)


def draw_diagram(marked: MarkedLattice, lattice: Lattice) -> dict[str, Any]:
    """Return a Hasse diagram: vectors in layers by height, the most general first, and lines.

    A line has its two ends, and whether it leads to the vector that is described. A compact diagram
    has no room for the levels of its vectors.
    """
    places = place_vectors([*lattice])
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
        "nodes": [(marked.mark(one), *spots[one]) for one in reversed(places)],
        "edges": edges,
        "box": step - 5 if is_compact else wide,
        "is_compact": is_compact,
    }


def list_height(
    marked: MarkedLattice, decided: DecidedLattice, height: int, page: int
) -> dict[str, Any]:
    """List the vectors of a height: those that satisfy first, then by what their levels keep.

    Each has the rows that must be suppressed and the precision; None for one that was not measured
    in time.
    """
    places = np.argwhere(decided.heights == height)
    pages = max(1, -(-len(places) // PAGE))
    page = min(page, pages)
    order = _order(places, decided, marked.asked, marked.rollups.frequency.heights)
    vectors = decided.vectors_at(places[order[PAGE * (page - 1) : PAGE * page]])
    measured = [*_measure(marked, vectors)]
    return {"height": height, "page": page, "pages": pages, "vectors": measured}


def _measure(
    marked: MarkedLattice, vectors: Sequence[Vector]
) -> Iterator[tuple[MarkedVector, Judged | None, float]]:
    """Yield vectors with their figures, as many as the time allows."""
    deadline = deadline_after(MAP_SECONDS)
    rollups, options = marked.rollups, marked.asked.options
    weights = options.weights_of(rollups.frequency)
    precision = make_objective("precision", rollups, weights, rollups.frequency.rows)
    for vector in vectors:
        judged = None if is_over(deadline) else precision.judge(vector)
        reached = 0.0 if judged is None else precision.measured(judged.cost)
        yield marked.mark(vector, deadline), judged, reached


def _order(places: Counts, decided: DecidedLattice, asked: AskedLevels, heights: Vector) -> Counts:
    """Return the order of places: those that satisfy, not decided, that fail; then by loss."""
    at = tuple(places.T)
    state = np.where(decided.satisfying[at], 0, np.where(decided.failing[at], 2, 1))
    weights = asked.options.weights or (1,) * len(heights)
    loss = np.zeros(len(places))
    for column, axis in enumerate(decided.axes):
        loss += places[:, column] * (float(weights[axis]) / max(1, heights[axis]))
    return np.lexsort((loss, ~decided.lowest[at], state))


@dataclass(frozen=True)
class LevelMap(Discreet):
    """The vectors that differ from one in two attributes, as rows and columns.

    The rows are ordered by the level of ``down``, from the highest. ``columns`` and ``lines``:
    what the most frequent value of each of the two attributes becomes at every level.
    """

    across: int
    down: int
    rows: tuple[tuple[MarkedVector, ...], ...]
    columns: tuple[str | None, ...]
    lines: tuple[str | None, ...]


def map_levels(marked: MarkedLattice, across: int, down: int) -> LevelMap:
    """Mark every vector that differs from the described one in two attributes alone."""
    frequency, deadline = marked.rollups.frequency, deadline_after(MAP_SECONDS)
    heights = frequency.heights
    rows = [
        tuple(
            marked.mark(set_level(set_level(marked.shown, down, low), across, level), deadline)
            for level in range(heights[across] + 1)
        )
        for low in reversed(range(heights[down] + 1))
    ]
    columns, lines = (
        tuple(find_common(hierarchy, ground, level)[1] for level in range(hierarchy.height + 1))
        for hierarchy, ground in (
            (frequency.hierarchies[place], frequency.code_rows(place, 0))
            for place in (across, down)
        )
    )
    return LevelMap(across, down, tuple(rows), columns, tuple(reversed(lines)))


def choose_axes(heights: Sequence[int]) -> tuple[int, int]:
    """Return the two attributes with the most levels.

    Examples
    --------
    >>> choose_axes((1, 4, 2))
    (1, 2)
    """
    first, second = sorted(range(len(heights)), key=lambda place: -heights[place])[:2]
    return first, second
