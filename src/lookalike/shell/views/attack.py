"""Output of ``lookalike attack`` and ``ledger attack``: results as text and as JSON."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.attack_ledger import FALSE_ATTACK, AttackedSource
from lookalike.risk.releases.attack_sentences import (
    list_advice,
    state_assumptions,
    state_linked,
    state_remaining,
    state_row_order,
    state_totals,
)
from lookalike.risk.releases.attacked import (
    Attacked,
    PairAttack,
    ReleaseExposure,
    RemainingRows,
)
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.link_classes import LinkedTable
from lookalike.shell.views.printing import show_rows, write_value

MOST_EXPOSURES_SHOWN = 50


def show_attacked_source(found: AttackedSource, *, show: bool) -> RenderableType:
    """Show what the ledger proves about all releases of a source, and what attacks find."""
    lines = [
        Text(found.statement, "green" if found.proved else "yellow"),
        *(Text(one, "bold red") for one in found.protection_statements),
    ]
    if found.is_false_attack:
        return Group(*lines, Text(FALSE_ATTACK))
    return Group(*lines, "From the releases alone:", show_attack(found.attacked, show=show))


def show_attack(attacked: Attacked, *, show: bool) -> RenderableType:
    """Show how many rows remain, the result of each attack, and advice."""
    lines: list[RenderableType] = [_verdict(one) for one in attacked.left]
    if len(attacked.releases) > 1:
        lines.append(Text(state_assumptions(attacked.assumed)))
        lines.append(Text(f"Linked table of {', '.join(attacked.columns)}."))
    for pair in attacked.pairs:
        lines.extend(_show_pair(attacked, pair, show=show))
    for summary in attacked.summaries:
        lines.extend(_show_summary(summary, show=show))
    return Group(*lines, *(Text(f"→ {line}") for line in list_advice(attacked)))


def _verdict(left: RemainingRows) -> Text:
    """State in one sentence how many rows remain possible for a person."""
    if left.at_least is None:
        return Text(state_remaining(left))
    colour = "red" if left.broken else "green" if left.holds else "yellow"
    return Text(state_remaining(left), style=f"bold {colour}")


def _show_pair(attacked: Attacked, pair: PairAttack, *, show: bool) -> Iterator[RenderableType]:
    """Show the result of linking two releases, by values and by position."""
    yield Text()
    yield Text(f"{pair.left} with {pair.right}", style="bold")
    for linked in pair.linked:
        yield Text(f"  {state_linked(pair, linked)}")
        if show and len(linked.exposed):
            yield from _show_exposed(attacked, pair, linked)
    for one in pair.unsorted[:1]:
        yield Text(f"  {state_row_order(one)}")


def _show_exposed(
    attacked: Attacked, pair: PairAttack, linked: LinkedTable
) -> Iterator[RenderableType]:
    """List exposed sequences as rows of the linked table."""
    shown = attacked.exposures(pair, linked)[:MOST_EXPOSURES_SHOWN]
    columns = [*linked.known.attributes, f"in {pair.left}", f"in {pair.right}", "exists"]
    yield show_rows(columns, (_write_exposure(one, linked) for one in shown))
    if len(linked.exposed) > len(shown):
        yield Text(f"  and {len(linked.exposed) - len(shown):,} more")


def _write_exposure(one: ReleaseExposure, linked: LinkedTable) -> list[str]:
    """Write an exposed sequence and its number of remaining rows."""
    values = [one.values.get(name) for name in linked.known.attributes]
    rows = ["not" if number is None else f"{number:,}" for number in one.rows]
    certain = {True: "certainly", False: "perhaps", None: "not decided"}[one.certain]
    return [*map(write_value, values), *rows, certain]


def _show_summary(summary: TotalsAttack, *, show: bool) -> Iterator[RenderableType]:
    """Show which values follow from known totals."""
    yield Text()
    yield Text(f"{summary.release} with {summary.totals}", style="bold")
    yield Text(f"  {state_totals(summary)}")
    if show and summary.cells:
        cells = [
            [one.column, write_value(one.shown), write_value(one.value), f"{one.cells:,}"]
            for one in summary.inferred
        ]
        yield show_rows(["column", "shows", "is", "cells"], cells)
