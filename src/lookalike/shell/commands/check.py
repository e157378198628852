"""``lookalike check``: reports the k of a table, or checks the table of a specification."""

from pathlib import Path

import typer
from rich.console import RenderableType

from lookalike.errors import InvalidInput
from lookalike.flow.check import Checked, check
from lookalike.flow.check_records import CheckedRecords, check_records
from lookalike.flow.check_specification import TablePreflight, preflight_table
from lookalike.model.requirement import LEAST_K
from lookalike.shell.commands import arguments
from lookalike.shell.views.check import show_check, show_table_preflight
from lookalike.shell.views.linked import show_checked_records
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.presets import choose_k
from lookalike.spec.specification import Specification

CHECK_OUTPUTS = {
    "check": Checked,
    "check-spec": TablePreflight,
    "check-records": CheckedRecords,
}


@arguments.takes_fields("check")
def check_command(
    table: str | None = typer.Argument(
        None, help="Table: a file, or a quoted glob for many files."
    ),
    *,
    quasi_identifier: list[str] | None = typer.Option(
        None,
        "--quasi-identifier",
        "-q",
        help="Columns that can be linked, separated by commas; may be repeated.",
        metavar="COLUMNS",
    ),
    k: int | None = typer.Option(
        None, "--k", "-k", help=f"Minimum size of each class; default: {LEAST_K}."
    ),
    spec: Path | None = typer.Option(
        None,
        help="Specification: make the checks before publishing that need no release, on its "
        "table or on TABLE.",
        metavar="FILE",
    ),
    source: arguments.FromSource,
    asked: arguments.FromRelease,
    as_json: arguments.Json = False,
) -> None:
    """Report the k of a table: the size of its smallest equivalence class.

    With --spec, check the table of a specification before it is released; of linked tables, whether
    they keep the promise as they are.

    Example: lookalike check patients.csv -q zip,birth,sex -k 5
    """
    if spec is not None:
        own = ("where", "engine", "master", "memory", "spill")
        why = "--spec names the columns and how to read the table"
        read = arguments.pick_beside_spec(source, own, {"-q": quasi_identifier}, why)
        loaded = arguments.load_specification(spec, {"k": k, **asked}, {"path": table, **read})
        _check_specification(loaded, as_json=as_json)
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


def _check_specification(specification: Specification, *, as_json: bool) -> None:
    """Check the tables of a specification, and end with whether nothing is wrong."""
    found: TablePreflight | CheckedRecords
    shown: RenderableType
    with show_progress("reading") as announce:
        if specification.is_linked:
            found = checked = check_records(specification, announce)
            shown = show_checked_records(checked)
        else:
            found = preflight = preflight_table(specification, announce)
            shown = show_table_preflight(preflight)
    print_result(as_json, found, lambda: shown)
    raise typer.Exit(0 if found.holds else 1)
