"""Output of ``lookalike check``: whether a table satisfies k, as text and as JSON."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.check import Checked
from lookalike.shell.views.printing import EMPTY_TABLE, percent


def check_as_json(checked: Checked) -> dict[str, Any]:
    """Return what ``check --json`` prints."""
    return asdict(checked)


def show_check(checked: Checked, quasi_identifier: Sequence[str], k: int) -> RenderableType:
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
        f"{checked.rows:,} rows in {checked.classes:,} classes; the smallest has {checked.k:,}.",
        f"{checked.unique_rows:,} rows ({percent(checked.unique_share)}) are unique: anyone who "
        "knows these values can find the person's row.",
    )
