"""Output of ``lookalike minimal --search``: the steps of a search."""

import textwrap
from collections.abc import Iterator

from rich.console import RenderableType, group
from rich.markup import escape
from rich.text import Text

from lookalike.model.lattice import write_vector
from lookalike.search.lattice.distance_matrix import DistanceMatrix
from lookalike.search.lattice.find_vector import SearchStep
from lookalike.search.lattice.trace import SearchTrace
from lookalike.shell.views.printing import WIDTH, begin_table, fold

TITLES = {
    "find-vector": "Find_vector (Samarati, Figure 10)",
    "halving": "All solutions by halving between vectors (Samarati, end of section 6)",
    "strategies": "Every strategy up to its first solution (Samarati, Theorem 5.1)",
    "matrix": "Find_vector with the matrix VT (Samarati, section 5)",
}


@group()
def show_trace(trace: SearchTrace, most: int) -> Iterator[RenderableType]:
    """Show the steps of a search, at most so many steps and vectors per step."""
    lattice = trace.lattice
    yield Text(TITLES[trace.search], style="bold")
    yield fold(
        f"k = {trace.k:,}, MaxSup = {trace.max_suppressed:,} rows. A vector holds the levels of "
        f"{', '.join(trace.attributes)}; each is shown with its outliers."
    )
    ends = f"from {write_vector(lattice.bottom)} to {write_vector(lattice.top)}"
    yield fold(f"{lattice.size:,} vectors, {ends}.")
    if trace.matrix:
        yield from _show_matrix(trace, trace.matrix, most)
    for number, step in enumerate(trace.steps[:most], start=1):
        yield from _show_step(trace, number, step, most)
    yield from _state_hidden("steps", len(trace.steps) - most)
    if trace.search == "strategies" and trace.complete:
        yield from _show_local(trace, most)
    yield _state_found(trace)


def _state_hidden(what: str, hidden: int) -> list[Text]:
    """State how many are not shown, if any."""
    return [Text(f"… not shown: {hidden:,} {what}; see --most.")] if hidden > 0 else []


def _show_step(trace: SearchTrace, number: int, step: SearchStep, most: int) -> Iterator[Text]:
    """Show one step: the part of the lattice it searches, its vectors, and its outcome."""
    yield Text(f"\n{number:,}. {_state_part(trace, step)}")
    shown = [f"{write_vector(one.vector)} {one.outliers:,}" for one in step.evaluated[:most]]
    hidden = len(step.evaluated) - most
    separator = " → " if trace.search == "strategies" else "   "
    more = [f"… and {hidden:,} more"] if hidden > 0 else []
    yield Text(_wrap(separator.join([*shown, *more]), separator))
    yield Text(f"   {_state_outcome(trace, step)}")


def _wrap(line: str, separator: str) -> str:
    """Break a line between vectors and never within one."""
    whole = line.replace(" ", "\u00a0").replace(separator.replace(" ", "\u00a0"), separator)
    broken = textwrap.fill(whole, WIDTH, initial_indent="   ", subsequent_indent="   ")
    return broken.replace("\u00a0", " ")


def _state_part(trace: SearchTrace, step: SearchStep) -> str:
    """State the part of the lattice that a step searches."""
    if trace.search == "strategies":
        return "Follow a strategy from the bottom:"
    if trace.search != "halving":
        heights = f"{step.low_height} to {step.high_height}"
        return f"A solution lies at heights {heights}: try {step.tried_height}."
    ends = f"Between {write_vector(step.between.bottom)} and {write_vector(step.between.top)}"
    return f"{ends}:" if step.tried is None else f"{ends}: try height {step.tried_height}."


def _state_outcome(trace: SearchTrace, step: SearchStep) -> str:
    """State what a step found, and where the search continues."""
    if trace.search == "strategies":
        return f"{write_vector(step.found)} is locally minimal."
    if trace.search == "halving":
        if step.found is not None:
            return (
                f"{write_vector(step.found)} is kept: none below it in this part is within MaxSup."
            )
        high, low = step.new_ends
        return f"New high ends, within MaxSup: {high:,}. New low ends, not within it: {low:,}."
    if step.found is None:
        return (
            f"None is within MaxSup: go up to heights {(step.tried_height or 0) + 1} to "
            f"{step.high_height}."
        )
    return (
        f"{write_vector(step.found)} is within MaxSup: go down to heights "
        f"{step.low_height} to {step.tried_height}."
    )


def _show_local(trace: SearchTrace, most: int) -> Iterator[RenderableType]:
    """Show the locally minimal vectors, lowest first, and which of them are k-minimal."""
    table = begin_table("locally minimal", "strategies")
    table.add_column("k-minimal")
    for vector, number in trace.local[:most]:
        minimal = "yes" if vector in trace.found else "no"
        table.add_row(escape(write_vector(vector) or ""), f"{number:,}", minimal)
    yield table
    yield from _state_hidden("locally minimal vectors", len(trace.local) - most)


def _state_found(trace: SearchTrace) -> RenderableType:
    """State what a search found, and how many vectors it evaluated."""
    cost = f"{trace.evaluated:,} of {trace.lattice.size:,} vectors evaluated"
    steps = f"{len(trace.steps):,} {'step' if len(trace.steps) == 1 else 'steps'}"
    if not trace.complete:
        return Text(f"\nStopped before the end: {cost} in {steps}.", style="bold yellow")
    named = ", ".join(write_vector(one) or "" for one in trace.found)
    one = trace.search in ("find-vector", "matrix")
    what = "k-minimal and of least height" if one else f"all {len(trace.found):,} k-minimal vectors"
    text = textwrap.fill(f"Found {named} ({what}); {cost} in {steps}.", WIDTH)
    return Text(f"\n{text}", style="bold green")


def _show_matrix(trace: SearchTrace, matrix: DistanceMatrix, most: int) -> Iterator[RenderableType]:
    """Show VT, if it fits, and the bounds that it gives."""
    lines, columns, attributes = matrix.distances.shape
    yield Text()
    yield fold(
        f"VT has a line for each of {lines:,} outliers and a column for each of {columns:,} "
        "distinct sequences, numbered in the order of their values."
    )
    fits = 4 + columns * (attributes + 1) <= WIDTH
    if fits and int(matrix.distances.max(initial=0)) < 10:
        yield _show_distances(matrix)
    yield from _show_bounds(trace, matrix, most)


def _show_distances(matrix: DistanceMatrix) -> Text:
    """Show VT, each distance vector as its digits."""
    _, columns, attributes = matrix.distances.shape
    lines = ["    " + " ".join(f"{place:>{attributes}}" for place in range(1, columns + 1))]
    for place, line in zip(matrix.outliers.tolist(), matrix.distances.tolist(), strict=True):
        lines.append(f"{place + 1:>3} " + " ".join("".join(map(str, cell)) for cell in line))
    return Text("\n".join(lines))


def _show_bounds(trace: SearchTrace, matrix: DistanceMatrix, most: int) -> Iterator[Text]:
    """Show the bounds on solutions that VT gives."""
    frequent = [
        place for place in matrix.outliers.tolist() if matrix.counts[place] > trace.max_suppressed
    ]
    bounds = matrix.lower_bounds(trace.max_suppressed)
    if not bounds:
        yield Text("Each outlier alone may be suppressed, so VT gives no lower bound.")
    for place, least in list(zip(frequent, bounds, strict=True))[:most]:
        above = " or ".join(write_vector(one) or "" for one in least)
        yield fold(
            f"{place + 1}: a solution lies above {above}, at height {min(map(sum, least))} or "
            "more.",
            indent="   ",
        )
    yield from _state_hidden("bounds", len(bounds) - most)
    upper = matrix.least_upper_bound()
    occurring = zip(trace.attributes, matrix.occurring_levels(), strict=True)
    levels = "; ".join(f"{name} {', '.join(map(str, known))}" for name, known in occurring)
    yield Text(f"No solution lies below height {matrix.lowest_height(trace.max_suppressed)}.")
    yield fold(
        f"The least upper bound is {write_vector(upper)}: no k-minimal vector lies above it, so "
        f"none above height {sum(upper)}."
    )
    yield fold(f"Levels that a k-minimal vector may have: {levels}.")
