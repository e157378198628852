"""Output of ``lookalike risk``: the re-identification risk of a table, as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.assess import Risk, SizeBand
from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.uniqueness import Uniqueness
from lookalike.shell.views.printing import EMPTY_TABLE, begin_table, percent, write_value


def risk_as_json(risk: Risk, most: int = 0) -> dict[str, Any]:
    """Return what ``risk --json`` prints, with at most so many classes of private rows."""
    shown = {"shown": risk.show(most)} if most else {}
    return {
        "k": risk.k,
        **uniqueness_as_json(risk.whole),
        "subsets": [uniqueness_as_json(one) for one in risk.subsets],
        "singling_out": [list(one.attributes) for one in risk.singling_out],
        "class_sizes": [{"size": size, "classes": number} for size, number in risk.class_sizes],
        "prosecutor": asdict(risk.prosecutor),
        "journalist": None if risk.journalist is None else asdict(risk.journalist),
        "marketer": risk.marketer,
        "population": None if risk.population is None else asdict(risk.population),
        "sensitive": [_diversity_as_json(one) for one in risk.sensitive],
        "warnings": list(risk.warnings),
        **shown,
    }


def uniqueness_as_json(one: Uniqueness) -> dict[str, Any]:
    """Return how exposed the rows are over some attributes."""
    return {
        **asdict(one),
        "attributes": list(one.attributes),
        "unique_share": one.unique_share,
        "share_below_k": one.share_below_k,
    }


def _diversity_as_json(one: Diversity) -> dict[str, Any]:
    """Return how a sensitive attribute is distributed over the classes."""
    return {
        "attribute": one.attribute,
        "different": one.different,
        "homogeneous_classes": one.homogeneous_classes,
        "homogeneous_rows": one.homogeneous_rows,
        "distinct_l": one.least_distinct,
        "entropy_l": one.least_entropy,
        "distance": one.distance,
        "t": one.largest_distance,
        "by_distinct_l": [
            {"distinct_l": number, "classes": classes, "rows": rows}
            for number, classes, rows in one.by_distinct
        ],
    }


def show_risk(risk: Risk, most: int) -> RenderableType:
    """Show who can be re-identified, by which attributes, and what classes disclose."""
    if not risk.whole.rows:
        return Text(EMPTY_TABLE)
    warnings = [Text(f"! {line}", style="bold red") for line in risk.warnings]
    calm = Text(f"Nobody stands out: every class has at least {risk.k:,} rows.", "bold green")
    return Group(
        *(warnings or [calm]),
        _show_subsets(risk),
        *_list_smallest(risk),
        _show_sizes(risk),
        _show_odds(risk),
        *([_show_sensitive(risk)] if risk.sensitive else []),
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
    table = begin_table("rows in a class", "classes", "rows", "share", text=0)
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
        "attacker", "knows", "at most", "average", f"rows above 1/{risk.k:,}", text=2
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


def _show_sensitive(risk: Risk) -> Table:
    """Show how sensitive values are distributed over the classes."""
    table = begin_table(
        "sensitive",
        "distance",
        "values",
        "classes with one value",
        "rows",
        "distinct l",
        "entropy l",
        "t",
        text=2,
    )
    for one in risk.sensitive:
        table.add_row(
            escape(one.attribute),
            one.distance,
            f"{one.different:,}",
            f"{one.homogeneous_classes:,}",
            f"{one.homogeneous_rows:,}",
            f"{one.least_distinct:,}",
            f"{one.least_entropy:.2f}",
            f"{one.largest_distance:.4f}",
        )
    return table


def _show_classes(risk: Risk, most: int) -> Table:
    """Show the smallest classes, with their values."""
    sensitive = [one.attribute for one in risk.sensitive]
    headings = [f"{what} of {name}" for name in sensitive for what in ("l", "entropy l", "t")]
    table = begin_table(*risk.quasi_identifier, "rows", *headings, text=len(risk.quasi_identifier))
    for line in risk.show(most):
        values = [escape(write_value(value)) for value in line["values"].values()]
        numbers = [
            text
            for one in line["sensitive"].values()
            for text in (f"{one['distinct_l']:,}", f"{one['entropy_l']:.2f}", f"{one['t']:.4f}")
        ]
        table.add_row(*values, f"{line['rows']:,}", *numbers)
    return table
