"""`lookalike demo`: the papers' patients and a census, released and explained."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lookalike.shell.commands.arguments import Json
from lookalike.shell.commands.console import out, print_json
from lookalike.shell.demo import run_demo
from lookalike.shell.views import release as render


def demo_command(
    folder: Annotated[
        Path | None,
        typer.Option(help="Keep the demo's files in this new folder.", metavar="FOLDER"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Release the 12 patients of Sweeney's paper, then 30,162 census records, and explain it.

    Example: lookalike demo
    """
    made = run_demo(Console(quiet=True) if as_json else out, folder)
    if as_json:
        print_json({"releases": [render.release_as_json(release, []) for release in made]})
