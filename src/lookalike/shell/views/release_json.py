"""What ``lookalike release --json`` prints."""

from typing import Any

from lookalike.describe.attributes import kept_by_attribute
from lookalike.flow.release import PublishedRelease
from lookalike.flow.result import Release
from lookalike.json_result import pick_json, to_json


def made_release_as_json(made: PublishedRelease) -> dict[str, Any]:
    """Return what ``release --json`` prints."""
    earlier = None if made.certificate is None else made.certificate.earlier_releases
    return {
        **release_as_json(made.release),
        "persons_reached": _least_persons(made),
        **pick_json(made, "preflight=release.preflight files dossier=proof"),
        "earlier_releases": to_json(earlier),
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
        **pick_json(release, "method=specification.release.method method_reason"),
        **pick_json(release, "k=plan.requirement.k k_reached=measures.smallest_class"),
        **pick_json(release, "rows_in=plan.frequency.rows rows_out=plan.rows_out"),
        **pick_json(release.recoding, "rows_suppressed rows_complementary"),
        **pick_json(release.measures, "rows_below_k cells_suppressed"),
        "levels": release.levels,
        "kept": kept_by_attribute(release.plan),
        "precision": release.measures.precision,
        "precision_bound": release.recoding.precision_bound,
        "precision_with_k_alone": None if known is None else known.reached_alone,
        "optimal": release.is_optimal,
        **pick_json(release.recoding, "k_minimal in_time"),
        **pick_json(release, "classes=measures.classes exposure"),
        "decoys": _decoys_as_json(release),
        "seconds": {**seconds, "total": round(release.stopwatch.total, 6)},
        "files": [],
        "dossier": None,
        "earlier_releases": None,
        "basis": to_json(release.basis),
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
