"""Output of ``lookalike compare``: the methods side by side, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.describe.bound import name_beyond_rows
from lookalike.describe.utility.utility_figures import UTILITY_COLUMNS, ModelTest
from lookalike.flow.compare import Compared, list_comparison
from lookalike.model.proved_bound import state_bound
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, fold

COLUMNS = ("method", "precision", "bound", "rows *", "classes", "smallest", "seconds")
MORE_COLUMNS = ("levels", "cells *", "gap", "accuracy", "complete", "k-minimal")
"""The columns that ``--wide`` adds."""
UTILITY_HEADINGS = ("columns", "pairs", "logistic", "boosting")
"""The columns that ``--target`` adds."""
SHORT_COLUMNS = ("method", "precision", "rows *", *UTILITY_HEADINGS)
"""The columns of a comparison with ``--target`` that fit 80 columns."""


def show_comparison(compared: Sequence[Compared]) -> RenderableType:
    """Show the result of each method on the same table."""
    measured = [one.utility.models for one in compared if one.utility is not None]
    columns = _choose_columns(with_utility=bool(measured))
    table = begin_table(*columns, text=1)
    done = [line for line in list_comparison(compared) if line.get("error") is None]
    for line in done:
        cells = _comparison_cells(line) if "k" in line else {"method": line["method"]}
        cells |= _utility_cells(line)
        table.add_row(*[cells.get(column, "") for column in columns])
    failed = [
        fold(f"{one.method} fails: {one.error}.", indent="  ") for one in compared if one.error
    ]
    models = [_explain_models(one) for one in measured[:1] if one is not None]
    return Group(*([table] if done else []), *_explain(compared, columns), *models, *failed)


def _choose_columns(*, with_utility: bool) -> tuple[str, ...]:
    """Return the headings that the terminal has room for."""
    if display.wide:
        return (*COLUMNS, *(UTILITY_HEADINGS if with_utility else ()), *MORE_COLUMNS)
    return SHORT_COLUMNS if with_utility else COLUMNS


def _explain(compared: Sequence[Compared], columns: Sequence[str]) -> list[Text]:
    """Explain the columns of a comparison."""
    releases = [one.release for one in compared if one.release is not None]
    if not releases:
        return []
    k = releases[0].plan.requirement.k
    line = f"Asked: k = {k:,}. Rows * are suppressed"
    if "bound" in columns:
        named = (name_beyond_rows(one.specification, one.plan) for one in releases)
        stricter = next(filter(None, named), "")
        line += f"; bound: {'at the cell level ' if stricter else ''}"
        line += state_bound("has more", k, stricter)
    more = "" if display.wide else " --wide shows levels and further measures."
    return [fold(f"{line}.{more}")]


def _explain_models(tested: ModelTest) -> Text:
    """Explain the columns that a target adds."""
    return fold(
        "Columns, pairs: mean distance of the distributions of one and of two columns, from 0 "
        "(unchanged) to 1. Logistic, boosting: accuracy of models that are trained on the release "
        f"and predict {tested.target} for {tested.rows_test:,} private rows that were held out; "
        "original: trained on the private rows; majority: the most frequent value."
    )


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


def _utility_cells(line: dict[str, Any]) -> dict[str, str]:
    """Write what a target adds to one line, by the headings; a reference has no distances."""
    names = zip(UTILITY_HEADINGS, UTILITY_COLUMNS, strict=True)
    return {heading: _write_measure(line[name]) for heading, name in names if name in line}


def _write_measure(value: float | None) -> str:
    """Write a measure from 0 to 1, if there is one."""
    return "–" if value is None else f"{value:.4f}"
