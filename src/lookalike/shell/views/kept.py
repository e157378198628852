"""Output of what a release keeps: a bar and its share for each attribute."""

from collections.abc import Iterable

from rich.markup import escape
from rich.table import Table

from lookalike.flow.release_figures import AttributeFigures
from lookalike.shell.views.printing import begin_table, percent

BAR_WIDTH = 20
"""The number of characters of a whole bar."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def draw_bar(share: float, width: int = BAR_WIDTH) -> str:
    """Draw a share from 0 to 1 as a bar of block characters.

    Examples
    --------
    >>> draw_bar(0.65, 10)
    '██████▌   '
    """
    eighths = round(share * width * 8)
    whole, rest = divmod(eighths, 8)
    return ("█" * whole + (_EIGHTHS[rest] if rest else "")).ljust(width)


def show_kept(figures: Iterable[AttributeFigures]) -> Table:
    """Show what is kept of each attribute, and its number of values before and after."""
    table = begin_table("attribute", "kept", "", "values before", "after", text=2)
    for one in figures:
        table.add_row(
            escape(one.attribute),
            draw_bar(one.kept),
            percent(one.kept),
            f"{one.values_before:,}",
            f"{one.values_after:,}",
        )
    return table
