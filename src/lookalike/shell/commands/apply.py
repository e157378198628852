"""``lookalike apply``: gives a new table the levels of a published release."""

from pathlib import Path

import typer

from lookalike.flow.apply import Applied, apply_levels
from lookalike.shell.commands import arguments
from lookalike.shell.views.check import show_applied
from lookalike.shell.views.terminal import print_result, show_progress

APPLY_OUTPUTS = {"apply": Applied}


def apply_command(
    folder: str = typer.Argument(
        metavar="FOLDER", help="Folder or address of a published release."
    ),
    table: str = typer.Argument(
        metavar="TABLE", help="New table: a file, or a quoted glob for many files."
    ),
    *,
    spec: Path = typer.Option(
        help="Specification of the holder, which has the hierarchies of the release."
    ),
    out: Path = typer.Option(help="File to write; the suffix chooses the format."),
    recode_only: bool = typer.Option(
        False,
        "--recode-only",
        help="Write the table even if its classes do not keep what the release promises, for a "
        "table that stays private.",
    ),
    as_json: arguments.Json = False,
) -> None:
    """Recode a new table as a release was recoded: the same columns at the same levels.

    The result is not a release and has no certificate.

    Example: lookalike apply released may.csv --spec april.toml --out recoded/may.csv
    """
    with show_progress("reading") as announce:
        applied = apply_levels(folder, table, spec, out, recode_only=recode_only, announce=announce)
    print_result(as_json, applied, lambda: show_applied(applied))
