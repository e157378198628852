"""Output of ``lookalike risk`` without ``-q``: proposed quasi-identifiers, as text and as JSON."""

import shlex
import textwrap
from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.risk.table.propose import Proposal
from lookalike.risk.table.uniqueness import Uniqueness
from lookalike.shell.views.printing import EMPTY_TABLE, begin_table, fold, percent

NAMES_WIDTH = 38
MOST_SETS_SHOWN = 20


def show_proposal(proposal: Proposal, table: str) -> RenderableType:
    """Show which sets of columns single out rows, and the next command to run."""
    if not proposal.rows:
        return Text(EMPTY_TABLE)
    return Group(
        fold(_state_result(proposal)),
        *([_show_sets(proposal)] if proposal.quasi_identifiers else []),
        fold(_list_keys(proposal)),
        *(fold(line) for line in _state_extent(proposal)),
        *_state_next(proposal, table),
    )


def _state_result(proposal: Proposal) -> str:
    """State what the search was for, and whether it found anything."""
    rows = f"{percent(proposal.share)} of the {proposal.rows:,} rows or more"
    many = rows if proposal.share else f"one of the {proposal.rows:,} rows or more"
    if proposal.quasi_identifiers:
        return (
            f"Proposed minimal quasi-identifiers: sets of up to {proposal.size} columns that "
            f"single out {many}; no subset of such a set does."
        )
    return f"No set of up to {proposal.size} columns singles out {many}."


def _show_sets(proposal: Proposal) -> Table:
    """Show the minimal quasi-identifiers with the rows that each singles out."""
    table = begin_table("columns", "unique", "share", f"below {proposal.k:,}", "share")
    for one in proposal.quasi_identifiers[:MOST_SETS_SHOWN]:
        names = textwrap.fill(", ".join(one.attributes), NAMES_WIDTH, break_long_words=False)
        table.add_row(
            escape(names),
            f"{one.unique_rows:,}",
            percent(one.unique_share),
            f"{one.rows_below_k:,}",
            percent(one.share_below_k),
        )
    hidden = len(proposal.quasi_identifiers) - MOST_SETS_SHOWN
    if hidden > 0:
        table.add_row(f"… and {hidden:,} more: see --json", "", "", "", "")
    return table


def _list_keys(proposal: Proposal) -> str:
    """List the minimal sets of columns over which all rows differ."""
    if not proposal.keys:
        return f"No unique key: no set of up to {proposal.size} columns distinguishes all rows."
    return f"Minimal unique keys, which distinguish all rows: {_write_sets(proposal.keys)}."


def _write_sets(sets: Sequence[Uniqueness]) -> str:
    """Write the columns of some sets."""
    named = "; ".join(", ".join(one.attributes) for one in sets[:MOST_SETS_SHOWN])
    hidden = len(sets) - MOST_SETS_SHOWN
    return f"{named}; and {hidden:,} more" if hidden > 0 else named


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


def _state_next(proposal: Proposal, table: str) -> Iterator[Text]:
    """State the next command to run."""
    if proposal.linkable:
        columns = shlex.quote(",".join(proposal.linkable))
        yield fold("Decide which of these columns others may know, then measure their risk:")
        yield Text(f"lookalike risk {shlex.quote(table)} -q {columns}")
