"""Output of a budget: how many bits labels can carry, and what each column costs."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from lookalike.risk.table.budget import BitBudget
from lookalike.shell.views.printing import begin_table, draw_bar, fold, shorten

SHOWN_WIDTH = 24
"""The longest name of a column that is shown whole."""


def show_budget(budget: BitBudget) -> Iterator[RenderableType]:
    """Show the bits that labels can carry as a bar, and the cost of each column."""
    first, *others = budget.sentences
    yield fold(first)
    shown = f" {budget.spent.bits:.1f} of {budget.bits:.1f} bits"
    where = "" if budget.chosen is None else " at the levels shown"
    yield Text.assemble(draw_bar(budget.filled), (shown, "" if budget.fits else "bold red"), where)
    yield _show_columns(budget)
    yield from (fold(sentence) for sentence in others)


def _show_columns(budget: BitBudget) -> RenderableType:
    """Show what each column costs alone and given the others, as it is and at its level."""
    levels = budget.chosen
    more = ("level", "bits there", "given others") if levels else ()
    table = begin_table("column", "bits", "given others", *more)
    for place, one in enumerate(budget.ground.columns):
        cells = [f"{one.alone:.1f}", f"{one.given_others:.1f}"]
        if levels:
            above = levels.columns[place]
            cells += [str(above.level), f"{above.alone:.1f}", f"{above.given_others:.1f}"]
        table.add_row(Text(shorten(one.column, SHOWN_WIDTH)), *cells)
    there = ["", f"{levels.bits:.1f}", ""] if levels else []
    table.add_row(Text("together", "bold"), f"{budget.ground.bits:.1f}", "", *there)
    return table
