"""Output of ``lookalike hierarchy``: proposals, previews and checks, as text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType, group
from rich.markup import escape
from rich.text import Text

from lookalike.draft import proposed_hierarchy as proposal
from lookalike.draft.check_hierarchies import HierarchyCheck
from lookalike.draft.preview_hierarchy import HierarchyPreview
from lookalike.json_result import JsonResult
from lookalike.shell.views.printing import WIDTH, begin_table, fold, shorten, write_value
from lookalike.shown_text import count_rows

EXAMPLE_WIDTH = 22
COLUMN_WIDTH = 40
_STYLES = {"error": "bold red", "warning": "yellow", "note": ""}


@dataclass(frozen=True)
class Previewed(JsonResult):
    """A hierarchy that is proposed for a column, what it makes of the column, and its file."""

    json_names = "hierarchy=proposed.table reason=proposed.reason lines file **preview"

    proposed: proposal.ProposedHierarchy
    preview: HierarchyPreview
    file: Path | None

    @property
    def lines(self) -> int:
        """The number of values that the file of the hierarchy has."""
        return len(self.proposed.lines)


@group()
def show_preview(preview: HierarchyPreview) -> Iterator[RenderableType]:
    """Show the figures of each level, and what some values become."""
    name = shorten(preview.column, COLUMN_WIDTH)
    yield fold(f"{name}: {count_rows(preview.rows)}, hierarchy of kind {preview.kind}.")
    yield _show_levels(preview)
    for path in preview.examples[1:]:
        labels = [shorten(write_value(label), EXAMPLE_WIDTH) for label in path]
        yield fold(" → ".join(labels), indent="  ")
    if preview.reaches_k is None:
        yield fold(f"The table has fewer than {preview.k:,} rows.")
    else:
        level = preview.reaches_k
        yield fold(f"Alone, this column is {preview.k:,}-anonymous from level {level} on.")


def _show_levels(preview: HierarchyPreview) -> RenderableType:
    """Show the figures of each level, with the labels of the most frequent value."""
    table = begin_table("level", "values", "fewest rows", "most rows", f"below {preview.k:,}")
    example = preview.examples[0] if preview.examples else ()
    table.add_column("example")
    for one in preview.levels:
        table.add_row(
            f"{one.level}",
            *(f"{n:,}" for n in (one.values, one.smallest, one.largest, one.rows_below_k)),
            escape(shorten(write_value(example[one.level]), EXAMPLE_WIDTH)) if example else "",
        )
    return table


@group()
def show_proposed(found: Previewed) -> Iterator[RenderableType]:
    """Show a proposal: its preview, its reason, and the line for a specification."""
    yield show_preview(found.preview)
    yield ""
    yield fold(found.proposed.reason)
    lines = proposal.number_of_values(found.lines)
    if found.file is not None:
        yield fold(
            f"Written to {found.file}: {lines}. Edit the labels, then check the specification."
        )
    elif found.lines:
        yield fold(
            f"Write {lines} to a file with --out {found.proposed.path}, and edit the labels."
        )
    table = proposal.fold_inline_table(f"hierarchy = {found.proposed.table}", WIDTH)
    yield Text(table, style="bold")


@group()
def show_checks(checks: Sequence[HierarchyCheck]) -> Iterator[RenderableType]:
    """Show what was found about each hierarchy, and the verdict."""
    for one in checks:
        name = shorten(one.column, COLUMN_WIDTH)
        state = "fits" if one.holds else "does not fit"
        yield fold(f"{name}: {one.kind}, {state} {proposal.number_of_values(one.values)}.")
        for found in one.findings:
            line = f"  {found.severity.capitalize()}: {found.message}."
            yield fold(line, indent="    ", style=_STYLES[found.severity])
    broken = [shorten(one.column, COLUMN_WIDTH) for one in checks if not one.holds]
    if not checks:
        yield Text("No column of the specification has a hierarchy.")
    elif broken:
        yield fold(f"These hierarchies do not fit: {', '.join(broken)}.", style="bold red")
    else:
        yield Text("Every hierarchy fits its column.", style="bold green")
