"""`lookalike risk`: who could be found in a table."""

from typing import Annotated

import typer

from lookalike import render_risk
from lookalike.commands.arguments import (
    Delimiter,
    Encoding,
    Json,
    Linkable,
    MemoryLimit,
    Most,
    Show,
    Where,
    read_names,
)
from lookalike.commands.console import err, out, print_json
from lookalike.progress import show_progress
from lookalike.risk.assess import SUBSET_SIZE, risk


def risk_command(
    table: Annotated[str, typer.Argument(help="A file, or a quoted glob for many.")],
    quasi_identifier: Linkable,
    k: Annotated[int, typer.Option("--k", "-k", help="A class with fewer rows is small.")] = 5,
    size: Annotated[
        int, typer.Option(help="Count every subset of so many linkable columns at most.")
    ] = SUBSET_SIZE,
    sensitive: Annotated[
        list[str] | None,
        typer.Option(
            help="Columns whose values must not be learned; may be repeated.", metavar="COLUMNS"
        ),
    ] = None,
    ordered: Annotated[
        list[str] | None,
        typer.Option(
            help="Sensitive columns of numbers or days, compared in order; may be repeated.",
            metavar="COLUMNS",
        ),
    ] = None,
    population: Annotated[
        str | None,
        typer.Option(help="A file with the same columns, a row a person.", metavar="FILE"),
    ] = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    where: Where = None,
    memory_limit: MemoryLimit = None,
    show: Show = False,
    most: Most = 20,
    as_json: Json = False,
) -> None:
    """Tell who could be found in a table, by which columns, and what classes give away.

    Example: lookalike risk patients.csv -q zip,birth,sex --sensitive problem
    """
    with show_progress(err, "reading") as announce:
        found = risk(
            table,
            read_names(quasi_identifier),
            k=k,
            size=size,
            sensitive=read_names(sensitive),
            ordered=read_names(ordered),
            population=population,
            announce=announce,
            delimiter=delimiter,
            encoding=encoding,
            where=where,
            memory_limit=memory_limit,
        )
    if as_json:
        print_json(render_risk.risk_as_json(found, most if show else 0))
    else:
        out.print(render_risk.show_risk(found, most if show else 0))
