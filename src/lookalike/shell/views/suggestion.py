"""Output of the method that would keep much more than a release does."""

from pathlib import Path

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.suggest_method import Suggestion
from lookalike.shell.views.printing import fold, percent


def show_suggestion(suggestion: Suggestion, spec: Path) -> RenderableType:
    """Show how much more another method would keep, and the command to try it."""
    kept, now = percent(suggestion.precision), percent(suggestion.precision_now)
    return Group(
        fold(
            f"The method {suggestion.method} would keep at least {kept} of the detail instead of "
            f"{now}. To see it:",
            style="yellow",
        ),
        Text(f"  lookalike release {spec} --method {suggestion.method} --dry-run"),
    )
