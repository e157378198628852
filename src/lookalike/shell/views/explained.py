"""Output of ``lookalike release --explain``: how a release would be made, as text and as JSON."""

from collections.abc import Iterator

from rich.console import Group, RenderableType

from lookalike.flow.explain import Explained
from lookalike.shell.views.printing import fold


def show_explained(plan: Explained) -> RenderableType:
    """Show where the rows and the sequences are, what comes to memory, and why."""
    lines = [f"{label:<10} {text}" for label, text in _list_facts(plan)]
    return Group(
        *(fold(line, indent=" " * 11) for line in lines), "Nothing was searched or written."
    )


def _list_facts(plan: Explained) -> Iterator[tuple[str, str]]:
    """Yield the lines, each with its label."""
    yield "rows", f"{plan.rows:,}, held by {plan.engine}"
    yield "sequences", f"{plan.sequences:,} distinct; at most {plan.max_sequences:,} fit in memory"
    yield "list", _place(plan)
    why = "" if plan.method_reason is None else f", because {plan.method_reason}"
    yield "search", f"{plan.method}, {plan.vectors:,} vectors{why}"
    yield "memory", f"about {plan.megabytes:,} MB for at most {plan.collected:,} sequences"
    if plan.refused is not None:
        yield "refused", plan.refused


def _place(plan: Explained) -> str:
    """Say where the frequency list is kept, and why there."""
    if plan.place == "engine":
        return (
            f"in {plan.engine}, because it does not fit in memory; counts come from there, and "
            "shorter lists at higher levels come to memory"
        )
    if plan.least_levels is None:
        return "in memory, because it fits"
    bounds = ", ".join(f"{name} >= {level}" for name, level in plan.least_levels.items() if level)
    return f"in memory, at the levels that the constraints leave: {bounds or 'all'}"
