"""``lookalike verify``: checks a published release."""

from pathlib import Path

import typer

from lookalike.errors import InvalidInput
from lookalike.examine.verify import Verification, verify
from lookalike.publish.open_published import reading_folder
from lookalike.shell.commands import arguments
from lookalike.shell.views.check import show_verification
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.specification import Specification

VERIFY_OUTPUTS = {"verify": Verification}


@arguments.takes_fields("verify")
def verify_command(
    folder: str = typer.Argument(
        metavar="FOLDER", help="Folder or address of a published release."
    ),
    *,
    spec: Path | None = typer.Option(
        None, help="Specification of the holder: also prove the rows against its source."
    ),
    table: arguments.PrivateTable = None,
    where: str | None = typer.Option(
        None,
        help="SQL condition that selected the rows, if not the specification's (needs --spec).",
    ),
    optimality: Path | None = typer.Option(
        None,
        help="Private dossier: also check the proof of the bound on precision (needs --spec).",
        metavar="FOLDER",
    ),
    ledger: arguments.FromRelease,
    resources: arguments.FromSource,
    as_json: arguments.Json = False,
) -> None:
    """Check a release against its certificate, and with --spec against its source.

    Example: lookalike verify released
    """
    if where is not None and spec is None:
        raise InvalidInput("--where needs the specification of the release (--spec)")
    with show_progress("counting"), reading_folder(folder) as place:
        specification: Specification | Path | None = spec
        if spec is not None and where is not None:
            specification = arguments.load_for_folder(spec, place, {"where": where})
        verification = verify(
            place, spec=specification, table=table, optimality=optimality, **ledger, **resources
        )
    print_result(as_json, verification, lambda: show_verification(verification))
    raise typer.Exit(0 if verification.holds else 1)
