"""Output of ``lookalike release``: what is kept, what is left out, and where it was published."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType, group
from rich.table import Table
from rich.text import Text

from lookalike.describe.attributes import AttributeFigures, describe_attributes
from lookalike.describe.bound import count_possible, describe_unsafe, state_release_bound
from lookalike.flow.explain import Explained
from lookalike.flow.make_release import PublishedRelease
from lookalike.flow.result import Release
from lookalike.flow.suggest_method import Suggestion
from lookalike.model.recoding import Optimality
from lookalike.publish.certified import EarlierReleases
from lookalike.report.rules import rule
from lookalike.shell.display import display
from lookalike.shell.views.check import show_preflight
from lookalike.shell.views.printing import begin_table, draw_bar, fold, percent, shorten
from lookalike.shell.views.risk import state_exposure
from lookalike.shown_text import count_rows, escape_controls
from lookalike.spec.release_fields import ReleaseFields
from lookalike.tables.files.file_format import REPORT

if TYPE_CHECKING:
    from lookalike.flow.join_releases import JoinedRelease
    from lookalike.ledger.policies.based_on import Basis
    from lookalike.ledger.policies.increments import Increment

ATTRIBUTE_WIDTH = 20
"""The longest name of an attribute that is shown whole."""


@group()
def show_made_release(made: PublishedRelease) -> Iterator[RenderableType]:
    """Show a release, the releases it is based on, its pre-flight, and where it was published."""
    yield show_release(made.release)
    if made.release.basis is not None:
        yield from _show_basis(made.release.basis)
    if made.release.increment is not None:
        hidden = made.release.recoding.rows_suppressed
        yield from _show_increment(made.release.increment, hidden)
    yield from show_preflight(made.release.preflight, dry=not made.files)
    yield from _list_files(made)


@group()
def show_release(release: Release) -> Iterator[RenderableType]:
    """Show the levels, the suppression and the cost of a release."""
    if not release.safe:
        unsafe = describe_unsafe(release.plan, release.measures)
        yield Text(f"NOT k-anonymous: {unsafe}.", "bold red")
    yield show_kept(describe_attributes(release.specification, release.plan))
    yield from map(fold, _list_sentences(release))


def _list_sentences(release: Release) -> Iterator[str]:
    """List what a release does, in sentences."""
    if release.method_reason is not None:
        yield f"Method {release.specification.release.method}, because {release.method_reason}."
    yield _state_rows(release)
    yield _state_classes(release)
    if release.shared is not None:
        chosen = ", ".join(release.shared.classes.attributes)
        yield f"Its classes were chosen over the columns of all recipients: {chosen}."
    for one in release.alone:
        place = "not part of the combination" if one.linking < 1 else "part of the combination"
        required = f"each value in at least {one.k:,} rows" if one.k else "nothing required"
        yield f"{one.attribute} (linking {one.linking}): {place}; {required}."
    yield from _list_risks(release)
    yield from _state_answers(release)
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
    if release.increment is not None and release.increment.rows_patient == gone:
        return "wait for better company"
    if release.shared is not None:
        return "left out for all recipients, because their combination of values is rare"
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


def _state_answers(release: Release) -> Iterator[str]:
    """State how many answers are left out, and of which columns most."""
    asked = release.plan.requirement.answers
    if asked is None or (left_out := release.trail.left_out) is None:
        return
    rows, cells = release.plan.rows_out, sum(left_out.values())
    share = 100 * cells / max(1, rows * len(left_out))
    kept_by = " More are kept in larger classes (a greater k, with the same k_answers)."
    more = kept_by if share > 50 else ""
    worst = sorted(left_out, key=left_out.__getitem__, reverse=True)[:3]
    named = ", ".join(f"{name} ({100 * left_out[name] / max(1, rows):.0f} %)" for name in worst)
    yield (
        f"Any {asked.known} of {len(left_out):,} answers leave at least "
        f"{count_rows(asked.k or release.plan.requirement.k)} of a class: to that end "
        f"{share:.1f} % of the answers are left out{f', most of {named}' if cells else ''}.{more}"
    )


def _state_precision(release: Release) -> str:
    """State precision and loss, and how near they are to the best possible."""
    measures, known = release.measures, release.recoding.optimality
    weighted = len(set(release.specification.options().weights)) > 1
    precision, loss = f"{measures.precision:.4f}", f"{measures.loss:.4f}"
    by_loss = known is not None and known.objective == "loss"
    if release.recoding.before_decoys is not None:
        precision += f" ({release.precision_before_decoys:.4f} before decoys)"
        loss += f" ({known.reached:.4f} before decoys)" if known is not None and by_loss else ""
    both = (
        f"Loss {loss}, precision {precision}" if by_loss else f"Precision {precision}, loss {loss}"
    )
    line = f"{both}{' (both weighted)' if weighted else ''}"
    if known is not None:
        line += f": {_state_optimality(release, known)}"
    minimal = {True: "; k-minimal", False: "; not k-minimal", None: ""}[release.recoding.k_minimal]
    late = "" if release.recoding.in_time else "; stopped by the time limit"
    return f"{line}{minimal}{late}."


def _state_optimality(release: Release, known: Optimality) -> str:
    """State whether a release is proved to be the best, or how far it may be from it."""
    by_precision = known.objective == "precision"
    measured = f" by {known.objective}"
    if known.objective not in ("precision", "loss"):
        measured += f", {known.reached:.4f}"
    if known.proved:
        return f"proved to be the best{'' if by_precision else measured}"
    verb = {"precision": "reaches more", "loss": "loses less"}.get(known.objective, "reaches less")
    limit = f"{verb} than {known.bound:.4f}"
    stated = state_release_bound(release.specification, release.plan, limit, "{:.4f}".format)
    return f"the best found{'' if by_precision else measured}; {stated}"


def _list_figures(release: Release) -> Iterator[str]:
    """List the figures that ``--verbose`` adds."""
    measures, known = release.measures, release.recoding.optimality
    yield f"Entropy lost {measures.entropy:.4f}."
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
    place = made.files[0].parent
    shown = os.path.relpath(place) if isinstance(place, Path) else str(place)
    yield Text(f"Verified and published: {shown}", "bold green")
    if any(file.name == REPORT for file in made.files):
        yield Text(f"Report for the recipient: {shown}/{REPORT}")
    for one in () if made.certificate is None else made.certificate.quasi_identifiers:
        if one.persons_reached is not None:
            over = ", ".join(one.attributes)
            yield fold(f"Every class over {over} has at least {one.persons_reached:,} persons.")
    if made.proof is not None:
        known = made.release.recoding.optimality
        measure = "precision" if known is None else known.objective
        yield Text(f"Proof of the bound on {measure}, private: {os.path.relpath(made.proof)}")
    elif made.dossier is not None:
        yield Text("The method proves no bound at the cell level: the dossier holds no proof.")
    earlier = None if made.certificate is None else made.certificate.earlier_releases
    if isinstance(earlier, EarlierReleases):
        yield Text(
            f"Recorded in the ledger. Earlier releases of the source considered: "
            f"{earlier.considered:,} (policy {earlier.policy})."
        )
    if isinstance(place, Path):
        yield from point_to_report(made.report, made.release.specification.release)
    yield Text(f"Next: lookalike verify {shown}")


def point_to_report(report: Path | None, asked: ReleaseFields) -> Iterator[Text]:
    """Say where the report for the data holder is, or how to get one."""
    if report is not None:
        yield Text(f"Report for the data holder, private: {os.path.relpath(report)}")
    elif asked.dossier is None and asked.report:
        yield Text("For a private report on the risk before and after: --dossier private")


@group()
def show_joined(joined: "JoinedRelease") -> Iterator[RenderableType]:
    """Show what increments are together, and where they were published."""
    yield fold(f"{joined.increments:,} increments, of which no two have a row in common.")
    yield fold(str(joined.certificate))
    place = os.path.relpath(joined.file.parent)
    yield Text(f"Verified and published: {place}", "bold green")


def _show_increment(increment: "Increment", rows_waiting: int) -> Iterator[str]:
    """Show what earlier increments showed, and how many rows wait."""
    yield f"Only rows that none of the {increment.considered:,} earlier releases has shown:"
    since = (
        "" if increment.waited_since is None else f" (the oldest since {increment.waited_since})"
    )
    lines = [
        (increment.rows_before, "of the source were shown before", increment.rows_outdated),
        (increment.rows_waited, f"had waited{since}", 0),
        (rows_waiting, "wait for the next release", 0),
    ]
    for rows, what, outdated in lines:
        part = f", {outdated:,} of them with other values than now" if outdated else ""
        if rows:
            yield f"  {count_rows(rows)} {what}{part}."
    if increment.rows_patient:
        yield f"  {count_rows(increment.rows_patient)} of these wait for better company."


def _show_basis(basis: "Basis") -> Iterator[str]:
    """Show how the rows of a source are released compared with its earlier releases."""
    others = "" if basis.considered == 1 else f" and {basis.considered - 1:,} before it"
    lines = [
        (basis.rows_kept, "released as before", basis.rows_outdated, "with outdated values"),
        (basis.rows_left, "among these though the people left the source", 0, ""),
        (
            basis.rows_renewed,
            "released in the same class, with new values",
            basis.rows_partly_renewed,
            "in some columns only",
        ),
        (basis.rows_joined, "new, or released again, in classes of their own", 0, ""),
        (basis.rows_waiting, "withheld", basis.rows_withdrawn, "released last time"),
    ]
    yield f"Based on the last release{others}:"
    for rows, what, some, which in lines:
        if rows:
            verb, part = "row is" if rows == 1 else "rows are", f", {some:,} of them {which}"
            yield f"  {rows:,} {verb} {what}{part if some else ''}."
    if basis.keys_unknown:
        yield (
            f"  Withdrawn row keys that are in no release of the source: {basis.keys_unknown:,}. "
            "Check how they are written."
        )


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
            f"The method {suggestion.method} would reach a precision of at least {kept} instead "
            f"of {now}. To see it:",
            style="yellow",
        ),
        Text(f"  lookalike release {spec} --method {suggestion.method} --dry-run"),
    )


def show_policy_choice(spec: Path) -> RenderableType:
    """Show how to choose a policy before the second release depends on it."""
    return Text(f"To choose a policy for later releases: lookalike ledger forecast {spec}")


def show_explained(plan: Explained) -> RenderableType:
    """Show where the rows and the sequences are, what comes to memory, and why."""
    lines = [fold(f"{name:<10} {text}", indent=" " * 11) for name, text in _list_facts(plan)]
    return Group(*lines, "Nothing was searched or written.")


def _list_facts(plan: Explained) -> Iterator[tuple[str, str]]:
    """Yield the lines, each with its label."""
    held = "in memory" if plan.engine == "Memory" else f"by {plan.engine}"
    yield "rows", f"{plan.rows:,}, held {held}"
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


@group()
def show_rules(judged: Sequence[rule.RuleVerdict]) -> Iterator[RenderableType]:
    """Show for each rule what it asks for, what was measured, and the verdict with its reason."""
    yield ""
    for one in sorted(judged, key=lambda one: list(_VERDICT_STYLES).index(one.verdict)):
        title = f"{one.verdict.capitalize()}: {one.rule} ({one.asks})"
        yield fold(title, indent="  ", style=_VERDICT_STYLES[one.verdict])
        yield fold(f"  Measured: {escape_controls(one.measured)}.", indent="    ")
        yield fold(f"  {escape_controls(one.why)}", indent="    ")
    number = Counter(one.verdict for one in judged)
    counted = ", ".join(f"{number[verdict]} {verdict}" for verdict in _VERDICT_STYLES)
    yield fold(f"{counted}. --json shows the source of each rule.")
    yield fold(rule.DISCLAIMER)
