"""``lookalike check``: reports the k of a table."""

from typing import Annotated

import typer

from lookalike.flow.check import check
from lookalike.shell.commands.arguments import (
    Delimiter,
    Encoding,
    EngineOption,
    Json,
    LinkableColumns,
    Master,
    MaxSequences,
    MemorySize,
    PersonColumn,
    SpillFolder,
    TableFile,
    Where,
    read_names,
    read_resources,
)
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.check import check_as_json, show_check
from lookalike.shell.views.progress import show_progress


def check_command(
    table: TableFile,
    quasi_identifier: LinkableColumns,
    k: Annotated[int, typer.Option("--k", "-k", help="Minimum size of each class.")] = 2,
    person: PersonColumn = None,
    delimiter: Delimiter = None,
    encoding: Encoding = "utf-8",
    where: Where = None,
    engine: EngineOption = None,
    master: Master = None,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    max_sequences: MaxSequences = None,
    as_json: Json = False,
) -> None:
    """Report the k of a table: the size of its smallest equivalence class.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    attributes = read_names(quasi_identifier)
    with show_progress(err, "counting"):
        checked = check(
            table,
            attributes,
            k,
            person=person,
            max_sequences=max_sequences,
            delimiter=delimiter,
            encoding=encoding,
            where=where,
            engine=engine or "duckdb",
            master=master,
            **read_resources(memory, spill),
        )
    if as_json:
        print_json(check_as_json(checked))
    else:
        out.print(show_check(checked, attributes, k, person))
    raise typer.Exit(0 if checked.holds else 1)
