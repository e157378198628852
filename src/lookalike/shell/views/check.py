"""Output of ``lookalike check``, ``verify`` and ``apply``: k, and checks around publishing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType, group
from rich.text import Text

from lookalike.flow.check import Checked
from lookalike.flow.check_specification import TablePreflight
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.risk.finding import PreflightFinding, list_remedies
from lookalike.shell.views.printing import EMPTY_TABLE, fold, percent
from lookalike.shown_text import count_rows

if TYPE_CHECKING:
    from lookalike.examine.verify import Verification
    from lookalike.flow.apply import Applied


@group()
def show_check(
    checked: Checked, quasi_identifier: Sequence[str], k: int, person: str | None = None
) -> Iterator[RenderableType]:
    """Show whether a table satisfies k, and how many rows are unique."""
    over = ", ".join(quasi_identifier)
    if checked.k is None:
        yield Text(EMPTY_TABLE)
        return
    if checked.holds:
        yield Text(f"{k}-anonymous over {over}.", style="bold green")
    else:
        yield Text(f"Not {k}-anonymous over {over}.", style="bold red")
    if checked.persons is not None:
        yield (
            f"{checked.persons:,} persons in column {person!r}; the class with the fewest persons "
            f"has {checked.k_persons:,}."
        )
    rows = count_rows(checked.rows)
    yield f"{rows} in {checked.classes:,} classes; the smallest has {checked.k:,}."
    verb = "is" if checked.unique_rows == 1 else "are"
    yield (
        f"{count_rows(checked.unique_rows)} ({percent(checked.unique_share)}) {verb} unique: "
        "anyone who knows these values can find the person's row."
    )


_STYLES = {"error": "bold red", "warning": "yellow", "note": ""}


def show_table_preflight(checked: TablePreflight) -> RenderableType:
    """Show the findings about a table, and the checks that need a release."""
    return Group(
        *show_findings(checked.findings),
        fold(
            f"These checks need a release: {', '.join(checked.needs_release)}. They are made by "
            "lookalike release SPEC --dry-run."
        ),
        _state_verdict(checked.findings),
    )


def show_findings(findings: Sequence[PreflightFinding]) -> Iterator[Text]:
    """Show each finding and its remedy; one that several findings have is written once."""
    for one, remedy in zip(findings, list_remedies(findings), strict=True):
        accepted = ", accepted" if one.accepted else ""
        line = f"{one.severity.capitalize()} ({one.name}{accepted}): {one.sentence}"
        yield fold(line, indent="  ", style=_STYLES[one.severity])
        yield fold(f"  Remedy: {remedy}.", indent="    ")


def show_preflight(findings: Sequence[PreflightFinding], *, dry: bool) -> Iterator[Text]:
    """Show findings about a release; notes and the verdict if it is not to be published."""
    yield from show_findings([one for one in findings if one.severity != "note"])
    notes = list(dict.fromkeys(one.name for one in findings if one.severity == "note"))
    if dry and notes:
        yield fold(f"Notes, which --json shows in full: {', '.join(notes)}.")
    if dry and any(one.stops for one in findings):
        yield _state_verdict(findings)


def _state_verdict(findings: Sequence[PreflightFinding]) -> Text:
    """State whether a finding stops publishing."""
    names = list(dict.fromkeys(one.name for one in findings if one.stops))
    if names:
        return fold(f"Publishing would be stopped by: {', '.join(names)}.", style="bold red")
    return Text("Nothing that was checked stops publishing.", style="bold green")


@group()
def show_verification(verification: "Verification") -> Iterator[Text]:
    """List the checks of a release with their results, and the verdict."""
    for one in verification.findings:
        mark, colour = ("✓ ", "green") if one.checked else ("? ", "yellow")
        if not one.holds:
            mark, colour = "✗ ", "red"
        found = f" — {one.found}", "dim" if colour == "green" else colour
        yield Text.assemble((mark, f"bold {colour}"), one.claim, found)
    if not verification.holds:
        yield Text("The release FAILS verification: see ✗.", style="bold red")
    elif not verification.complete:
        text = "The release passes every check that could be made; ? marks the others."
        yield Text(text, style="bold yellow")
    else:
        yield Text("The release matches its certificate.", style="bold green")


@group()
def show_applied(applied: "Applied") -> Iterator[Text]:
    """Show what was written, how its classes compare with the release, and what it is not."""
    levels = ", ".join(f"{name}={level}" for name, level in applied.levels.items())
    yield fold(f"Wrote {count_rows(applied.rows)} to {applied.file}, at the levels {levels}.")
    smallest = count_rows(applied.k_reached)
    yield fold(f"The smallest class has {smallest}; the release has k = {applied.k}.")
    if applied.rows_below_k:
        below = f"In classes below k: {count_rows(applied.rows_below_k)}. Keep the file private."
        yield fold(below, style="bold red")
    yield fold(applied.statement, style="bold yellow")


def show_certificate(certificate: Certificate) -> RenderableType:
    """Show a certificate in words."""
    return Group(*[Text(f"• {line}") for line in summarize_certificate(certificate)])
