"""Output of ``lookalike hierarchy``: proposals, previews and checks, as text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.text import Text

from lookalike.draft import proposed_hierarchy as proposal
from lookalike.draft.check_hierarchies import HierarchyCheck
from lookalike.draft.preview_hierarchy import HierarchyPreview
from lookalike.hierarchy.bound import LabelPath
from lookalike.json_result import JsonResult
from lookalike.shell.views.printing import WIDTH, begin_table, fold, shorten, write_value
from lookalike.shown_text import count_rows

EXAMPLE_WIDTH = 22
COLUMN_WIDTH = 40
_STYLES = {"error": "bold red", "warning": "yellow", "note": ""}


@dataclass(frozen=True)
class Previewed(JsonResult):
    """A hierarchy that is proposed for a column, what it makes of the column, and its file."""

    json_names = "hierarchy=proposed.table reason=proposed.reason lines file **named_preview"

    proposed: proposal.ProposedHierarchy
    preview: HierarchyPreview
    file: Path | None

    @property
    def lines(self) -> int:
        """The number of values that the file of the hierarchy has."""
        return len(self.proposed.lines)

    @property
    def named_preview(self) -> HierarchyPreview:
        """What the hierarchy makes of the column, with the kind that was proposed."""
        return replace(self.preview, kind=self.proposed.kind)


def show_preview(preview: HierarchyPreview) -> RenderableType:
    """Show the figures of each level, and what some values become."""
    name = shorten(preview.column, COLUMN_WIDTH)
    return Group(
        fold(f"{name}: {count_rows(preview.rows)}, hierarchy of kind {preview.kind}."),
        _show_levels(preview),
        *_show_examples(preview.examples[1:]),
        fold(_state_reach(preview)),
    )


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


def _show_examples(examples: Sequence[LabelPath]) -> Iterator[Text]:
    """Show what further values become."""
    for path in examples:
        labels = [shorten(write_value(label), EXAMPLE_WIDTH) for label in path]
        yield fold(" → ".join(labels), indent="  ")


def _state_reach(preview: HierarchyPreview) -> str:
    """State from which level on the column alone satisfies k."""
    if preview.reaches_k is None:
        return f"The table has fewer than {preview.k:,} rows."
    return f"Alone, this column is {preview.k:,}-anonymous from level {preview.reaches_k} on."


def show_proposed(found: Previewed) -> RenderableType:
    """Show a proposal: its preview, its reason, and the line for a specification."""
    return Group(
        show_preview(found.named_preview),
        "",
        fold(found.proposed.reason),
        *_state_file(found),
        Text(
            proposal.fold_inline_table(f"hierarchy = {found.proposed.table}", WIDTH), style="bold"
        ),
    )


def _state_file(found: Previewed) -> Iterator[Text]:
    """State what to do with the file of a proposal."""
    lines = proposal.number_of_values(found.lines)
    if found.file is not None:
        yield fold(
            f"Written to {found.file}: {lines}. Edit the labels, then check the specification."
        )
    elif found.lines:
        yield fold(
            f"Write {lines} to a file with --out {found.proposed.path}, and edit the labels."
        )


def show_checks(checks: Sequence[HierarchyCheck]) -> RenderableType:
    """Show what was found about each hierarchy, and the verdict."""
    lines: list[RenderableType] = []
    for one in checks:
        name = shorten(one.column, COLUMN_WIDTH)
        state = "fits" if one.holds else "does not fit"
        lines.append(fold(f"{name}: {one.kind}, {state} {proposal.number_of_values(one.values)}."))
        lines += [
            fold(
                f"  {found.severity.capitalize()}: {found.message}.",
                indent="    ",
                style=_STYLES[found.severity],
            )
            for found in one.findings
        ]
    return Group(*lines, _state_verdict(checks))


def _state_verdict(checks: Sequence[HierarchyCheck]) -> Text:
    """State whether every hierarchy fits its column."""
    if not checks:
        return Text("No column of the specification has a hierarchy.")
    broken = [shorten(one.column, COLUMN_WIDTH) for one in checks if not one.holds]
    if broken:
        return fold(f"These hierarchies do not fit: {', '.join(broken)}.", style="bold red")
    return Text("Every hierarchy fits its column.", style="bold green")
