"""``lookalike join``: puts the increments of a source together."""

from pathlib import Path

import typer

from lookalike.flow.join_releases import JoinedRelease, join_releases
from lookalike.shell.commands import arguments
from lookalike.shell.views.release import show_joined
from lookalike.shell.views.terminal import print_result, show_progress

JOIN_OUTPUTS = {"join": JoinedRelease}


def join_command(
    folders: list[Path] = typer.Argument(
        help="Published increments, or a folder of them.", metavar="FOLDER…"
    ),
    out: Path = typer.Option(
        ..., "--out", "-o", help="File to write; its folder becomes the release.", metavar="PATH"
    ),
    replace: bool = typer.Option(False, "--replace", help="Replace an earlier release there."),
    as_json: arguments.Json = False,
) -> None:
    """Put increments of a source together, with a certificate of the whole.

    Example: lookalike join released/2024-01 released/2024-02 --out joined/patients.csv
    """
    with show_progress("verifying"):
        joined = join_releases(*folders, out=out, replace=replace)
    print_result(as_json, joined, lambda: show_joined(joined))
