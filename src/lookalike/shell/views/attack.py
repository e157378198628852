"""Output of ``lookalike attack`` and ``ledger attack``: results as text and as JSON."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.attack_ledger import AttackedSource
from lookalike.risk.releases.assumptions import Assumptions
from lookalike.risk.releases.attacked import (
    Attacked,
    PairAttack,
    ReleaseExposure,
    RemainingRows,
)
from lookalike.risk.releases.known_totals import TotalsAttack
from lookalike.risk.releases.linked_table import LinkedTable
from lookalike.risk.releases.row_order_attack import RowOrderAttack
from lookalike.shell.views.printing import count_rows, show_rows, write_value

MOST_EXPOSURES_SHOWN = 50
RANDOM_ORDER_ADVICE = "Release rows in random order, as lookalike does without --keep-order."
BASED_ON_ADVICE = (
    "Withdraw one of them if possible. Base the next release on the earlier one: no value more "
    "specific than before, and new rows in classes of their own."
)
REPAIR_ADVICE = (
    "Count suppressed cells as values, so that k rows have them in common: set repair = true for "
    "mu-argus, or use another method."
)
FALSE_ATTACK = (
    "From the releases alone an attack seems to leave fewer rows. It rests on a sequence of "
    "classes that nobody has, or on a wrong assumption; lookalike attack shows it."
)


def attack_as_json(attacked: Attacked, *, show: bool) -> dict[str, Any]:
    """Return what ``attack --json`` prints, on request with the exposed sequences."""
    return {
        "releases": list(attacked.releases),
        "people": attacked.people,
        "assumed": asdict(attacked.assumed),
        "holds": attacked.holds,
        "rows_exposed": attacked.rows_exposed,
        "left": [
            {**asdict(one.known), "at_least": one.at_least, "at_most": one.at_most}
            for one in attacked.left
        ],
        "columns": list(attacked.columns),
        "pairs": [_pair_as_json(attacked, pair, show=show) for pair in attacked.pairs],
        "summaries": [_summary_as_json(one, show=show) for one in attacked.summaries],
    }


def attacked_source_as_json(found: AttackedSource, *, show: bool) -> dict[str, Any]:
    """Return what ``ledger attack --json`` prints: as ``attack --json``, and the proof."""
    fields = attack_as_json(found.attacked, show=show)
    return fields | {"proved": found.proved, "same_history": found.same_history}


def show_attacked_source(found: AttackedSource, *, show: bool) -> RenderableType:
    """Show what the ledger proves about all releases of a source, and what attacks find."""
    least = found.same_history
    if not found.proved:
        share = "shares" if least == 1 else "share"
        line = Text(
            f"Not proved by the ledger: only {count_rows(least)} {share} a history.", "yellow"
        )
        return Group(line, "From the releases alone:", show_attack(found.attacked, show=show))
    line = Text(
        f"Proved by the ledger: at least {count_rows(least)} share every history. Anyone who "
        "has all releases and knows everyone's quasi-identifier, who was in the source, and whose "
        f"record changed in which column is left with at least {least:,} rows for each person, and "
        "as many persons for each row.",
        "green",
    )
    if not found.attacked.holds:
        return Group(line, Text(FALSE_ATTACK))
    return Group(line, "From the releases alone:", show_attack(found.attacked, show=show))


def _pair_as_json(attacked: Attacked, pair: PairAttack, *, show: bool) -> dict[str, Any]:
    """Return the results of the attacks on two releases."""
    linked = [
        {
            "quasi_identifier": one.known.name,
            "k": one.k,
            "sequences": one.sequences,
            "sequences_below_k": len(one.exposed),
            "somebody_for_certain": one.exposed.number_certain,
            "not_decided": one.exposed.number_undecided,
            "rows_exposed": [one.left_exposed, one.right_exposed],
        }
        | ({"exposed": [asdict(e) for e in attacked.exposures(pair, one)]} if show else {})
        for one in pair.linked
    ]
    return {
        "releases": [pair.left, pair.right],
        "attack": pair.kind,
        "linked": linked,
        "unsorted": [{**asdict(one), "works": one.works} for one in pair.unsorted],
    }


def _summary_as_json(summary: TotalsAttack, *, show: bool) -> dict[str, Any]:
    """Return the result of an attack with known totals."""
    fields = asdict(summary) | {"cells": summary.cells}
    return fields if show else {name: v for name, v in fields.items() if name != "inferred"}


def show_attack(attacked: Attacked, *, show: bool) -> RenderableType:
    """Show how many rows remain, the result of each attack, and advice."""
    lines: list[RenderableType] = [_verdict(one) for one in attacked.left]
    if len(attacked.releases) > 1:
        lines.append(Text(_state_assumptions(attacked.assumed)))
        lines.append(Text(f"Linked table of {', '.join(attacked.columns)}."))
    advice: dict[str, None] = {}
    for pair in attacked.pairs:
        lines.extend(_show_pair(attacked, pair, advice, show=show))
    for summary in attacked.summaries:
        lines.extend(_show_summary(summary, advice, show=show))
    return Group(*lines, *(Text(f"→ {line}") for line in advice))


def _verdict(left: RemainingRows) -> Text:
    """State in one sentence how many rows remain possible for a person."""
    over, k = ", ".join(left.known.attributes), left.known.k
    if left.at_least is None:
        return Text("The releases are empty.")
    if left.broken:
        return Text(
            f"An attack was found: anyone who knows {over} of a person may be left with "
            f"{count_rows(left.at_most)}, fewer than k = {k}.",
            style="bold red",
        )
    if left.holds:
        return Text(
            f"No attack was found in this model: anyone who knows {over} of a person is left with "
            f"at least {count_rows(left.at_least)} (k = {k}).",
            style="bold green",
        )
    return Text(
        f"Not decided: no attack was found that leaves anyone who knows {over} fewer than k = {k} "
        f"rows, but in this model no more than {count_rows(left.at_least)} are certain to remain.",
        style="bold yellow",
    )


def _state_assumptions(assumed: Assumptions) -> str:
    """State what the model assumes, and which assumptions the releases contradict."""
    same = ", ".join(assumed.unchanged)
    unchanged = f"that nobody's {same} changed, " if same else ""
    statement = (
        f"The model assumes that the releases are about {assumed.people:,} people, {unchanged}and "
        "that nobody knows whose record changed, who came and who left."
    )
    if assumed.people > assumed.people_asked:
        statement += (
            f" {assumed.people_asked:,} people cannot have given these rows: some left and others "
            "came, or their records changed."
        )
    if assumed.changed:
        statement += f" Not used, because too few rows agree there: {', '.join(assumed.changed)}."
    return statement


def _show_pair(
    attacked: Attacked, pair: PairAttack, advice: dict[str, None], *, show: bool
) -> Iterator[RenderableType]:
    """Show the result of linking two releases, by values and by position."""
    yield Text()
    yield Text(f"{pair.left} with {pair.right}", style="bold")
    for linked in pair.linked:
        several = f" over {linked.known.name}" if len(pair.linked) > 1 else ""
        yield Text(f"  {pair.kind} attack{several}: {_state_linked(pair, linked)}")
        if len(linked.exposed):
            advice[BASED_ON_ADVICE] = None
            if show:
                yield from _show_exposed(attacked, pair, linked)
    for one in pair.unsorted[:1]:
        yield Text(f"  unsorted matching attack: {_state_unsorted(one)}")
        if one.works and one.rows_exposed:
            advice[RANDOM_ORDER_ADVICE] = None


def _state_linked(pair: PairAttack, linked: LinkedTable) -> str:
    """State how many rows remain after linking by values."""
    if linked.k is None:
        return "there are no rows"
    possible = (
        f"{linked.sequences:,} sequences of classes are possible, the smallest left with "
        f"{count_rows(linked.k)}"
    )
    if not len(linked.exposed):
        return f"{possible}."
    number = linked.exposed.number_undecided
    undecided = f", {number:,} not decided" if number else ""
    return (
        f"{possible}; {len(linked.exposed):,} with fewer than {linked.known.k}, "
        f"{linked.exposed.number_certain:,} of them certain to exist{undecided}. "
        f"{count_rows(linked.left_exposed)} of {pair.left} and {linked.right_exposed:,} of "
        f"{pair.right} are exposed."
    )


def _state_unsorted(one: RowOrderAttack) -> str:
    """State the result of linking by position."""
    if one.compatible < one.positions:
        return "rows in the same position do not match, so the order reveals nothing."
    if not one.works:
        return "rows in the same position match, but they would in any order."
    return (
        f"all {one.positions:,} rows match by position, which is no coincidence; combined, the "
        f"smallest class has {count_rows(one.k)}, and {count_rows(one.rows_exposed)} are exposed."
    )


def _show_exposed(
    attacked: Attacked, pair: PairAttack, linked: LinkedTable
) -> Iterator[RenderableType]:
    """List exposed sequences as rows of the linked table."""
    shown = attacked.exposures(pair, linked)[:MOST_EXPOSURES_SHOWN]
    columns = [*linked.known.attributes, f"in {pair.left}", f"in {pair.right}", "exists"]
    yield show_rows(columns, (_write_exposure(one, linked) for one in shown))
    if len(linked.exposed) > len(shown):
        yield Text(f"  and {len(linked.exposed) - len(shown):,} more")


def _write_exposure(one: ReleaseExposure, linked: LinkedTable) -> list[str]:
    """Write an exposed sequence and its number of remaining rows."""
    values = [one.values.get(name) for name in linked.known.attributes]
    rows = ["not" if number is None else f"{number:,}" for number in one.rows]
    certain = {True: "certainly", False: "perhaps", None: "not decided"}[one.certain]
    return [*map(write_value, values), *rows, certain]


def _show_summary(
    summary: TotalsAttack, advice: dict[str, None], *, show: bool
) -> Iterator[RenderableType]:
    """Show which values follow from known totals."""
    yield Text()
    yield Text(f"{summary.release} with {summary.totals}", style="bold")
    of = ", ".join(summary.columns)
    if not summary.cells:
        yield Text(f"  summary attack: no hidden value of {of} follows.")
        return
    follow = "value follows" if summary.cells == 1 else "values follow"
    exposed = "is" if summary.rows_exposed == 1 else "are"
    yield Text(
        f"  summary attack: {summary.cells:,} hidden {follow} from totals of {of}; "
        f"{count_rows(summary.rows_exposed)} {exposed} exposed."
    )
    if show:
        cells = [
            [one.column, write_value(one.shown), write_value(one.value), f"{one.cells:,}"]
            for one in summary.inferred
        ]
        yield show_rows(["column", "shows", "is", "cells"], cells)
    if summary.rows_exposed:
        advice[REPAIR_ADVICE] = None
