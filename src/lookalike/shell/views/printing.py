"""Printing helpers that the views share: tables, folded lines, numbers in words, and errors."""

import textwrap
from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.shown_text import escape_controls

WIDTH = 78
"""The longest line of folded text, so that it fits a terminal of 80 columns."""

BAR_WIDTH = 16
"""The width of a bar that shows a share."""

EMPTY_TABLE = "The table is empty."


def begin_table(*headings: str, text: int = 1) -> Table:
    """Return a table without rows; the first columns hold text, the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(escape(heading), justify="left" if number < text else "right")
    return table


def show_rows(
    headings: Sequence[str], rows: Iterable[Sequence[str | Text]], text: int | None = None
) -> Table:
    """Show rows as a table; the first columns, or all, hold text, the others numbers."""
    table = begin_table(*headings, text=len(headings) if text is None else text)
    for row in rows:
        table.add_row(*[escape(cell) if isinstance(cell, str) else cell for cell in row])
    return table


def fold(line: str, *, indent: str = "", style: str = "") -> Text:
    """Break a line between words so that it fits a terminal."""
    folded = textwrap.fill(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return Text(folded, style=style)


def percent(share: float) -> str:
    """Write a share as a percentage.

    Examples
    --------
    >>> percent(0.5143)
    '51.4 %'
    """
    return f"{100 * share:.1f} %"


def draw_bar(share: float, width: int = BAR_WIDTH) -> Text:
    """Draw a share as a bar.

    Examples
    --------
    >>> print(draw_bar(0.625, width=4))
    ██▌░
    """
    eighths = round(max(0.0, min(1.0, share)) * width * 8)
    whole, part = divmod(eighths, 8)
    filled = "█" * whole + ("" if not part else " ▏▎▍▌▋▊▉"[part])
    return Text.assemble((filled, "green"), ("░" * (width - len(filled)), "dim"))


def shorten(text: str, width: int) -> str:
    r"""Escape control characters, cut a text that is wider than a width, and mark the cut.

    Examples
    --------
    >>> shorten("native-country", 20), shorten("native-country", 8)
    ('native-country', 'native-…')
    >>> print(shorten("zip\x1b[2J\n", 20))
    zip\x1b[2J\n
    """
    shown = escape_controls(text[: width + 1]).replace("\n", "\\n")
    if len(text) <= width and cell_len(shown) <= width:
        return shown
    return f"{set_cell_size(shown, width - 1).rstrip()}…"


def write_value(value: str | None) -> str:
    """Write a value of a table."""
    return "(missing)" if value is None else value


def print_error(console: Console, message: str) -> None:
    """Print an error message."""
    console.print(Text.assemble(("lookalike: ", "bold red"), message), soft_wrap=True)
