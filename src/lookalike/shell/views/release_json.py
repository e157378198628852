"""What ``lookalike release --json`` prints."""

from dataclasses import asdict
from typing import Any

from lookalike.flow.make_release import PublishedRelease
from lookalike.flow.release_figures import kept_by_attribute
from lookalike.flow.result import Release
from lookalike.publish.certified import EarlierReleases
from lookalike.shell.views.check import preflight_as_json
from lookalike.shell.views.exposure import exposure_as_json


def made_release_as_json(made: PublishedRelease) -> dict[str, Any]:
    """Return what ``release --json`` prints."""
    earlier = None if made.certificate is None else made.certificate.earlier_releases
    return {
        **release_as_json(made.release),
        "persons_reached": _least_persons(made),
        "preflight": preflight_as_json(made.release.preflight),
        "files": [str(file) for file in made.files],
        "dossier": None if made.proof is None else str(made.proof),
        "earlier_releases": asdict(earlier) if isinstance(earlier, EarlierReleases) else earlier,
        "basis": None if made.release.basis is None else asdict(made.release.basis),
    }


def _least_persons(made: PublishedRelease) -> int | None:
    """Return the number of persons of the smallest class, where k counts persons."""
    promised = () if made.certificate is None else made.certificate.quasi_identifiers
    counted = [one.persons_reached for one in promised if one.persons_reached is not None]
    return min(counted, default=None)


def release_as_json(release: Release) -> dict[str, Any]:
    """Return what ``release --json`` prints of a release that is not published."""
    known = release.recoding.optimality
    seconds = {step: round(spent, 6) for step, spent in release.stopwatch.seconds.items()}
    return {
        "method": release.specification.release.method,
        "method_reason": release.method_reason,
        "k": release.plan.requirement.k,
        "k_reached": release.measures.smallest_class,
        "rows_in": release.plan.frequency.rows,
        "rows_out": release.plan.rows_out,
        "rows_suppressed": release.recoding.rows_suppressed,
        "rows_complementary": release.recoding.rows_complementary,
        "rows_below_k": release.measures.rows_below_k,
        "cells_suppressed": release.measures.cells_suppressed,
        "levels": release.levels,
        "kept": kept_by_attribute(release),
        "precision": release.measures.precision,
        "precision_bound": release.recoding.precision_bound,
        "precision_with_k_alone": None if known is None else known.reached_alone,
        "optimal": release.is_optimal,
        "k_minimal": release.recoding.k_minimal,
        "in_time": release.recoding.in_time,
        "classes": release.measures.classes,
        "exposure": None if release.exposure is None else exposure_as_json(release.exposure),
        "decoys": _decoys_as_json(release),
        "seconds": {**seconds, "total": round(release.stopwatch.total, 6)},
        "files": [],
        "dossier": None,
        "earlier_releases": None,
        "basis": None if release.basis is None else asdict(release.basis),
    }


def _decoys_as_json(release: Release) -> dict[str, Any] | None:
    """Return the rate of decoys, and what was reached before them; for the holder only."""
    if release.recoding.before_decoys is None:
        return None
    known = release.recoding.optimality
    return {
        "rate": float(release.specification.release.decoys),
        "precision_before": release.precision_before_decoys,
        "optimal_before": known is not None and known.proved,
    }
