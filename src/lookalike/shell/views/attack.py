"""How attacks on a set of releases are shown to a person, and as JSON to a program."""

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
from lookalike.shell.views.release import show_rows

MOST_SHOWN = 50
MISSING = "(missing)"
ORDER = "Release rows in random order, as lookalike does without --keep-order."
BASE = (
    "Withdraw one of them if you can. Base the next release on the earlier one: no value more "
    "specific than it shows, and new rows in classes of their own."
)
CLASSES = (
    "Let suppressed cells count as values, so that k rows have them in common: repair = true for "
    "mu-argus, or another method."
)

MISTAKEN = (
    "From the releases alone an attack seems to leave fewer rows. It rests on a sequence of "
    "classes that nobody has, or on an assumption that is wrong; lookalike attack shows it."
)


def attack_as_json(attacked: Attacked, *, show: bool) -> dict[str, Any]:
    """Return what ``attack --json`` prints; exposed sequences only if they are to be shown."""
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
    """Return what ``ledger attack --json`` prints: what ``attack --json`` does, and the proof."""
    told = attack_as_json(found.attacked, show=show)
    return told | {"proved": found.proved, "same_history": found.same_history}


def show_attacked_source(found: AttackedSource, *, show: bool) -> RenderableType:
    """Tell what the ledger proves of all releases of a source, and what attacks on them find."""
    least = found.same_history
    if not found.proved:
        share = "shares" if least == 1 else "share"
        line = Text(f"Not proved by the ledger: only {_rows(least)} {share} a history.", "yellow")
        return Group(line, "From the releases alone:", show_attack(found.attacked, show=show))
    line = Text(
        f"Proved by the ledger: at least {_rows(least)} share every history. Whoever has all "
        "releases and knows everyone's quasi-identifier, who was in the source, and whose record "
        f"changed in which column is left with at least {least:,} rows for each person, and as "
        "many persons for each row.",
        "green",
    )
    if not found.attacked.holds:
        return Group(line, Text(MISTAKEN))
    return Group(line, "From the releases alone:", show_attack(found.attacked, show=show))


def _pair_as_json(attacked: Attacked, pair: PairAttack, *, show: bool) -> dict[str, Any]:
    """Return what is told of two releases."""
    linked = [
        {
            "quasi_identifier": one.known.name,
            "k": one.k,
            "sequences": one.sequences,
            "sequences_below_k": len(one.exposed),
            "somebody_for_certain": int(one.exposed.certain.sum()),
            "not_decided": int((~one.exposed.decided).sum()),
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
    """Return what is told of totals."""
    told = asdict(summary) | {"cells": summary.cells}
    return told if show else {name: value for name, value in told.items() if name != "inferred"}


def show_attack(attacked: Attacked, *, show: bool) -> RenderableType:
    """Say whether k are left, what each attack came to, and what to do."""
    lines: list[RenderableType] = [_verdict(one) for one in attacked.left]
    if len(attacked.releases) > 1:
        lines.append(Text(_tell_assumed(attacked.assumed)))
        lines.append(Text(f"Linked table of {', '.join(attacked.columns)}."))
    advice: dict[str, None] = {}
    for pair in attacked.pairs:
        lines.extend(_show_pair(attacked, pair, advice, show=show))
    for summary in attacked.summaries:
        lines.extend(_show_summary(summary, advice, show=show))
    return Group(*lines, *(Text(f"→ {line}") for line in advice))


def _verdict(left: RemainingRows) -> Text:
    """Say in one sentence how many rows are left to somebody who is looked for."""
    over, k = ", ".join(left.known.attributes), left.known.k
    if left.at_least is None:
        return Text("The releases have no rows, so they tell of nobody.")
    if left.broken:
        return Text(
            f"An attack was found: whoever knows {over} of a person may be left with "
            f"{_rows(left.at_most)}, fewer than k = {k}.",
            style="bold red",
        )
    if left.holds:
        return Text(
            f"No attack was found in this model: whoever knows {over} of a person is left with at "
            f"least {_rows(left.at_least)} (k = {k}).",
            style="bold green",
        )
    return Text(
        f"Not decided: no attack was found that leaves whoever knows {over} fewer than k = {k} "
        f"rows, but in this model no more than {_rows(left.at_least)} are certain to remain.",
        style="bold yellow",
    )


def _tell_assumed(assumed: Assumptions) -> str:
    """Say what the model takes for granted, and what had to be given up."""
    same = ", ".join(assumed.unchanged)
    stays = f"that nobody's {same} changed, " if same else ""
    told = (
        f"The model assumes that the releases are about {assumed.people:,} people, {stays}and "
        "that nobody knows whose record changed, who came and who left."
    )
    if assumed.people > assumed.people_asked:
        told += (
            f" {assumed.people_asked:,} people cannot have given these rows: some left and others "
            "came, or their records changed."
        )
    if assumed.changed:
        told += f" Not used, because too few rows agree there: {', '.join(assumed.changed)}."
    return told


def _rows(number: int | None) -> str:
    """Write a number of rows."""
    return "1 row" if number == 1 else f"{number or 0:,} rows"


def _show_pair(
    attacked: Attacked, pair: PairAttack, advice: dict[str, None], *, show: bool
) -> Iterator[RenderableType]:
    """Tell what linking two releases gives, by values and by position."""
    yield Text()
    yield Text(f"{pair.left} with {pair.right}", style="bold")
    for linked in pair.linked:
        several = f" over {linked.known.name}" if len(pair.linked) > 1 else ""
        yield Text(f"  {pair.kind} attack{several}: {_tell_linked(pair, linked)}")
        if len(linked.exposed):
            advice[BASE] = None
            if show:
                yield from _show_exposed(attacked, pair, linked)
    for one in pair.unsorted[:1]:
        yield Text(f"  unsorted matching attack: {_tell_unsorted(one)}")
        if one.works and one.rows_exposed:
            advice[ORDER] = None


def _tell_linked(pair: PairAttack, linked: LinkedTable) -> str:
    """Say what linking by values leaves."""
    if linked.k is None:
        return "there are no rows"
    told = (
        f"{linked.sequences:,} sequences of classes are possible, the smallest left with "
        f"{_rows(linked.k)}"
    )
    if not len(linked.exposed):
        return f"{told}."
    certain = int(linked.exposed.certain.sum())
    open_ = int((~linked.exposed.decided).sum())
    undecided = f", {open_:,} not decided" if open_ else ""
    return (
        f"{told}; {len(linked.exposed):,} with fewer than {linked.known.k}, {certain:,} of them "
        f"somebody's for certain{undecided}. {_rows(linked.left_exposed)} of {pair.left} and "
        f"{linked.right_exposed:,} of {pair.right} are exposed."
    )


def _tell_unsorted(one: RowOrderAttack) -> str:
    """Say what linking by position gives."""
    if one.compatible < one.positions:
        return "rows in the same position do not fit, so the order tells nothing."
    if not one.works:
        return "rows in the same position fit, but so they would in any order."
    return (
        f"all {one.positions:,} rows fit by their position, which is no chance; the smallest class "
        f"of what they tell together has {_rows(one.k)}, and {_rows(one.rows_exposed)} are exposed."
    )


def _show_exposed(
    attacked: Attacked, pair: PairAttack, linked: LinkedTable
) -> Iterator[RenderableType]:
    """Show exposed sequences as rows of the linked table."""
    shown = attacked.exposures(pair, linked)[:MOST_SHOWN]
    columns = [*linked.known.attributes, f"in {pair.left}", f"in {pair.right}", "somebody's"]
    yield show_rows(columns, (_write_exposure(one, linked) for one in shown))
    if len(linked.exposed) > len(shown):
        yield Text(f"  and {len(linked.exposed) - len(shown):,} more")


def _write_exposure(one: ReleaseExposure, linked: LinkedTable) -> list[str]:
    """Write an exposed sequence and how many rows it is left with."""
    values = [one.values.get(name) for name in linked.known.attributes]
    rows = ["not" if number is None else f"{number:,}" for number in one.rows]
    certain = {True: "for certain", False: "perhaps", None: "not decided"}[one.certain]
    return [*(MISSING if value is None else value for value in values), *rows, certain]


def _show_summary(
    summary: TotalsAttack, advice: dict[str, None], *, show: bool
) -> Iterator[RenderableType]:
    """Tell what totals give away."""
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
        f"{_rows(summary.rows_exposed)} {exposed} exposed."
    )
    if show:
        rows = [
            [one.column, *(MISSING if v is None else v for v in (one.shown, one.value))]
            for one in summary.inferred
        ]
        numbers = [f"{one.cells:,}" for one in summary.inferred]
        cells = [[*row, number] for row, number in zip(rows, numbers, strict=True)]
        yield show_rows(["column", "shows", "is", "cells"], cells)
    if summary.rows_exposed:
        advice[CLASSES] = None
