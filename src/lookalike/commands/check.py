"""`lookalike check`: the k of any table."""

from typing import Annotated

import typer

from lookalike import render
from lookalike.check import check
from lookalike.commands.arguments import Json, MemoryLimit
from lookalike.commands.console import err, out, print_json
from lookalike.progress import show_progress


def check_command(
    table: Annotated[str, typer.Argument(help="A file, or a quoted glob for many.")],
    quasi_identifier: Annotated[
        str,
        typer.Option(
            "--quasi-identifier", "-q", help="The linkable columns, with commas between them."
        ),
    ],
    k: Annotated[int, typer.Option("--k", "-k", help="How often each combination must occur.")] = 2,
    delimiter: Annotated[str | None, typer.Option(help="Between the fields of CSV.")] = None,
    encoding: Annotated[str, typer.Option(help="Of CSV and JSON lines.")] = "utf-8",
    where: Annotated[str | None, typer.Option(help="An SQL condition for the rows.")] = None,
    memory_limit: MemoryLimit = None,
    as_json: Json = False,
) -> None:
    """Tell the k of any table: the size of its smallest class.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    attributes = [name.strip() for name in quasi_identifier.split(",") if name.strip()]
    with show_progress(err, "counting"):
        checked = check(
            table,
            attributes,
            k,
            delimiter=delimiter,
            encoding=encoding,
            where=where,
            memory_limit=memory_limit,
        )
    if as_json:
        print_json(render.check_as_json(checked))
    else:
        out.print(render.show_check(checked, attributes, k))
    raise typer.Exit(0 if checked.holds else 1)
