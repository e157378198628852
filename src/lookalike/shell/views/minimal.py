"""How Samarati's searches are shown to a person on a terminal, and as JSON to a program."""

import textwrap
from collections.abc import Iterator
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.flow.compare import write_vector
from lookalike.model.lattice import Vector
from lookalike.search.lattice.distance_matrix import DistanceMatrix
from lookalike.search.lattice.steps import SearchStep
from lookalike.search.lattice.trace import SearchTrace

WIDTH = 78
TITLES = {
    "find-vector": "Find_vector (Samarati, Figure 10)",
    "halving": "All solutions by halving between vectors (Samarati, end of section 6)",
    "strategies": "Every strategy up to its first solution (Samarati, Theorem 5.1)",
    "matrix": "Find_vector with the matrix VT (Samarati, section 5)",
}
LARGEST_MATRIX = 10_000
"""JSON holds the entries of VT up to so many."""


def trace_as_json(trace: SearchTrace, most: int) -> dict[str, Any]:
    """Return what ``minimal --search --json`` prints, with so many steps at most."""

    def levels(vector: Vector) -> dict[str, int]:
        return dict(zip(trace.attributes, vector, strict=True))

    return {
        "search": trace.search,
        "k": trace.k,
        "max_suppressed": trace.max_suppressed,
        "lattice": trace.lattice.size,
        "steps_total": len(trace.steps),
        "steps": [
            {
                "bottom": levels(step.between.bottom),
                "top": levels(step.between.top),
                "low": _height(step, step.low),
                "high": _height(step, step.high),
                "try": None if step.tried is None else _height(step, step.tried),
                "evaluated": [
                    {
                        "levels": levels(one.vector),
                        "outliers": one.outliers,
                        "satisfies": one.satisfies,
                    }
                    for one in step.evaluated
                ],
                "found": None if step.found is None else levels(step.found),
            }
            for step in trace.steps[:most]
        ],
        "local": [{"levels": levels(one), "steps": number} for one, number in trace.local],
        "found": [levels(one) for one in trace.found],
        "evaluated": trace.evaluated,
        "complete": trace.complete,
        "matrix": None if trace.matrix is None else _matrix_as_json(trace, trace.matrix),
    }


def _matrix_as_json(trace: SearchTrace, matrix: DistanceMatrix) -> dict[str, Any]:
    """Return VT and what is read from it."""
    small = matrix.distances.shape[0] * matrix.distances.shape[1] <= LARGEST_MATRIX
    return {
        "attributes": list(trace.attributes),
        "outliers": matrix.outliers.tolist(),
        "counts": matrix.counts.tolist(),
        "distances": matrix.distances.tolist() if small else None,
        "lower_bounds": matrix.lower_bounds(trace.max_suppressed),
        "lowest_height": matrix.lowest_height(trace.max_suppressed),
        "least_upper_bound": matrix.least_upper_bound(),
        "occurring_levels": matrix.occurring_levels(),
    }


def _height(step: SearchStep, above: int) -> int:
    """Return the height of vectors that are so far above the bottom of a step's part."""
    return above + sum(step.between.bottom)


def show_trace(trace: SearchTrace, most: int) -> RenderableType:
    """Tell each step of a search, up to a number of steps and of vectors a step."""
    lattice = trace.lattice
    hidden = len(trace.steps) - most
    return Group(
        Text(TITLES[trace.search], style="bold"),
        _fold(
            f"k = {trace.k:,}, MaxSup = {trace.max_suppressed:,} rows. A vector holds the levels "
            f"of {', '.join(trace.attributes)}; each is shown with its outliers."
        ),
        _fold(
            f"{lattice.size:,} vectors, from {write_vector(lattice.bottom)} to "
            f"{write_vector(lattice.top)}."
        ),
        *(_show_matrix(trace, trace.matrix, most) if trace.matrix else ()),
        *(
            line
            for number, step in enumerate(trace.steps[:most], start=1)
            for line in _show_step(trace, number, step, most)
        ),
        *_say_hidden("steps", hidden),
        *(_show_local(trace, most) if trace.search == "strategies" and trace.complete else ()),
        _say_found(trace),
    )


def _fold(line: str, indent: str = "") -> Text:
    """Break a line so that it fits a terminal."""
    return Text(textwrap.fill(line, WIDTH, subsequent_indent=indent))


def _say_hidden(what: str, hidden: int) -> list[Text]:
    """Say how many are not shown, if any are not."""
    return [Text(f"… not shown: {hidden:,} {what}; see --most.")] if hidden > 0 else []


def _show_step(trace: SearchTrace, number: int, step: SearchStep, most: int) -> Iterator[Text]:
    """Tell one step: where it looks, what it evaluates, and what follows."""
    yield Text(f"\n{number:,}. {_say_part(trace, step)}")
    shown = [f"{write_vector(one.vector)} {one.outliers:,}" for one in step.evaluated[:most]]
    hidden = len(step.evaluated) - most
    separator = " → " if trace.search == "strategies" else "   "
    more = [f"… and {hidden:,} more"] if hidden > 0 else []
    yield Text(_wrap(separator.join([*shown, *more]), separator))
    yield Text(f"   {_say_outcome(trace, step)}")


def _wrap(line: str, separator: str) -> str:
    """Break a line between vectors and never within one."""
    whole = line.replace(" ", "\u00a0").replace(separator.replace(" ", "\u00a0"), separator)
    broken = textwrap.fill(whole, WIDTH, initial_indent="   ", subsequent_indent="   ")
    return broken.replace("\u00a0", " ")


def _say_part(trace: SearchTrace, step: SearchStep) -> str:
    """Say where a step looks."""
    if trace.search == "strategies":
        return "Follow a strategy from the bottom:"
    low, high = _height(step, step.low), _height(step, step.high)
    if trace.search != "halving":
        return f"A solution lies at heights {low} to {high}: try {_height(step, step.tried or 0)}."
    ends = f"Between {write_vector(step.between.bottom)} and {write_vector(step.between.top)}"
    return f"{ends}:" if step.tried is None else f"{ends}: try height {_height(step, step.tried)}."


def _say_outcome(trace: SearchTrace, step: SearchStep) -> str:
    """Say what a step found, and where the search goes on."""
    if trace.search == "strategies":
        return f"{write_vector(step.found)} is locally minimal."
    if trace.search == "halving":
        if step.found is not None:
            return f"{write_vector(step.found)} is kept: nothing below it in this part does."
        middle = [one for one in step.evaluated if one.vector != step.between.bottom]
        above = sum(one.satisfies for one in middle)
        return (
            f"New high ends, within MaxSup: {above:,}. New low ends, not within it: "
            f"{len(middle) - above:,}."
        )
    if step.found is None:
        return (
            f"None is within MaxSup: go up to heights {_height(step, step.tried or 0) + 1} to "
            f"{_height(step, step.high)}."
        )
    return (
        f"{write_vector(step.found)} is within MaxSup: go down to heights "
        f"{_height(step, step.low)} to {_height(step, step.tried or 0)}."
    )


def _show_local(trace: SearchTrace, most: int) -> Iterator[RenderableType]:
    """Show the locally minimal vectors, lowest first, and which of them are k-minimal."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("locally minimal")
    table.add_column("strategies", justify="right")
    table.add_column("k-minimal")
    for vector, number in trace.local[:most]:
        minimal = "yes" if vector in trace.found else "no"
        table.add_row(escape(write_vector(vector) or ""), f"{number:,}", minimal)
    yield table
    yield from _say_hidden("locally minimal vectors", len(trace.local) - most)


def _say_found(trace: SearchTrace) -> RenderableType:
    """Say what a search found, and what it cost."""
    cost = f"{trace.evaluated:,} of {trace.lattice.size:,} vectors evaluated"
    steps = f"{len(trace.steps):,} {'step' if len(trace.steps) == 1 else 'steps'}"
    if not trace.complete:
        return Text(f"\nStopped before the end: {cost} in {steps}.", style="bold yellow")
    named = ", ".join(write_vector(one) or "" for one in trace.found)
    one = trace.search in ("find-vector", "matrix")
    what = "k-minimal and of least height" if one else f"all {len(trace.found):,} k-minimal vectors"
    told = textwrap.fill(f"Found {named} ({what}); {cost} in {steps}.", WIDTH)
    return Text(f"\n{told}", style="bold green")


def _show_matrix(trace: SearchTrace, matrix: DistanceMatrix, most: int) -> Iterator[RenderableType]:
    """Show VT, if it fits, and the bounds that it gives."""
    lines, columns, _ = matrix.distances.shape
    yield Text()
    yield _fold(
        f"VT has a line for each of {lines:,} outliers and a column for each of {columns:,} "
        "distinct sequences, numbered in the order of their values."
    )
    if _fits(matrix):
        yield _show_distances(matrix)
    yield from _show_bounds(trace, matrix, most)


def _fits(matrix: DistanceMatrix) -> bool:
    """Tell whether VT can be printed with a digit a level."""
    _, columns, attributes = matrix.distances.shape
    wide = 4 + columns * (attributes + 1)
    return wide <= WIDTH and int(matrix.distances.max(initial=0)) < 10


def _show_distances(matrix: DistanceMatrix) -> Text:
    """Print VT, each distance vector as its digits."""
    attributes = matrix.distances.shape[2]
    places = range(1, matrix.distances.shape[1] + 1)
    head = "    " + " ".join(f"{place:>{attributes}}" for place in places)
    lines = [
        f"{place + 1:>3} " + " ".join("".join(map(str, cell)) for cell in line)
        for place, line in zip(matrix.outliers.tolist(), matrix.distances.tolist(), strict=True)
    ]
    return Text("\n".join([head, *lines]))


def _show_bounds(trace: SearchTrace, matrix: DistanceMatrix, most: int) -> Iterator[Text]:
    """Tell the bounds of solutions that VT gives."""
    frequent = [
        place for place in matrix.outliers.tolist() if matrix.counts[place] > trace.max_suppressed
    ]
    bounds = matrix.lower_bounds(trace.max_suppressed)
    if not bounds:
        yield Text("Each outlier alone may be suppressed, so VT gives no lower bound.")
    for place, least in list(zip(frequent, bounds, strict=True))[:most]:
        above = " or ".join(write_vector(one) or "" for one in least)
        yield _fold(
            f"{place + 1}: a solution lies above {above}, at height {min(map(sum, least))} or "
            "more.",
            indent="   ",
        )
    yield from _say_hidden("bounds", len(bounds) - most)
    upper = matrix.least_upper_bound()
    occurring = zip(trace.attributes, matrix.occurring_levels(), strict=True)
    levels = "; ".join(f"{name} {', '.join(map(str, known))}" for name, known in occurring)
    yield Text(f"No solution lies below height {matrix.lowest_height(trace.max_suppressed)}.")
    yield _fold(
        f"The least upper bound is {write_vector(upper)}: no k-minimal vector lies above it, so "
        f"none above height {sum(upper)}."
    )
    yield _fold(f"Levels that a k-minimal vector may have: {levels}.")
