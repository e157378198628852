"""Draw a release for a notebook: what is kept of each attribute, and figures; no row."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lookalike.describe.attributes import AttributeFigures, describe_attributes
from lookalike.describe.bound import describe_unsafe
from lookalike.hierarchy.html_table import HtmlCell, ShareBar, write_html_notes, write_html_table
from lookalike.spec.fields import name_units

if TYPE_CHECKING:
    from lookalike.flow.linked_release import LinkedRelease
    from lookalike.flow.result import Release


def draw_release(release: "Release") -> str:
    """Draw what a release keeps of each attribute, and its figures."""
    method, k = release.specification.release.method, release.plan.requirement.largest_k
    caption = f"Release of {release.plan.rows_out:,} rows by {method}, k = {k:,}"
    headings = ["attribute", "hierarchy", "kept", "values before", "values after", "level", "of"]
    lines = [_list_figures(one) for one in describe_attributes(release.specification, release.plan)]
    return write_html_table(caption, headings, lines) + write_html_notes(*_list_sentences(release))


def _list_figures(one: AttributeFigures) -> list[HtmlCell]:
    """Return the figures of an attribute."""
    low, high = one.levels or (None, None)
    level: HtmlCell = low if low == high else f"{low} to {high}"
    values = (one.values_before, one.values_after)
    return [one.attribute, one.hierarchy, ShareBar(one.kept), *values, level, one.height]


def _list_sentences(release: "Release") -> Iterator[str]:
    """Yield what is lost and kept altogether."""
    measures, recoding = release.measures, release.recoding
    gone = recoding.rows_suppressed + recoding.rows_complementary
    if not release.safe:
        yield f"NOT k-anonymous: {describe_unsafe(release.plan, release.measures)}."
    yield (
        f"{gone:,} of {release.plan.frequency.rows:,} rows suppressed; {measures.classes:,} "
        f"classes of at least {measures.smallest_class:,} rows, {release.mean_class_size:,.1f} "
        "rows on average."
    )
    proved = ", proved to be the best possible" if release.is_optimal else ""
    yield f"Precision {measures.precision:.4f}{proved}."


def draw_linked_release(release: "LinkedRelease") -> str:
    """Draw the rows of each linked table, the levels of its attributes, and who is left out."""
    out, before, gone = release.rows_out, release.rows_in, release.persons_suppressed
    asked, precision = release.specification.release, release.precision_by_table
    tables: list[list[HtmlCell]] = [
        [name, before[name], out[name], None if kept is None else ShareBar(kept)]
        for name, kept in precision.items()
    ]
    levels: list[list[HtmlCell]] = [
        [source.name, name, level, height]
        for source in release.sources.tables
        for (name, level), height in zip(
            release.levels[source.name].items(), source.linked.frequency.heights, strict=True
        )
    ]
    caption = f"Release of linked tables by {asked.method}, k = {release.requirement.k:,}"
    proved = ", proved to be the best possible" if release.optimal else ""
    return (
        write_html_table(caption, ["table", "rows before", "released", "precision"], tables)
        + write_html_table("Levels", ["table", "attribute", "level", "of"], levels)
        + write_html_notes(
            f"{gone:,} of {release.persons_in:,} {name_units(asked.unit)} left out with all rows.",
            f"Precision {release.overall_precision:.4f}{proved}.",
        )
    )
