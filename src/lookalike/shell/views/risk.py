"""How risk and linking are shown to a person on a terminal, and as JSON to a program."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.linking.linkage import Candidates, Linkage
from lookalike.risk.table.assess import Risk
from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.uniqueness import Exposure

SIZES = (1, 2, 3, 5, 10, 20, 50, 100, 1000)
"""Where a line of the distribution of class sizes begins."""


def risk_as_json(risk: Risk, most: int = 0) -> dict[str, Any]:
    """Return what ``risk --json`` prints; rows only where some are asked for."""
    shown = {"shown": risk.show(most)} if most else {}
    return {
        "k": risk.k,
        **exposure_as_json(risk.whole),
        "subsets": [exposure_as_json(one) for one in risk.subsets],
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


def exposure_as_json(one: Exposure) -> dict[str, Any]:
    """Return what is known of some attributes."""
    return {
        **asdict(one),
        "attributes": list(one.attributes),
        "unique_share": one.unique_share,
        "share_below_k": one.share_below_k,
    }


def _diversity_as_json(one: Diversity) -> dict[str, Any]:
    """Return what is known of a sensitive attribute."""
    return {
        "attribute": one.attribute,
        "different": one.different,
        "homogeneous_classes": int(one.homogeneous.sum()),
        "homogeneous_rows": int(one.sizes[one.homogeneous].sum()),
        "distinct_l": int(one.distinct.min(initial=one.different)),
        "entropy_l": float(one.entropy.min(initial=one.different)),
        "distance": one.distance,
        "t": float(one.distances.max(initial=0)),
        "by_distinct_l": [
            {"distinct_l": number, "classes": classes, "rows": rows}
            for number, classes, rows in one.by_distinct
        ],
    }


def show_risk(risk: Risk, most: int) -> RenderableType:
    """Tell who could be found, by what, and what classes give away."""
    if not risk.whole.rows:
        return Text("The table has no rows, so it tells of nobody.")
    warnings = [Text(f"! {line}", style="bold red") for line in risk.warnings]
    calm = Text(f"Nobody stands out: every class has at least {risk.k:,} rows.", "bold green")
    return Group(
        *(warnings or [calm]),
        _show_subsets(risk),
        *_say_smallest(risk),
        _show_sizes(risk),
        _show_odds(risk),
        *([_show_sensitive(risk)] if risk.sensitive else []),
        *([_show_classes(risk, most)] if most else []),
    )


def _table(*headings: str, text: int = 1) -> Table:
    """Begin a table whose first columns are text, and the others numbers."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(escape(heading), justify="left" if number < text else "right")
    return table


def percent(share: float) -> str:
    """Write a share.

    Examples
    --------
    >>> percent(0.5143)
    '51.4 %'
    """
    return f"{100 * share:.1f} %"


def _show_subsets(risk: Risk) -> Table:
    """Show the subset of each size with the most unique rows, and the whole."""
    table = _table("known of a person", "classes", "unique", "share", f"below {risk.k:,}", "share")
    for one in _worst(risk.subsets, risk.whole):
        table.add_row(
            escape(", ".join(one.attributes)),
            f"{one.classes:,}",
            f"{one.unique_rows:,}",
            percent(one.unique_share),
            f"{one.rows_below_k:,}",
            percent(one.share_below_k),
        )
    return table


def _worst(subsets: Sequence[Exposure], whole: Exposure) -> Iterator[Exposure]:
    """Yield the most telling subset of each size, then the whole."""
    sizes = sorted({len(one.attributes) for one in subsets} - {len(whole.attributes)})
    for size in sizes:
        some = [one for one in subsets if len(one.attributes) == size]
        yield max(some, key=lambda one: (one.unique_rows, one.rows_below_k, one.classes))
    yield whole


def _say_smallest(risk: Risk, most: int = 5) -> Iterator[str]:
    """Name the smallest subsets that single out a row."""
    if not risk.singling_out:
        return
    named = "; ".join(", ".join(one.attributes) for one in risk.singling_out[:most])
    more = len(risk.singling_out) - most
    yield escape(
        f"Smallest subsets that single out a row: {named}{f'; and {more:,} more' * (more > 0)}."
    )


def _show_sizes(risk: Risk) -> Table:
    """Show how many classes and rows there are of each size."""
    table = _table("rows in a class", "classes", "rows", "share", text=0)
    for low, high in zip(SIZES, (*SIZES[1:], None), strict=True):
        inside = [(s, n) for s, n in risk.class_sizes if s >= low and (not high or s < high)]
        classes, rows = sum(n for _, n in inside), sum(s * n for s, n in inside)
        if classes:
            name = (
                f"{low:,}" if high == low + 1 else f"{low:,}–{high - 1:,}" if high else f"{low:,}–"
            )
            table.add_row(name, f"{classes:,}", f"{rows:,}", percent(rows / risk.whole.rows))
    return table


def _show_odds(risk: Risk) -> Table:
    """Show how likely three kinds of attackers are right."""
    table = _table("attacker", "knows", "at most", "average", f"rows above 1/{risk.k:,}", text=2)
    table.add_row("prosecutor", "who is in the table", *_odds(risk.prosecutor))
    people = "the people of the table"
    if risk.journalist is not None and risk.population is not None:
        people = f"a population of {risk.population.persons:,}"
        table.add_row("journalist", people, *_odds(risk.journalist))
    table.add_row("marketer", people, "–", f"{risk.marketer:.4f}", "–")
    return table


def _odds(odds: AttackerRisk) -> tuple[str, str, str]:
    """Write how likely an attacker is right."""
    return f"{odds.highest:.4f}", f"{odds.average:.4f}", f"{odds.rows_at_risk:,}"


def _show_sensitive(risk: Risk) -> Table:
    """Show how sensitive values are distributed over the classes."""
    table = _table(
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
    for one in map(_diversity_as_json, risk.sensitive):
        table.add_row(
            escape(one["attribute"]),
            one["distance"],
            f"{one['different']:,}",
            f"{one['homogeneous_classes']:,}",
            f"{one['homogeneous_rows']:,}",
            f"{one['distinct_l']:,}",
            f"{one['entropy_l']:.2f}",
            f"{one['t']:.4f}",
        )
    return table


def _show_classes(risk: Risk, most: int) -> Table:
    """Show the smallest classes, with their values."""
    watched = [one.attribute for one in risk.sensitive]
    headings = [f"{what} of {name}" for name in watched for what in ("l", "entropy l", "t")]
    table = _table(*risk.quasi_identifier, "rows", *headings, text=len(risk.quasi_identifier))
    for line in risk.show(most):
        values = map(_show_value, line["values"].values())
        numbers = [
            text
            for one in line["sensitive"].values()
            for text in (f"{one['distinct_l']:,}", f"{one['entropy_l']:.2f}", f"{one['t']:.4f}")
        ]
        table.add_row(*values, f"{line['rows']:,}", *numbers)
    return table


def link_as_json(linkage: Linkage, most: int = 0) -> dict[str, Any]:
    """Return what ``link --json`` prints; rows only where some are asked for."""
    shown = {"shown": linkage.show(most)} if most else {}
    return {
        "k": linkage.k,
        "holds": linkage.holds,
        "protection": linkage.protection,
        "k_map": linkage.k_map,
        "on": dict(linkage.on),
        "rows": _candidates_as_json(linkage.rows, linkage.k),
        "persons": _candidates_as_json(linkage.persons, linkage.k),
        "truth": None if linkage.truth is None else asdict(linkage.truth),
        "unknown": dict(linkage.unknown),
        "vectors": len(linkage.seconds),
        "seconds_per_vector": _mean(linkage.seconds),
        "warnings": list(linkage.warnings),
        **shown,
    }


def _mean(seconds: Sequence[float]) -> float:
    """Return the mean of seconds, to the microsecond."""
    return round(sum(seconds) / max(1, len(seconds)), 6)


def _candidates_as_json(side: Candidates, k: int) -> dict[str, Any]:
    """Return how many of one table have how many candidates in the other."""
    return {
        "total": side.total,
        "none": side.count(0, 0),
        "one": side.count(1, 1),
        "below_k": side.count(1, k - 1),
        "fewest": side.smallest,
        "candidates": [
            {"candidates": number, "total": total} for number, total in side.distribution
        ],
    }


def show_link(linkage: Linkage, most: int) -> RenderableType:
    """Tell which protection holds, and how many could be found."""
    return Group(
        _say_protection(linkage),
        *(Text(f"! {line}", style="bold red") for line in linkage.warnings),
        _show_candidates(linkage),
        *_say_truth(linkage),
        *_say_seconds(linkage),
        *([_show_pinned(linkage, most)] if most else []),
    )


def _say_protection(linkage: Linkage) -> Text:
    """Say which protection holds over the attributes (Model, section 3.1)."""
    over, k_map = ", ".join(linkage.on), linkage.k_map or 0
    said = {
        "null-map": f"Null-map over {over}: no released row could be of any of these persons.",
        "k-map": f"{k_map:,}-map over {over}: every released row could be of at least {k_map:,} "
        "of these persons, or of none.",
        "wrong-map": f"Wrong-map over {over}: rows that could be of fewer than {linkage.k:,} "
        "persons are of none of them.",
        "none": f"Not protected over {over}: a released row could be of no more than {k_map:,} "
        f"{'person' if k_map == 1 else 'persons'} (k = {linkage.k:,}).",
    }[linkage.protection]
    return Text(said, style="bold green" if linkage.holds else "bold red")


def _show_candidates(linkage: Linkage) -> Table:
    """Show how many of each table have how many candidates in the other."""
    few = "1" if linkage.k == 2 else f"1–{linkage.k - 1:,}"
    table = _table("could be", "none", few, f"{linkage.k:,} or more", "fewest", "all")
    for name, side in (
        ("persons of a released row", linkage.rows),
        ("released rows of a person", linkage.persons),
    ):
        none, below = side.count(0, 0), side.count(1, linkage.k - 1)
        fewest = "–" if side.smallest is None else f"{side.smallest:,}"
        numbers = (none, below, side.total - none - below)
        table.add_row(name, *(f"{number:,}" for number in numbers), fewest, f"{side.total:,}")
    return table


def _say_truth(linkage: Linkage) -> Iterator[str]:
    """Say how often linking is right, if that is known."""
    truth = linkage.truth
    if truth is not None:
        yield (
            f"In truth: {truth.rows_right:,} rows could be of their subject, {truth.rows_wrong:,} "
            f"of others only; of those with one person, {truth.pinned_right:,} are rightly named "
            f"and {truth.pinned_wrong:,} wrongly."
        )


def _say_seconds(linkage: Linkage) -> Iterator[str]:
    """Say how long each vector took, if the release uses several."""
    if len(linkage.seconds) > 1:
        vectors, each = len(linkage.seconds), _mean(linkage.seconds)
        yield f"The release uses {vectors:,} vectors of levels; each took {each:.4f} s."


def _show_pinned(linkage: Linkage, most: int) -> Table:
    """Show persons with one row that could be theirs, and that row."""
    headings = [f"person: {name}" for name in linkage.persons.columns]
    headings += [f"row: {name}" for name in linkage.rows.columns]
    table = _table(*headings, "persons of the row", text=len(headings))
    for line in linkage.show(most):
        values = [*line["person"].values(), *line["row"].values()]
        table.add_row(*map(_show_value, values), f"{line['persons_of_row']:,}")
    return table


def _show_value(value: str | None) -> str:
    """Write a value of a row."""
    return "(missing)" if value is None else escape(value)
