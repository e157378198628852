"""Output of ``lookalike compare``: the methods side by side, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.compare import Compared, as_comparison_row
from lookalike.shell.views.printing import begin_table
from lookalike.shell.views.release import release_as_json

NUMBERS = ("k", "rows *", "cells *", "Prec", "bound", "gap", "accuracy", "complete", "classes")


def compared_as_json(compared: Compared) -> dict[str, Any]:
    """Return what ``compare --json`` prints for one method."""
    if compared.release is None:
        return {"method": compared.method, "error": compared.error}
    attributes = compared.release.plan.frequency.attributes
    below = compared.minimal_below
    return {
        **release_as_json(compared.release),
        "precision_bound": compared.precision_bound,
        "gap": compared.gap,
        "accuracy": compared.release.measures.accuracy,
        "completeness": compared.release.measures.completeness,
        "minimal_below": below and dict(zip(attributes, below, strict=True)),
    }


def show_comparison(compared: Sequence[Compared]) -> RenderableType:
    """Show the result of each method on the same table."""
    table = begin_table("method", "levels", *NUMBERS, text=2)
    table.add_column("k-minimal")
    table.add_column("seconds", justify="right")
    done = [as_comparison_row(one) for one in compared if one.release is not None]
    for line in done:
        table.add_row(*_comparison_cells(line))
    failed = [Text(f"{one.method} fails: {one.error}.") for one in compared if one.error]
    asked = [f"Asked: k = {line['k']:,}; rows * and cells * are suppressed." for line in done[:1]]
    return Group(*([table] if done else []), *asked, *failed)


def _comparison_cells(line: dict[str, Any]) -> list[str]:
    """Write one line of a comparison."""
    satisfied = line["k_reached"] >= line["k"]
    minimal = {True: "yes", False: f"no: {line['minimal_below']}", None: "–"}[line["k_minimal"]]
    bound, gap = line["precision_bound"], line["gap"]
    return [
        line["method"],
        line["levels"] or "cells",
        f"{line['k_reached']:,}" if satisfied else f"[red]{line['k_reached']:,}[/red]",
        f"{line['rows_suppressed']:,}",
        f"{line['cells_suppressed']:,}",
        f"{line['precision']:.4f}",
        "–" if bound is None else f"{bound:.4f}",
        "–" if gap is None else f"{gap:.4f}",
        f"{line['accuracy']:.4f}",
        f"{line['completeness']:.4f}",
        f"{line['classes']:,}",
        minimal,
        f"{line['seconds']:.2f}",
    ]
