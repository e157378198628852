"""Output of ``lookalike compare``: the methods side by side, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.compare import Compared, as_comparison_row
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, fold
from lookalike.shell.views.release_json import release_as_json

COLUMNS = ("method", "precision", "bound", "rows *", "classes", "smallest", "seconds")
MORE_COLUMNS = ("levels", "cells *", "gap", "accuracy", "complete", "k-minimal")
"""The columns that ``--wide`` adds."""


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
    columns = [*COLUMNS, *(MORE_COLUMNS if display.wide else ())]
    table = begin_table(*columns, text=1)
    done = [as_comparison_row(one) for one in compared if one.release is not None]
    for line in done:
        cells = _comparison_cells(line)
        table.add_row(*[cells[column] for column in columns])
    failed = [
        fold(f"{one.method} fails: {one.error}.", indent="  ") for one in compared if one.error
    ]
    return Group(*([table] if done else []), *_explain(done), *failed)


def _explain(done: Sequence[dict[str, Any]]) -> list[Text]:
    """Explain the columns of a comparison."""
    if not done:
        return []
    line = f"Asked: k = {done[0]['k']:,}. Rows * are suppressed; bound: no release has more."
    return [fold(line if display.wide else f"{line} --wide shows levels and further measures.")]


def _comparison_cells(line: dict[str, Any]) -> dict[str, str]:
    """Write one line of a comparison, by the headings of its columns."""
    smallest = f"{line['k_reached']:,}"
    minimal = {True: "yes", False: f"no: {line['minimal_below']}", None: "–"}[line["k_minimal"]]
    return {
        "method": line["method"],
        "precision": _write_measure(line["precision"]),
        "bound": _write_measure(line["precision_bound"]),
        "rows *": f"{line['rows_suppressed']:,}",
        "classes": f"{line['classes']:,}",
        "smallest": smallest if line["k_reached"] >= line["k"] else f"[red]{smallest}[/red]",
        "seconds": f"{line['seconds']:.2f}",
        "levels": line["levels"] or "cells",
        "cells *": f"{line['cells_suppressed']:,}",
        "gap": _write_measure(line["gap"]),
        "accuracy": _write_measure(line["accuracy"]),
        "complete": _write_measure(line["completeness"]),
        "k-minimal": minimal,
    }


def _write_measure(value: float | None) -> str:
    """Write a measure from 0 to 1, if there is one."""
    return "–" if value is None else f"{value:.4f}"
