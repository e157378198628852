"""`lookalike verify`: a published release, checked again."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.flow.verify.folder import verify
from lookalike.shell.commands.arguments import Json, LedgerFiles, LedgerKey, Optimality
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.views import release as render
from lookalike.shell.views.progress import show_progress


def verify_command(
    folder: Annotated[Path, typer.Argument(help="A published release.")],
    spec: Annotated[
        Path | None,
        typer.Option(help="The holder's specification: prove against its source, too."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(help="The private table, if not the specification's source (needs --spec)."),
    ] = None,
    optimality: Optimality = None,
    ledger: Annotated[
        str | None,
        typer.Option(help="The ledger, if the specification does not name it.", metavar="URL"),
    ] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    as_json: Json = False,
) -> None:
    """Check a release against its certificate; with --spec, prove that every row is true.

    Example: lookalike verify released
    """
    with show_progress(err, "counting"):
        verification = verify(
            folder,
            specification=spec,
            table=table,
            optimality=optimality,
            ledger=ledger,
            ledger_files=ledger_files,
            ledger_key=ledger_key,
        )
    if as_json:
        print_json(render.verification_as_json(verification))
    else:
        out.print(render.show_verification(verification))
    raise typer.Exit(0 if verification.holds else 1)
