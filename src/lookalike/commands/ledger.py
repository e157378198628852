"""`lookalike ledger`: what was published, and what is to be forgotten."""

from typing import Annotated

import typer

from lookalike import render, render_ledger
from lookalike.commands.arguments import Json, LedgerFiles
from lookalike.commands.console import out, print_json
from lookalike.ledger.book import open_ledger

ledger_app = typer.Typer(no_args_is_help=True, help="What was published, of which source.")

Url = Annotated[
    str,
    typer.Option("--ledger", help="An SQLite file or a PostgreSQL URL.", metavar="URL"),
]
Number = Annotated[int, typer.Argument(help="The number of the release.")]


@ledger_app.command("list")
def list_command(
    ledger: Url,
    source: Annotated[str | None, typer.Option(help="Of this source only.")] = None,
    ledger_files: LedgerFiles = None,
    as_json: Json = False,
) -> None:
    """List the releases that were published.

    Example: lookalike ledger list --ledger ledger.db
    """
    opened = open_ledger(ledger, files=ledger_files)
    entries = opened.releases(source)
    if as_json:
        print_json(render_ledger.ledger_as_json(opened, entries))
    else:
        out.print(render_ledger.show_ledger(entries))


@ledger_app.command("show")
def show_command(
    number: Number, ledger: Url, ledger_files: LedgerFiles = None, as_json: Json = False
) -> None:
    """Tell what the ledger remembers of one release.

    Example: lookalike ledger show 1 --ledger ledger.db
    """
    entry = open_ledger(ledger, files=ledger_files).release(number)
    if as_json:
        print_json(render_ledger.whole_entry_as_json(entry))
    else:
        out.print(render_ledger.show_entry(entry))
        out.print(render.show_certificate(entry.certificate))


@ledger_app.command("forget")
def forget_command(
    number: Number,
    ledger: Url,
    reason: Annotated[str, typer.Option(help="Why; it is kept.", metavar="TEXT")],
    ledger_files: LedgerFiles = None,
    as_json: Json = False,
) -> None:
    """Forget what was asked for; later releases are still checked against the release.

    Example: lookalike ledger forget 1 --ledger ledger.db --reason "a trial"
    """
    entry = open_ledger(ledger, files=ledger_files).forget(number, reason)
    if as_json:
        print_json(render_ledger.entry_as_json(entry))
    else:
        out.print(render_ledger.show_entry(entry))
