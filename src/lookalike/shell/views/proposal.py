"""How proposed quasi-identifiers are shown to a person on a terminal, and as JSON to a program."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.propose import Proposal
from lookalike.risk.table.uniqueness import Exposure
from lookalike.shell.views.risk import exposure_as_json, percent

WIDTH = 78
NAMES_WIDTH = 38
MOST = 20


def proposal_as_json(proposal: Proposal) -> dict[str, Any]:
    """Return what ``risk --json`` prints without a quasi-identifier."""
    return {
        "rows": proposal.rows,
        "columns": list(proposal.columns),
        "k": proposal.k,
        "share": proposal.share,
        "size": proposal.size,
        "quasi_identifiers": [exposure_as_json(one) for one in proposal.quasi_identifiers],
        "unique_keys": [list(one.attributes) for one in proposal.keys],
        "linkable": list(proposal.linkable),
        "counted": proposal.counted,
        "not_counted": proposal.not_counted,
        "complete": proposal.complete,
    }


def show_proposal(proposal: Proposal, table: str) -> RenderableType:
    """Tell which sets of columns single out rows, and how to go on."""
    if not proposal.rows:
        return Text("The table has no rows, so it tells of nobody.")
    return Group(
        _fold(_say_what(proposal)),
        *([_show_sets(proposal)] if proposal.quasi_identifiers else []),
        _fold(_say_keys(proposal)),
        *(_fold(line) for line in _say_extent(proposal)),
        *_say_next(proposal, table),
    )


def _fold(line: str) -> Text:
    """Break a line so that it fits a terminal."""
    return Text(textwrap.fill(line, WIDTH, break_long_words=False))


def _say_what(proposal: Proposal) -> str:
    """Say what was looked for, and whether there is any."""
    rows = f"{percent(proposal.share)} of the {proposal.rows:,} rows or more"
    many = rows if proposal.share else f"one of the {proposal.rows:,} rows or more"
    if proposal.quasi_identifiers:
        return (
            f"Minimal quasi-identifiers, a proposal: sets of up to {proposal.size} columns that "
            f"single out {many}, no part of which does."
        )
    return f"No set of up to {proposal.size} columns singles out {many}."


def _show_sets(proposal: Proposal) -> Table:
    """Show the minimal quasi-identifiers with what each singles out."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("columns")
    for heading in ("unique", "share", f"below {proposal.k:,}", "share"):
        table.add_column(heading, justify="right")
    for one in proposal.quasi_identifiers[:MOST]:
        names = textwrap.fill(", ".join(one.attributes), NAMES_WIDTH, break_long_words=False)
        table.add_row(
            escape(names),
            f"{one.unique_rows:,}",
            percent(one.unique_share),
            f"{one.rows_below_k:,}",
            percent(one.share_below_k),
        )
    hidden = len(proposal.quasi_identifiers) - MOST
    if hidden > 0:
        table.add_row(f"… and {hidden:,} more: see --json", "", "", "", "")
    return table


def _say_keys(proposal: Proposal) -> str:
    """Name the minimal sets over which all rows differ."""
    if not proposal.keys:
        return f"No unique key: no set of up to {proposal.size} columns tells all rows apart."
    return f"Minimal unique keys, which tell all rows apart: {_list(proposal.keys)}."


def _list(sets: Sequence[Exposure]) -> str:
    """Name some sets."""
    named = "; ".join(", ".join(one.attributes) for one in sets[:MOST])
    return named + (f"; and {len(sets) - MOST:,} more" if len(sets) > MOST else "")


def _say_extent(proposal: Proposal) -> Iterator[str]:
    """Say how many sets were counted, and what is not known."""
    columns = len(proposal.columns)
    yield f"{proposal.counted:,} sets of the {columns:,} columns were counted."
    if not proposal.complete:
        yield (
            f"Cut: {proposal.not_counted:,} more sets, and larger ones that contain them, were not "
            "counted, as the table is large. There may be more quasi-identifiers; a smaller "
            "--size, or --where for a part of the rows, needs less."
        )
    elif proposal.size < columns:
        yield f"Sets of more than {proposal.size} columns were not counted; see --size."


def _say_next(proposal: Proposal, table: str) -> Iterator[Text]:
    """Say what the holder does with a proposal."""
    if proposal.linkable:
        columns = shlex.quote(",".join(proposal.linkable))
        yield _fold("Decide which of these columns others may know, and ask about those together:")
        yield Text(f"lookalike risk {shlex.quote(table)} -q {columns}")
