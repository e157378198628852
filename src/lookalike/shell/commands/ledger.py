"""`lookalike ledger`: what was published, and what is to be forgotten."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.flow.attack_ledger import attack_ledger
from lookalike.ledger.store.ledger import accept_restore, open_ledger
from lookalike.shell.commands.arguments import Json, LedgerFiles, LedgerKey
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.commands.once import Command
from lookalike.shell.views import attack as render_attack
from lookalike.shell.views import ledger as render_ledger
from lookalike.shell.views import release as render
from lookalike.shell.views.progress import show_progress

ledger_app = typer.Typer(no_args_is_help=True, help="What was published, of which source.")

Url = Annotated[
    str,
    typer.Option("--ledger", help="An SQLite file or a PostgreSQL URL.", metavar="URL"),
]
Number = Annotated[int, typer.Argument(help="The number of the release.")]


@ledger_app.command("list", cls=Command)
def list_command(
    ledger: Url,
    source: Annotated[str | None, typer.Option(help="Of this source only.")] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """List the releases that were published.

    Example: lookalike ledger list --ledger ledger.db
    """
    opened = open_ledger(ledger, files=ledger_files, key=ledger_key)
    entries = opened.releases(source)
    if as_json:
        print_json(render_ledger.ledger_as_json(opened, entries))
    else:
        out.print(render_ledger.show_ledger(entries))


@ledger_app.command("show", cls=Command)
def show_command(
    number: Number,
    ledger: Url,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Tell what the ledger remembers of one release.

    Example: lookalike ledger show 1 --ledger ledger.db
    """
    entry = open_ledger(ledger, files=ledger_files, key=ledger_key).release(number)
    if as_json:
        print_json(render_ledger.whole_entry_as_json(entry))
    else:
        out.print(render_ledger.show_entry(entry))
        out.print(render.show_certificate(entry.certificate))


@ledger_app.command("attack", cls=Command)
def attack_command(
    ledger: Url,
    source: Annotated[
        str | None, typer.Option(help="The source, if the ledger remembers several.")
    ] = None,
    recipient: Annotated[
        str | None,
        typer.Option(help="Without what a contract keeps from this recipient.", metavar="NAME"),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(help="The specification, whose hierarchies tell how levels compare."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", help="How many rows should remain; else as promised.", min=1),
    ] = None,
    show: Annotated[
        bool, typer.Option("--show", help="Show the exposed sequences: for your own eyes.")
    ] = False,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Attack all releases of a source that were published, as somebody who has them could.

    Example: lookalike ledger attack --ledger ledger.db --spec patients.toml
    """
    opened = open_ledger(ledger, files=ledger_files, key=ledger_key)
    with show_progress(err, "attacking"):
        attacked = attack_ledger(opened, source, specification=spec, recipient=recipient, k=k)
    if as_json:
        print_json(render_attack.attacked_source_as_json(attacked, show=show))
    else:
        out.print(render_attack.show_attacked_source(attacked, show=show))
    raise typer.Exit(0 if attacked.proved else 1)


@ledger_app.command("forget", cls=Command)
def forget_command(
    number: Number,
    ledger: Url,
    reason: Annotated[str, typer.Option(help="Why; it is kept.", metavar="TEXT")],
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Forget what was asked for; later releases are still checked against the release.

    Example: lookalike ledger forget 1 --ledger ledger.db --reason "a trial"
    """
    entry = open_ledger(ledger, files=ledger_files, key=ledger_key).forget(number, reason)
    if as_json:
        print_json(render_ledger.entry_as_json(entry))
    else:
        out.print(render_ledger.show_entry(entry))


@ledger_app.command("accept-restore")
def accept_restore_command(
    ledger: Url,
    reason: Annotated[str, typer.Option(help="Why; it is kept.", metavar="TEXT")],
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Go on with an older database; later releases are not checked against what it lacks.

    Example: lookalike ledger accept-restore --ledger ledger.db --reason "the disk died"
    """
    lost = accept_restore(ledger, reason, files=ledger_files, key=ledger_key)
    if as_json:
        print_json({"changes_lost": lost})
    else:
        out.print(
            f"The older database is used from now on. It lacks {lost:,} changes: later releases "
            "are not checked against what was published in them."
        )
