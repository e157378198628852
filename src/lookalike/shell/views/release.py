"""How results are shown to a person on a terminal, and as JSON to a program."""

import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.flow.check import Checked
from lookalike.flow.compare import Compared, as_comparison_row
from lookalike.flow.result import Release, describe_unsafe
from lookalike.flow.verify.folder import Verification
from lookalike.kernels.types import Levels
from lookalike.model.frequency import FrequencyList
from lookalike.model.lattice import Lattice
from lookalike.model.tuples import SUPPRESSED_CELL, Tuples
from lookalike.publish.certificate import Certificate, EarlierReleases
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.search.lattice.preferences import Candidate
from lookalike.search.methods.samarati import MinimalCandidates
from lookalike.verify.recount import Finding


def check_as_json(checked: Checked) -> dict[str, Any]:
    """Return what ``check --json`` prints."""
    return asdict(checked)


def release_as_json(
    release: Release,
    files: Sequence[str],
    kept: str | None = None,
    certificate: Certificate | None = None,
) -> dict[str, Any]:
    """Return what ``release --json`` prints; what is kept in a dossier is no file to hand on."""
    earlier = None if certificate is None else certificate.earlier_releases
    seconds = {step: round(spent, 6) for step, spent in release.stopwatch.seconds.items()}
    return {
        "method": release.specification.release.method,
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
        "optimal": _is_optimal(release),
        "k_minimal": release.recoding.k_minimal,
        "classes": release.measures.classes,
        "seconds": {**seconds, "total": round(sum(release.stopwatch.seconds.values()), 6)},
        "files": list(files),
        "dossier": kept,
        "earlier_releases": asdict(earlier) if isinstance(earlier, EarlierReleases) else earlier,
        "basis": None if release.basis is None else asdict(release.basis),
    }


def compared_as_json(compared: Compared) -> dict[str, Any]:
    """Return what ``compare --json`` prints of one method."""
    if compared.release is None:
        return {"method": compared.method, "error": compared.error}
    attributes = compared.release.plan.frequency.attributes
    below = compared.minimal_below
    return {
        **release_as_json(compared.release, []),
        "precision_bound": compared.precision_bound,
        "gap": compared.gap,
        "accuracy": compared.release.measures.accuracy,
        "completeness": compared.release.measures.completeness,
        "minimal_below": below and dict(zip(attributes, below, strict=True)),
    }


def show_comparison(compared: Sequence[Compared]) -> RenderableType:
    """Show what each method makes of the same table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("method")
    table.add_column("levels")
    for heading in (
        "k",
        "rows *",
        "cells *",
        "Prec",
        "bound",
        "gap",
        "accuracy",
        "complete",
        "classes",
    ):
        table.add_column(heading, justify="right")
    table.add_column("k-minimal")
    table.add_column("seconds", justify="right")
    done = [as_comparison_row(one) for one in compared if one.release is not None]
    for line in done:
        table.add_row(*_comparison_cells(line))
    failed = [Text(f"{one.method} fails: {one.error}.") for one in compared if one.error]
    asked = [f"Asked: k = {line['k']:,}; rows * and cells * are suppressed." for line in done[:1]]
    return Group(*([table] if done else []), *asked, *failed)


def _comparison_cells(line: dict[str, Any]) -> list[str]:
    """Write one line of a comparison."""
    kept = line["k_reached"] >= line["k"]
    minimal = {True: "yes", False: f"no: {line['minimal_below']}", None: "–"}[line["k_minimal"]]
    bound, gap = line["precision_bound"], line["gap"]
    return [
        line["method"],
        line["levels"] or "cells",
        f"{line['k_reached']:,}" if kept else f"[red]{line['k_reached']:,}[/red]",
        f"{line['rows_suppressed']:,}",
        f"{line['cells_suppressed']:,}",
        f"{line['precision']:.4f}",
        "–" if bound is None else f"{bound:.4f}",
        "–" if gap is None else f"{gap:.4f}",
        f"{line['accuracy']:.4f}",
        f"{line['completeness']:.4f}",
        f"{line['classes']:,}",
        minimal,
        f"{line['seconds']:.2f}",
    ]


def minimal_as_json(attributes: Sequence[str], found: MinimalCandidates) -> dict[str, Any]:
    """Return what ``minimal --json`` prints."""
    return {
        "lattice": found.lattice.size,
        "evaluated": found.evaluated,
        "complete": found.complete,
        "minimal": [_candidate_as_json(attributes, one) for one in found.minimal],
        "preferred": [_candidate_as_json(attributes, one) for one in found.preferred],
    }


def _candidate_as_json(attributes: Sequence[str], candidate: Candidate) -> dict[str, Any]:
    """Return a vector and what is known of it."""
    return {
        "levels": dict(zip(attributes, candidate.vector, strict=True)),
        "height": sum(candidate.vector),
        "suppressed": candidate.suppressed,
        "precision": candidate.precision,
        "distinct": candidate.distinct,
    }


def _is_optimal(release: Release) -> bool:
    """Tell whether the release is proved to be best, or lost nothing."""
    optimality = release.recoding.optimality
    return release.measures.precision == 1.0 or bool(optimality and optimality.proved)


def verification_as_json(verification: Verification) -> dict[str, Any]:
    """Return what ``verify --json`` prints."""
    return {
        "holds": verification.holds,
        "complete": verification.complete,
        "findings": [asdict(finding) for finding in verification.findings],
    }


def show_check(checked: Checked, quasi_identifier: Sequence[str], k: int) -> RenderableType:
    """Say whether a table satisfies k and who stands out."""
    over = ", ".join(quasi_identifier)
    if checked.k is None:
        return Text("The table has no rows, so it tells of nobody.")
    verdict = (
        Text(f"{k}-anonymous over {over}.", style="bold green")
        if checked.holds
        else Text(f"Not {k}-anonymous over {over}.", style="bold red")
    )
    unique = 100 * checked.unique_rows / checked.rows
    return Group(
        verdict,
        f"{checked.rows:,} rows in {checked.classes:,} classes; the smallest has {checked.k:,}.",
        f"{checked.unique_rows:,} rows ({unique:.1f} %) are unique: whoever knows these values of "
        "a person finds their row.",
    )


def show_release(release: Release) -> RenderableType:
    """Tell what was released, or would be: levels, suppression and cost."""
    unsafe = (
        [] if release.safe else [Text(f"NOT k-anonymous: {describe_unsafe(release)}.", "bold red")]
    )
    return Group(
        *unsafe,
        _levels(release),
        _classes(release),
        *_alone(release),
        _suppressed(release),
        _costs(release),
        *_optimality(release),
    )


def _classes(release: Release) -> str:
    """Say how many classes there are, and how large each is at least."""
    measures, k = release.measures, release.plan.requirement.k
    if release.has_apart:
        return (
            f"{measures.classes:,} classes over all attributes; every combination of those with "
            f"linking 1 has at least {measures.smallest_class:,} rows (k = {k:,})."
        )
    return (
        f"{measures.classes:,} classes, the smallest of {measures.smallest_class:,} rows "
        f"(k = {k:,})."
    )


def _alone(release: Release) -> list[str]:
    """Say which attributes are protected by themselves."""
    lines = []
    for one in release.alone:
        outside = " is outside of the combination," if one.linking < 1 else ""
        asked = f"{one.k:,} rows asked of each value by itself" if one.k else "nothing asked of it"
        lines.append(f"{one.attribute} (linking {one.linking}){outside or ':'} {asked}.")
    return lines


def _optimality(release: Release) -> list[str]:
    """Say how good the release is known to be."""
    known = release.recoding.optimality
    if known is None:
        return []
    looked = f"{known.evaluated:,} vectors looked at"
    if known.proved:
        told = f"Best {known.objective} {known.reached:.4f}, proved ({looked})."
    else:
        gap = abs(known.bound - known.reached)
        told = (
            f"Best {known.objective} found {known.reached:.4f}, not proved: bound "
            f"{known.bound:.4f}, gap {gap:.4f} ({looked})."
        )
    return [told] if release.levels is not None else [told, _possible(release)]


def _possible(release: Release) -> str:
    """Say how many generalizations of the table there are cell by cell: Achieving, Equation 2."""
    frequency = release.plan.frequency
    lattice = Lattice.of_heights(frequency.heights)
    digits = frequency.rows * math.log10(lattice.size)
    number = lattice.count_generalizations(frequency.rows) if digits < 6 else 0
    shown = f"{number:,}" if number else f"10^{digits:,.0f}"
    return f"Cell by cell {shown} generalizations are possible."


def show_minimal(attributes: Sequence[str], found: MinimalCandidates, most: int) -> RenderableType:
    """List the k-minimal generalizations; an asterisk marks the preferred."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("")
    for heading in (*attributes, "height", "suppressed", "distinct", "Prec"):
        table.add_column(escape(heading), justify="right")
    ordered = sorted(found.minimal, key=lambda one: one not in found.preferred)
    for one in ordered[:most]:
        mark = "*" if one in found.preferred else ""
        numbers = (sum(one.vector), one.suppressed, one.distinct)
        cells = [*map(str, one.vector), *(f"{n:,}" for n in numbers), f"{one.precision:.4f}"]
        table.add_row(mark, *cells)
    hidden = len(ordered) - most
    return Group(
        table,
        f"{len(ordered):,} k-minimal generalizations{'' if found.complete else ' so far'}, "
        f"{len(found.preferred):,} preferred (*); {found.evaluated:,} of {found.lattice.size:,} "
        "vectors looked at.",
        *([f"{hidden:,} more are not shown; show them with --most."] if hidden > 0 else []),
    )


def _levels(release: Release) -> Table:
    """Show the level of each attribute."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("attribute", "hierarchy"):
        table.add_column(heading)
    frequency, tuples = release.plan.frequency, release.recoding.released(release.plan.frequency)
    hidden = _hidden_cells(frequency, tuples, always=release.recoding.tuples is not None)
    for heading in ("level", "values before", "after", *(["suppressed"] if hidden else [])):
        table.add_column(heading, justify="right")
    rules = release.specification.hierarchies()
    before = frequency.distinct(frequency.vector)
    for attribute, name in enumerate(frequency.attributes):
        height, shown = frequency.heights[attribute], tuples.shown(frequency, attribute)[1]
        levels = _range(tuples.levels[attribute])
        cells = [f"{levels} of {height}", f"{before[attribute]:,}", f"{len(np.unique(shown)):,}"]
        if hidden:
            cells.append(f"{hidden[attribute]:,}")
        table.add_row(escape(name), rules[name].name, *cells)
    return table


def _hidden_cells(frequency: FrequencyList, tuples: Tuples, *, always: bool) -> list[int]:
    """Count the suppressed cells of each attribute, always or if one is below the top."""
    hidden = [tuples.hidden(frequency, place) for place in range(len(frequency.heights))]
    below = np.array(
        [line < height for line, height in zip(tuples.levels, frequency.heights, strict=True)]
    )
    if not always and not (np.array(hidden) & below).any():
        return []
    return [int(tuples.counts[cells].sum()) for cells in hidden]


def _range(levels: Levels) -> str:
    """Name the level of cells, or the least and the greatest; suppressed ones have none."""
    levels = levels[levels != SUPPRESSED_CELL]
    if not len(levels):
        return "–"
    low, high = int(levels.min()), int(levels.max())
    return str(low) if low == high else f"{low}–{high}"


def _suppressed(release: Release) -> str:
    """Say how many rows were suppressed."""
    recoding, rows = release.recoding, release.plan.frequency.rows
    why = "suppressed as outliers" if release.basis is None else "not shown"
    outliers = f"{recoding.rows_suppressed:,} of {rows:,} rows {why}"
    if recoding.rows_complementary:
        outliers += f", {recoding.rows_complementary:,} more so that the blank rows are at least k"
    return f"{outliers}; {release.plan.rows_out:,} rows released."


def _costs(release: Release) -> str:
    """Say what the release costs."""
    measures = release.measures
    minimal = {True: "; k-minimal", False: "; not k-minimal", None: ""}[release.recoding.k_minimal]
    if not release.recoding.in_time:
        minimal += "; the time limit came before the method's own end"
    return (
        f"Precision {measures.precision:.4f}, loss {measures.loss:.4f}, entropy lost "
        f"{measures.entropy:.4f}, average class {measures.average_class:.2f} k{minimal}."
    )


def show_outcome(
    files: Sequence[str], dossier: str | None, kept: str | None, certificate: Certificate | None
) -> RenderableType:
    """Say what became of a release.

    Parameters
    ----------
    files
        The files that were published; none, if it was not to be written.
    dossier
        The holder's folder, if one was named.
    kept
        The file that was written there, if one was.
    certificate
        The certificate of what was published.
    """
    if not files:
        return Text("Nothing was written (--dry-run).", "bold")
    folder = os.path.relpath(Path(files[0]).parent)
    lines = [Text(f"Counted again and published: {folder}", "bold green")]
    if kept is not None:
        lines.append(Text(f"What proves its bound is kept, for you alone: {os.path.relpath(kept)}"))
    elif dossier is not None:
        lines.append(Text("The method proves no bound at the cell level: nothing is kept of one."))
    if certificate is not None and isinstance(certificate.earlier_releases, EarlierReleases):
        earlier = certificate.earlier_releases
        lines.append(
            Text(
                "The ledger remembers it. Earlier releases of the source that were considered: "
                f"{earlier.considered:,}, by the policy {earlier.policy}."
            )
        )
    return Group(*lines)


def show_verification(verification: Verification) -> RenderableType:
    """List what was checked of a release."""
    lines = [
        Text.assemble(_mark(finding), finding.claim, (f" — {finding.found}", _shade(finding)))
        for finding in verification.findings
    ]
    if not verification.holds:
        verdict = Text("The release does NOT hold what it should: see ✗.", style="bold red")
    elif not verification.complete:
        verdict = Text(
            "The release is what its certificate says, as far as it could be checked: see ?.",
            style="bold yellow",
        )
    else:
        verdict = Text("The release is what its certificate says.", style="bold green")
    return Group(*lines, verdict)


def _mark(finding: Finding) -> tuple[str, str]:
    """Return the sign of a finding, and its style."""
    if not finding.holds:
        return "✗ ", "bold red"
    return ("✓ ", "bold green") if finding.checked else ("? ", "bold yellow")


def _shade(finding: Finding) -> str:
    """Return the style of what was found."""
    return "red" if not finding.holds else "dim" if finding.checked else "yellow"


def show_rows(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """Show rows as a table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(escape(column))
    for row in rows:
        table.add_row(*[escape(value) for value in row])
    return table


def show_certificate(certificate: Certificate) -> RenderableType:
    """Tell in words what the recipient is told."""
    return Group(*[Text(f"• {line}") for line in summarize_certificate(certificate)])


def print_error(console: Console, message: str) -> None:
    """Say what went wrong."""
    console.print(Text.assemble(("lookalike: ", "bold red"), message), soft_wrap=True)
