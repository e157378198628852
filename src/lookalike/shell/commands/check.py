"""``lookalike check``: reports the k of a table, or checks the table of a specification."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.check import check
from lookalike.flow.preflight.table import preflight_table
from lookalike.model.requirement import LEAST_K
from lookalike.shell.commands.arguments import (
    Delimiter,
    Encoding,
    EngineOption,
    HeaderRow,
    Json,
    LastRowsOption,
    LinkableColumns,
    Master,
    MaxSequences,
    MemorySize,
    MissingTexts,
    PersonColumn,
    PresetOption,
    SkipRows,
    SpillFolder,
    Trim,
    Where,
    load_specification,
    read_names,
    read_place,
    read_resources,
    read_surroundings,
)
from lookalike.shell.console import err, out, print_json
from lookalike.shell.views.check import show_check
from lookalike.shell.views.preflight import show_table_preflight
from lookalike.shell.views.progress import show_progress
from lookalike.spec.presets import choose_k


def check_command(
    table: Annotated[
        str | None, typer.Argument(help="Table: a file, or a quoted glob for many files.")
    ] = None,
    quasi_identifier: LinkableColumns = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", help=f"Minimum size of each class; default: {LEAST_K}."),
    ] = None,
    preset: PresetOption = None,
    spec: Annotated[
        Path | None,
        typer.Option(
            help="Specification: make the checks before publishing that need no release, on its "
            "table or on TABLE.",
            metavar="FILE",
        ),
    ] = None,
    person: PersonColumn = None,
    delimiter: Delimiter = None,
    header_row: HeaderRow = None,
    skip_rows: SkipRows = 0,
    last_rows: LastRowsOption = 0,
    encoding: Encoding = "utf-8",
    missing: MissingTexts = None,
    trim: Trim = False,
    where: Where = None,
    engine: EngineOption = None,
    master: Master = None,
    memory: MemorySize = None,
    spill: SpillFolder = None,
    max_sequences: MaxSequences = None,
    as_json: Json = False,
) -> None:
    """Report the k of a table: the size of its smallest equivalence class.

    With --spec, check the table of a specification before it is released.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    rows = read_surroundings(header_row, skip_rows, last_rows)
    if spec is not None:
        if any((quasi_identifier, delimiter, missing, trim, person, rows)):
            raise InvalidInput(
                "--spec names the columns and how to read the table; leave out -q, --person, "
                "--delimiter, --header-row, --skip-rows, --last-rows, --missing and --trim"
            )
        source = {"engine": engine, "master": master, **read_place(table, where, memory, spill)}
        fields = {"max_sequences": max_sequences, "preset": preset}
        _check_specification(spec, fields, source, as_json=as_json)
        return
    if table is None or not quasi_identifier:
        raise InvalidInput(
            "name a table and its columns that can be linked (--quasi-identifier), or a "
            "specification (--spec); see lookalike check --help"
        )
    attributes, least = read_names(quasi_identifier), choose_k(k, preset, LEAST_K)
    with show_progress(err, "counting"):
        checked = check(
            table,
            attributes,
            least,
            person=person,
            max_sequences=max_sequences,
            delimiter=delimiter,
            encoding=encoding,
            missing=missing or (),
            trim=trim,
            where=where,
            engine=engine or "duckdb",
            master=master,
            **read_resources(memory, spill),
            **rows,
        )
    if as_json:
        print_json(checked.as_json())
    else:
        out.print(show_check(checked, attributes, least, person))
    raise typer.Exit(0 if checked.holds else 1)


def _check_specification(
    spec: Path, fields: dict[str, int | str | None], source: dict[str, str | None], *, as_json: bool
) -> None:
    """Make the checks of a specification that need no release."""
    with show_progress(err, "reading") as announce:
        checked = preflight_table(load_specification(spec, fields, source=source), announce)
    if as_json:
        print_json(checked.as_json())
    else:
        out.print(show_table_preflight(checked))
    raise typer.Exit(0 if checked.holds else 1)
