"""Output of ``lookalike release``, ``check``, ``compare`` and ``explore`` for linked tables."""

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType, group
from rich.table import Table

from lookalike.flow.check_records import CheckedRecords
from lookalike.flow.compare_records import ComparedRecords
from lookalike.flow.explain_records import ExplainedRecords
from lookalike.flow.explore.linked import LinkedExploration, LinkedPoint
from lookalike.flow.linked_release import LinkedRelease
from lookalike.flow.release_records import PublishedRecords
from lookalike.shell.views.check import show_preflight
from lookalike.shell.views.printing import begin_table, fold, percent
from lookalike.shell.views.release import point_to_report
from lookalike.shown_text import count_rows, escape_controls
from lookalike.spec.fields import name_units
from lookalike.spec.record_fields import describe_knows


@group()
def show_records(made: PublishedRecords) -> Iterator[RenderableType]:
    """Show a release of linked tables, its pre-flight, and where it was published."""
    release = made.release
    yield _show_levels(release)
    yield from map(fold, _list_sentences(release, made))
    yield from show_preflight(release.preflight, dry=not made.files)
    if made.files:
        names = ", ".join(escape_controls(one.name) for one in made.files)
        folder = escape_controls(str(made.files[0].parent))
        yield fold(f"Published in {folder}: {names}.", style="bold green")
        yield from point_to_report(made.report, release.specification.release)
    else:
        yield fold("Nothing was written.")


@group()
def show_explained_records(plan: ExplainedRecords) -> Iterator[RenderableType]:
    """Show how many combinations of records are counted, and the memory that they need."""
    for name, rows in plan.rows.items():
        knows = plan.knows[name]
        known = "" if knows is None else f"; {describe_knows(knows)} may be known"
        many = "" if knows is None else f", at most {plan.most_records[name]:,} of a {plan.unit}"
        yield fold(f"{escape_controls(name)}: {rows:,} rows{many}{known}.")
    parts = plan.megabytes > plan.available_megabytes
    yield fold(
        f"Counting one vector lists up to {plan.combinations:,} combinations of the records of "
        f"{plan.persons:,} {name_units(plan.unit)}: together about {plan.megabytes:,} MiB of the "
        f"{plan.available_megabytes:,} MiB that may be used"
        f"{', so they are listed in parts, which takes longer' if parts else ''}."
    )
    yield fold(f"The search is {plan.method} over at most {plan.vectors:,} vectors.")
    if plan.refused is not None:
        yield fold(f"Refused: {plan.refused}.", style="bold red")
    yield "Nothing was searched or written."


def _show_levels(release: LinkedRelease) -> Table:
    """Show the level of each attribute of each table."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("Table", "Attribute", "Level", "Of"):
        table.add_column(heading, justify="right" if heading in ("Level", "Of") else "left")
    for source in release.sources.tables:
        heights = source.linked.frequency.heights
        levels = release.levels[source.name].items()
        for (name, level), height in zip(levels, heights, strict=True):
            shown = map(escape_controls, (source.name, name))
            table.add_row(*shown, str(level), str(height))
    return table


def _list_sentences(release: LinkedRelease, made: PublishedRecords) -> Iterator[str]:
    """List what the release does, in sentences."""
    certificate = made.certificate or release.certificate
    gone, units = release.persons_suppressed, certificate.units
    left_out = "" if not gone else f"; {gone:,} left out, because what may be known of them is rare"
    yield f"{release.persons_out:,} of {release.persons_in:,} {units} are released{left_out}."
    for name, rows in release.rows_out.items():
        share = release.precision_by_table[name]
        precision = "" if share is None else f", precision {share:.4f}"
        gone = release.rows_dropped[name]
        dropped = "" if not gone else f"; {count_rows(gone)} of released {units} left out"
        yield f"{name}: {rows:,} of {release.rows_in[name]:,} rows{precision}{dropped}."
    proved = "proved the best" if release.optimal else "not proved the best"
    yield (
        f"Precision {release.overall_precision:.4f}, loss {release.loss:.4f}; {proved} "
        f"({release.specification.release.method})."
    )
    yield certificate.statement.partition(". ")[0] + "."
    yield f"Recounted: the rarest knowledge is that of {certificate.k_reached:,} {units}."


@group()
def show_checked_records(checked: CheckedRecords) -> Iterator[RenderableType]:
    """Show whether tables keep the promise as they are, and who is rare in them."""
    units = name_units(checked.unit)
    verdict, style = ("keep", "bold green") if checked.holds else ("do not keep", "bold red")
    kept = f"The tables {verdict} the promise as they are: k = {checked.k_asked:,}."
    yield fold(kept, style=style)
    yield fold(f"What may be known: {escape_controls(checked.known)}.")
    yield fold(f"The rarest of it is that of {checked.k:,} of {checked.persons:,} {units}.")
    for number, what in (
        (checked.unique_persons, f"alone with something that may be known of a {checked.unit}"),
        (checked.persons_below_k, f"fewer than {checked.k_asked:,} who share it"),
        (checked.persons_left_out, "to be left out, unless values are generalized"),
    ):
        share = percent(number / checked.persons) if checked.persons else "–"
        yield fold(f"{number:,} {units} ({share}): {what}.")


@group()
def show_known(found: LinkedExploration) -> Iterator[RenderableType]:
    """Show what is kept and who is left out, by how many records may be known."""
    done = [one for one in found.points if one.error is None]
    if found.varied:
        yield fold(
            f"knows: how many records of a {found.unit} may be known ({', '.join(found.varied)})"
        )
    yield _show_points(found, done)
    for point in found.points:
        if point.error is not None:
            yield fold(f"k = {point.k:,}, knows = {found.label(point)}: {point.error}.")
    for k in dict.fromkeys(one.k for one in done):
        points = [one for one in done if one.k == k]
        levels = {f"knows {found.label(one)}": one.levels or {} for one in points}
        yield _show_all_levels(f"levels, k = {k:,}", levels)
    asked = ", ".join(f"{name} {known}" for name, known in found.asked.items())
    yield fold(f"The specification asks for knows: {asked}.")
    if found.left:
        yield fold(f"{found.left:,} more were not reached in time (--time-limit).", style="bold")


def _show_points(found: LinkedExploration, points: Sequence[LinkedPoint]) -> Table:
    """Show a line for each release."""
    tables = [*(points[0].precision_by_table or {})] if points else []
    table = begin_table("k", "knows", "left out", "precision", *tables, text=2)
    for one in points:
        gone, released = one.persons_suppressed or 0, one.persons_out or 0
        shares = [one.precision, *(one.precision_by_table or {}).values()]
        measures = _write_measures(gone, released, shares)
        table.add_row(f"{one.k:,}", found.label(one), *measures)
    return table


def _write_measures(gone: int, released: int, shares: Sequence[float | None]) -> list[str]:
    """Write how many persons are left out, and the precision of all tables and of each."""
    share = percent(gone / (gone + released))
    shown = ("–" if one is None else f"{one:.4f}" for one in shares)
    return [f"{gone:,} ({share})", *shown]


def _show_all_levels(title: str, releases: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Table:
    """Show the level of each attribute, a column for each release."""
    table = begin_table(title, *releases, text=1)
    first = next(iter(releases.values()))
    for name, levels in first.items():
        for attribute in levels:
            shown = [str(one[name][attribute]) for one in releases.values()]
            table.add_row(escape_controls(f"{name}.{attribute}"), *shown)
    return table


@group()
def show_compared_records(compared: Sequence[ComparedRecords]) -> Iterator[RenderableType]:
    """Show the result of each method on the same linked tables."""
    made = {one.method: one.release for one in compared if one.release is not None}
    if made:
        first = next(iter(made.values()))
        headings = ("left out", "precision", *first.precision_by_table, "seconds")
        table = begin_table("method", *headings, text=1)
        for method, one in made.items():
            shares = [one.overall_precision, *one.precision_by_table.values()]
            measures = _write_measures(one.persons_suppressed, one.persons_out, shares)
            table.add_row(method, *measures, f"{one.stopwatch.seconds['search']:.2f}")
        yield table
        levels = {method: one.levels for method, one in made.items()}
        yield _show_all_levels(f"levels, k = {first.requirement.k:,}", levels)
        units = name_units(first.specification.release.unit)
        yield fold(f"Left out are those of {first.persons_in:,} {units} of whom something is rare.")
    for failed in compared:
        if failed.error:
            yield fold(f"{failed.method} fails: {failed.error}.", indent="  ")
