"""Output of ``lookalike link``, ``attack`` and ``ledger attack``: who can be re-identified."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType, group
from rich.text import Text

from lookalike.flow.attack_ledger import FALSE_ATTACK, AttackedSource
from lookalike.risk.linking.linkage import Candidates, Linkage
from lookalike.risk.linking.record_linkage import RecordLinkage
from lookalike.risk.releases import attack_sentences as sentences
from lookalike.risk.releases.attacked import Attacked, PairAttack
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.link_classes import LinkedTable
from lookalike.shell.views.printing import show_rows, write_value

MOST_EXPOSURES_SHOWN = 50


@group()
def show_attacked_source(found: AttackedSource, *, show: bool) -> Iterator[RenderableType]:
    """Show what the ledger proves about all releases of a source, and what attacks find."""
    yield Text(found.statement, "green" if found.proved else "yellow")
    yield from (Text(one, "bold red") for one in found.protection_statements)
    if found.is_false_attack:
        yield Text(FALSE_ATTACK)
    else:
        yield "From the releases alone:"
        yield show_attack(found.attacked, show=show)


@group()
def show_attack(attacked: Attacked, *, show: bool) -> Iterator[RenderableType]:
    """Show how many rows remain, the result of each attack, and advice."""
    for left in attacked.left:
        colour = "red" if left.broken else "green" if left.holds else "yellow"
        style = "" if left.at_least is None else f"bold {colour}"
        yield Text(sentences.state_remaining(left), style)
    if len(attacked.releases) > 1:
        yield Text(sentences.state_assumptions(attacked.assumed))
        yield Text(f"Linked table of {', '.join(attacked.columns)}.")
    for pair in attacked.pairs:
        yield from _show_pair(attacked, pair, show=show)
    for summary in attacked.summaries:
        yield from _show_summary(summary, show=show)
    yield from (Text(f"→ {line}") for line in sentences.list_advice(attacked))


def _show_pair(attacked: Attacked, pair: PairAttack, *, show: bool) -> Iterator[RenderableType]:
    """Show the result of linking two releases, by values and by position."""
    yield Text(f"\n{pair.left} with {pair.right}", style="bold")
    for linked in pair.linked:
        yield Text(f"  {sentences.state_linked(pair, linked)}")
        if show and len(linked.exposed):
            yield from _show_exposed(attacked, pair, linked)
    for one in pair.unsorted[:1]:
        yield Text(f"  {sentences.state_row_order(one)}")


def _show_exposed(
    attacked: Attacked, pair: PairAttack, linked: LinkedTable
) -> Iterator[RenderableType]:
    """List exposed sequences as rows of the linked table."""
    shown = attacked.exposures(pair, linked)[:MOST_EXPOSURES_SHOWN]
    columns = [*linked.known.attributes, f"in {pair.left}", f"in {pair.right}", "exists"]
    lines = []
    for one in shown:
        values = [one.values.get(name) for name in linked.known.attributes]
        rows = ["not" if number is None else f"{number:,}" for number in one.rows]
        certain = {True: "certainly", False: "perhaps", None: "not decided"}[one.certain]
        lines.append([*map(write_value, values), *rows, certain])
    yield show_rows(columns, lines)
    if len(linked.exposed) > len(shown):
        yield Text(f"  and {len(linked.exposed) - len(shown):,} more")


def _show_summary(summary: TotalsAttack, *, show: bool) -> Iterator[RenderableType]:
    """Show which values follow from known totals."""
    yield Text(f"\n{summary.release} with {summary.totals}", style="bold")
    yield Text(f"  {sentences.state_totals(summary)}")
    if show and summary.cells:
        cells = [
            [one.column, write_value(one.shown), write_value(one.value), f"{one.cells:,}"]
            for one in summary.inferred
        ]
        yield show_rows(["column", "shows", "is", "cells"], cells)


@group()
def show_link(linkage: Linkage | RecordLinkage, most: int) -> Iterator[RenderableType]:
    """Show which protection holds, and how many people can be re-identified."""
    yield Text(linkage.statement, style="bold green" if linkage.holds else "bold red")
    yield from (Text(f"! {line}", style="bold red") for line in linkage.warnings)
    if isinstance(linkage, RecordLinkage):
        sides = {
            f"released {linkage.units} per external {linkage.unit}": linkage.persons,
            f"external {linkage.units} per released {linkage.unit}": linkage.released,
        }
    else:
        sides = {
            "people per released row": linkage.rows,
            "released rows per person": linkage.persons,
        }
    yield _show_candidates(sides, linkage.k)
    if isinstance(linkage, Linkage):
        yield from _show_attempts(linkage)
    if most:
        yield _show_pinned(linkage.show(most))


def _show_attempts(linkage: Linkage) -> Iterator[RenderableType]:
    """Show how often linking is right, and what it took."""
    if (truth := linkage.truth) is not None:
        yield (
            f"Ground truth: {truth.rows_right:,} rows match their own person, {truth.rows_wrong:,} "
            f"only others; of the rows that match one person, {truth.pinned_right:,} match the "
            f"right one and {truth.pinned_wrong:,} a wrong one."
        )
    if linkage.vectors > 1:
        yield (
            f"The release uses {linkage.vectors:,} vectors of levels; each took "
            f"{linkage.seconds_per_vector:.4f} s."
        )


def _show_candidates(sides: Mapping[str, Candidates], k: int) -> RenderableType:
    """Show how many entries of each side have how many candidates on the other."""
    few = "1" if k == 2 else f"1–{k - 1:,}"
    rows = []
    for name, side in sides.items():
        numbers = (side.count(0, 0), side.count(1, k - 1), side.count(k))
        fewest = "–" if side.smallest is None else f"{side.smallest:,}"
        rows.append([name, *(f"{number:,}" for number in numbers), fewest, f"{side.total:,}"])
    return show_rows(["candidates", "none", few, f"{k:,} or more", "fewest", "all"], rows, text=1)


def _show_pinned(shown: Sequence[Mapping[str, Any]]) -> RenderableType:
    """Show the people who match only one row, or released person, and that one."""
    person, row, number = [*shown[0]] if shown else ["person", "row", "people who match the row"]
    headings = [f"{side}: {name}" for side in (person, row) if shown for name in shown[0][side]]
    rows = []
    for line in shown:
        values = [*line[person].values(), *line[row].values()]
        rows.append([*map(write_value, values), f"{line[number]:,}"])
    return show_rows([*headings, "people who match the row"], rows, text=len(headings))
