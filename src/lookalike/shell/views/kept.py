"""A table of what a release keeps of each attribute, with bars."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from lookalike.flow.release_figures import AttributeFigures
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, draw_bar, shorten

ATTRIBUTE_WIDTH = 20
"""The longest name of an attribute that is shown whole."""


def show_kept(figures: Sequence[AttributeFigures]) -> Table:
    """Show what is kept of each attribute, its number of values before and after, and its level."""
    hides = any(one.cells_suppressed for one in figures)
    headings = ["attribute", "kept", "", "values", "level", *(["suppressed"] if hides else [])]
    table = begin_table(*headings, *(["hierarchy"] if display.wide else []), text=2)
    for one in figures:
        name = one.attribute if display.wide else shorten(one.attribute, ATTRIBUTE_WIDTH)
        cells = [
            f"{100 * one.kept:.0f} %",
            f"{one.values_before:,} → {one.values_after:,}",
            f"{_write_levels(one)} of {one.height}",
            *([f"{one.cells_suppressed or 0:,}"] if hides else []),
            *([one.hierarchy] if display.wide else []),
        ]
        table.add_row(Text(name), draw_bar(one.kept), *cells)
    return table


def _write_levels(figures: AttributeFigures) -> str:
    """Write the level of an attribute's cells, or the lowest and the highest."""
    if figures.levels is None:
        return "–"
    low, high = figures.levels
    return str(low) if low == high else f"{low}–{high}"
