"""Write the holder's report of linked tables."""

from typing import Any

from lookalike.describe.linked import LinkedDescription
from lookalike.publish.certified import state_accepted
from lookalike.publish.dossier import PreflightRecord
from lookalike.publish.linked_certificate import LinkedCertificate
from lookalike.report.holder.clearance import (
    PERSONS_CONCERNED,
    Tile,
    clear_linked,
    order_risks,
)
from lookalike.report.holder.write_report import fill_holder_page

_CONTENTS = (
    ("clearance", "May it go out?"),
    ("findings", "Findings"),
    ("risk", "Risk"),
    ("attributes", "What the data kept"),
    ("as-they-are", "Columns released as they are"),
    ("records", "Records"),
    ("suppressed", "Left out"),
    ("certificate", "Certificate"),
)


def write_linked_report(
    described: LinkedDescription, certificate: LinkedCertificate, preflight: PreflightRecord
) -> str:
    """Fill the page, which has no scripts, with what is known of a release of linked tables."""
    units = certificate.units
    concerned = {name: of.replace("persons", units) for name, of in PERSONS_CONCERNED.items()}
    return fill_holder_page(
        "holder_linked",
        certificate,
        preflight,
        contents=_CONTENTS,
        clearance=clear_linked(certificate, preflight),
        risks=order_risks(_list_risks(described, certificate), preflight, concerned),
        described=described,
        tables=_join_tables(described, certificate),
        sentences=[
            certificate.statement,
            *state_accepted(certificate.accepted, certificate.unit, certificate.units),
        ],
    )


def _list_risks(described: LinkedDescription, certificate: LinkedCertificate) -> list[Tile]:
    """List the risk that is counted, with what it was before."""
    before = f"{100 / max(1, described.fewest_before):.1f} % in the private tables"
    return [("highest risk by what may be known", 1 / max(1, certificate.k_reached), before)]


def _join_tables(
    described: LinkedDescription, certificate: LinkedCertificate
) -> list[dict[str, Any]]:
    """Return the facts of each table with what the certificate states of it."""
    known = {one.name: one for one in certificate.tables}
    return [{"facts": one, "certified": known[one.name]} for one in described.tables]
