"""``lookalike hierarchy``: proposes, previews, shows and checks hierarchies."""

import tomllib
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from lookalike.draft.check_hierarchies import HierarchyCheck, check_hierarchies, find_hierarchy
from lookalike.draft.column import count_column, count_specified
from lookalike.draft.preview_hierarchy import USUAL_K, HierarchyPreview, preview_hierarchy
from lookalike.draft.propose_hierarchy import VALUE_KINDS, propose_hierarchy
from lookalike.draft.write_draft import write_proposed
from lookalike.errors import InvalidInput
from lookalike.hierarchy import Hierarchy
from lookalike.shell.commands import arguments
from lookalike.shell.display import StrictCommand
from lookalike.shell.views.hierarchy import Previewed, show_checks, show_preview, show_proposed
from lookalike.shell.views.terminal import print_result, show_progress
from lookalike.spec.settle_columns import complete_columns
from lookalike.spec.specification import Specification

HIERARCHY_OUTPUTS = {
    "hierarchy-propose": Previewed,
    "hierarchy-preview": HierarchyPreview,
    "hierarchy-show": HierarchyPreview,
    "hierarchy-check": {"holds": bool, "columns": tuple[HierarchyCheck, ...]},
}

hierarchy_app = typer.Typer(
    no_args_is_help=True,
    help="Propose, preview and check how the values of a column become more general.",
)

ColumnName = Annotated[str, typer.Argument(help="Name of the column.")]
ComparedK = Annotated[
    int, typer.Option("--k", "-k", help="Count the rows in groups of fewer rows.", min=1)
]


@hierarchy_app.command("propose", cls=StrictCommand)
@arguments.takes_fields("hierarchy")
def propose_command(
    table: arguments.TableFile,
    column: ColumnName,
    *,
    kind: str | None = typer.Option(
        None,
        help=f"What the values are: {', '.join(VALUE_KINDS)}. By default all are tried.",
        metavar="KIND",
    ),
    out_file: Path | None = typer.Option(
        None, "--out", help="Write the labels of the values to this new file, to edit it."
    ),
    k: ComparedK = USUAL_K,
    source: arguments.FromSource,
    as_json: arguments.Json = False,
) -> None:
    """Propose a hierarchy for a column, with a preview.

    Example: lookalike hierarchy propose patients.csv zip --kind "postal code"
    """
    with show_progress("counting"):
        profile = count_column(table, column, **source)
        proposed = propose_hierarchy(profile, kind)
        preview = preview_hierarchy(profile, proposed.hierarchy, k)
    if out_file is not None:
        proposed = write_proposed(proposed, profile, out_file)
    found = Previewed(proposed, replace(preview, kind=proposed.kind), out_file)
    print_result(as_json, found, lambda: show_proposed(found), highlight=False)


@hierarchy_app.command("preview", cls=StrictCommand)
@arguments.takes_fields("hierarchy")
def preview_command(
    table: arguments.TableFile,
    column: ColumnName,
    hierarchy: str = typer.Argument(
        help="Hierarchy, as in a specification: '{ kind = \"mask\" }'."
    ),
    *,
    k: ComparedK = USUAL_K,
    source: arguments.FromSource,
    as_json: arguments.Json = False,
) -> None:
    """Show what each level of a hierarchy would make of a column.

    Example: lookalike hierarchy preview patients.csv zip '{ kind = "mask", keep = [3] }'
    """
    rule = _read_hierarchy(column, hierarchy)
    with show_progress("counting"):
        profile = count_column(table, column, **source)
        preview = preview_hierarchy(profile, rule, k)
    print_result(as_json, preview, lambda: show_preview(preview), highlight=False)


@hierarchy_app.command("show", cls=StrictCommand)
def show_hierarchy_command(
    spec: arguments.SpecFile,
    column: ColumnName,
    k: int | None = typer.Option(
        None, "--k", "-k", help="Instead of k of the specification.", min=1
    ),
    as_json: arguments.Json = False,
) -> None:
    """Show what each level of a hierarchy of a specification makes of its column.

    Example: lookalike hierarchy show patients.toml zip
    """
    specification = complete_columns(Specification.load(spec))
    rule = find_hierarchy(specification, column)
    asked = specification.release
    with show_progress("counting"):
        [profile] = count_specified(specification, [column])
        preview = preview_hierarchy(profile, rule, k or asked.k or USUAL_K, asked.suppressed_label)
    print_result(as_json, preview, lambda: show_preview(preview), highlight=False)


@hierarchy_app.command("check", cls=StrictCommand)
def check_hierarchy_command(
    spec: arguments.SpecFile,
    column: str | None = typer.Argument(None, help="The only column to check.", show_default=False),
    as_json: arguments.Json = False,
) -> None:
    """Check the hierarchies of a specification against the values of its table.

    Example: lookalike hierarchy check patients.toml
    """
    with show_progress("counting"):
        checks = check_hierarchies(complete_columns(Specification.load(spec)), column)
    holds = all(one.holds for one in checks)
    found = {"holds": holds, "columns": checks}
    print_result(as_json, found, lambda: show_checks(checks), highlight=False)
    raise typer.Exit(0 if holds else 1)


def _read_hierarchy(column: str, text: str) -> Hierarchy:
    """Read a hierarchy that is given as in a specification."""
    try:
        table = tomllib.loads(f"hierarchy = {text}", parse_float=Decimal)
    except tomllib.TOMLDecodeError:
        raise InvalidInput(
            "the hierarchy is not an inline table of TOML; give for example "
            "'{ kind = \"intervals\", widths = [5, 10] }'"
        ) from None
    attribute = {"role": "quasi-identifier", **table}
    fields = {"release": {"k": USUAL_K}, "attributes": {column: attribute}}
    return find_hierarchy(Specification.build(fields, "the hierarchy"), column)
