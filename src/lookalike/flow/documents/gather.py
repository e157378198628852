"""Gather the documents of a release between verifying and publishing it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from lookalike.flow.documents.prove import prove_bound
from lookalike.flow.documents.record_preflight import record_preflight
from lookalike.flow.documents.report import add_report, report_to_holder
from lookalike.publish.certificate import Certificate
from lookalike.publish.publish import Documents
from lookalike.publish.stage import Recounted

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.record import Turn


def gather_documents(
    release: "Release",
    certificate: Certificate,
    recounted: Recounted,
    turn: "Turn | None",
    dossier: Path | None,
) -> Documents:
    """Complete the certificate, and make the report for the recipient and the holder's documents.

    Parameters
    ----------
    release
        The release.
    certificate
        Its certificate, without the ledger's judgement.
    recounted
        The written file, counted again.
    turn
        The right to publish, if the source is in a ledger.
    dossier
        The holder's private folder, if there is one.
    """
    if turn is not None:
        certificate = replace(certificate, earlier_releases=turn.earlier)
    report = None
    if release.has_reports:
        certificate, report = add_report(certificate, recounted.rows)
    if dossier is None:
        return Documents(certificate, report=report)
    proof = prove_bound(release.specification, release.plan, certificate)
    preflight = record_preflight(release.preflight, certificate)
    private = None
    if release.has_reports:
        private = report_to_holder(release, certificate, preflight, turn)
    return Documents(certificate, proof, preflight, dossier, report, private)
