"""Output of ``lookalike release``: levels, suppression and cost of a release, and its files."""

import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.flow.decision import Basis
from lookalike.flow.make_release import PublishedRelease
from lookalike.flow.release_figures import AttributeFigures, count_possible, describe_attributes
from lookalike.flow.result import Release, describe_unsafe
from lookalike.publish.certified import EarlierReleases
from lookalike.shell.views.exposure import exposure_as_json, state_exposure
from lookalike.shell.views.preflight import (
    preflight_as_json,
    show_dry_findings,
    show_serious_findings,
)
from lookalike.shell.views.printing import begin_table


def made_release_as_json(made: PublishedRelease) -> dict[str, Any]:
    """Return what ``release --json`` prints."""
    earlier = None if made.certificate is None else made.certificate.earlier_releases
    return {
        **release_as_json(made.release),
        "preflight": preflight_as_json(made.release.preflight),
        "files": [str(file) for file in made.files],
        "dossier": None if made.proof is None else str(made.proof),
        "earlier_releases": asdict(earlier) if isinstance(earlier, EarlierReleases) else earlier,
        "basis": None if made.release.basis is None else asdict(made.release.basis),
    }


def release_as_json(release: Release) -> dict[str, Any]:
    """Return what ``release --json`` prints of a release that is not published."""
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
        "precision": release.measures.precision,
        "precision_bound": release.recoding.precision_bound,
        "optimal": release.is_optimal,
        "k_minimal": release.recoding.k_minimal,
        "classes": release.measures.classes,
        "exposure": None if release.exposure is None else exposure_as_json(release.exposure),
        "decoys": _decoys_as_json(release),
        "seconds": {**seconds, "total": round(release.stopwatch.total, 6)},
        "files": [],
        "dossier": None,
        "earlier_releases": None,
        "basis": None if release.basis is None else asdict(release.basis),
    }


def show_made_release(made: PublishedRelease) -> RenderableType:
    """Show a release, the releases it is based on, its pre-flight, and where it was published."""
    basis = [] if made.release.basis is None else [_show_basis(made.release.basis)]
    show = show_serious_findings if made.files else show_dry_findings
    return Group(
        show_release(made.release), *basis, *show(made.release.preflight), *_list_files(made)
    )


def show_release(release: Release) -> RenderableType:
    """Show the levels, the suppression and the cost of a release."""
    unsafe = (
        [] if release.safe else [Text(f"NOT k-anonymous: {describe_unsafe(release)}.", "bold red")]
    )
    return Group(
        *unsafe,
        *_explain_method(release),
        _show_levels(release),
        _state_classes(release),
        *_list_alone(release),
        *_list_risks(release),
        _state_suppression(release),
        _state_cost(release),
        *_state_optimality(release),
        *([] if release.exposure is None else state_exposure(release.exposure)),
    )


def _explain_method(release: Release) -> Iterator[str]:
    """Explain why the method is not the default one, if the specification names none."""
    if release.method_reason is not None:
        method = release.specification.release.method
        yield f"Method {method}, because {escape(release.method_reason)}."


def _show_levels(release: Release) -> Table:
    """Show the level of each attribute, and its number of values before and after."""
    figures = describe_attributes(release)
    suppressed = any(one.cells_suppressed is not None for one in figures)
    headings = ("level", "values before", "after", *(["suppressed"] if suppressed else []))
    table = begin_table("attribute", "hierarchy", *headings, text=2)
    for one in figures:
        cells = [
            f"{_write_levels(one)} of {one.height}",
            f"{one.values_before:,}",
            f"{one.values_after:,}",
        ]
        if one.cells_suppressed is not None:
            cells.append(f"{one.cells_suppressed:,}")
        table.add_row(escape(one.attribute), one.hierarchy, *cells)
    return table


def _write_levels(figures: AttributeFigures) -> str:
    """Write the level of an attribute's cells, or the lowest and the highest."""
    if figures.levels is None:
        return "–"
    low, high = figures.levels
    return str(low) if low == high else f"{low}–{high}"


def _state_classes(release: Release) -> str:
    """State the number of classes and the size of the smallest."""
    measures, k = release.measures, f"k = {release.plan.requirement.k:,}"
    if release.specification.persons:
        k += " persons"
    if release.has_apart:
        return (
            f"{measures.classes:,} classes over all attributes; every combination of those with "
            f"linking 1 has at least {measures.smallest_class:,} rows ({k})."
        )
    return f"{measures.classes:,} classes, the smallest of {measures.smallest_class:,} rows ({k})."


def _list_alone(release: Release) -> Iterator[str]:
    """List the attributes that have a requirement of their own."""
    for one in release.alone:
        place = "not part of the combination" if one.linking < 1 else "part of the combination"
        required = f"each value in at least {one.k:,} rows" if one.k else "nothing required"
        yield f"{escape(one.attribute)} (linking {one.linking}): {place}; {required}."


def _list_risks(release: Release) -> Iterator[str]:
    """List the conditions on average risk and on registers that the release satisfies."""
    asked = release.specification.release
    if asked.average_risk is not None:
        average = release.measures.classes / max(1, release.plan.rows_out)
        yield f"Average risk {average:.4f} (at most {asked.average_risk})."
    if asked.k_map is not None:
        yield f"Every class matches at least {asked.k_map.k:,} people of the register (k_map)."
    if asked.presence is not None:
        yield (
            f"The presence of everybody in the register is between {asked.presence.lowest} and "
            f"{asked.presence.highest}."
        )


def _state_suppression(release: Release) -> str:
    """State how many rows are suppressed."""
    recoding, rows = release.recoding, release.plan.frequency.rows
    fails = "suppressed, because their classes fail the requirement"
    why = fails if release.plan.requirement.protections else "suppressed as outliers"
    if release.basis is not None:
        why = "withheld"
    outliers = f"{recoding.rows_suppressed:,} of {rows:,} rows {why}"
    if recoding.rows_complementary:
        outliers += f", {recoding.rows_complementary:,} more so that the blank rows are at least k"
    return f"{outliers}; {release.plan.rows_out:,} rows released."


def _state_cost(release: Release) -> str:
    """State what the release costs in the measures of information loss."""
    measures = release.measures
    minimal = {True: "; k-minimal", False: "; not k-minimal", None: ""}[release.recoding.k_minimal]
    if not release.recoding.in_time:
        minimal += "; stopped by the time limit"
    return (
        f"Precision {measures.precision:.4f}, loss {measures.loss:.4f}, entropy lost "
        f"{measures.entropy:.4f}, average class {release.mean_class_size:.1f} rows{minimal}."
    )


def _state_optimality(release: Release) -> Iterator[str]:
    """State whether the release is proved to be the best, or how far it may be from it."""
    known = release.recoding.optimality
    if known is None:
        return
    evaluated = f"{known.evaluated:,} vectors evaluated"
    before = "" if release.recoding.before_decoys is None else " before decoys"
    if known.proved:
        yield f"Best {known.objective} {known.reached:.4f}{before}, proved ({evaluated})."
    else:
        alone = " for classes of k rows alone" if known.rows_alone else ""
        yield (
            f"Best {known.objective} found {known.reached:.4f}{before}, not proved: bound "
            f"{known.bound:.4f}{alone}, gap {known.gap:.4f} ({evaluated})."
        )
    if release.levels is None:
        number, digits = count_possible(release)
        possible = f"10^{digits:,.0f}" if number is None else f"{number:,}"
        yield f"Cell by cell {possible} generalizations are possible."


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


def _list_files(made: PublishedRelease) -> Iterator[Text]:
    """State where a release was published, with its proof and its ledger."""
    if not made.files:
        yield Text("Nothing was written (--dry-run).", "bold")
        return
    place = made.files[0].parent
    shown = os.path.relpath(place) if isinstance(place, Path) else str(place)
    yield Text(f"Verified and published: {shown}", "bold green")
    for one in () if made.certificate is None else made.certificate.quasi_identifiers:
        if one.persons_reached is not None:
            over = ", ".join(one.attributes)
            yield Text(f"Every class over {over} has at least {one.persons_reached:,} persons.")
    if made.proof is not None:
        yield Text(f"Proof of the bound on precision, private: {os.path.relpath(made.proof)}")
    elif made.dossier is not None:
        yield Text("The method proves no bound at the cell level: the dossier holds no proof.")
    earlier = None if made.certificate is None else made.certificate.earlier_releases
    if isinstance(earlier, EarlierReleases):
        yield Text(
            f"Recorded in the ledger. Earlier releases of the source considered: "
            f"{earlier.considered:,} (policy {earlier.policy})."
        )


def _show_basis(basis: Basis) -> RenderableType:
    """Show how the rows of a source are released compared with its earlier releases."""
    others = "" if basis.considered == 1 else f" and {basis.considered - 1:,} before it"
    lines = [
        (basis.rows_kept, "released as before", basis.rows_outdated, "with outdated values"),
        (
            basis.rows_renewed,
            "released in the same class, with new values",
            basis.rows_partly_renewed,
            "in some columns only",
        ),
        (basis.rows_joined, "new, or released again, in classes of their own", 0, ""),
        (basis.rows_waiting, "withheld", basis.rows_withdrawn, "released last time"),
    ]
    counts = [
        f"  {rows:,} {'row is' if rows == 1 else 'rows are'} {what}"
        f"{f', {some:,} of them {which}' if some else ''}."
        for rows, what, some, which in lines
        if rows
    ]
    return Group(f"Based on the last release{others}:", *counts)
