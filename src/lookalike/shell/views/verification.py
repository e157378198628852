"""Output of ``lookalike verify``: the checks of a release; and a certificate in words."""

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.examine.verify import Verification
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.verify.recount import Finding


def show_verification(verification: Verification) -> RenderableType:
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
