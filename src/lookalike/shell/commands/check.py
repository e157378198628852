"""`lookalike check`: the k of any table."""

from typing import Annotated

import typer

from lookalike.flow.check import check
from lookalike.shell.commands.arguments import (
    Delimiter,
    Encoding,
    Json,
    Linkable,
    MemoryLimit,
    Where,
    read_names,
)
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.views import release as render
from lookalike.shell.views.progress import show_progress


def check_command(
    table: Annotated[str, typer.Argument(help="A file, or a quoted glob for many.")],
    quasi_identifier: Linkable,
    k: Annotated[int, typer.Option("--k", "-k", help="How often each combination must occur.")] = 2,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    where: Where = None,
    memory_limit: MemoryLimit = None,
    as_json: Json = False,
) -> None:
    """Tell the k of any table: the size of its smallest class.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    attributes = read_names(quasi_identifier)
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
