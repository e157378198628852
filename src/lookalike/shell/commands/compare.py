"""``lookalike compare``: runs every method on one table."""

from typing import Annotated

import typer

from lookalike.flow.compare import compare_methods
from lookalike.shell.commands.arguments import (
    FromRelease,
    FromSource,
    Json,
    SpecFile,
    load_specification,
    takes_fields,
)
from lookalike.shell.console import err, print_result
from lookalike.shell.views.comparison import compared_as_json, show_comparison
from lookalike.shell.views.terminal import show_progress


@takes_fields("compare")
def compare_command(
    spec: SpecFile,
    *,
    method: Annotated[
        list[str] | None,
        typer.Option(help="Run only this method; may be repeated.", metavar="METHOD"),
    ] = None,
    source: FromSource,
    target: Annotated[
        str | None,
        typer.Option(
            help="Measure utility: how well models trained on each release predict this column "
            "(extra: utility).",
            metavar="COLUMN",
        ),
    ] = None,
    asked: FromRelease,
    as_json: Json = False,
) -> None:
    """Run every method on the same table and requirement; write nothing.

    Options replace fields of the specification.

    Example: lookalike compare patients.toml
    """
    specification = load_specification(spec, asked, source)
    with show_progress(err, "reading") as announce:
        compared = compare_methods(specification, method or (), announce, target=target)
    print_result(
        as_json,
        lambda: {"methods": [compared_as_json(one) for one in compared]},
        lambda: show_comparison(compared),
    )
