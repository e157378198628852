"""Output of ``lookalike link``: who can be re-identified by linking, as text and as JSON."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lookalike.risk.linking.linkage import Linkage
from lookalike.shell.views.printing import show_rows, write_value


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


def _show_candidates(linkage: Linkage) -> Table:
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


def _show_pinned(linkage: Linkage, most: int) -> Table:
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
