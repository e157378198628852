"""How a ledger is shown to a person on a terminal, and as JSON to a program."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich import box
from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from lookalike.flow.followup.plan_based_release import Basis
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.ledger import Ledger
from lookalike.ledger.store.release_files import FILE_DIGESTS

SHOWN = (
    "number",
    "source",
    "row_key",
    "state",
    "recipient",
    "contract",
    "policy",
    "considered",
    "new_people",
)
TIMES = ("began", "published", "forgotten", "reason")
DIGESTS = ("certificate_sha256", "table_digest", "hierarchies_digest")


def ledger_as_json(ledger: Ledger, entries: Sequence[Entry]) -> dict[str, Any]:
    """Return what ``ledger list --json`` prints."""
    return {"ledger": str(ledger.address), "releases": [entry_as_json(one) for one in entries]}


def entry_as_json(entry: Entry) -> dict[str, Any]:
    """Return what ``ledger list --json`` prints of one release."""
    certificate = entry.certificate
    return {
        **{name: getattr(entry, name) for name in SHOWN},
        "host": entry.host,
        "folder": str(entry.folder),
        "method": certificate.method,
        "k": [one.k for one in certificate.quasi_identifiers],
        "columns": list(certificate.columns),
        "rows_in": certificate.rows_in,
        "rows_out": certificate.rows_out,
        **{name: getattr(entry, name) for name in TIMES},
    }


def whole_entry_as_json(entry: Entry) -> dict[str, Any]:
    """Return what ``ledger show --json`` prints."""
    classes = entry.files.read_classes()
    return {
        **entry_as_json(entry),
        **{name: getattr(entry, name) for name in DIGESTS},
        **{name: getattr(entry.files, name) for name in FILE_DIGESTS},
        "classes": len(classes),
        "smallest_class": int(classes.counts.min()),
        "specification": entry.specification,
        "certificate": asdict(entry.certificate),
    }


def show_basis(basis: Basis) -> RenderableType:
    """Say what became of the rows of a source since they were last shown."""
    others = "" if basis.considered == 1 else f" and {basis.considered - 1:,} before it"
    lines = [
        (basis.rows_kept, "shown as they were", basis.rows_outdated, "with their old values"),
        (
            basis.rows_renewed,
            "in their class as before, with new values",
            basis.rows_partly_renewed,
            "in some columns only",
        ),
        (basis.rows_joined, "new, or shown again, in classes of their own", 0, ""),
        (basis.rows_waiting, "not shown", basis.rows_withdrawn, "shown last time"),
    ]
    told = [
        f"  {rows:,} {'row is' if rows == 1 else 'rows are'} {what}"
        f"{f', {some:,} of them {which}' if some else ''}."
        for rows, what, some, which in lines
        if rows
    ]
    return Group(f"Based on the last release{others}:", *told)


def show_ledger(entries: Sequence[Entry]) -> RenderableType:
    """List what a ledger remembers, a line a release."""
    if not entries:
        return Text("The ledger remembers no release.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", justify="right")
    for heading in ("source", "state", "when", "for", "policy", "rows", "folder"):
        table.add_column(heading, justify="right" if heading == "rows" else "left")
    for entry in entries:
        table.add_row(*[escape(cell) for cell in _cells(entry)])
    return table


def show_entry(entry: Entry) -> RenderableType:
    """Tell what a ledger remembers of one release, apart from its certificate."""
    classes = entry.files.read_classes()
    lines = [
        f"Release {entry.number} of {entry.source}: {_state(entry)}.",
        f"Folder {entry.folder} on {entry.host}; certificate {entry.certificate_sha256[:16]}….",
        f"{len(classes):,} classes of {', '.join(classes.attributes)}, the smallest of "
        f"{int(classes.counts.min()):,} rows.",
    ]
    if entry.new_people:
        lines.append(f"People whom the ledger did not know by {entry.row_key} are new: new_people.")
    if entry.contract is not None:
        lines.append(f"{entry.recipient} is kept apart by contract: {entry.contract}.")
    if entry.is_forgotten:
        lines.append("Later releases are still checked against it.")
    return Group(*[Text(line) for line in lines])


def _cells(entry: Entry) -> list[str]:
    """Write one line of the list."""
    return [
        str(entry.number),
        entry.source,
        entry.state,
        _minute(entry.published or entry.began),
        entry.recipient or "everybody",
        f"{entry.policy} ({entry.considered:,})",
        f"{entry.certificate.rows_out:,}",
        str(entry.folder),
    ]


def _state(entry: Entry) -> str:
    """Say in words whether a release is published."""
    if entry.is_pending:
        return f"pending since {_minute(entry.began)}, as {entry.host} can tell alone"
    told = f"published {_minute(entry.published or entry.began)}"
    if not entry.is_forgotten:
        return told
    return f"{told}, forgotten {_minute(entry.forgotten or '')} ({entry.reason})"


def _minute(time: str) -> str:
    """Write a time to the minute."""
    return time[:16].replace("T", " ")
