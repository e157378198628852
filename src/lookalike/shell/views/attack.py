"""Output of ``lookalike link``, ``attack`` and ``ledger attack``: who can be re-identified."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.attack_ledger import FALSE_ATTACK, AttackedSource
from lookalike.risk.linking.linkage import Linkage
from lookalike.risk.releases import attack_sentences as sentences
from lookalike.risk.releases.attacked import Attacked, PairAttack, RemainingRows
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.link_classes import LinkedTable, ReleaseExposure
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
        lines.append(Text(sentences.state_assumptions(attacked.assumed)))
        lines.append(Text(f"Linked table of {', '.join(attacked.columns)}."))
    for pair in attacked.pairs:
        lines.extend(_show_pair(attacked, pair, show=show))
    for summary in attacked.summaries:
        lines.extend(_show_summary(summary, show=show))
    return Group(*lines, *(Text(f"→ {line}") for line in sentences.list_advice(attacked)))


def _verdict(left: RemainingRows) -> Text:
    """State in one sentence how many rows remain possible for a person."""
    if left.at_least is None:
        return Text(sentences.state_remaining(left))
    colour = "red" if left.broken else "green" if left.holds else "yellow"
    return Text(sentences.state_remaining(left), style=f"bold {colour}")


def _show_pair(attacked: Attacked, pair: PairAttack, *, show: bool) -> Iterator[RenderableType]:
    """Show the result of linking two releases, by values and by position."""
    yield Text()
    yield Text(f"{pair.left} with {pair.right}", style="bold")
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
    yield Text(f"  {sentences.state_totals(summary)}")
    if show and summary.cells:
        cells = [
            [one.column, write_value(one.shown), write_value(one.value), f"{one.cells:,}"]
            for one in summary.inferred
        ]
        yield show_rows(["column", "shows", "is", "cells"], cells)


def show_link(linkage: Linkage, most: int) -> RenderableType:
    """Show which protection holds, and how many people can be re-identified."""
    return Group(
        Text(linkage.statement, style="bold green" if linkage.holds else "bold red"),
        *(Text(f"! {line}", style="bold red") for line in linkage.warnings),
        _show_candidates(linkage),
        *_state_truth(linkage),
        *_state_seconds(linkage),
        *([_show_pinned(linkage, most)] if most else []),
    )


def _show_candidates(linkage: Linkage) -> RenderableType:
    """Show how many entries of each table have how many candidates in the other."""
    few = "1" if linkage.k == 2 else f"1–{linkage.k - 1:,}"
    rows = []
    for name, side in (
        ("people per released row", linkage.rows),
        ("released rows per person", linkage.persons),
    ):
        numbers = (side.count(0, 0), side.count(1, linkage.k - 1), side.count(linkage.k))
        fewest = "–" if side.smallest is None else f"{side.smallest:,}"
        rows.append([name, *(f"{number:,}" for number in numbers), fewest, f"{side.total:,}"])
    return show_rows(
        ["candidates", "none", few, f"{linkage.k:,} or more", "fewest", "all"], rows, text=1
    )


def _state_truth(linkage: Linkage) -> Iterator[str]:
    """State how often linking is right, if the true identities are known."""
    truth = linkage.truth
    if truth is not None:
        yield (
            f"Ground truth: {truth.rows_right:,} rows match their own person, {truth.rows_wrong:,} "
            f"only others; of the rows that match one person, {truth.pinned_right:,} match the "
            f"right one and {truth.pinned_wrong:,} a wrong one."
        )


def _state_seconds(linkage: Linkage) -> Iterator[str]:
    """State the mean time of a vector of levels, if the release uses several."""
    if len(linkage.seconds) > 1:
        yield (
            f"The release uses {len(linkage.seconds):,} vectors of levels; each took "
            f"{linkage.seconds_per_vector:.4f} s."
        )


def _show_pinned(linkage: Linkage, most: int) -> RenderableType:
    """Show the people who match one row only, and that row."""
    headings = [f"person: {name}" for name in linkage.persons.columns]
    headings += [f"row: {name}" for name in linkage.rows.columns]
    rows = [
        [
            *map(write_value, [*line["person"].values(), *line["row"].values()]),
            f"{line['persons_of_row']:,}",
        ]
        for line in linkage.show(most)
    ]
    return show_rows([*headings, "people who match the row"], rows, text=len(headings))
