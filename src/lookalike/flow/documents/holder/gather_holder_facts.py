"""Gather everything that the holder's report shows."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from lookalike.errors import LookalikeError
from lookalike.flow.documents.holder.compare_attributes import compare_attributes
from lookalike.flow.documents.holder.measure_classes import measure_classes, measure_sensitive
from lookalike.flow.documents.holder.walk_lattice import find_allowance, walk_lattice
from lookalike.flow.documents.measure_for_rules import measure_for_rules
from lookalike.flow.explore.grid import KS, TrialSetting
from lookalike.flow.explore.run_point import with_setting
from lookalike.model.clock import OutOfTime, WorkMeter
from lookalike.model.measures.precision import precision
from lookalike.model.recoding import recode_at
from lookalike.publish.certificate import Certificate
from lookalike.publish.dossier import PreflightRecord
from lookalike.report.holder.facts import EarlierFacts, HolderFacts
from lookalike.report.holder.lattice_facts import Frontier, FrontierPoint
from lookalike.report.rules.judge import judge_rules
from lookalike.search.lattice.rollup import RollUps
from lookalike.search.methods.mingen import find_optimum
from lookalike.search.takes import find_untaken, keep_taken
from lookalike.spec.specification import Specification
from lookalike.tables.plan import Plan

FRONTIER_WORK = 80_000_000
"""The sequences that all searches together evaluate at most: about a second."""
_METHOD = "mingen"


if TYPE_CHECKING:
    from lookalike.flow.result import Release
    from lookalike.ledger.store.entry import Entry


def gather_holder_facts(
    release: "Release",
    certificate: Certificate,
    preflight: PreflightRecord,
    entries: "Iterable[Entry] | None" = None,
) -> HolderFacts:
    """Gather the facts of a release from its plan and its documents."""
    specification, plan = release.specification, release.plan
    classes = measure_classes(plan)
    sensitive, unmeasured = measure_sensitive(release.facts, classes)
    return HolderFacts(
        certificate=certificate,
        preflight=preflight,
        rules=judge_rules(measure_for_rules(release, certificate)),
        attributes=compare_attributes(specification, plan),
        classes=classes,
        singled_out=release.facts.singled_out if release.facts.as_is else None,
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


def find_frontier(specification: Specification, plan: Plan, reached: float) -> Frontier | None:
    """Search the best release at the attribute level for each usual k, the greatest k first.

    None if the search does not take what the specification asks for.
    """
    frequency, requirement = plan.frequency, plan.requirement
    options = keep_taken(_METHOD, frequency.attributes, requirement, specification.options())
    if find_untaken(_METHOD, frequency.attributes, requirement, options) is not None:
        return None
    meter = WorkMeter(FRONTIER_WORK)
    asked = sorted({*KS, requirement.largest_k}, reverse=True)
    searched = [(k, _find_point(specification, plan, k, meter)) for k in asked]
    found = dict(reversed(searched))
    return Frontier(
        release=FrontierPoint(requirement.largest_k, reached, int(plan.recoding.suppressed.sum())),
        points=tuple(one for one in found.values() if isinstance(one, FrontierPoint)),
        impossible=tuple(k for k, one in found.items() if one == "impossible"),
        unfinished=tuple(k for k, one in found.items() if one == "unfinished"),
    )


def _find_point(
    specification: Specification, plan: Plan, k: int, meter: WorkMeter
) -> FrontierPoint | str:
    """Search the best release with one k."""
    frequency, allowance = plan.frequency, find_allowance(plan)
    asked = with_setting(specification, TrialSetting(_METHOD, k, allowance))
    requirement = asked.requirement(frequency.rows)
    options = keep_taken(_METHOD, frequency.attributes, requirement, asked.options())
    try:
        requirement.check_feasible(frequency.rows)
        vector, _ = find_optimum(RollUps(frequency, requirement, meter), options)
        found = recode_at(frequency, vector, requirement, allowance, deadline=-math.inf)
    except OutOfTime:
        return "unfinished"
    except LookalikeError:
        return "impossible"
    kept = precision(frequency, found, options.weights_of(frequency))
    return FrontierPoint(k, kept, int(found.suppressed.sum()))
