"""Write the holder's report."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lookalike.describe.classes import ClassFacts
from lookalike.describe.description import Description
from lookalike.describe.lattice import LatticeFacts
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.class_sizes import ClassSizes, draw_class_sizes
from lookalike.report.holder.draw import draw_frontier, draw_hasse, draw_heights, draw_risk_change
from lookalike.report.page import fill_page
from lookalike.report.rules.rule import (
    DISCLAIMER,
    MET,
    NOT_DECIDED,
    NOT_MET,
    RuleAnswer,
    RuleVerdict,
)
from lookalike.shown_text import show_text

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import Entry

MOST_VECTORS = 20
"""The most minimal vectors that are listed."""
_CONTENTS = (
    ("findings", "Findings"),
    ("rules", "Rules"),
    ("risk", "Risk"),
    ("sensitive", "Sensitive columns"),
    ("attributes", "What the data kept"),
    ("suppressed", "Suppressed rows"),
    ("alternatives", "Alternatives"),
    ("earlier", "Earlier releases"),
    ("certificate", "Certificate"),
)


def draw_holder_report(described: Description, certificate: Certificate) -> dict[str, Any]:
    """Draw what the page shows of a release that was described and verified."""
    frontier = described.frontier
    return {
        "risks": _list_risks(described, certificate),
        "classes": [_draw_classes(one) for one in described.classes],
        "sensitive": described.sensitive,
        "unmeasured": described.unmeasured,
        "exposure": described.exposure,
        "attributes": described.attributes,
        "frontier": frontier,
        "frontier_chart": draw_frontier(frontier) if frontier and frontier.points else None,
        **_describe_lattice(described.lattice),
    }


def write_holder_report(
    drawn: Mapping[str, Any],
    certificate: Certificate,
    preflight: PreflightRecord,
    rules: Sequence[RuleVerdict],
    earlier: "Sequence[Entry] | None" = None,
) -> str:
    """Fill the page, which has no scripts, with what was drawn.

    ``earlier``: the earlier releases of the source in the ledger; None without a ledger.
    """
    file = show_text(next(iter(certificate.files), "a table"))
    return fill_page(
        "holder",
        kind="Holder's report",
        title=f"What the release of {file} did, and what risk remains",
        software=certificate.software,
        contents=_CONTENTS,
        certificate=certificate,
        gone=certificate.rows_suppressed + certificate.rows_complementary,
        preflight=preflight,
        findings=preflight.findings,
        rules=rules,
        verdicts=_count_verdicts(rules),
        disclaimer=DISCLAIMER,
        earlier=earlier,
        sentences=summarize_certificate(certificate),
        **drawn,
    )


def _list_risks(
    described: Description, certificate: Certificate
) -> list[tuple[str, float | None, str]]:
    """List the greatest risks with what they are of, the worst first, one not counted before it."""
    worst = max(described.classes, key=lambda one: one.after.risk.highest)
    before = f"{100 * worst.before.risk.highest:.1f} % in the private table"
    risks: list[tuple[str, float | None, str]] = [
        ("highest risk over the quasi-identifier", worst.after.risk.highest, before)
    ]
    if certificate.released_as_they_are:
        found = described.singled_out
        of = "not counted" if found is None else f"{found.jointly.rows:,} of {found.rows:,} rows"
        share = None if found is None else found.share
        risks.append(("rows that columns released as they are single out", share, of))
    return sorted(risks, key=lambda one: math.inf if one[1] is None else one[1], reverse=True)


def _count_verdicts(rules: Sequence[RuleVerdict]) -> dict[RuleAnswer, int]:
    """Count the rules by their verdict."""
    answers: tuple[RuleAnswer, ...] = (NOT_MET, NOT_DECIDED, MET)
    return {answer: sum(one.verdict == answer for one in rules) for answer in answers}


def _draw_classes(facts: ClassFacts) -> dict[str, Any]:
    """Draw the charts of one quasi-identifier."""
    sizes = ClassSizes.of(dict(facts.after.sizes), facts.k)
    over = ", ".join(show_text(name) for name in facts.attributes)
    return {
        "facts": facts,
        "risk": draw_risk_change(facts, over),
        "sizes": draw_class_sizes(sizes, over),
    }


def _describe_lattice(lattice: LatticeFacts) -> dict[str, Any]:
    """Count the vectors, and draw them one by one or by height."""
    drawn = draw_hasse(lattice) if lattice.nodes else None
    by_height = draw_heights(lattice) if lattice.heights and not lattice.nodes else None
    return {
        "lattice": lattice,
        "lattice_chart": drawn or by_height,
        "satisfying": sum(one.satisfying for one in lattice.heights),
        "undecided": sum(one.undecided for one in lattice.heights),
        "most_vectors": MOST_VECTORS,
    }
