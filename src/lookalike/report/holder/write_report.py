"""Write the holder's report."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lookalike.describe.classes import ClassFacts
from lookalike.describe.description import Description
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.publish.review import Decision
from lookalike.report.class_sizes import ClassSizes, draw_class_sizes
from lookalike.report.holder.clearance import Tile, clear_release, order_risks
from lookalike.report.holder.draw import draw_frontier, draw_hasse, draw_heights, draw_risk_change
from lookalike.report.page import fill_page
from lookalike.report.rules.rule import DISCLAIMER, MET, NOT_DECIDED, NOT_MET, RuleVerdict
from lookalike.shown_text import show_text

if TYPE_CHECKING:
    from lookalike.ledger.store.entry import Entry

MOST_VECTORS = 20
"""The most minimal vectors that are listed."""
_RULES_FIRST = (NOT_MET, NOT_DECIDED, MET)
_CONTENTS = (
    ("clearance", "May it go out?"),
    ("findings", "Findings"),
    ("open", "What stays open"),
    ("sensitive", "Sensitive columns"),
    ("rules", "Rules"),
    ("risk", "Risk"),
    ("attributes", "What the data kept"),
    ("suppressed", "Suppressed rows"),
    ("alternatives", "Alternatives"),
    ("earlier", "Earlier releases"),
    ("certificate", "Certificate"),
)


def draw_holder_report(described: Description, certificate: Certificate) -> dict[str, Any]:
    """Draw what the page shows of a release that was described and verified."""
    frontier, lattice = described.frontier, described.lattice
    draw_lattice = draw_hasse if lattice.nodes else draw_heights
    return {
        "risks": _list_risks(described, certificate),
        "singled_out": described.singled_out,
        "classes": [_draw_classes(one) for one in described.classes],
        "sensitive": described.sensitive,
        "unmeasured": described.unmeasured,
        "exposure": described.exposure,
        "attributes": described.attributes,
        "frontier": frontier,
        "frontier_chart": draw_frontier(frontier) if frontier and frontier.points else None,
        "lattice": lattice,
        "lattice_chart": draw_lattice(lattice) if lattice.heights else None,
        "satisfying": sum(one.satisfying for one in lattice.heights),
        "undecided": sum(one.undecided for one in lattice.heights),
        "most_vectors": MOST_VECTORS,
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
    answers: list[str] = [one.verdict for one in rules]
    shown = {**drawn, "risks": order_risks(drawn["risks"], preflight)}
    return fill_holder_page(
        "holder",
        certificate,
        preflight,
        contents=_CONTENTS,
        gone=certificate.rows_suppressed + certificate.rows_complementary,
        clearance=clear_release(certificate, preflight, rules),
        rules=sorted(rules, key=lambda one: _RULES_FIRST.index(one.verdict)),
        verdicts={one: answers.count(one) for one in _RULES_FIRST},
        disclaimer=DISCLAIMER,
        earlier=earlier,
        sentences=summarize_certificate(certificate),
        **shown,
    )


def fill_holder_page(
    template: str,
    certificate: Certificate | LinkedCertificate,
    preflight: PreflightRecord,
    **values: Any,
) -> str:
    """Fill a page with what the holder's report says of every release, and with further values."""
    files = show_text(", ".join(certificate.files) or "a table")
    return fill_page(
        template,
        kind="Holder's report",
        title=f"What the release of {files} did, and what risk remains",
        software=certificate.software,
        certificate=certificate,
        preflight=preflight,
        findings=[{**one, "decided": _find_decision(preflight, one)} for one in preflight.findings],
        **values,
    )


def _find_decision(preflight: PreflightRecord, finding: Mapping[str, Any]) -> Decision | None:
    """Return what a reviewer decided about a finding."""
    review = preflight.review
    return None if review is None else review.find(finding["name"], finding["sentence"])


def _list_risks(described: Description, certificate: Certificate) -> list[Tile]:
    """List the risks that are counted, with what they are of."""
    worst = max(described.classes, key=lambda one: one.after.risk.highest)
    before = f"{100 * worst.before.risk.highest:.1f} % in the private table"
    risks: list[Tile] = [
        ("highest risk over the quasi-identifier", worst.after.risk.highest, before)
    ]
    if certificate.released_as_they_are or certificate.answers is not None:
        found = described.singled_out
        of = "not counted" if found is None else f"{found.jointly.rows:,} of {found.rows:,} rows"
        of += "" if certificate.answers is None else ", before answers are left out"
        share = None if found is None else found.share
        risks.append(("rows that columns released as they are single out", share, of))
    return risks


def _draw_classes(facts: ClassFacts) -> dict[str, Any]:
    """Draw the charts of one quasi-identifier."""
    sizes = ClassSizes.of(dict(facts.after.sizes), facts.k)
    over = show_text(facts.name) or "the quasi-identifier"
    return {
        "facts": facts,
        "risk": draw_risk_change(facts, over),
        "sizes": draw_class_sizes(sizes, over),
    }
