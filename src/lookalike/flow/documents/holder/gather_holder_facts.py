"""Gather everything that the holder's report shows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lookalike.flow.documents.holder.compare_attributes import compare_attributes
from lookalike.flow.documents.holder.find_frontier import find_frontier
from lookalike.flow.documents.holder.measure_classes import measure_classes, measure_sensitive
from lookalike.flow.documents.holder.walk_lattice import find_allowance, walk_lattice
from lookalike.flow.documents.measure_for_rules import measure_for_rules
from lookalike.publish.certificate import Certificate
from lookalike.publish.preflight_record import PreflightRecord
from lookalike.report.holder.facts import EarlierFacts, HolderFacts
from lookalike.report.rules.judge import judge_rules

if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.store.entry import Entry


def gather_holder_facts(
    release: "Release",
    certificate: Certificate,
    preflight: PreflightRecord,
    entries: "Iterable[Entry] | None" = None,
) -> HolderFacts:
    """Gather the facts of a release from its plan and its documents.

    Parameters
    ----------
    release
        The release.
    certificate
        The certificate, as it is published.
    preflight
        The record of the findings.
    entries
        The earlier releases of the source in the ledger, if there is one.
    """
    specification, plan = release.specification, release.plan
    classes = measure_classes(plan)
    sensitive, unmeasured = measure_sensitive(release.facts, classes)
    return HolderFacts(
        certificate=certificate,
        preflight=preflight,
        rules=judge_rules(measure_for_rules(release, certificate)),
        attributes=compare_attributes(specification, plan),
        classes=classes,
        sensitive=sensitive,
        unmeasured=unmeasured,
        exposure=release.exposure,
        frontier=find_frontier(specification, plan, release.measures.precision),
        lattice=walk_lattice(
            plan.frequency,
            plan.requirement,
            specification.options(),
            plan.recoding.vector,
            find_allowance(plan),
        ),
        earlier=None if entries is None else tuple(_recall(one) for one in entries),
    )


def _recall(entry: "Entry") -> EarlierFacts:
    """Return what the report shows of an earlier release."""
    return EarlierFacts(
        number=entry.number,
        published=entry.published,
        recipient=entry.recipient,
        policy=entry.policy,
        k=max(one.k for one in entry.certificate.quasi_identifiers),
        is_forgotten=entry.forgotten is not None,
    )
