"""Output of ``lookalike ledger``: recorded releases, as text and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rich.console import Group, RenderableType, group
from rich.markup import escape
from rich.text import Text

from lookalike.json_result import JsonResult
from lookalike.ledger.store.entry import Entry, ReleasedClasses
from lookalike.ledger.store.journal import AcceptedRestore
from lookalike.shell.display import display
from lookalike.shell.views.printing import begin_table, fold, shorten

HEADINGS = ("", "source", "state", "when", "for", "rows")
MORE_HEADINGS = ("policy", "folder")
"""The columns that ``--wide`` adds."""
NAME_WIDTH = 14
"""The longest name of a source or a recipient that is shown whole."""


@dataclass(frozen=True)
class WholeEntry(JsonResult):
    """A release that a ledger records, with its digests, its specification and its certificate."""

    json_names = (
        "**entry certificate_sha256=entry.certificate_sha256 table_digest=entry.table_digest "
        "hierarchies_digest=entry.hierarchies_digest classes_sha256=entry.files.classes_sha256 "
        "rows_sha256=entry.files.rows_sha256 paths_sha256=entry.files.paths_sha256 "
        "classes smallest_class specification=entry.specification certificate=entry.certificate"
    )

    entry: Entry

    @cached_property
    def released(self) -> ReleasedClasses:
        """The released classes."""
        return self.entry.files.read_classes()

    @property
    def classes(self) -> int:
        """The number of released classes."""
        return len(self.released)

    @property
    def smallest_class(self) -> int:
        """The number of rows of the smallest class."""
        return int(self.released.counts.min())


def show_ledger(entries: Sequence[Entry]) -> RenderableType:
    """List the releases that a ledger records, one per line."""
    if not entries:
        return Text("The ledger records no release.")
    headings = [*HEADINGS, *(MORE_HEADINGS if display.wide else ())]
    table = begin_table(*headings, text=len(headings))
    for heading in ("", "rows"):
        table.columns[headings.index(heading)].justify = "right"
    for entry in entries:
        cells = _cells(entry)
        table.add_row(*[escape(cells[heading]) for heading in headings])
    return table if display.wide else Group(table, fold("--wide shows policies and folders."))


@group()
def show_entry(entry: Entry) -> Iterator[RenderableType]:
    """Show what a ledger records about one release, without its certificate."""
    whole = WholeEntry(entry)
    yield Text(f"Release {entry.number} of {entry.source}: {_state(entry)}.")
    sha256 = entry.certificate_sha256[:16]
    yield Text(f"Folder {entry.folder} on {entry.host}; certificate {sha256}….")
    yield Text(
        f"{whole.classes:,} classes of {', '.join(whole.released.attributes)}, the smallest of "
        f"{whole.smallest_class:,} rows."
    )
    if entry.new_people:
        people = f"People whose {entry.row_key} is unknown to the ledger"
        yield Text(f"{people} count as new (new_people).")
    if entry.contract is not None:
        yield Text(f"{entry.recipient} is bound by contract: {entry.contract}.")
    if entry.is_forgotten:
        yield Text("Later releases are still checked against it.")


def _cells(entry: Entry) -> dict[str, str]:
    """Write one line of the list, by the headings of its columns."""
    return {
        "": str(entry.number),
        "source": entry.source if display.wide else shorten(entry.source, NAME_WIDTH),
        "state": entry.state,
        "when": _minute(entry.published or entry.began),
        "for": shorten(entry.recipient or "everybody", NAME_WIDTH),
        "rows": f"{entry.certificate.rows_out:,}",
        "policy": f"{entry.policy} ({entry.considered:,})",
        "folder": str(entry.folder),
    }


def _state(entry: Entry) -> str:
    """Write the state of a release."""
    if entry.is_pending:
        return f"pending since {_minute(entry.began)}; only {entry.host} can settle it"
    published = f"published {_minute(entry.published or entry.began)}"
    if not entry.is_forgotten:
        return published
    return f"{published}, forgotten {_minute(entry.forgotten or '')} ({entry.reason})"


def _minute(time: str) -> str:
    """Write a time to the minute."""
    return time[:16].replace("T", " ")


def show_restore(changes_lost: int) -> RenderableType:
    """Show how many changes an older database lacks."""
    return (
        f"The older database is used from now on. It lacks {changes_lost:,} changes: later "
        "releases are not checked against what was published in them."
    )


def show_restores(restores: Sequence[AcceptedRestore]) -> RenderableType:
    """List the restored databases that were accepted, one per line."""
    if not restores:
        return Text("No restore was accepted.")
    return Group(*(fold(f"{_minute(one.accepted)}  {one.reason}") for one in restores))
