"""Check the protections of sensitive values that a certificate states, in the released file."""

from collections.abc import Iterator
from pathlib import Path

from lookalike.flow.read_promises import restore_promises
from lookalike.publish.certificate import Certificate
from lookalike.publish.certificate_sentences import state_protections
from lookalike.publish.certified import CertifiedProtection
from lookalike.publish.open_published import open_published
from lookalike.spec.specification import Specification
from lookalike.tables.connection import Connection
from lookalike.tables.convert import as_relation
from lookalike.tables.table import Frame
from lookalike.verify.protections import ProtectionVerdict, recount_protection
from lookalike.verify.recount import Finding

SAME_FIGURE = 1e-9
"""The relative difference up to which two figures count as equal."""


def check_protections(
    folder: Path,
    certificate: Certificate,
    connection: Connection,
    specification: Specification | None = None,
    private: Frame | None = None,
) -> Iterator[Finding]:
    """Recount every protection of a release.

    Without the private table, a protection that compares classes with it cannot be judged; its
    figure against the released rows is shown instead.
    """
    release = open_published(folder, certificate, connection)
    eligible = None if private is None else as_relation(private, connection)
    promises = restore_promises(certificate, specification)
    for certified, promise in zip(certificate.protections, promises, strict=True):
        [claim] = state_protections([certified], None)
        if promise.parameters.get("distance") == "hierarchy" and promise.hierarchy is None:
            needed = "not counted: the hierarchy of the column is the holder's (--spec)"
            yield Finding(claim, True, needed, checked=False)
            continue
        verdict = recount_protection(release, promise, eligible)
        yield _judge(claim, certified, verdict)


def _judge(claim: str, certified: CertifiedProtection, verdict: ProtectionVerdict) -> Finding:
    """Return the finding about one protection."""
    figure = 0.0 if verdict.figure is None else verdict.figure
    if not verdict.judged:
        found = f"{figure:.4g} against the released rows; the holder's table is needed to judge"
        return Finding(claim, True, found, checked=False)
    if verdict.classes_failing:
        failing = f"{verdict.classes_failing:,} classes with {verdict.rows_failing:,} rows do not"
        return Finding(claim, False, failing)
    stated = certified.reached
    same = stated is None or abs(stated - figure) <= SAME_FIGURE * max(1.0, abs(figure))
    found = f"{figure:.4g} in the worst class"
    return Finding(claim, same, found if same else f"{found}, not {stated:.4g} as certified")
