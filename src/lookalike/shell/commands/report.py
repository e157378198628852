"""``lookalike report``: makes the recipient's report of a published release again."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from lookalike.flow.report_folder import RemadeReport, report
from lookalike.shell.commands import arguments
from lookalike.shell.views.printing import fold
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.tables.files.file_format import REPORT

REPORT_OUTPUTS = {"report": RemadeReport}


@arguments.takes_fields("report")
def report_command(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Folder of a published release.")],
    *,
    out_file: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="New file to write the report to; else compare."
        ),
    ] = None,
    resources: arguments.FromSource,
    as_json: arguments.Json = False,
) -> None:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed. Without --out, the exit code is 1 if the report of the folder
    differs or is missing.

    Example: lookalike report released
    """
    with show_progress("counting"):
        remade = report(folder, out=out_file, **resources)
    print_result(as_json, remade, lambda: _show_report(remade))
    raise typer.Exit(0 if remade.same or remade.out is not None else 1)


def _show_report(remade: RemadeReport) -> RenderableType:
    """Show whether the published report is the same, and where the new one was written."""
    lines = [fold(sentence) for sentence in remade.differences]
    if remade.same:
        lines.append(Text(f"{REPORT} is the same, made again from the folder.", "bold green"))
    elif remade.published:
        lines.append(Text(f"{REPORT} is NOT the one that the folder gives.", "bold red"))
    else:
        lines.append(Text(f"The folder holds no {REPORT}.", "bold yellow"))
    if remade.out is not None:
        lines.append(Text(f"Written: {remade.out}"))
    elif not remade.same:
        lines.append(Text("Write the report that it gives with --out FILE."))
    return Group(*lines)
