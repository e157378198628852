"""Output of ``lookalike risk``: the risk of a table, or proposed quasi-identifiers."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.assess import Risk
from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.propose import Proposal
from lookalike.risk.table.uniqueness import SizeBand, Uniqueness
from lookalike.shell.views.printing import EMPTY_TABLE, begin_table, fold, percent, write_value

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


NAMES_WIDTH = 38
MOST_SETS_SHOWN = 20


def show_proposal(proposal: Proposal, table: str) -> RenderableType:
    """Show which sets of columns single out rows, and the next command to run."""
    if not proposal.rows:
        return Text(EMPTY_TABLE)
    return Group(
        fold(_state_result(proposal)),
        *([_show_sets(proposal)] if proposal.quasi_identifiers else []),
        fold(_list_keys(proposal)),
        *(fold(line) for line in _state_extent(proposal)),
        *_state_next(proposal, table),
    )


def _state_result(proposal: Proposal) -> str:
    """State what the search was for, and whether it found anything."""
    rows = f"{percent(proposal.share)} of the {proposal.rows:,} rows or more"
    many = rows if proposal.share else f"one of the {proposal.rows:,} rows or more"
    if proposal.quasi_identifiers:
        return (
            f"Proposed minimal quasi-identifiers: sets of up to {proposal.size} columns that "
            f"single out {many}; no subset of such a set does."
        )
    return f"No set of up to {proposal.size} columns singles out {many}."


def _show_sets(proposal: Proposal) -> Table:
    """Show the minimal quasi-identifiers with the rows that each singles out."""
    table = begin_table("columns", "unique", "share", f"below {proposal.k:,}", "share")
    for one in proposal.quasi_identifiers[:MOST_SETS_SHOWN]:
        names = textwrap.fill(", ".join(one.attributes), NAMES_WIDTH, break_long_words=False)
        table.add_row(
            escape(names),
            f"{one.unique_rows:,}",
            percent(one.unique_share),
            f"{one.rows_below_k:,}",
            percent(one.share_below_k),
        )
    hidden = len(proposal.quasi_identifiers) - MOST_SETS_SHOWN
    if hidden > 0:
        table.add_row(f"… and {hidden:,} more: see --json", "", "", "", "")
    return table


def _list_keys(proposal: Proposal) -> str:
    """List the minimal sets of columns over which all rows differ."""
    if not proposal.keys:
        return f"No unique key: no set of up to {proposal.size} columns distinguishes all rows."
    return f"Minimal unique keys, which distinguish all rows: {_write_sets(proposal.keys)}."


def _write_sets(sets: Sequence[Uniqueness]) -> str:
    """Write the columns of some sets."""
    named = "; ".join(", ".join(one.attributes) for one in sets[:MOST_SETS_SHOWN])
    hidden = len(sets) - MOST_SETS_SHOWN
    return f"{named}; and {hidden:,} more" if hidden > 0 else named


def _state_extent(proposal: Proposal) -> Iterator[str]:
    """State how many sets were counted, and which were not."""
    columns = len(proposal.columns)
    yield f"{proposal.counted:,} sets of the {columns:,} columns were counted."
    if not proposal.complete:
        yield (
            f"Incomplete: {proposal.not_counted:,} more sets, and larger ones that contain them, "
            "were not counted, because the table is large. There may be more quasi-identifiers; "
            "use a smaller --size, or --where to select part of the rows."
        )
    elif proposal.size < columns:
        yield f"Sets of more than {proposal.size} columns were not counted; see --size."


def _state_next(proposal: Proposal, table: str) -> Iterator[Text]:
    """State the next command to run."""
    if proposal.linkable:
        columns = shlex.quote(",".join(proposal.linkable))
        yield fold("Decide which of these columns others may know, then measure their risk:")
        yield Text(f"lookalike risk {shlex.quote(table)} -q {columns}")
