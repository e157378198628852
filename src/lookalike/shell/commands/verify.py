"""``lookalike verify``: checks a published release."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput
from lookalike.examine.verify import verify
from lookalike.publish.open_published import reading_folder
from lookalike.shell.commands.arguments import (
    Json,
    LedgerFiles,
    LedgerKey,
    MemorySize,
    OptimalityDossier,
    SpillFolder,
    load_for_folder,
    read_resources,
)
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.progress import show_progress
from lookalike.shell.views.verification import show_verification
from lookalike.spec.specification import Specification


def verify_command(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER", help="Folder or address of a published release.")
    ],
    spec: Annotated[
        Path | None,
        typer.Option(help="Specification of the holder: also prove the rows against its source."),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(help="Private table, if not the specification's source (needs --spec)."),
    ] = None,
    where: Annotated[
        str | None,
        typer.Option(
            help="SQL condition that selected the rows, if not the specification's (needs --spec)."
        ),
    ] = None,
    optimality: OptimalityDossier = None,
    ledger: Annotated[
        str | None,
        typer.Option(help="Ledger, if the specification does not name it.", metavar="URL"),
    ] = None,
    ledger_files: LedgerFiles = None,
    ledger_key: LedgerKey = None,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    as_json: Json = False,
) -> None:
    """Check a release against its certificate, and with --spec against its source.

    Example: lookalike verify released
    """
    if where is not None and spec is None:
        raise InvalidInput("--where needs the specification of the release (--spec)")
    with show_progress(err, "counting"), reading_folder(folder) as place:
        specification: Specification | Path | None = spec
        if spec is not None and where is not None:
            specification = load_for_folder(spec, place, {"where": where})
        verification = verify(
            place,
            spec=specification,
            table=table,
            optimality=optimality,
            ledger=ledger,
            ledger_files=ledger_files,
            ledger_key=ledger_key,
            **read_resources(memory, spill),
        )
    if as_json:
        print_json(verification.as_json())
    else:
        out.print(show_verification(verification))
    raise typer.Exit(0 if verification.holds else 1)
