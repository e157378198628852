"""Output of ``lookalike release --rules``: what a release reaches of laws and standards."""

from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.report.rules.rule import (
    DISCLAIMER,
    MET,
    NOT_DECIDED,
    NOT_MET,
    RuleAnswer,
    RuleVerdict,
)
from lookalike.shell.views.printing import fold
from lookalike.shown_text import escape_controls

_STYLES: dict[RuleAnswer, str] = {NOT_MET: "bold red", MET: "green", NOT_DECIDED: "yellow"}
"""The style of each verdict, in the order in which they are shown."""


def show_rules(judged: Sequence[RuleVerdict]) -> RenderableType:
    """Show for each rule what it asks for, what was measured, and the verdict with its reason."""
    ordered = sorted(judged, key=lambda one: list(_STYLES).index(one.verdict))
    lines = [line for one in ordered for line in _show_rule(one)]
    return Group("", *lines, fold(_count_verdicts(judged)), fold(DISCLAIMER))


def _show_rule(one: RuleVerdict) -> Iterator[Text]:
    """Show one rule in three folded lines."""
    title = f"{one.verdict.capitalize()}: {one.rule} ({one.asks})"
    yield fold(title, indent="  ", style=_STYLES[one.verdict])
    yield fold(f"  Measured: {escape_controls(one.measured)}.", indent="    ")
    yield fold(f"  {escape_controls(one.why)}", indent="    ")


def _count_verdicts(judged: Sequence[RuleVerdict]) -> str:
    """Count the verdicts, and name where the sources are."""
    number = Counter(one.verdict for one in judged)
    counted = ", ".join(f"{number[verdict]} {verdict}" for verdict in _STYLES)
    return f"{counted}. --json shows the source of each rule."
