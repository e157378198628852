"""``lookalike report``: makes the recipient's report of a published release again."""

from collections.abc import Iterator
from pathlib import Path

import typer
from rich.console import group
from rich.text import Text

from lookalike.flow.report_folder import RemadeReport, report
from lookalike.shell.commands import arguments
from lookalike.shell.views.printing import fold
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.tables.files.file_format import REPORT

REPORT_OUTPUTS = {"report": RemadeReport}


@arguments.takes_fields("report")
def report_command(
    folder: str = typer.Argument(metavar="FOLDER", help="Folder of a published release."),
    *,
    out_file: Path | None = typer.Option(
        None, "--out", "-o", metavar="FILE", help="New file to write the report to; else compare."
    ),
    pdf_file: Path | None = typer.Option(
        None, "--pdf", metavar="FILE", help="New file to print the report to, with a browser."
    ),
    regulator_file: Path | None = typer.Option(
        None,
        "--regulator",
        metavar="FILE",
        help="New file to write what a regulator wants documented to; needs --dossier.",
    ),
    dossier: Path | None = typer.Option(None, metavar="DIR", help="Dossier of the release."),
    tests: list[Path] = typer.Option(
        [],
        "--test",
        metavar="FILE",
        help="Output of link --json or attack --json, for --regulator. May be repeated.",
    ),
    resources: arguments.FromSource,
    as_json: arguments.Json = False,
) -> None:
    """Make the recipient's report again from a published folder, and compare it.

    The private table is not needed. Without --out, the exit code is 1 if the report of the folder
    differs or is missing. With --pdf, FOLDER may also be a dossier, whose report is printed.
    --regulator writes what EMA, Health Canada, ISO/IEC 27559 and ICO want documented, as far as
    figures say it, with blanks for what people must answer.

    Example: lookalike report released
    """
    with show_progress("counting"):
        remade = report(
            folder,
            out=out_file,
            pdf=pdf_file,
            regulator=regulator_file,
            dossier=dossier,
            tests=tests,
            **resources,
        )
    print_result(as_json, remade, lambda: _show_report(remade))
    written = any((remade.out, remade.pdf, remade.regulator))
    raise typer.Exit(0 if remade.same or written else 1)


@group()
def _show_report(remade: RemadeReport) -> Iterator[Text]:
    """Show whether the published report is the same, and where the new one was written."""
    yield from map(fold, remade.differences)
    if remade.same:
        yield Text(f"{REPORT} is the same, made again from the folder.", "bold green")
    elif remade.published:
        yield Text(f"{REPORT} is NOT the one that the folder gives.", "bold red")
    elif remade.published is not None:
        yield Text(f"The folder holds no {REPORT}.", "bold yellow")
    for file in filter(None, (remade.out, remade.pdf, remade.regulator)):
        yield Text(f"Written: {file}")
    if not (remade.same or remade.out or remade.pdf or remade.regulator):
        yield Text("Write the report that it gives with --out FILE.")
