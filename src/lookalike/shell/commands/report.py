"""``lookalike report``: makes the recipient's report of a published release again."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.flow.report_folder import report
from lookalike.shell.commands.arguments import Json, MemorySize, SpillFolder, read_resources
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.progress import show_progress
from lookalike.shell.views.report import show_report


def report_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of a published release.")],
    out_file: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="New file to write the report to; else compare."
        ),
    ] = None,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    as_json: Json = False,
) -> None:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed. Without --out, the exit code is 1 if the report of the folder
    differs or is missing.

    Example: lookalike report released
    """
    with show_progress(err, "counting"):
        remade = report(folder, out=out_file, **read_resources(memory, spill))
    if as_json:
        print_json(remade.as_json())
    else:
        out.print(show_report(remade))
    raise typer.Exit(0 if remade.same or remade.out is not None else 1)
