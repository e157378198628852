"""``lookalike ledger``: lists, shows, attacks and forgets recorded releases."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.flow.attack_ledger import attack_ledger
from lookalike.json_result import to_json
from lookalike.ledger.store.ledger import accept_restore, open_ledger
from lookalike.shell.commands.arguments import (
    Json,
    LedgerFiles,
    LedgerKey,
    LedgerUrl,
    RemainingK,
    ShowExposed,
)
from lookalike.shell.commands.strict_command import StrictCommand
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.attack import show_attacked_source
from lookalike.shell.views.ledger import (
    show_entry,
    show_ledger,
    show_restore,
    whole_entry_as_json,
)
from lookalike.shell.views.progress import show_progress
from lookalike.shell.views.verification import show_certificate

ledger_app = typer.Typer(
    no_args_is_help=True, help="List, inspect and attack the releases recorded in a ledger."
)

ReleaseNumber = Annotated[int, typer.Argument(help="Number of the release.")]
Reason = Annotated[str, typer.Option(help="Reason, stored in the ledger.", metavar="TEXT")]


@ledger_app.command("list", cls=StrictCommand)
def list_command(
    ledger: LedgerUrl,
    source: Annotated[str | None, typer.Option(help="List only releases of this source.")] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """List the recorded releases.

    Example: lookalike ledger list --ledger ledger.db
    """
    opened = open_ledger(ledger, files=ledger_files, key=ledger_key)
    entries = opened.releases(source)
    if as_json:
        print_json({"ledger": str(opened.address), "releases": to_json(entries)})
    else:
        out.print(show_ledger(entries))


@ledger_app.command("show", cls=StrictCommand)
def show_command(
    number: ReleaseNumber,
    ledger: LedgerUrl,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Show the record of one release.

    Example: lookalike ledger show 1 --ledger ledger.db
    """
    entry = open_ledger(ledger, files=ledger_files, key=ledger_key).release(number)
    if as_json:
        print_json(whole_entry_as_json(entry))
    else:
        out.print(show_entry(entry))
        out.print(show_certificate(entry.certificate))


@ledger_app.command("attack", cls=StrictCommand)
def attack_source_command(
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
    k: RemainingK = None,
    show: ShowExposed = False,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Attack all recorded releases of a source, as someone who has them all could.

    Example: lookalike ledger attack --ledger ledger.db --spec patients.toml
    """
    opened = open_ledger(ledger, files=ledger_files, key=ledger_key)
    with show_progress(err, "attacking"):
        attacked = attack_ledger(opened, source, spec=spec, recipient=recipient, k=k)
    if as_json:
        print_json(attacked.as_json(show=show))
    else:
        out.print(show_attacked_source(attacked, show=show))
    raise typer.Exit(0 if attacked.proved and not attacked.broken_protections else 1)


@ledger_app.command("forget", cls=StrictCommand)
def forget_command(
    number: ReleaseNumber,
    ledger: LedgerUrl,
    reason: Reason,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Delete the stored specification of a release; later releases still respect the release.

    Example: lookalike ledger forget 1 --ledger ledger.db --reason "a trial"
    """
    entry = open_ledger(ledger, files=ledger_files, key=ledger_key).forget(number, reason)
    if as_json:
        print_json(entry.as_json())
    else:
        out.print(show_entry(entry))


@ledger_app.command("accept-restore", cls=StrictCommand)
def accept_restore_command(
    ledger: LedgerUrl,
    reason: Reason,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Continue with an older database; later releases ignore the changes that it lacks.

    Example: lookalike ledger accept-restore --ledger ledger.db --reason "the disk failed"
    """
    lost = accept_restore(ledger, reason, files=ledger_files, key=ledger_key)
    if as_json:
        print_json({"changes_lost": lost})
    else:
        out.print(show_restore(lost))
