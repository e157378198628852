"""``lookalike check``: reports the k of a table, or checks the table of a specification."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.errors import InvalidInput
from lookalike.flow.check import Checked, check
from lookalike.flow.check_specification import TablePreflight, preflight_table
from lookalike.model.requirement import LEAST_K
from lookalike.shell.commands import arguments
from lookalike.shell.views.check import show_check, show_table_preflight
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.presets import choose_k

CHECK_OUTPUTS = {"check": Checked, "check-spec": TablePreflight}


@arguments.takes_fields("check")
def check_command(
    table: Annotated[
        str | None, typer.Argument(help="Table: a file, or a quoted glob for many files.")
    ] = None,
    *,
    quasi_identifier: Annotated[
        list[str] | None,
        typer.Option(
            "--quasi-identifier",
            "-q",
            help="Columns that can be linked, separated by commas; may be repeated.",
            metavar="COLUMNS",
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", help=f"Minimum size of each class; default: {LEAST_K}."),
    ] = None,
    spec: Annotated[
        Path | None,
        typer.Option(
            help="Specification: make the checks before publishing that need no release, on its "
            "table or on TABLE.",
            metavar="FILE",
        ),
    ] = None,
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Report the k of a table: the size of its smallest equivalence class.

    With --spec, check the table of a specification before it is released.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    if spec is not None:
        own = ("where", "engine", "master", "memory", "spill")
        why = "--spec names the columns and how to read the table"
        read = arguments.pick_beside_spec(source, own, {"-q": quasi_identifier}, why)
        _check_specification(spec, {"k": k, **asked}, {"path": table, **read}, as_json=as_json)
        return
    if table is None or not quasi_identifier:
        raise InvalidInput(
            "name a table and its columns that can be linked (--quasi-identifier), or a "
            "specification (--spec); see lookalike check --help"
        )
    attributes = arguments.read_names(quasi_identifier)
    least = choose_k(k, asked.pop("preset", None), LEAST_K)
    with show_progress("counting"):
        checked = check(table, attributes, least, **asked, **source)
    person = source.get("person")
    print_result(as_json, checked, lambda: show_check(checked, attributes, least, person))
    raise typer.Exit(0 if checked.holds else 1)


def _check_specification(
    spec: Path, fields: arguments.OptionValues, source: arguments.OptionValues, *, as_json: bool
) -> None:
    """Make the checks of a specification that need no release."""
    with show_progress("reading") as announce:
        checked = preflight_table(arguments.load_specification(spec, fields, source), announce)
    print_result(as_json, checked, lambda: show_table_preflight(checked))
    raise typer.Exit(0 if checked.holds else 1)
