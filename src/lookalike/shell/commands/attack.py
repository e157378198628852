"""``lookalike attack``: tries the published attacks on several releases of one source."""

from pathlib import Path
from typing import Annotated

import typer

from lookalike.risk.releases.attack import attack
from lookalike.risk.releases.attacked import Attacked
from lookalike.shell.commands import arguments
from lookalike.shell.views.attack import show_attack
from lookalike.shell.views.terminal import print_result, show_progress

ATTACK_OUTPUTS = {"attack": Attacked}


def attack_command(
    releases: Annotated[
        list[str],
        typer.Argument(help="Published folders, or tables (with --spec).", metavar="RELEASE…"),
    ],
    spec: Annotated[
        Path | None,
        typer.Option(help="Specification: hierarchies, and the roles of columns of tables."),
    ] = None,
    k: arguments.RemainingK = None,
    people: Annotated[
        int | None, typer.Option(help="Number of people in the releases, if some left the source.")
    ] = None,
    totals: Annotated[
        list[Path] | None,
        typer.Option(
            help="Table of known totals: columns of values, and total; may be repeated.",
            metavar="TABLE",
        ),
    ] = None,
    show: arguments.ShowExposed = False,
    as_json: arguments.Json = False,
) -> None:
    """Try the published attacks on several releases of one source.

    Example: lookalike attack released/2023 released/2024 --spec patients.toml
    """
    with show_progress("reading") as announce:
        attacked = attack(
            *releases, spec=spec, k=k, people=people, totals=totals or (), announce=announce
        )
    print_result(as_json, attacked, lambda: show_attack(attacked, show=show), show=show)
    raise typer.Exit(0 if attacked.holds else 1)
