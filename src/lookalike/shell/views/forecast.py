"""Output of ``lookalike ledger forecast``: what each policy would show, withhold and keep."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType, group
from rich.markup import escape
from rich.table import Table

from lookalike.flow.forecast.forecast import Forecast
from lookalike.flow.forecast.simulate import ALONE, MonthFigures
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, fold, percent

FIGURES = ("shown", "withheld", "", "outdated", "precision", "loss")
WIDE_FIGURES = ("rows of the table", "under [release]")
"""The columns that ``--wide`` adds."""


@group()
def show_forecast(found: Forecast) -> Iterator[RenderableType]:
    """Show the figures of the last month for each policy, what they mean, and what is missing."""
    yield fold(
        f"{found.rows:,} rows at first, k = {found.k}. Each month {percent(found.leave)} of the "
        f"people leave, {percent(found.come)} come, and {percent(found.change)} get other values. "
        f"After {found.months} {'month' if found.months == 1 else 'months'}:"
    )
    yield _show_last(found)
    if display.verbose:
        yield _show_months(found)
    for one in found.policies:
        if one.refused is not None:
            yield fold(f"{one.policy} is not possible: {one.refused}", style="yellow")
    yield fold(
        "Withheld: rows of the table that are not shown. Outdated: rows that are shown with values "
        "of before. Precision and loss are of the rows that are shown, of all increments together."
    )
    if any(one.policy == ALONE for one in found.policies):
        yield fold(
            f"{ALONE} ignores the past, which exposes people who are in several releases; it is "
            "the comparison."
        )
    for note in found.notes:
        yield fold(note, style="yellow")
    if not display.wide:
        yield fold("--wide shows the fields that choose each policy, --verbose every month.")


def _show_last(found: Forecast) -> Table:
    """Show the last month of each policy."""
    table = begin_table("policy", *FIGURES, *(WIDE_FIGURES if display.wide else ()))
    if display.wide:
        table.columns[-1].justify = "left"
    for one in found.policies:
        if one.last is not None and one.last.month == found.months:
            own = (f"{one.last.rows:,}", escape(_write_settings(one.settings)))
            table.add_row(one.policy, *_write(one.last), *(own if display.wide else ()))
    return table


def _show_months(found: Forecast) -> Table:
    """Show every month of each policy."""
    table = begin_table("policy", "month", *FIGURES)
    for one in found.policies:
        for month in one.months:
            number = f"{month.month}" if month.released else f"{month.month} (no release)"
            table.add_row(one.policy, number, *_write(month))
    return table


def _write(month: MonthFigures) -> tuple[str, ...]:
    """Write the figures of a month."""
    return (
        f"{month.rows_shown:,}",
        f"{month.rows_withheld:,}",
        percent(month.rows_withheld / max(1, month.rows)),
        f"{month.rows_outdated:,}",
        f"{month.precision:.3f}",
        f"{month.loss:.3f}",
    )


def _write_settings(settings: Mapping[str, Any]) -> str:
    """Write the fields that choose a policy as a specification has them."""
    return ", ".join(
        f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}"
        for name, value in settings.items()
        if value
    )
