"""`lookalike attack`: what several releases give away together."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.risk.releases.attack import attack
from lookalike.shell.commands.arguments import Json
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.views import attack as render_attack
from lookalike.shell.views.progress import show_progress


def attack_command(
    releases: Annotated[
        list[str],
        typer.Argument(help="Published folders, or tables (with --spec).", metavar="RELEASE…"),
    ],
    spec: Annotated[
        Path | None,
        typer.Option(help="The specification: hierarchies, and roles of plain tables."),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", "-k", help="How many rows should remain; else as promised.", min=1),
    ] = None,
    people: Annotated[
        int | None,
        typer.Option(help="How many people the releases are about, if some left the source."),
    ] = None,
    totals: Annotated[
        list[Path] | None,
        typer.Option(
            help="A table of known totals: columns of values, and total; may be repeated.",
            metavar="TABLE",
        ),
    ] = None,
    show: Annotated[
        bool,
        typer.Option("--show", help="Show the exposed sequences: for your own eyes."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Try the papers' attacks on several releases of one source; tell how many rows are left.

    Example: lookalike attack released/2023 released/2024 --spec patients.toml
    """
    with show_progress(err, "reading") as announce:
        attacked = attack(
            *releases,
            specification=spec,
            k=k,
            people=people,
            totals=totals or (),
            announce=announce,
        )
    if as_json:
        print_json(render_attack.attack_as_json(attacked, show=show))
    else:
        out.print(render_attack.show_attack(attacked, show=show))
    raise typer.Exit(0 if attacked.holds else 1)
