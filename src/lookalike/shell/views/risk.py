"""Output of ``lookalike risk``: of a table, its quasi-identifiers, or the exposure of a release."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType, group
from rich.markup import escape
from rich.text import Text

from lookalike.risk.table.assess import Risk
from lookalike.risk.table.attacker_risk import AttackerRisk
from lookalike.risk.table.diversity import Diversity
from lookalike.risk.table.exposure import Exposure
from lookalike.risk.table.presence import Presence
from lookalike.risk.table.propose import Proposal
from lookalike.risk.table.uniqueness import SizeBand, Uniqueness
from lookalike.shell.views.budget import show_budget
from lookalike.shell.views.printing import (
    EMPTY_TABLE,
    begin_table,
    fold,
    percent,
    show_rows,
    write_value,
)

if TYPE_CHECKING:  # a release of one table needs none of it
    from lookalike.risk.table.records import RecordRisk

SIDE_BY_SIDE = 3
"""How many sensitive attributes a table of 80 columns has room for."""


@group()
def show_risk(risk: Risk, most: int) -> Iterator[RenderableType]:
    """Show who can be re-identified, by which attributes, and what classes disclose."""
    if not risk.whole.rows:
        yield Text(EMPTY_TABLE)
        return
    for line in risk.warnings:
        yield Text(f"! {line}", style="bold red")
    if not risk.warnings:
        calm = f"Nobody stands out: every class has at least {risk.k:,} {risk.unit}."
        yield Text(calm, "bold green")
    yield _show_subsets(risk)
    if risk.singling_out:
        named = _write_sets(risk.singling_out, most=5)
        yield escape(f"Smallest subsets that single out a row: {named}.")
    yield _show_sizes(risk)
    yield _show_odds(risk)
    yield from _show_sensitive(risk)
    yield from show_budget(risk.budget)
    if most:
        yield _show_classes(risk, most)


@group()
def show_record_risk(risk: "RecordRisk") -> Iterator[RenderableType]:
    """Show how many persons are singled out, by how many of their records are known."""
    if not risk.persons:
        yield Text(EMPTY_TABLE)
        return
    for line in risk.warnings:
        yield Text(f"! {line}", style="bold red")
    rows = []
    for one in risk.known if risk.attributes else risk.known[1:]:
        figures = [(many, risk.share(many)) for many in (one.unique_persons, one.persons_below_k)]
        rows.append([risk.describe(one), *(t for n, s in figures for t in (f"{n:,}", percent(s)))])
    yield show_rows(["known of a person", *_UNIQUE, f"below {risk.k:,}", "share"], rows, text=1)
    known = " and ".join(risk.record_columns) or "only that it exists"
    yield fold(
        f"{risk.persons:,} persons have {risk.rows:,} records, at most {risk.most_records:,} each. "
        f"What is known of a record: {known}. "
        "A person is unique if some choice of so many of their records, with the other columns, "
        f"fits nobody else, and below {risk.k:,} if some choice fits fewer than {risk.k:,} persons."
    )


def _show_subsets(risk: Risk) -> RenderableType:
    """Show the subset of each size with the most unique rows, and the whole."""
    headings = ["known of a person", "classes", *_UNIQUE, f"below {risk.k:,}", "share"]
    rows = [
        [", ".join(one.attributes), f"{one.classes:,}", *_write_unique(one)]
        for one in risk.worst_subsets
    ]
    return show_rows(headings, rows, text=1)


_UNIQUE = ("unique", "share")


def _write_unique(one: Uniqueness) -> list[str]:
    """Write how many rows are unique, and how many are in small classes."""
    unique = [f"{one.unique_rows:,}", percent(one.unique_share)]
    return [*unique, f"{one.rows_below_k:,}", percent(one.share_below_k)]


def _show_sizes(risk: Risk) -> RenderableType:
    """Show the number of classes and rows by class size."""
    rows = [
        [_write_band(band), f"{band.classes:,}", f"{band.rows:,}", percent(band.share)]
        for band in risk.size_bands
    ]
    return show_rows([f"{risk.unit} in a class", "classes", risk.unit, "share"], rows, text=0)


def _write_band(band: SizeBand) -> str:
    """Write a range of class sizes."""
    if band.high is None:
        return f"{band.low:,}–"
    return f"{band.low:,}" if band.high == band.low else f"{band.low:,}–{band.high:,}"


def _show_odds(risk: Risk) -> RenderableType:
    """Show the probability that each of three kinds of attackers is right."""
    table = begin_table(
        "attacker", "knows", "at most", "average", f"{risk.unit} above 1/{risk.k:,}", text=2
    )
    table.add_row("prosecutor", "who is in the table", *_odds(risk.prosecutor))
    people = "the people of the table"
    if risk.journalist is not None and risk.population is not None:
        people = f"a population of {risk.population.persons:,}"
        table.add_row("journalist", people, *_odds(risk.journalist))
    table.add_row("marketer", people, "–", f"{risk.marketer:.4f}", "–")
    return table


def _odds(odds: AttackerRisk) -> tuple[str, str, str]:
    """Write the probability that an attacker is right."""
    return f"{odds.highest:.4f}", f"{odds.average:.4f}", f"{odds.rows_at_risk:,}"


def _show_sensitive(risk: Risk) -> Iterator[RenderableType]:
    """Show what the worst class discloses of the sensitive attributes, a few side by side."""
    for first in range(0, len(risk.sensitive), SIDE_BY_SIDE):
        some = risk.sensitive[first : first + SIDE_BY_SIDE]
        columns = [_write_figures(one) for one in some]
        rows = [[name, *(column[name] for column in columns)] for name in columns[0]]
        yield show_rows(["the worst class of", *(one.attribute for one in some)], rows, text=1)


def _write_figures(one: Diversity) -> dict[str, str]:
    """Write the figures of a sensitive attribute."""
    found = one.figures
    return {
        "values in the table": f"{one.different:,}",
        "classes with one value": f"{one.homogeneous_classes:,}",
        "rows in them": f"{one.homogeneous_rows:,}",
        "largest share α": _write_figure(found.alpha),
        "distinct l": f"{found.distinct_l:,}",
        "entropy l": f"{found.entropy_l:.2f}",
        "recursive c, for this distinct l": _write_figure(found.recursive_c),
        "distance of values": one.distance,
        "t": _write_figure(found.t),
        "β": _write_figure(found.beta),
        "enhanced β": _write_figure(found.enhanced_beta),
        "δ": _write_figure(found.delta),
        "δ of the values in the class": _write_figure(found.delta_present),
    }


def _write_figure(figure: float | None) -> str:
    """Write a figure; if it is infinite, no parameter satisfies the protection."""
    return "none" if figure is None else f"{figure:,.4f}"


def _show_classes(risk: Risk, most: int) -> RenderableType:
    """Show the smallest classes, with their values."""
    sensitive = [one.attribute for one in risk.sensitive]
    headings = [f"{what} of {name}" for name in sensitive for what in ("l", "entropy l", "t")]
    rows = []
    for line in risk.show(most):
        numbers = [
            text
            for one in line["sensitive"].values()
            for text in (f"{one['distinct_l']:,}", f"{one['entropy_l']:.2f}", f"{one['t']:.4f}")
        ]
        values = map(write_value, line["values"].values())
        rows.append([*values, f"{line[risk.unit]:,}", *numbers])
    known = risk.quasi_identifier
    return show_rows([*known, risk.unit, *headings], rows, text=len(known))


NAMES_WIDTH = 38
MOST_SETS_SHOWN = 20


@group()
def show_proposal(proposal: Proposal, table: str) -> Iterator[RenderableType]:
    """Show which sets of columns single out rows, and the next command to run."""
    if not proposal.rows:
        yield Text(EMPTY_TABLE)
        return
    rows = f"{percent(proposal.share)} of the" if proposal.share else "one of the"
    many = f"{rows} {proposal.rows:,} rows or more"
    if proposal.quasi_identifiers:
        yield fold(
            f"Proposed minimal quasi-identifiers: sets of up to {proposal.size} columns that "
            f"single out {many}; no subset of such a set does."
        )
        yield _show_sets(proposal)
    else:
        yield fold(f"No set of up to {proposal.size} columns singles out {many}.")
    if proposal.keys:
        named = _write_sets(proposal.keys, MOST_SETS_SHOWN)
        yield fold(f"Minimal unique keys, which distinguish all rows: {named}.")
    else:
        yield fold(
            f"No unique key: no set of up to {proposal.size} columns distinguishes all rows."
        )
    yield from map(fold, _state_extent(proposal))
    if proposal.linkable:
        columns = shlex.quote(",".join(proposal.linkable))
        yield fold("Decide which of these columns others may know, then measure their risk:")
        yield Text(f"lookalike risk {shlex.quote(table)} -q {columns}")


def _show_sets(proposal: Proposal) -> RenderableType:
    """Show the minimal quasi-identifiers with the rows that each singles out."""
    rows = []
    for one in proposal.quasi_identifiers[:MOST_SETS_SHOWN]:
        names = textwrap.fill(", ".join(one.attributes), NAMES_WIDTH, break_long_words=False)
        rows.append([names, *_write_unique(one)])
    hidden = len(proposal.quasi_identifiers) - MOST_SETS_SHOWN
    if hidden > 0:
        rows.append([f"… and {hidden:,} more: see --json", "", "", "", ""])
    return show_rows(["columns", *_UNIQUE, f"below {proposal.k:,}", "share"], rows, text=1)


def _write_sets(sets: Sequence[Uniqueness], most: int) -> str:
    """Write the columns of some sets."""
    named = "; ".join(", ".join(one.attributes) for one in sets[:most])
    return f"{named}; and {len(sets) - most:,} more" if len(sets) > most else named


def _state_extent(proposal: Proposal) -> Iterator[str]:
    """State how many sets were counted, and which were not."""
    columns = len(proposal.columns)
    yield f"{proposal.counted:,} sets of the {columns:,} columns were counted."
    if not proposal.complete:
        yield (
            f"Incomplete: {proposal.not_counted:,} more sets, and larger ones that contain them, "
            "were not counted, because the table is large. There may be more quasi-identifiers; "
            "use a smaller --size, or --where to select part of the rows."
        )
    elif proposal.size < columns:
        yield f"Sets of more than {proposal.size} columns were not counted; see --size."


def state_exposure(found: Exposure) -> Iterator[str]:
    """State the exposure of a release."""
    if not found.cells:
        yield "Exposure 0: no class shows more than its values."
        return
    worst = found.announcements[0]
    yield (
        f"Exposure {found.greatest_gain:.4f} (mean {found.mean_gain:.4f}), greatest where "
        f"{worst.attribute} is {write_value(worst.value)}; a finer value is certain for some row "
        f"in {percent(found.certain_share)} of the generalized cells."
    )


@group()
def show_exposure(found: Exposure, most: int) -> Iterator[RenderableType]:
    """Show what a release shows beyond its values, and the values that announce most."""
    yield from map(fold, _explain_exposure(found))
    if found.announcements:
        yield _show_announcements(found, most)
    if found.announcements and found.greatest_gain:
        worst = found.announcements[0]
        more = "raise decoys" if found.decoys else "set decoys = 0.02"
        yield fold(
            f"To lower it, change the hierarchy of {worst.attribute} so that several frequent "
            f"values lie below {write_value(worst.value)}, raise k, or {more}."
        )
    if found.presence is not None:
        yield from map(fold, _state_presence(found.presence))


def _explain_exposure(found: Exposure) -> Iterator[str]:
    """Explain the figures of an exposure, or why a release shows nothing beyond its values."""
    if not found.cells:
        yield (
            "Exposure 0. No cell is above its least level: the level of a cell does not depend on "
            "its class, so a class shows nothing beyond its values."
        )
        return
    yield (
        f"Exposure {found.greatest_gain:.4f}: to a reader who knows the method, a value of a row "
        "becomes at most so much more likely than it is by its frequency "
        f"(mean {found.mean_gain:.4f} over {found.cells:,} generalized cells)."
    )
    yield (
        f"In {percent(found.certain_share)} of these cells a finer value is certain for some row "
        f"of the class. Classes show {found.bits:.2f} bits per generalized row beyond their values."
    )
    if found.decoys:
        yield f"Decoys, drawn with probability {found.decoys:g}, are taken into account."


def _show_announcements(found: Exposure, most: int) -> RenderableType:
    """Show the released values that make a rarer value below them more likely."""
    rows = []
    for one in [one for one in found.announcements if one.gain][:most]:
        labels = [one.attribute, write_value(one.value), write_value(one.child)]
        sure = "yes" if one.certain else ""
        rows.append([*labels, sure, f"{one.gain:.4f}", f"{one.classes:,}"])
    headings = ["attribute", "released", "announces", "sure", "gain", "classes"]
    return show_rows(headings, rows, text=4)


def _state_presence(presence: Presence) -> Iterator[str]:
    """State how likely people of the population are in the table."""
    yield (
        f"Presence, with a population of {presence.people:,} people: a member is in its class with "
        f"{presence.mean_after:.3f} on average ({presence.mean_before:.3f} for a reader who does "
        f"not know the method), at most {presence.greatest:.3f}; {presence.nearly_certain:,} of "
        f"{presence.classes:,} classes have a candidate with 0.9 or more."
    )
    if presence.classes_left_out:
        yield (
            f"{presence.classes_left_out:,} classes were not counted: the population has fewer "
            "candidates than they have rows, or too many of their cells are generalized."
        )
