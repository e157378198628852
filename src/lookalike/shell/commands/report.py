"""``lookalike report``: makes the recipient's report of a published release again."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.flow.report_folder import report
from lookalike.shell.commands.arguments import (
    FromSource,
    Json,
    takes_fields,
)
from lookalike.shell.console import err, print_result
from lookalike.shell.views.report import show_report
from lookalike.shell.views.terminal import show_progress


@takes_fields("report")
def report_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of a published release.")],
    *,
    out_file: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="New file to write the report to; else compare."
        ),
    ] = None,
    resources: FromSource,
    as_json: Json = False,
) -> None:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed. Without --out, the exit code is 1 if the report of the folder
    differs or is missing.

    Example: lookalike report released
    """
    with show_progress(err, "counting"):
        remade = report(folder, out=out_file, **resources)
    print_result(as_json, lambda: remade.as_json(), lambda: show_report(remade))
    raise typer.Exit(0 if remade.same or remade.out is not None else 1)
