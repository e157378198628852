"""Output of ``lookalike risk``: the re-identification risk of a table, as text and as JSON."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.assess import Risk
from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.uniqueness import SizeBand
from lookalike.shell.views.printing import EMPTY_TABLE, begin_table, percent, write_value

SIDE_BY_SIDE = 3
"""How many sensitive attributes a table of 80 columns has room for."""
SENSITIVE_FIGURES = (
    "values in the table",
    "classes with one value",
    "rows in them",
    "largest share α",
    "distinct l",
    "entropy l",
    "recursive c, for this distinct l",
    "distance of values",
    "t",
    "β",
    "enhanced β",
    "δ",
    "δ of the values in the class",
)
"""What is shown of each sensitive attribute, in this order."""


def show_risk(risk: Risk, most: int) -> RenderableType:
    """Show who can be re-identified, by which attributes, and what classes disclose."""
    if not risk.whole.rows:
        return Text(EMPTY_TABLE)
    warnings = [Text(f"! {line}", style="bold red") for line in risk.warnings]
    calm = Text(
        f"Nobody stands out: every class has at least {risk.k:,} {risk.unit}.", "bold green"
    )
    return Group(
        *(warnings or [calm]),
        _show_subsets(risk),
        *_list_smallest(risk),
        _show_sizes(risk),
        _show_odds(risk),
        *_show_sensitive(risk),
        *([_show_classes(risk, most)] if most else []),
    )


def _show_subsets(risk: Risk) -> Table:
    """Show the subset of each size with the most unique rows, and the whole."""
    table = begin_table(
        "known of a person", "classes", "unique", "share", f"below {risk.k:,}", "share"
    )
    for one in risk.worst_subsets:
        table.add_row(
            escape(", ".join(one.attributes)),
            f"{one.classes:,}",
            f"{one.unique_rows:,}",
            percent(one.unique_share),
            f"{one.rows_below_k:,}",
            percent(one.share_below_k),
        )
    return table


def _list_smallest(risk: Risk, most: int = 5) -> Iterator[str]:
    """List the smallest subsets that single out a row."""
    if not risk.singling_out:
        return
    named = "; ".join(", ".join(one.attributes) for one in risk.singling_out[:most])
    more = len(risk.singling_out) - most
    yield escape(
        f"Smallest subsets that single out a row: {named}{f'; and {more:,} more' * (more > 0)}."
    )


def _show_sizes(risk: Risk) -> Table:
    """Show the number of classes and rows by class size."""
    table = begin_table(f"{risk.unit} in a class", "classes", risk.unit, "share", text=0)
    for band in risk.size_bands:
        numbers = (f"{band.classes:,}", f"{band.rows:,}", percent(band.share))
        table.add_row(_write_band(band), *numbers)
    return table


def _write_band(band: SizeBand) -> str:
    """Write a range of class sizes."""
    if band.high is None:
        return f"{band.low:,}–"
    return f"{band.low:,}" if band.high == band.low else f"{band.low:,}–{band.high:,}"


def _show_odds(risk: Risk) -> Table:
    """Show the probability that each of three kinds of attackers is right."""
    table = begin_table(
        "attacker", "knows", "at most", "average", f"{risk.unit} above 1/{risk.k:,}", text=2
    )
    table.add_row("prosecutor", "who is in the table", *_odds(risk.prosecutor))
    people = "the people of the table"
    if risk.journalist is not None and risk.population is not None:
        people = f"a population of {risk.population.persons:,}"
        table.add_row("journalist", people, *_odds(risk.journalist))
    table.add_row("marketer", people, "–", f"{risk.marketer:.4f}", "–")
    return table


def _odds(odds: AttackerRisk) -> tuple[str, str, str]:
    """Write the probability that an attacker is right."""
    return f"{odds.highest:.4f}", f"{odds.average:.4f}", f"{odds.rows_at_risk:,}"


def _show_sensitive(risk: Risk) -> Iterator[Table]:
    """Show what the worst class discloses of the sensitive attributes, a few side by side."""
    for first in range(0, len(risk.sensitive), SIDE_BY_SIDE):
        some = risk.sensitive[first : first + SIDE_BY_SIDE]
        table = begin_table("the worst class of", *(one.attribute for one in some))
        for line in zip(SENSITIVE_FIGURES, *map(_write_figures, some), strict=True):
            table.add_row(*line)
        yield table


def _write_figures(one: Diversity) -> list[str]:
    """Write the figures of a sensitive attribute."""
    found = one.figures
    return [
        f"{one.different:,}",
        f"{one.homogeneous_classes:,}",
        f"{one.homogeneous_rows:,}",
        _write_figure(found.alpha),
        f"{found.distinct_l:,}",
        f"{found.entropy_l:.2f}",
        _write_figure(found.recursive_c),
        one.distance,
        *map(_write_figure, (found.t, found.beta, found.enhanced_beta)),
        *map(_write_figure, (found.delta, found.delta_present)),
    ]


def _write_figure(figure: float | None) -> str:
    """Write a figure; if it is infinite, no parameter satisfies the protection."""
    return "none" if figure is None else f"{figure:,.4f}"


def _show_classes(risk: Risk, most: int) -> Table:
    """Show the smallest classes, with their values."""
    sensitive = [one.attribute for one in risk.sensitive]
    headings = [f"{what} of {name}" for name in sensitive for what in ("l", "entropy l", "t")]
    table = begin_table(
        *risk.quasi_identifier, risk.unit, *headings, text=len(risk.quasi_identifier)
    )
    for line in risk.show(most):
        values = [escape(write_value(value)) for value in line["values"].values()]
        numbers = [
            text
            for one in line["sensitive"].values()
            for text in (f"{one['distinct_l']:,}", f"{one['entropy_l']:.2f}", f"{one['t']:.4f}")
        ]
        table.add_row(*values, f"{line[risk.unit]:,}", *numbers)
    return table
