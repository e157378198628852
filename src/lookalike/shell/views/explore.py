"""Output of ``lookalike explore`` and ``compare``: what methods keep, by k and limit or at one."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import RenderableType, group
from rich.markup import escape
from rich.text import Text

from lookalike.describe.bound import name_beyond_rows
from lookalike.describe.frontier import TrialSetting
from lookalike.describe.utility.utility_figures import UTILITY_COLUMNS, ModelTest
from lookalike.flow.compare import Compared, list_comparison
from lookalike.flow.explore.exploration import Exploration, LowerStep, Outcome, Point
from lookalike.model.proved_bound import state_bound
from lookalike.shell.display import display
from lookalike.shell.views.budget import show_budget
from lookalike.shell.views.printing import begin_table, fold, percent, shorten, show_rows
from lookalike.shown_text import count_rows

METHODS_BESIDE = 4
"""The number of methods that fit side by side in 80 columns."""
LABEL_WIDTH = 24
"""The longest name of an attribute that is shown whole."""
_HEIGHTS = "▁▂▃▄▅▆▇█"


@group()
def show_exploration(found: Exploration) -> Iterator[RenderableType]:
    """Show what is kept by k, limit and method; with ``--wide`` every measure of every point."""
    done = sum(point.is_reached for point in found.points)
    yield fold(
        f"{found.rows:,} rows, {found.sequences:,} distinct sequences of {len(found.attributes):,} "
        f"attributes; {done:,} of {len(found.points):,} points were tried."
    )
    yield from _list_late(found)
    for budget in found.budgets:
        yield from show_budget(budget)
    if display.wide:
        yield _show_all(found)
    else:
        yield from _show_grid(found)
        yield from _draw_chart(found)
    yield from _list_impossible(found)
    yield from _show_chosen(found)
    yield from _show_weights(found)
    yield from _show_keeps(found)
    yield from _list_steps(found.steps)
    if found.advice:
        yield Text("\nWhat to try next", "bold")
    yield from (fold(f"- {one.text}", indent="  ") for one in found.advice)
    yield fold(
        "These figures are for the data holder: they depend on the private table.", style="dim"
    )


def _show_grid(found: Exploration) -> Iterator[RenderableType]:
    """Show the precision, and the share of the rows that are lost, by limit."""
    by_setting = {point.setting: point for point in found.points}
    methods = list(dict.fromkeys(one.method for one in by_setting))
    for limit in sorted({one.max_suppressed for one in by_setting}, key=float):
        some = [one for one in by_setting if one.max_suppressed == limit]
        yield Text(f"\nPrecision (and rows lost) with at most {some[0].limit} suppressed")
        for first in range(0, len(methods), METHODS_BESIDE):
            beside = methods[first : first + METHODS_BESIDE]
            table = begin_table("k", *beside, text=0)
            for k in sorted({one.k for one in some}):
                settings = [TrialSetting(method, k, limit) for method in beside]
                table.add_row(str(k), *[_write_kept(by_setting.get(one)) for one in settings])
            yield table


def _write_kept(point: Point | None) -> str:
    """Write what a point keeps, and the share of the rows that it loses."""
    if point is None or point.outcome is None:
        return "not possible" if point is not None and point.error else "–"
    outcome = point.outcome
    lost = f" (−{percent(outcome.rows_lost / outcome.rows_in)})" if outcome.rows_lost else ""
    kept = percent(outcome.precision)
    return f"[red]{kept}{lost}[/red]" if outcome.measures.rows_below_k else f"{kept}{lost}"


def _draw_chart(found: Exploration) -> Iterator[RenderableType]:
    """Draw the share that each method keeps over k, at the chosen limit."""
    chosen = found.chosen.max_suppressed
    ks = sorted({one.setting.k for one in found.points})
    methods = list(dict.fromkeys(one.setting.method for one in found.points))
    if len(ks) < 2:
        return
    yield Text(f"Precision over k with at most {found.chosen.limit} suppressed (█ is 100 %)")
    rows = [
        [method, *(_draw_height(found.find(TrialSetting(method, k, chosen))) for k in ks)]
        for method in methods
    ]
    yield show_rows(["k", *map(str, ks)], rows, text=1)


def _draw_height(outcome: Outcome | None) -> str:
    """Draw what is kept as the height of a block."""
    if outcome is None:
        return "–"
    return _HEIGHTS[min(len(_HEIGHTS) - 1, int(outcome.precision * len(_HEIGHTS)))]


def _show_all(found: Exploration) -> RenderableType:
    """Show every column of every point."""
    rows = found.tidy_rows
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_write_cell(row.get(name)) for name in columns] for row in rows]
    return show_rows(columns, cells, text=1)


def _write_cell(value: Any) -> str:
    """Write one figure."""
    if value is None:
        return "–"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _list_late(found: Exploration) -> Iterator[RenderableType]:
    """Say which points were not reached in time."""
    late = [point.setting for point in found.points if not point.is_reached]
    if late:
        ks = ", ".join(str(k) for k in sorted({one.k for one in late}))
        yield fold(
            f"The time was over before {len(late):,} points were computed (k = {ks}; shown as –): "
            "raise --time-limit, or try fewer with --k, --max-suppressed and --method.",
            style="yellow",
        )


def _list_impossible(found: Exploration) -> Iterator[RenderableType]:
    """Say why points are not possible."""
    errors: dict[str, list[TrialSetting]] = {}
    for point in found.points:
        if point.error is not None:
            errors.setdefault(f"{point.setting.method}: {point.error}", []).append(point.setting)
    for text, settings in errors.items():
        ks = ", ".join(str(k) for k in sorted({one.k for one in settings}))
        yield fold(f"Not possible at k = {ks}, {text}.", indent="  ")


def _show_chosen(found: Exploration) -> Iterator[RenderableType]:
    """Show what each method keeps of each attribute at the chosen k and limit."""
    chosen = found.chosen
    known = {
        point.setting.method: point.outcome
        for point in found.points
        if point.outcome is not None
        and (point.setting.k, point.setting.max_suppressed) == (chosen.k, chosen.max_suppressed)
    }
    if not known:
        return
    yield Text(f"\nKept of each attribute at k = {chosen.k} with at most {chosen.limit} suppressed")
    names = list(known)
    for first in range(0, len(names), METHODS_BESIDE):
        some = names[first : first + METHODS_BESIDE]
        table = begin_table("", *some)
        for attribute in found.attributes:
            shares = [percent(known[one].kept[attribute]) for one in some]
            table.add_row(escape(shorten(attribute, LABEL_WIDTH)), *shares)
        for label, figures in _list_figures([known[one] for one in some]):
            table.add_row(f"[dim]{escape(label)}[/dim]", *figures)
        yield table


def _list_figures(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, list[str]]]:
    """Yield further figures of some outcomes, each with its label."""
    yield "rows lost", [f"{one.rows_lost:,}" for one in outcomes]
    yield "smallest class", [f"{one.measures.smallest_class:,}" for one in outcomes]
    yield "mean class", [f"{one.mean_class:,.1f}" for one in outcomes]
    yield "bits of the labels", [f"{one.bits:.1f}" for one in outcomes]
    for column in outcomes[0].one_value:
        counts = [one.one_value.get(column) for one in outcomes]
        yield (
            f"classes with one {shorten(column, LABEL_WIDTH - len('classes with one '))}",
            ["–" if count is None else f"{count:,}" for count in counts],
        )
    shares = [one.certain_share for one in outcomes]
    yield "finer value certain", ["–" if share is None else percent(share) for share in shares]


def _show_weights(found: Exploration) -> Iterator[RenderableType]:
    """Show what changes if the weight of an attribute is tripled."""
    if not found.weights:
        return
    yield Text(f"If the weight of an attribute is tripled ({found.chosen.method})")
    headings = ["attribute", "kept of it", "change", "of all", "change", "loses most"]
    rows = []
    for effect in found.weights:
        name = effect.attribute
        others = {other: less for other, less in effect.change.items() if other != name}
        worst = min(others, key=lambda other: others[other])
        payer = f"{shorten(worst, LABEL_WIDTH)} {_points(others[worst])}"
        kept = [percent(effect.kept[name]), _points(effect.change[name])]
        kept += [percent(effect.precision), _points(effect.precision_change)]
        loses = payer if others[worst] < 0 else "–"
        rows.append([shorten(name, LABEL_WIDTH), *kept, loses])
    yield show_rows(headings, rows, text=1)


def _show_keeps(found: Exploration) -> Iterator[RenderableType]:
    """Show what is kept if a rising share of every attribute must be, and where that ends."""
    rows = []
    for step in found.keeps:
        if step.kept is None or step.precision is None:
            continue
        least = min(step.kept, key=step.kept.__getitem__)
        of_all = sum(step.kept.values()) / len(step.kept)
        kept = [percent(step.precision), percent(of_all), percent(step.kept[least])]
        rows.append([f"{step.share:g}", *kept, shorten(least, LABEL_WIDTH), f"{step.rows_lost:,}"])
    if rows:
        yield Text(f"If every attribute must have keep = … ({found.chosen.method})")
        headings = ["keep", "precision", "kept, mean", "least", "of attribute", "rows lost"]
        yield show_rows(headings, rows, text=1)
    for step in found.keeps:
        if step.why is not None:
            why = step.why.removeprefix("keep: ")
            yield fold(f"With keep = {step.share:g} for every attribute: {why}.", indent="  ")


def _points(difference: float) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    return f"{100 * difference:+.1f}"


def _list_steps(steps: Sequence[LowerStep]) -> Iterator[RenderableType]:
    """Say which step of a hierarchy keeps the vector from being lower."""
    for step in steps:
        rows = count_rows(step.rows)
        fate = (
            f"would leave {rows} in classes that are too small; {step.allowed:,} may be suppressed"
            if step.is_blocked
            else f"is also possible ({rows} suppressed, {step.allowed:,} allowed)"
        )
        yield fold(
            f"{step.method}: {step.attribute} at level {step.level - 1} instead of {step.level} "
            f"{fate}.",
            indent="  ",
        )


COLUMNS = ("method", "precision", "bound", "rows *", "classes", "smallest", "seconds")
MORE_COLUMNS = ("levels", "loss", "cells *", "gap", "accuracy", "complete", "k-minimal")
"""The columns that ``--wide`` adds."""
UTILITY_HEADINGS = ("columns", "pairs", "logistic", "boosting")
"""The columns that ``--target`` adds."""
SHORT_COLUMNS = ("method", "precision", "rows *", *UTILITY_HEADINGS)
"""The columns of a comparison with ``--target`` that fit 80 columns."""


@group()
def show_comparison(compared: Sequence[Compared]) -> Iterator[RenderableType]:
    """Show the result of each method on the same table."""
    measured = [one.utility.models for one in compared if one.utility is not None]
    columns: tuple[str, ...] = SHORT_COLUMNS if measured else COLUMNS
    if display.wide:
        columns = (*COLUMNS, *(UTILITY_HEADINGS if measured else ()), *MORE_COLUMNS)
    elif all(one.precision_bound is None for one in compared):
        columns = tuple("loss" if column == "bound" else column for column in columns)
    table = begin_table(*columns, text=1)
    done = [line for line in list_comparison(compared) if line.get("error") is None]
    for line in done:
        cells = _comparison_cells(line) if "k" in line else {"method": line["method"]}
        for heading, name in zip(UTILITY_HEADINGS, UTILITY_COLUMNS, strict=True):
            cells |= {heading: _write_cell(line[name])} if name in line else {}
        table.add_row(*[cells.get(column, "") for column in columns])
    if done:
        yield table
    yield from _explain(compared, columns)
    yield from (_explain_models(one) for one in measured[:1] if one is not None)
    for one in compared:
        if one.error:
            yield fold(f"{one.method} fails: {one.error}.", indent="  ")


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
        "precision": _write_cell(line["precision"]),
        "bound": _write_cell(line["precision_bound"]),
        "rows *": f"{line['rows_suppressed']:,}",
        "classes": f"{line['classes']:,}",
        "smallest": smallest if line["k_reached"] >= line["k"] else f"[red]{smallest}[/red]",
        "seconds": f"{line['seconds']:.2f}",
        "levels": line["levels"] or "cells",
        "loss": _write_cell(line["loss"]),
        "cells *": f"{line['cells_suppressed']:,}",
        "gap": _write_cell(line["gap"]),
        "accuracy": _write_cell(line["accuracy"]),
        "complete": _write_cell(line["completeness"]),
        "k-minimal": minimal,
    }
