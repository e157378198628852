"""Output of ``lookalike check`` and ``verify``: k, and the checks before and after publishing."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.check import Checked
from lookalike.flow.check_specification import TablePreflight
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.risk.finding import PreflightFinding, list_remedies
from lookalike.shell.views.printing import EMPTY_TABLE, fold, percent
from lookalike.shown_text import count_rows
from lookalike.verify.recount import Finding

if TYPE_CHECKING:
    from lookalike.examine.verify import Verification


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


def show_serious_findings(findings: Sequence[PreflightFinding]) -> Iterator[Text]:
    """Show the findings that are more than notes."""
    return show_findings([one for one in findings if one.severity != "note"])


def show_dry_findings(findings: Sequence[PreflightFinding]) -> Iterator[Text]:
    """Show the findings about a release that is not published: notes by name, and the verdict."""
    yield from show_serious_findings(findings)
    notes = list(dict.fromkeys(one.name for one in findings if one.severity == "note"))
    if notes:
        yield fold(f"Notes, which --json shows in full: {', '.join(notes)}.")
    if any(one.stops for one in findings):
        yield _state_verdict(findings)


def _state_verdict(findings: Sequence[PreflightFinding]) -> Text:
    """State whether a finding stops publishing."""
    names = list(dict.fromkeys(one.name for one in findings if one.stops))
    if names:
        return fold(f"Publishing would be stopped by: {', '.join(names)}.", style="bold red")
    return Text("Nothing that was checked stops publishing.", style="bold green")


def show_verification(verification: "Verification") -> RenderableType:
    """List the checks of a release with their results, and the verdict."""
    lines = [
        Text.assemble(_mark(finding), finding.claim, (f" — {finding.found}", _style(finding)))
        for finding in verification.findings
    ]
    if not verification.holds:
        verdict = Text("The release FAILS verification: see ✗.", style="bold red")
    elif not verification.complete:
        verdict = Text(
            "The release passes every check that could be made; ? marks the others.",
            style="bold yellow",
        )
    else:
        verdict = Text("The release matches its certificate.", style="bold green")
    return Group(*lines, verdict)


def _mark(finding: Finding) -> tuple[str, str]:
    """Return the mark of a check, and the style of the mark."""
    if not finding.holds:
        return "✗ ", "bold red"
    return ("✓ ", "bold green") if finding.checked else ("? ", "bold yellow")


def _style(finding: Finding) -> str:
    """Return the style of the result of a check."""
    return "red" if not finding.holds else "dim" if finding.checked else "yellow"


def show_certificate(certificate: Certificate) -> RenderableType:
    """Show a certificate in words."""
    return Group(*[Text(f"• {line}") for line in summarize_certificate(certificate)])
