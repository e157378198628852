"""``lookalike attack``: tries the published attacks on several releases of one source."""

from pathlib import Path

import typer

from lookalike.risk.releases.attack import attack
from lookalike.risk.releases.attacked import Attacked
from lookalike.shell.commands import arguments
from lookalike.shell.views.attack import show_attack
from lookalike.shell.views.terminal import print_result, show_progress

ATTACK_OUTPUTS = {"attack": Attacked}


def attack_command(
    releases: list[str] = typer.Argument(
        help="Published folders, or tables (with --spec).", metavar="RELEASE…"
    ),
    spec: Path | None = typer.Option(
        None, help="Specification: hierarchies, and the roles of columns of tables."
    ),
    k: arguments.RemainingK = None,
    people: int | None = typer.Option(
        None, help="Number of people in the releases, if some left the source."
    ),
    totals: list[Path] | None = typer.Option(
        None,
        help="Table of known totals: columns of values, and total; may be repeated.",
        metavar="TABLE",
    ),
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
