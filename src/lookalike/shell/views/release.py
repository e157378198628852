"""Output of ``lookalike release``: what is kept, what is left out, and where it was published."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lookalike.describe.attributes import AttributeFigures, describe_attributes
from lookalike.describe.bound import count_possible, describe_unsafe, state_release_bound
from lookalike.flow.explain import Explained
from lookalike.flow.release import PublishedRelease, Suggestion
from lookalike.flow.result import Release
from lookalike.model.recoding import Optimality
from lookalike.publish.certified import EarlierReleases
from lookalike.report.rules import rule
from lookalike.shell.display import display
from lookalike.shell.views.check import show_dry_findings, show_serious_findings
from lookalike.shell.views.printing import begin_table, draw_bar, fold, percent, shorten
from lookalike.shell.views.risk import state_exposure
from lookalike.shown_text import count_rows, escape_controls
from lookalike.tables.files.file_format import REPORT

if TYPE_CHECKING:
    from lookalike.ledger.policies.based_on import Basis

ATTRIBUTE_WIDTH = 20
"""The longest name of an attribute that is shown whole."""


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
        []
        if release.safe
        else [
            Text(f"NOT k-anonymous: {describe_unsafe(release.plan, release.measures)}.", "bold red")
        ]
    )
    return Group(
        *unsafe,
        show_kept(describe_attributes(release.specification, release.plan)),
        *map(fold, _list_sentences(release)),
    )


def _list_sentences(release: Release) -> Iterator[str]:
    """List what a release does, in sentences."""
    if release.method_reason is not None:
        yield f"Method {release.specification.release.method}, because {release.method_reason}."
    yield _state_rows(release)
    yield _state_classes(release)
    yield from _list_alone(release)
    yield from _list_risks(release)
    yield _state_precision(release)
    if display.verbose:
        yield from _list_figures(release)
    if release.exposure is not None:
        yield from state_exposure(release.exposure)


def _state_rows(release: Release) -> str:
    """State how many rows are released, and why others are not."""
    recoding, rows = release.recoding, release.plan.frequency.rows
    if not recoding.rows_suppressed:
        return f"All {count_rows(rows)} are released."
    gone = recoding.rows_suppressed + recoding.rows_complementary
    verb = "is" if rows - gone == 1 else "are"
    line = f"{rows - gone:,} of {count_rows(rows)} {verb} released; {gone:,} "
    line += _explain_gone(release, gone)
    if recoding.rows_complementary:
        line += f" ({recoding.rows_complementary:,} so that the blank rows are at least k)"
    return f"{line}."


def _explain_gone(release: Release, gone: int) -> str:
    """Explain why rows are not released as the others are."""
    if release.basis is not None:
        return "withheld because of earlier releases"
    done = "left out" if release.plan.requirement.suppressed_rows == "drop" else "blank"
    if release.plan.requirement.protections:
        theirs = "its class fails" if gone == 1 else "their classes fail"
        return f"{done}, because {theirs} the requirement"
    theirs = "its combination" if gone == 1 else "their combination"
    return f"{done}, because {theirs} of values is rare"


def _state_classes(release: Release) -> str:
    """State the number of classes and the size of the smallest."""
    measures, k = release.measures, f"k = {release.plan.requirement.k:,}"
    classes = "1 class" if measures.classes == 1 else f"{measures.classes:,} classes"
    if release.specification.persons:
        k += " persons"
    if release.has_apart:
        return (
            f"{classes} over all attributes; every combination of those "
            f"with linking 1 has at least {count_rows(measures.smallest_class)} ({k})."
        )
    return (
        f"{classes} of at least {count_rows(measures.smallest_class)} "
        f"({k}), of {release.mean_class_size:.1f} rows on average."
    )


def _list_alone(release: Release) -> Iterator[str]:
    """List the attributes that have a requirement of their own."""
    for one in release.alone:
        place = "not part of the combination" if one.linking < 1 else "part of the combination"
        required = f"each value in at least {one.k:,} rows" if one.k else "nothing required"
        yield f"{one.attribute} (linking {one.linking}): {place}; {required}."


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


def _state_precision(release: Release) -> str:
    """State what is kept on average, and how near that is to the best possible."""
    weighted = len(set(release.specification.options().weights)) > 1
    mean = "weighted mean" if weighted else "mean"
    line = f"Precision {release.measures.precision:.4f}, the {mean} of what is kept"
    known = release.recoding.optimality
    if release.recoding.before_decoys is not None:
        line += f" ({release.precision_before_decoys:.4f} before decoys)"
    if known is not None:
        line += f": {_state_optimality(release, known)}"
    minimal = {True: "; k-minimal", False: "; not k-minimal", None: ""}[release.recoding.k_minimal]
    late = "" if release.recoding.in_time else "; stopped by the time limit"
    return f"{line}{minimal}{late}."


def _state_optimality(release: Release, known: Optimality) -> str:
    """State whether a release is proved to be the best, or how far it may be from it."""
    by_precision = known.objective == "precision"
    measured = "" if by_precision else f" by {known.objective}, {known.reached:.4f}"
    if known.proved:
        return f"proved to be the best{measured}"
    limit = f"reaches {'more' if by_precision else 'less'} than {known.bound:.4f}"
    stated = state_release_bound(release.specification, release.plan, limit, "{:.4f}".format)
    return f"the best found{measured}; {stated}"


def _list_figures(release: Release) -> Iterator[str]:
    """List the figures that ``--verbose`` adds."""
    measures, known = release.measures, release.recoding.optimality
    yield f"Loss {measures.loss:.4f}, entropy lost {measures.entropy:.4f}."
    if known is not None:
        yield f"{known.evaluated:,} vectors evaluated."
    if release.levels is None:
        number, digits = count_possible(release.plan)
        possible = f"10^{digits:,.0f}" if number is None else f"{number:,}"
        yield f"Cell by cell {possible} generalizations are possible."


def _list_files(made: PublishedRelease) -> Iterator[Text]:
    """State where a release was published, with its proof and its ledger."""
    if not made.files:
        yield Text("Nothing was written (--dry-run).", "bold")
        return
    place, asked = made.files[0].parent, made.release.specification.release
    shown = os.path.relpath(place) if isinstance(place, Path) else str(place)
    yield Text(f"Verified and published: {shown}", "bold green")
    if any(file.name == REPORT for file in made.files):
        yield Text(f"Report for the recipient: {shown}/{REPORT}")
    for one in () if made.certificate is None else made.certificate.quasi_identifiers:
        if one.persons_reached is not None:
            over = ", ".join(one.attributes)
            yield fold(f"Every class over {over} has at least {one.persons_reached:,} persons.")
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
    if made.report is not None:
        yield Text(f"Report for the data holder, private: {os.path.relpath(made.report)}")
    elif made.dossier is None and isinstance(place, Path) and asked.report:
        yield Text("For a private report on the risk before and after: --dossier private")
    yield Text(f"Next: lookalike verify {shown}")


def _show_basis(basis: "Basis") -> RenderableType:
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


def show_kept(figures: Sequence[AttributeFigures]) -> Table:
    """Show what is kept of each attribute, its number of values before and after, and its level."""
    hides = any(one.cells_suppressed for one in figures)
    headings = ["attribute", "kept", "", "values", "level", *(["suppressed"] if hides else [])]
    table = begin_table(*headings, *(["hierarchy"] if display.wide else []), text=2)
    for one in figures:
        name = one.attribute if display.wide else shorten(one.attribute, ATTRIBUTE_WIDTH)
        cells = [
            f"{100 * one.kept:.0f} %",
            f"{one.values_before:,} → {one.values_after:,}",
            f"{_write_levels(one)} of {one.height}",
            *([f"{one.cells_suppressed or 0:,}"] if hides else []),
            *([one.hierarchy] if display.wide else []),
        ]
        table.add_row(Text(name), draw_bar(one.kept), *cells)
    return table


def _write_levels(figures: AttributeFigures) -> str:
    """Write the level of an attribute's cells, or the lowest and the highest."""
    if figures.levels is None:
        return "–"
    low, high = figures.levels
    return str(low) if low == high else f"{low}–{high}"


def show_suggestion(suggestion: Suggestion, spec: Path) -> RenderableType:
    """Show how much more another method would keep, and the command to try it."""
    kept, now = percent(suggestion.precision), percent(suggestion.precision_now)
    return Group(
        fold(
            f"The method {suggestion.method} would keep at least {kept} of the detail instead of "
            f"{now}. To see it:",
            style="yellow",
        ),
        Text(f"  lookalike release {spec} --method {suggestion.method} --dry-run"),
    )


def show_explained(plan: Explained) -> RenderableType:
    """Show where the rows and the sequences are, what comes to memory, and why."""
    lines = [f"{label:<10} {text}" for label, text in _list_facts(plan)]
    return Group(
        *(fold(line, indent=" " * 11) for line in lines), "Nothing was searched or written."
    )


def _list_facts(plan: Explained) -> Iterator[tuple[str, str]]:
    """Yield the lines, each with its label."""
    yield "rows", f"{plan.rows:,}, held by {plan.engine}"
    yield "sequences", f"{plan.sequences:,} distinct; at most {plan.max_sequences:,} fit in memory"
    yield "list", _place(plan)
    why = "" if plan.method_reason is None else f", because {plan.method_reason}"
    yield "search", f"{plan.method}, {plan.vectors:,} vectors{why}"
    yield "memory", f"about {plan.megabytes:,} MB for at most {plan.collected:,} sequences"
    if plan.refused is not None:
        yield "refused", plan.refused


def _place(plan: Explained) -> str:
    """Say where the frequency list is kept, and why there."""
    if plan.place == "engine":
        return (
            f"in {plan.engine}, because it does not fit in memory; counts come from there, and "
            "shorter lists at higher levels come to memory"
        )
    if plan.least_levels is None:
        return "in memory, because it fits"
    bounds = ", ".join(f"{name} >= {level}" for name, level in plan.least_levels.items() if level)
    return f"in memory, at the levels that the constraints leave: {bounds or 'all'}"


_VERDICT_STYLES: dict[rule.RuleAnswer, str] = {
    rule.NOT_MET: "bold red",
    rule.MET: "green",
    rule.NOT_DECIDED: "yellow",
}
"""The style of each verdict, in the order in which they are shown."""


def show_rules(judged: Sequence[rule.RuleVerdict]) -> RenderableType:
    """Show for each rule what it asks for, what was measured, and the verdict with its reason."""
    ordered = sorted(judged, key=lambda one: list(_VERDICT_STYLES).index(one.verdict))
    lines = [line for one in ordered for line in _show_rule(one)]
    return Group("", *lines, fold(_count_verdicts(judged)), fold(rule.DISCLAIMER))


def _show_rule(one: rule.RuleVerdict) -> Iterator[Text]:
    """Show one rule in three folded lines."""
    title = f"{one.verdict.capitalize()}: {one.rule} ({one.asks})"
    yield fold(title, indent="  ", style=_VERDICT_STYLES[one.verdict])
    yield fold(f"  Measured: {escape_controls(one.measured)}.", indent="    ")
    yield fold(f"  {escape_controls(one.why)}", indent="    ")


def _count_verdicts(judged: Sequence[rule.RuleVerdict]) -> str:
    """Count the verdicts, and name where the sources are."""
    number = Counter(one.verdict for one in judged)
    counted = ", ".join(f"{number[verdict]} {verdict}" for verdict in _VERDICT_STYLES)
    return f"{counted}. --json shows the source of each rule."
