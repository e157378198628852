"""``lookalike ledger``: lists, shows, attacks and forgets recorded releases."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group

from lookalike.flow.attack_ledger import AttackedSource, attack_ledger
from lookalike.ledger.store.entry import Entry
from lookalike.ledger.store.ledger import Ledger, accept_restore, open_ledger
from lookalike.shell.commands import arguments
from lookalike.shell.display import StrictCommand
from lookalike.shell.views.attack import show_attacked_source
from lookalike.shell.views.check import show_certificate
from lookalike.shell.views.ledger import WholeEntry, show_entry, show_ledger, show_restore
from lookalike.shell.views.terminal import print_result, show_progress

ledger_app = typer.Typer(
    no_args_is_help=True, help="List, inspect and attack the releases recorded in a ledger."
)

LEDGER_OUTPUTS = {
    "ledger-list": {"ledger": str, "releases": tuple[Entry, ...]},
    "ledger-show": WholeEntry,
    "ledger-attack": AttackedSource,
    "ledger-forget": Entry,
    "ledger-accept-restore": {"changes_lost": int},
}
ReleaseNumber = Annotated[int, typer.Argument(help="Number of the release.")]
LedgerUrl = Annotated[
    str, typer.Option("--ledger", help="Ledger: an SQLite file or a PostgreSQL URL.", metavar="URL")
]
Reason = Annotated[str, typer.Option(help="Reason, stored in the ledger.", metavar="TEXT")]


@ledger_app.command("list", cls=StrictCommand)
@arguments.takes_fields("ledger")
def list_command(
    *,
    ledger: LedgerUrl,
    source: Annotated[str | None, typer.Option(help="List only releases of this source.")] = None,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """List the recorded releases.

    Example: lookalike ledger list --ledger ledger.db
    """
    opened = _open(ledger, place)
    entries = opened.releases(source)
    listed = {"ledger": str(opened.address), "releases": entries}
    print_result(as_json, listed, lambda: show_ledger(entries))


@ledger_app.command("show", cls=StrictCommand)
@arguments.takes_fields("ledger")
def show_command(
    number: ReleaseNumber,
    *,
    ledger: LedgerUrl,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Show the record of one release.

    Example: lookalike ledger show 1 --ledger ledger.db
    """
    entry = _open(ledger, place).release(number)
    print_result(
        as_json,
        WholeEntry(entry),
        lambda: Group(show_entry(entry), show_certificate(entry.certificate)),
    )


@ledger_app.command("attack", cls=StrictCommand)
@arguments.takes_fields("ledger")
def attack_source_command(
    *,
    ledger: LedgerUrl,
    source: Annotated[
        str | None, typer.Option(help="Source, if the ledger records several.")
    ] = None,
    recipient: Annotated[
        str | None,
        typer.Option(
            help="Leave out releases that a contract keeps from this recipient.", metavar="NAME"
        ),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(help="Specification, for the hierarchies by which levels are compared."),
    ] = None,
    k: arguments.RemainingK = None,
    show: arguments.ShowExposed = False,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Attack all recorded releases of a source, as someone who has them all could.

    Example: lookalike ledger attack --ledger ledger.db --spec patients.toml
    """
    opened = _open(ledger, place)
    with show_progress("attacking"):
        attacked = attack_ledger(opened, source, spec=spec, recipient=recipient, k=k)
    print_result(as_json, attacked, lambda: show_attacked_source(attacked, show=show), show=show)
    raise typer.Exit(0 if attacked.proved and not attacked.broken_protections else 1)


@ledger_app.command("forget", cls=StrictCommand)
@arguments.takes_fields("ledger")
def forget_command(
    number: ReleaseNumber,
    *,
    ledger: LedgerUrl,
    reason: Reason,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Delete the stored specification of a release; later releases still respect the release.

    Example: lookalike ledger forget 1 --ledger ledger.db --reason "a trial"
    """
    entry = _open(ledger, place).forget(number, reason)
    print_result(as_json, entry, lambda: show_entry(entry))


@ledger_app.command("accept-restore", cls=StrictCommand)
@arguments.takes_fields("ledger")
def accept_restore_command(
    *,
    ledger: LedgerUrl,
    reason: Reason,
    place: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Continue with an older database; later releases ignore the changes that it lacks.

    Example: lookalike ledger accept-restore --ledger ledger.db --reason "the disk failed"
    """
    lost = accept_restore(
        ledger, reason, files=place.get("ledger_files"), key=place.get("ledger_key")
    )
    print_result(as_json, {"changes_lost": lost}, lambda: show_restore(lost))


def _open(ledger: str, place: arguments.OptionValues) -> Ledger:
    """Open a ledger, with the files and the key that are given."""
    return open_ledger(ledger, files=place.get("ledger_files"), key=place.get("ledger_key"))
