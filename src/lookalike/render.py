"""How results are shown to a person on a terminal, and as JSON to a program."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.algorithms.samarati import MinimalCandidates
from lookalike.certificate import Certificate, in_words
from lookalike.check import Checked
from lookalike.release import Release
from lookalike.search.preferences import Candidate
from lookalike.verify_folder import Verification


def check_as_json(checked: Checked) -> dict[str, Any]:
    """Return what ``check --json`` prints."""
    return asdict(checked)


def release_as_json(release: Release, files: Sequence[str]) -> dict[str, Any]:
    """Return what ``release --json`` prints."""
    seconds = {step: round(spent, 6) for step, spent in release.stopwatch.seconds.items()}
    return {
        "method": release.specification.release.method,
        "k": release.specification.release.k,
        "k_reached": release.measures.smallest_class,
        "rows_in": release.plan.frequency.rows,
        "rows_out": release.plan.rows_out,
        "rows_suppressed": release.recoding.rows_suppressed,
        "rows_complementary": release.recoding.rows_complementary,
        "levels": release.levels,
        "precision": release.measures.precision,
        "precision_bound": release.precision_bound,
        "optimal": _is_optimal(release),
        "k_minimal": release.recoding.k_minimal,
        "classes": release.measures.classes,
        "seconds": {**seconds, "total": round(sum(release.stopwatch.seconds.values()), 6)},
        "files": list(files),
    }


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
    measures = release.measures
    return Group(
        _levels(release),
        f"{measures.classes:,} classes, the smallest of {measures.smallest_class:,} rows "
        f"(k = {release.specification.release.k:,}).",
        _suppressed(release),
        _costs(release),
        *_optimality(release),
    )


def _optimality(release: Release) -> list[str]:
    """Say how good the release is known to be."""
    known = release.recoding.optimality
    if known is None:
        return []
    looked = f"{known.evaluated:,} vectors looked at"
    if known.proved:
        return [f"Best {known.objective} {known.reached:.4f}, proved ({looked})."]
    gap = abs(known.bound - known.reached)
    return [
        f"Best {known.objective} found {known.reached:.4f}, not proved: bound {known.bound:.4f}, "
        f"gap {gap:.4f} ({looked})."
    ]


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
    for heading in ("level", "values before", "after"):
        table.add_column(heading, justify="right")
    frequency, vector = release.plan.frequency, release.recoding.vector
    rules = release.specification.hierarchies()
    before, after = frequency.distinct(frequency.vector), frequency.distinct(vector)
    for name, level, height, ground, shown in zip(
        frequency.attributes, vector, frequency.heights, before, after, strict=True
    ):
        cells = (f"{level} of {height}", f"{ground:,}", f"{shown:,}")
        table.add_row(escape(name), rules[name].name, *cells)
    return table


def _suppressed(release: Release) -> str:
    """Say how many rows were suppressed."""
    recoding, rows = release.recoding, release.plan.frequency.rows
    outliers = f"{recoding.rows_suppressed:,} of {rows:,} rows suppressed as outliers"
    if recoding.rows_complementary:
        outliers += f", {recoding.rows_complementary:,} more so that the blank rows are at least k"
    return f"{outliers}; {release.plan.rows_out:,} rows released."


def _costs(release: Release) -> str:
    """Say what the release costs."""
    measures = release.measures
    minimal = "k-minimal" if release.recoding.k_minimal else "not k-minimal"
    return (
        f"Precision {measures.precision:.4f}, loss {measures.loss:.4f}, entropy lost "
        f"{measures.entropy:.4f}, average class {measures.average_class:.2f} k; {minimal}."
    )


def show_verification(verification: Verification) -> RenderableType:
    """List what was checked of a release."""
    lines = [
        Text.assemble(
            ("✓ " if finding.holds else "✗ ", "bold green" if finding.holds else "bold red"),
            finding.claim,
            (f" — {finding.found}", "dim" if finding.holds else "red"),
        )
        for finding in verification.findings
    ]
    verdict = (
        Text("The release is what its certificate says.", style="bold green")
        if verification.holds
        else Text("The release is NOT what its certificate says.", style="bold red")
    )
    return Group(*lines, verdict)


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
    return Group(*[Text(f"• {line}") for line in in_words(certificate)])


def print_error(console: Console, message: str) -> None:
    """Say what went wrong."""
    console.print(Text.assemble(("lookalike: ", "bold red"), message), soft_wrap=True)
