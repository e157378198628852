"""Output of ``lookalike check``: whether a table satisfies k, as text and as JSON."""

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.check import Checked
from lookalike.shell.views.printing import EMPTY_TABLE, percent
from lookalike.shown_text import count_rows


def show_check(
    checked: Checked, quasi_identifier: Sequence[str], k: int, person: str | None = None
) -> RenderableType:
    """Show whether a table satisfies k, and how many rows are unique."""
    over = ", ".join(quasi_identifier)
    if checked.k is None:
        return Text(EMPTY_TABLE)
    verdict = (
        Text(f"{k}-anonymous over {over}.", style="bold green")
        if checked.holds
        else Text(f"Not {k}-anonymous over {over}.", style="bold red")
    )
    return Group(
        verdict,
        *_show_persons(checked, person),
        f"{count_rows(checked.rows)} in {checked.classes:,} classes; "
        f"the smallest has {checked.k:,}.",
        _state_unique(checked),
    )


def _state_unique(checked: Checked) -> str:
    """State how many rows are unique."""
    verb = "is" if checked.unique_rows == 1 else "are"
    return (
        f"{count_rows(checked.unique_rows)} ({percent(checked.unique_share)}) {verb} unique: "
        "anyone who knows these values can find the person's row."
    )


def _show_persons(checked: Checked, person: str | None) -> Iterator[str]:
    """Show how many persons there are, and how many the class with the fewest has."""
    if checked.persons is not None:
        yield (
            f"{checked.persons:,} persons in column {person!r}; the class with the fewest persons "
            f"has {checked.k_persons:,}."
        )
